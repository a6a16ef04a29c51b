import Documents
import RackEngine
import RackModel

/// MIDI and automation for a rendering.
enum RenderMaterial {
  /// The longest rest behind the last message of a MIDI file that is played, in seconds.
  private static let longestRest = 600.0

  /// Returns the messages of MIDI files, and warnings about parts of the files that are left out.
  ///
  /// - Parameter files: the paths of the files, by the names of the rack's MIDI inputs.
  /// - Throws: `RackError` if there is no such input, or a file cannot be read.
  static func messages(
    _ files: [String: String], plan: Plan
  ) throws(RackError) -> (messages: [OfflineJob.Message], warnings: [String]) {
    var messages: [OfflineJob.Message] = []
    var warnings: [String] = []
    for (name, path) in files.sorted(by: { $0.key < $1.key }) {
      guard let port = plan.midiInputs.firstIndex(where: { $0.name == name }) else {
        let known = plan.midiInputs.map(\.name)
        throw RackError(
          "rack \(plan.name) has no MIDI input \(name); "
            + (known.isEmpty ? "it has none" : "it has \(known.joined(separator: ", "))"))
      }
      do {
        let file = try MIDIFile.parse(try WholeFile.read(path, limit: MIDIFile.maximumSize))
        messages += file.messages.map {
          OfflineJob.Message(port: port, time: $0.seconds, bytes: $0.bytes)
        }
        // An empty message marks the end of the last rest, where the music ends.
        if file.length - (file.messages.last?.seconds ?? 0) <= longestRest {
          messages.append(OfflineJob.Message(port: port, time: file.length, bytes: []))
        }
        warnings += file.warnings.map { "\(path): \($0); the rest is played" }
      } catch let error as FileError {
        throw RackError("\(error)\(FilePath.advice(on: path))")
      } catch {
        throw RackError("\(path): \(error); \(name) is a MIDI input")
      }
    }
    return (messages, warnings)
  }
}
