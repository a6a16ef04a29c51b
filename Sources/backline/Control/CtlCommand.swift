import ArgumentParser
import Documents
import RackControl
import RackEngine
import RackModel
import RackSession

/// Changes a rack that runs, and asks how it is.
struct Ctl: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ctl",
    abstract: "Change a rack while it plays, and see how it is set.",
    discussion: """
      It speaks to the control socket that “backline run” and “backline play” open (docs/reference/commands.md). \
      Nothing clicks, and whatever is changed of the rack can be undone.
        backline ctl set echo.mix 30 %
        backline ctl ramp echo.mix 0 % --over 4s
        backline ctl set echo.bypass on
        backline ctl add room Delay --into "echo -> main"
        backline ctl undo
      """,
    subcommands: [
      List.self, Get.self, Set.self, Ramp.self, Reset.self, Scene.self, LoadPreset.self, Learn.self,
      Map.self, Forget.self, Controls.self, Add.self, Remove.self, Replace.self, Rename.self,
      Connect.self, Disconnect.self, Load.self, Reload.self, Restart.self, Save.self, Song.self,
      Next.self,
      Previous.self,
      Songs.self, Undo.self, Redo.self, Tempo.self, Tap.self, PlayTransport.self,
      StopTransport.self, Locate.self, Automate.self, Record.self, Status.self, Metrics.self,
      Watch.self, Meters.self,
    ])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "The racks that run.")

    func run() throws {
      for name in ControlSocket.names { print(name) }
    }
  }
}

extension RackChoice {
  /// Has the rack do something and prints what was done.
  func perform(_ command: Command) throws {
    let client = try connect()
    print(try Terminal.reporting { try client.perform(command) })
  }
}
