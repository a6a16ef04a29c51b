import RackEngine
import RackModel

/// What has been done in a session and can be undone, and what has been undone and can be done again.
struct History {
  /// What was done, as what was before and what is now: each is the other's inverse.
  enum Step {
    case value(ParameterPath, before: Float, after: Float)
    /// Of several parameters at once.
    case values([Value])
    case rack(RackStep)
  }

  struct Value {
    var path: ParameterPath
    var before: Float
    var after: Float
  }

  struct RackStep {
    var before: CheckedRack
    var after: CheckedRack
    /// A unit that is called otherwise in the two.
    var renamed: (from: String, to: String)?
    /// Is all that the units are set to part of the step, whoever has moved it since?
    var isWhole = false
    /// The songs of the set list that the two are.
    var songs: (before: String?, after: String)?
  }

  struct Entry {
    /// As a command reads.
    var title: String
    var step: Step
    /// When it was last added to; nil for what nothing is added to.
    fileprivate var time: ContinuousClock.Instant?
  }

  private var done: [Entry] = []
  private var undone: [Entry] = []

  /// More than anybody goes back, and few enough to be kept.
  private static let mostSteps = 1000
  /// Sets of one parameter that follow each other within this are one movement of a hand.
  private static let gesture = Duration.seconds(1)

  var last: Entry? { done.last }
  var next: Entry? { undone.last }

  /// `isGesture`: may be one of many by which a hand moves a parameter.
  mutating func add(
    _ step: Step, title: String, isGesture: Bool = false, at now: ContinuousClock.Instant = .now
  ) {
    undone = []
    if isGesture, case .value(let path, _, let after) = step, let place = gesture(of: path, now),
      case .value(_, let before, _) = done[place].step
    {
      done[place] = Entry(
        title: title, step: .value(path, before: before, after: after), time: now)
      return
    }
    done.append(Entry(title: title, step: step, time: isGesture ? now : nil))
    if done.count > Self.mostSteps { done.removeFirst() }
  }

  /// Where a hand's movement of a parameter stands that goes on now: last, or before what other hands
  /// move at the same time.
  private func gesture(of path: ParameterPath, _ now: ContinuousClock.Instant) -> Int? {
    for (place, entry) in done.enumerated().reversed() {
      guard let time = entry.time, now - time < Self.gesture else { return nil }
      if case .value(path, _, _) = entry.step { return place }
    }
    return nil
  }

  /// The last step has been undone.
  mutating func stepBack() {
    guard var entry = done.popLast() else { return }
    entry.time = nil
    undone.append(entry)
  }

  /// The step undone last has been done again.
  mutating func stepForward() {
    guard let entry = undone.popLast() else { return }
    done.append(entry)
  }
}
