import Glibc
import RackEngine
import RackModel

/// The commands that controls and programs call.
extension RackSession {
  /// Carries a command out; what goes wrong is a warning.
  func perform(_ command: ControlCommand) async {
    do {
      switch command {
      case .nextSong: try await perform(Command.next)
      case .previousSong: try await perform(Command.previous)
      case .song(let name): try await perform(Command.song(name))
      case .record: try await switchRecording()
      // The engine does these.
      case .tap, .panic: break
      }
    } catch {
      await engine.tell(.warning("\(error); what was playing goes on"))
    }
  }

  /// Ends the recording that runs, or starts one of the rack's outputs, beside the rack's file.
  private func switchRecording() async throws {
    if await engine.status().recording != nil {
      _ = try await engine.stopRecording()
      return
    }
    let file = rack.file.file
    let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    let name = rack.plan.name.replacing("/", with: "-")
    _ = try await engine.startRecording(
      RecordingRequest(path: "\(folder)\(name) \(Self.timeText()).wav"))
  }

  /// `2026-11-22 20.15.03`, of now.
  private static func timeText() -> String {
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { text in
      strftime(text.baseAddress!, text.count, "%Y-%m-%d %H.%M.%S", &parts)
      return String(cString: text.baseAddress!)
    }
  }
}
