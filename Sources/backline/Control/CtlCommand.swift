import ArgumentParser
import Dispatch
import Documents
import Glibc
import RackControl
import RackEngine
import RackModel
import RackSession

/// The command that changes a rack that plays, and shows its state.
struct Ctl: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ctl",
    abstract: "Change a rack while it plays, and show its values.",
    discussion: """
      It connects to the control socket that “backline run” and “backline play” open \
      (docs/reference/commands.md). Nothing clicks, and every change of the rack can be undone.
        backline ctl set echo.mix 30 %
        backline ctl ramp echo.mix 0 % --over 4s
        backline ctl set echo.bypass on
        backline ctl add room Delay --into "echo -> main"
        backline ctl undo
      """,
    subcommands: [
      List.self, Get.self, Controls.self, Scenes.self, Songs.self, Status.self, Metrics.self,
      Log.self, Watch.self, Meters.self,
    ] + commands)

  @OptionGroup var rack: RackChoice

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "The racks that play.")

    func run() {
      for name in ControlSocket.names { print(name) }
      // Written to standard error, as scripts read the output.
      if ControlSocket.names.isEmpty { Terminal.complain(RackChoice.noRack) }
    }
  }
}

extension Ctl {
  /// Waits until a control has been assigned, and returns the result. Ctrl-C cancels the MIDI learn.
  static func outcome(
    ofLearning target: String, _ client: ControlClient, _ rack: RackChoice
  ) throws -> String {
    signal(SIGINT, SIG_IGN)
    let interrupt = DispatchSource.makeSignalSource(signal: SIGINT)
    interrupt.setEventHandler { _ = try? rack.connect().request("learn") }
    interrupt.activate()
    defer { interrupt.cancel() }
    while let event = try client.nextEvent() {
      // Another peer may be learning, too.
      guard let learning = event as? Learning, learning.to == target else { continue }
      if let done = learning.done { return done }
      if let error = learning.error { throw Refusal("\(target): \(error)") }
    }
    throw Refusal("\(target): the rack has ended")
  }

  static func recordingName(_ client: ControlClient) throws -> String {
    RecordingRequest.defaultName(ofRack: try client.ask("status", for: EngineSnapshot.self).rack)
  }
}
