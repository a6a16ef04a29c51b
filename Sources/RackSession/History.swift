import RackEngine
import RackModel

/// The steps of a session that can be undone, and the undone steps that can be redone.
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
    var setsAllValues = false
    /// The songs of the set list that the two racks belong to.
    var songs: (before: String?, after: String)?
  }

  struct Entry {
    /// The title of the step, in the words of a command.
    var title: String
    var step: Step
    /// The scene start to restore when the step is next undone or redone; nil if the step does not change the scene.
    fileprivate(set) var sceneStart: SceneStart?
    /// The time when the gesture was last continued; nil for other steps.
    fileprivate var time: ContinuousClock.Instant?
  }

  /// The peer that holds each parameter: all sets of the parameters that a peer holds are one step.
  private var held: [ParameterPath: Peer] = [:]
  private var done: [Entry] = []
  private var undone: [Entry] = []

  /// The largest number of steps that can be undone; older steps are removed.
  private static let maximumSteps = 1000
  /// The number of newest steps that are searched for a gesture to end.
  private static let maximumHeld = 64
  /// The longest time between two sets of one parameter that are one step.
  private static let gesture = Duration.seconds(1)

  var last: Entry? { done.last }
  var next: Entry? { undone.last }

  /// Adds a step.
  ///
  /// - Parameters:
  ///   - isGesture: whether the step may continue a gesture, with which it is then merged.
  ///   - sceneStart: the scene start before the step; nil if the step does not change it.
  mutating func add(
    _ step: Step, title: String, isGesture: Bool = false, from sceneStart: SceneStart? = nil,
    at now: ContinuousClock.Instant = .now
  ) {
    undone = []
    if isGesture, case .values(let values) = step, let value = values.first,
      let index = gesture(of: value.path, now),
      case .values(var moved) = done.remove(at: index).step
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
    if done.count > Self.maximumSteps { done.removeFirst() }
  }

  /// Returns the index of the step whose gesture moves this parameter now; nil if there is none. Later steps belong
  /// to other parameters that are moved at the same time.
  private func gesture(of path: ParameterPath, _ now: ContinuousClock.Instant) -> Int? {
    for (index, entry) in done.enumerated().reversed() {
      guard case .values(let values) = entry.step, let time = entry.time,
        now - time < Self.gesture || values.contains(where: { held[$0.path] != nil })
      else { return nil }
      let peer = held[path]
      if values.contains(where: { $0.path == path || peer != nil && held[$0.path] == peer }) {
        return index
      }
    }
    return nil
  }

  static func title(of values: [Value]) -> String {
    let names = values.map { "\($0.path)" }
    return names.count > 3
      ? "\(names[0]) and \(names.count - 1) more set" : "\(names.joined(separator: ", ")) set"
  }

  /// Records that a peer holds a parameter. The next set of the parameter begins a step.
  mutating func hold(_ path: ParameterPath, by peer: Peer) {
    end(path)
    held[path] = peer
  }

  /// Records that no peer holds a parameter any more. The next set of the parameter begins a step.
  mutating func release(_ path: ParameterPath) {
    held[path] = nil
    end(path)
  }

  private mutating func end(_ path: ParameterPath) {
    for index in done.indices.suffix(Self.maximumHeld) {
      if case .values(let values) = done[index].step, values.contains(where: { $0.path == path }) {
        done[index].time = nil
      }
    }
  }

  /// Records that the last step was undone.
  ///
  /// - Parameter start: the scene start before the undo.
  mutating func stepBack(from start: SceneStart? = nil) {
    guard var entry = done.popLast() else { return }
    (entry.time, entry.sceneStart) = (nil, entry.sceneStart.flatMap { _ in start })
    undone.append(entry)
  }

  /// Records that the step undone last was redone.
  ///
  /// - Parameter start: the scene start before the redo.
  mutating func stepForward(from start: SceneStart? = nil) {
    guard var entry = undone.popLast() else { return }
    entry.sceneStart = entry.sceneStart.flatMap { _ in start }
    done.append(entry)
  }

  /// Removes the scene starts of all steps, so that undo and redo keep the present one.
  mutating func removeSceneStarts() {
    for index in done.indices { done[index].sceneStart = nil }
    for index in undone.indices { undone[index].sceneStart = nil }
  }
}
