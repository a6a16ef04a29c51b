import Documents
import RackEngine
import RackModel

/// MIDI and automation for a rendering.
enum RenderMaterial {
  /// Bytes; far more than a whole night of playing.
  private static let longestMIDIFile = 1 << 24

  /// The messages of MIDI files, by the names of the rack's MIDI inputs.
  static func messages(
    _ files: [String: String], plan: Plan
  ) throws(RackError) -> [OfflineJob.Message] {
    var messages: [OfflineJob.Message] = []
    for (name, path) in files.sorted(by: { $0.key < $1.key }) {
      guard let port = plan.midiInputs.firstIndex(where: { $0.name == name }) else {
        let known = plan.midiInputs.map(\.name)
        throw RackError(
          "rack \(plan.name) has no MIDI input \(name); "
            + (known.isEmpty ? "it has none" : "it has \(known.joined(separator: ", "))"))
      }
      do {
        let bytes = try WholeFile.read(path, limit: longestMIDIFile)
        guard bytes.count <= longestMIDIFile else {
          throw RackError("the file is larger than 16 MiB")
        }
        let file = try MIDIFile.parse(bytes)
        messages += file.map { OfflineJob.Message(port: port, time: $0.seconds, bytes: $0.bytes) }
      } catch let error as FileError {
        throw RackError("\(error)\(FilePlace.advice(on: path))")
      } catch {
        throw RackError("\(path): \(error); \(name) is a MIDI input")
      }
    }
    return messages
  }
}
