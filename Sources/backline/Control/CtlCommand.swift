import ArgumentParser
import Dispatch
import Documents
import Glibc
import RackControl
import RackEngine
import RackModel
import RackSession

/// Changes a rack that plays, and shows how it is doing.
struct Ctl: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ctl",
    abstract: "Change a rack while it plays, and see how it is set.",
    discussion: """
      It speaks to the control socket that “backline run” and “backline play” open \
      (docs/reference/commands.md). Nothing clicks, and every change of the rack can be undone.
        backline ctl set echo.mix 30 %
        backline ctl ramp echo.mix 0 % --over 4s
        backline ctl set echo.bypass on
        backline ctl add room Delay --into "echo -> main"
        backline ctl undo
      """,
    subcommands: [
      List.self, Get.self, Controls.self, Scenes.self, Songs.self, Status.self, Metrics.self,
      Watch.self, Meters.self,
    ] + DeclaredCommands.types)

  @OptionGroup var rack: RackChoice

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "The racks that play.")

    func run() {
      for name in ControlSocket.names { print(name) }
      // Not in the output, which scripts read.
      if ControlSocket.names.isEmpty { Terminal.complain(RackChoice.noRack) }
    }
  }
}

extension Ctl {
  /// Waits until a control has been assigned; Ctrl-C cancels the learning. Returns what was done.
  static func outcome(
    ofLearning target: String, _ client: ControlClient, _ rack: RackChoice
  ) throws -> String {
    signal(SIGINT, SIG_IGN)
    let interrupt = DispatchSource.makeSignalSource(signal: SIGINT)
    interrupt.setEventHandler { _ = try? rack.connect().request("learn") }
    interrupt.activate()
    defer { interrupt.cancel() }
    while let event = try client.nextEvent() {
      // Others may learn something else meanwhile.
      guard case .learning(let learning) = event, learning.to == target else { continue }
      if let done = learning.done { return done }
      if let error = learning.error { throw Refusal("\(target): \(error)") }
    }
    throw Refusal("\(target): the rack has ended")
  }

  /// A file name from the rack and the time: `Parallel 2026-03-01 20.15.00.wav`.
  static func recordingName(_ client: ControlClient) throws -> String {
    let rack = try client.ask("status", for: EngineSnapshot.self).rack
    var (now, parts) = (time(nil), tm())
    localtime_r(&now, &parts)
    var text = [CChar](repeating: 0, count: 32)
    strftime(&text, text.count, "%Y-%m-%d %H.%M.%S", &parts)
    let stamp = String(
      decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return "\(rack.map { $0 == "/" ? "_" : String($0) }.joined()) \(stamp).wav"
  }
}
