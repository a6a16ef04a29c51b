import RackEngine
import RackModel

/// The commands that controls and programs call.
extension RackSession {
  /// Carries out a command; an error becomes a warning.
  func perform(_ command: ControlCommand) async {
    do {
      switch command {
      case .nextSong: try await perform(Command.next)
      case .previousSong: try await perform(Command.previous)
      case .song(let name): try await perform(Command.song(name))
      case .file(let target, let isNext):
        try await perform(Command.file(of: target, isNext: isNext))
      case .record: try await switchRecording()
      // The engine does these.
      case .tap, .panic: break
      }
    } catch {
      await engine.report(.warning("\(error); what was playing goes on"))
    }
  }

  /// Ends the recording that runs, or starts one of the rack's outputs, beside the rack's file.
  private func switchRecording() async throws {
    if await engine.status().recording != nil {
      _ = try await engine.stopRecording()
      return
    }
    _ = try await engine.startRecording(RecordingRequest(path: usualRecordingPath))
  }

  /// Beside the rack's file, named after the rack and the time.
  package var usualRecordingPath: String {
    let file = rack.file.file
    let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    return folder + RecordingRequest.usualName(ofRack: rack.plan.name)
  }
}
