import Documents
import RackEngine
import RackModel
import UnitModel

/// The MIDI learn command: assigns the control that is moved next.
struct LearnControl: ControlAssignment {
  var to: String?
  var range: [String]?
  var curve: ParameterCurve?
  var mode: ControlMode?
  var picksUp: Bool?
  var cancels: Bool?

  static let declaration = CommandDeclaration(
    "learn", "Assign the next MIDI control that you move.",
    detail: """
      Controllers of 7 and 14 bits, NRPNs, notes, pitch bends, pressures and programs are understood; the \
      result says what an endless encoder, a switch and the touch of a fader were taken for. Turn an encoder \
      both ways. It waits for a minute. The command is answered at once; subscribers to events receive the result. \
      Without `to` the learning is cancelled.
      """,
    examples: [
      "learn echo.mix --range \"0 %, 50 %\" --pick-up", "learn echo.bypass --mode toggle",
      "learn \"scene lead\"",
    ])
  static let arguments: [CommandArgument<Self>] =
    [
      .optional(
        "to", \.to, .target, "What it moves: echo.mix, echo.bypass, \"scene lead\".")
    ] + assignmentArguments + [.flag("cancel", \.cancels, "Stop learning.")]

  func validate() throws(Refusal) {
    if to != nil, cancels == true { throw Refusal("“cancel” stops learning; leave “to” out") }
    let given = [
      ("range", range != nil), ("curve", curve != nil), ("mode", mode != nil),
      ("pick_up", picksUp != nil),
    ]
    guard to == nil, let (spare, _) = given.first(where: { $0.1 }) else { return }
    throw Refusal("“learn” without “to” cancels the learning, so “\(spare)” has no meaning")
  }

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    .done(try await session.learn(to.map { control(to: $0) }))
  }
}

extension RackSession {
  /// The time to wait for a control.
  private static let timeout = Duration.seconds(60)

  /// Starts a MIDI learn and ends an earlier one; nil cancels the present one. Returns a description.
  fileprivate func learn(_ control: Rack.Control?) async throws -> String {
    guard let control else {
      guard learning != nil else { throw Refusal("no MIDI control is being learned") }
      endLearning()
      return "learning was cancelled"
    }
    guard let port = rack.plan.midiInputs.first else {
      throw Refusal("the rack has no MIDI input; give it one: inputs: { keys: { midi: true } }")
    }
    // Refuses a wrong target before a control is moved.
    var example = control
    example.source = Located("\(port.name) cc 1")
    _ = try RackEditor(checker(rack)).map(example, in: rack)
    endLearning()
    let messages = await engine.receivedMIDI()
    learning = (control, Task { [weak self] in await self?.listen(to: messages, for: control) })
    feed.post(Learning(to: control.to))
    return "learn \(control.to): now move the MIDI control to assign to it"
  }

  private func endLearning() {
    guard let learning else { return }
    learning.task.cancel()
    self.learning = nil
    feed.post(Learning(to: learning.control.to, error: "cancelled"))
  }

  private func listen(
    to stream: AsyncStream<[ReceivedMIDI]>, for control: Rack.Control
  ) async {
    var learner = ControlLearner()
    var found: ControlLearner.Found?
    let end = ContinuousClock.now + Self.timeout
    for await messages in stream {
      add(messages, to: &learner)
      found = learner.found(at: .now)
      if found != nil || ContinuousClock.now > end { break }
    }
    // Another MIDI learn may have started.
    guard !Task.isCancelled else { return }
    if let found {
      await finish(control, found, &learner, stream)
    } else {
      learning = nil
      feed.post(Learning(to: control.to, error: "no MIDI control was moved within 60 s"))
    }
  }

  private func add(_ messages: [ReceivedMIDI], to learner: inout ControlLearner) {
    // The set list's own MIDI input does not belong to the rack.
    let ports = rack.plan.midiInputs.map(\.name)
    for message in messages where ports.contains(message.port) {
      learner.receive(message.bytes, port: message.port, at: .now)
    }
  }

  private func finish(
    _ control: Rack.Control, _ found: ControlLearner.Found, _ learner: inout ControlLearner,
    _ stream: AsyncStream<[ReceivedMIDI]>
  ) async {
    guard !Task.isCancelled else { return }
    learning = nil
    do {
      var control = control
      control.source = Located("\(found.port) \(found.source)")
      let manner = found.understand(&control, isSwitch: isSwitch(control.to))
      let done = try await perform(MapControl(control)).text ?? ""
      // The parameter goes to where the knob was turned while it was learned.
      if isKnob(found) {
        for await messages in stream {
          add(messages, to: &learner)
          break
        }
        let moves = learner.moves(of: found)
        await engine.follow(moves.map { ReceivedMIDI(port: found.port, bytes: $0) })
      }
      feed.post(Learning(to: control.to, done: ([done] + manner).joined(separator: "; ")))
    } catch {
      feed.post(Learning(to: control.to, error: "\(error)"))
    }
  }

  /// Whether a target is a switch or a button; nil for a target that is no parameter, such as a scene.
  private func isSwitch(_ target: String) -> Bool? {
    guard let path = try? ParameterPath(target), let info = try? find(path).info else { return nil }
    return info.unit == .boolean || info.isMomentary
  }

  /// Whether the control that was found has a position and moves a parameter to it.
  private func isKnob(_ found: ControlLearner.Found) -> Bool {
    switch found.source.kind {
    case .note, .program: return false
    default: break
    }
    return rack.plan.controls.contains { control in
      guard rack.plan.midiInputs[control.port].name == found.port, control.source == found.source,
        case .move(.parameter, .absolute, _, _, _) = control.action
      else { return false }
      return true
    }
  }
}

extension MapControl {
  fileprivate init(_ control: Rack.Control) {
    (from, to) = (control.source?.value ?? "", control.to)
    (range, curve) = (control.range?.map(\.value), control.curve?.value)
    (mode, picksUp) = (control.mode?.value, control.picksUp?.value)
  }
}

extension ControlLearner.Found {
  /// Gives a control without a mode the mode that was recognised; returns readable remarks.
  ///
  /// - Parameter isSwitch: whether the target is a switch or a button; nil for a scene or a command.
  fileprivate func understand(_ control: inout Rack.Control, isSwitch: Bool?) -> [String] {
    let touched = touch.map { "\($0) is its touch" }
    guard control.mode == nil else { return [touched].compactMap(\.self) }
    let mode =
      switch isSwitch {
      case true?: button ?? encoder
      case false?: encoder
      case nil: button == .latching ? button : nil
      }
    control.mode = mode.map { Located($0) }
    if mode != nil { control.picksUp = nil }
    let manner =
      switch mode {
      case .toggle?: "each press switches"
      case .latching?: "each of its messages is a press (mode latching)"
      case let mode?: "it is an endless encoder (mode \(mode))"
      case nil: String?.none
      }
    return [touched, manner].compactMap(\.self)
  }
}

extension Rack.Control {
  fileprivate var to: String { target?.value ?? "" }
}
