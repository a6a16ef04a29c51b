import ArgumentParser
import Dispatch
import Glibc
import RackEngine
import RackModel
import RackSession

/// How a control moves what it moves.
struct ControlOptions: ParsableArguments {
  @Option(
    help: "The values at its lowest and its highest: \"0 %, 50 %\". All there are unless given.")
  var range: String?

  @Option(help: "How it travels between them: linear, log or square.")
  var curve: String?

  @Option(help: "absolute, toggle, twos-complement, binary-offset or sign-magnitude.")
  var mode: String?

  @Flag(
    name: .customLong("pick-up"), help: "Move nothing until the knob stands where the value is.")
  var picksUp = false

  func settings(to target: String) -> ControlSettings {
    ControlSettings(
      to: target, range: range, curve: curve, mode: mode, picksUp: picksUp ? true : nil)
  }
}

extension Ctl {
  struct Learn: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Have what you move next on a MIDI controller move a parameter from then on.",
      discussion: """
        Controllers of 7 and 14 bits, NRPNs, notes, bends, pressures and programs are understood. It \
        listens for a minute, or until Ctrl-C.
          backline ctl learn echo.mix
          backline ctl learn echo.mix --range "0 %, 50 %" --pick-up
          backline ctl learn echo.bypass --mode toggle
          backline ctl learn "scene lead"
        """)

    @Argument(
      help: "What is to be moved: echo.mix, echo.bypass, \"scene lead\".", completion: .targets)
    var target: String?

    @Flag(help: "End the learning that somebody has begun.")
    var cancel = false

    @OptionGroup var options: ControlOptions
    @OptionGroup var rack: RackChoice

    func validate() throws {
      guard cancel == (target == nil) else {
        throw ValidationError("give what is to be moved, or --cancel")
      }
    }

    func run() throws {
      guard let target else { return try rack.perform(.learn(nil)) }
      let client = try rack.connect()
      let learning = try Terminal.reporting {
        try client.subscribe()
        Terminal.write("\(try client.perform(.learn(options.settings(to: target))))\n")
        let interrupt = cancelAtInterrupt()
        defer { interrupt.cancel() }
        return try outcome(of: client, to: target)
      }
      guard let done = learning?.done else {
        throw Terminal.failure("\(target): \(learning?.error ?? "the rack has ended")")
      }
      print(done)
    }

    /// Ctrl-C has the rack learn no more; the outcome then says so.
    private func cancelAtInterrupt() -> any DispatchSourceSignal {
      signal(SIGINT, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: SIGINT)
      source.setEventHandler { [rack] in _ = try? rack.connect().perform(.learn(nil)) }
      source.activate()
      return source
    }

    /// Others may learn something else meanwhile.
    private func outcome(of client: ControlClient, to target: String) throws -> Learning? {
      while let event = try client.nextEvent() {
        if case .learning(let learning) = event, learning.to == target,
          learning.done != nil || learning.error != nil
        {
          return learning
        }
      }
      return nil
    }
  }

  struct Map: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Have a MIDI controller move a parameter: \"keys cc 7\" echo.mix.")

    @Argument(help: "A MIDI input and what comes in there: \"keys cc 7\", \"keys note C4\".")
    var source: String

    @Argument(help: "What it moves: echo.mix, echo.bypass, \"scene lead\".", completion: .targets)
    var target: String

    @OptionGroup var options: ControlOptions
    @OptionGroup var rack: RackChoice

    func run() throws {
      try rack.perform(.edit(.map(from: source, options.settings(to: target))))
    }
  }

  struct Forget: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Take away every MIDI controller that moves a parameter.")

    @Argument(help: "What is moved: echo.mix, \"scene lead\".", completion: .mappedTargets)
    var target: String

    @OptionGroup var rack: RackChoice

    func run() throws { try rack.perform(.edit(.forget(to: target))) }
  }

  struct Controls: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Which MIDI controllers move what.")

    @OptionGroup var rack: RackChoice

    func run() throws {
      let client = try rack.connect()
      let controls = try Terminal.reporting { try client.ask("list", for: RackListing.self) }
        .controls
      for control in controls { print(control) }
    }
  }
}
