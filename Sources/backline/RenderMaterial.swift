import Documents
import RackEngine
import RackModel
import UnitModel

/// What goes into a rendering besides sound files.
enum RenderMaterial {
  /// Bytes; a whole night's playing is far less.
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
        throw RackError("\(error)")
      } catch {
        throw RackError("\(path): \(error); \(name) is a MIDI input")
      }
    }
    return messages
  }

  /// `unit.parameter=value@time, value@time`: straight lines from point to point.
  static func automation(
    _ text: String, plan: Plan, catalogue: any UnitDirectory
  ) throws(RackError) -> [OfflineJob.Automation] {
    let sides = text.split(separator: "=", maxSplits: 1).map(String.init)
    let path = sides.first?.split(separator: ".", maxSplits: 1).map(String.init) ?? []
    guard sides.count == 2, path.count == 2 else {
      throw RackError("automation '\(text)': write UNIT.PARAMETER=VALUE@TIME, VALUE@TIME")
    }
    guard let unit = plan.units.firstIndex(where: { $0.name == path[0] }) else {
      throw RackError(
        "automation: there is no unit \(path[0])" + advice(path[0], among: plan.units.map(\.name)))
    }
    let planned = plan.units[unit]
    guard let facts = try? catalogue.facts(for: planned.reference).first,
      let parameter = facts.parameter(
        atKeyPath: path[1], inputBusCount: planned.inputChannelCounts.count)
    else {
      let known = (try? catalogue.facts(for: planned.reference).first)?.allParameters(
        inputBusCount: planned.inputChannelCounts.count
      ).map(\.keyPath)
      throw RackError(
        "automation: \(path[0]) has no parameter \(path[1])" + advice(path[1], among: known ?? []))
    }
    var points: [(time: Double, value: Float)] = []
    for point in sides[1].split(separator: ",") {
      let parts = point.split(separator: "@", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw RackError("automation '\(text)': write each point as VALUE@TIME, as in 5 kHz@2s")
      }
      do {
        let time = try Quantity.number(parts[1], in: .seconds, name: "the time")
        guard time >= 0 else {
          throw RackError("automation '\(text)': a time is 0 or later, not \(parts[1])")
        }
        points.append((time, try Quantity.parse(parts[0], for: parameter.info)))
      } catch let error as RackError {
        throw error
      } catch {
        throw RackError("automation of \(sides[0]): \(error)")
      }
    }
    points.sort { $0.time < $1.time }
    return points.enumerated().map { place, point in
      let before = place > 0 ? points[place - 1].time : point.time
      return OfflineJob.Automation(
        unit: unit, address: parameter.address, value: point.value, time: before,
        ramp: point.time - before)
    }
  }

  private static func advice(_ word: String, among words: [String]) -> String {
    nearestWord(to: word, in: words).map { "; did you mean \($0)?" } ?? ""
  }
}
