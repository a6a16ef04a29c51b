import RackEngine
import RackModel

/// The steps of a session that can be undone, and those that can be done again.
struct History {
  /// A step as the state before and after it.
  enum Step {
    case values([Value])
    case rack(RackStep)

    static func value(_ path: ParameterPath, before: Float, after: Float) -> Step {
      .values([Value(path: path, before: before, after: after)])
    }
  }

  struct Value {
    var path: ParameterPath
    var before: Float
    var after: Float
  }

  struct RackStep {
    var before: CheckedRack
    var after: CheckedRack
    /// Whether all values of the units belong to the step, even if they were moved since.
    var isWhole = false
    /// The songs of the set list that the two racks belong to.
    var songs: (before: String?, after: String)?
  }

  struct Entry {
    /// In the words of a command.
    var title: String
    var step: Step
    /// Of the side of the step that is not present; nil where the step does not change the scene.
    fileprivate(set) var sceneStart: SceneStart?
    /// When a gesture was last continued; nil for other steps.
    fileprivate var time: ContinuousClock.Instant?
  }

  /// Who holds a parameter: all sets of what a peer holds are one step.
  private var held: [ParameterPath: Peer] = [:]
  private var done: [Entry] = []
  private var undone: [Entry] = []

  /// Older steps are forgotten.
  private static let mostSteps = 1000
  /// Steps that hands may be at.
  private static let mostHeld = 64
  /// Sets of one parameter that follow each other within this time are one step.
  private static let gesture = Duration.seconds(1)

  var last: Entry? { done.last }
  var next: Entry? { undone.last }

  /// Adds a step.
  ///
  /// - Parameters:
  ///   - isGesture: the step may be one of many by which a hand moves a parameter.
  ///   - sceneStart: before the step, where the step may change that.
  mutating func add(
    _ step: Step, title: String, isGesture: Bool = false, from sceneStart: SceneStart? = nil,
    at now: ContinuousClock.Instant = .now
  ) {
    undone = []
    if isGesture, case .values(let values) = step, let value = values.first,
      let place = gesture(of: value.path, now),
      case .values(var moved) = done.remove(at: place).step
    {
      // Moved to the end: other gestures may have ended meanwhile.
      if let known = moved.firstIndex(where: { $0.path == value.path }) {
        moved[known].after = value.after
      } else {
        moved.append(value)
      }
      let title = moved.count > 1 ? Self.title(of: moved) : title
      done.append(Entry(title: title, step: .values(moved), time: now))
      return
    }
    done.append(
      Entry(title: title, step: step, sceneStart: sceneStart, time: isGesture ? now : nil))
    if done.count > Self.mostSteps { done.removeFirst() }
  }

  /// The place of the gesture that moves this parameter now; the steps after it belong to other
  /// parameters that are moved at the same time.
  private func gesture(of path: ParameterPath, _ now: ContinuousClock.Instant) -> Int? {
    for (place, entry) in done.enumerated().reversed() {
      guard case .values(let values) = entry.step, let time = entry.time,
        now - time < Self.gesture || values.contains(where: { held[$0.path] != nil })
      else { return nil }
      let peer = held[path]
      if values.contains(where: { $0.path == path || peer != nil && held[$0.path] == peer }) {
        return place
      }
    }
    return nil
  }

  static func title(of values: [Value]) -> String {
    let names = values.map { "\($0.path)" }
    return names.count > 3
      ? "set \(names[0]) and \(names.count - 1) more" : "set \(names.joined(separator: ", "))"
  }

  /// A hand has taken hold of a parameter: its next set begins a step.
  mutating func hold(_ path: ParameterPath, by peer: Peer) {
    end(path)
    held[path] = peer
  }

  /// The hand has let go: the next set begins another step.
  mutating func release(_ path: ParameterPath) {
    held[path] = nil
    end(path)
  }

  private mutating func end(_ path: ParameterPath) {
    for place in done.indices.suffix(Self.mostHeld) {
      if case .values(let values) = done[place].step, values.contains(where: { $0.path == path }) {
        done[place].time = nil
      }
    }
  }

  /// The last step has been undone.
  ///
  /// - Parameter start: before it was undone.
  mutating func stepBack(from start: SceneStart? = nil) {
    guard var entry = done.popLast() else { return }
    (entry.time, entry.sceneStart) = (nil, entry.sceneStart.flatMap { _ in start })
    undone.append(entry)
  }

  /// The step undone last has been done again.
  mutating func stepForward(from start: SceneStart? = nil) {
    guard var entry = undone.popLast() else { return }
    entry.sceneStart = entry.sceneStart.flatMap { _ in start }
    done.append(entry)
  }

  /// The present scene counts from now on, whatever is undone.
  mutating func forgetSceneStarts() {
    for place in done.indices { done[place].sceneStart = nil }
    for place in undone.indices { undone[place].sceneStart = nil }
  }
}
