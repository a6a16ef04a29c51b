import AudioUnits
import BacklineTestSupport
import Glibc
import RackFiles
import RackModel
import UnitModel

/// The shipped racks rendered by the program itself, beside sox with a chain like theirs.
enum OfflineBenchmark {
  private static let seconds = Measurement.amount(60, short: 1)
  private static let rounds = 5

  struct NoRack: Error, CustomStringConvertible {
    var path: String
    var description: String { "\(path) is not a rack that can be played" }
  }

  static func run() throws {
    let folder = try TemporaryFolder()
    let noise = try folder.writeNoise(seconds: seconds, channels: 2, to: "stereo.wav")
    let voice = try folder.writeNoise(seconds: seconds, channels: 1, to: "mono.wav")
    let chords = try folder.writeChords(seconds: seconds, to: "chords.mid")
    let hasSox = Child.exists("sox")
    var table = Table(
      title: "Offline, \(seconds) s, processor time of the whole process", unit: "ms",
      reference: "sox")
    for rack in racks() {
      guard let plan = plan(rack) else { throw NoRack(path: rack) }
      let output = folder.path("out.wav")
      var ours = [Child.sibling("backline"), "render", rack, "--length", "\(seconds)s"]
      ours += ["--bits", "16", "--rate", "48000"]
      for input in plan.inputs {
        ours += ["--in", "\(input.name)=\(input.channelCount == 1 ? voice : noise)"]
      }
      for input in plan.midiInputs { ours += ["--midi", "\(input.name)=\(chords)"] }
      for (index, port) in plan.outputs.enumerated() {
        ours += ["--out", "\(port.name)=\(folder.path("out-\(index).wav"))"]
      }
      let channels = plan.outputs.map(\.channelCount).max() ?? 2
      let source = plan.inputs.contains { $0.channelCount == 2 } ? noise : voice
      let sox = ["sox", "-D", source, output, "channels", "\(channels)"]
      let same = effects(of: plan, oversampled: true)
      let plain = effects(of: plan, oversampled: false)
      var measures = [{ try Child.run(ours) * 1000 }]
      if hasSox {
        measures.append { try Child.run(sox + same) * 1000 }
        if plain != same { measures.append { try Child.run(sox + plain) * 1000 } }
      }
      let medians = try Measurement.interleaved(rounds: rounds, measures)
      let speed = Int((Double(seconds) * 1000 / medians[0]).rounded())
      let name = rack.split(separator: "/").last.map(String.init) ?? rack
      let aliasing = medians.count > 2 ? "; \(Int(medians[2].rounded())) ms without rate" : ""
      table.rows.append(
        Table.Row(
          name, ours: medians[0], reference: hasSox ? medians[1] : nil, aim: 0.5,
          remark: "\(speed) times real time; sox: " + same.joined(separator: " ") + aliasing))
    }
    try table.show()
    print("  sox's overdrive aliases; between two `rate -l` it works at four times the rate with")
    print("  filters about as good as ours (flat to 19 kHz), which is the work that we do.")
    if !hasSox { print("  sox is not installed; apt install sox") }
  }

  private static func racks() -> [String] {
    var names: [String] = []
    guard let folder = opendir("racks") else { return [] }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".yaml"), !name.hasSuffix(".setlist.yaml") { names.append("racks/\(name)") }
    }
    return names.sorted()
  }

  private static func plan(_ path: String) -> Plan? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    let catalogue = ComponentCatalogue()
    catalogue.includeRacks()
    let checker = RackChecker(catalogue: catalogue, folder: "racks") { path in
      access(path, R_OK) == 0
    }
    return checker.check(Array(bytes[..<count]), file: path).0
  }

  /// sox's nearest effect for each unit, one after the other. What sox makes from nothing (a player,
  /// an instrument) is here the file that it reads.
  private static func effects(of plan: Plan, oversampled: Bool) -> [String] {
    plan.units.flatMap { unit -> [String] in
      switch "\(unit.component)".split(separator: "/").dropFirst().first {
      case "lpas": ["lowpass", "2000"]
      case "hpas": ["highpass", "100"]
      case "ring": ["tremolo", "22", "100"]
      case "tmlo": ["tremolo", "5", "50"]
      case "dist" where oversampled:
        ["rate", "-l", "192000", "overdrive", "18", "20", "rate", "-l", "48000"]
      case "dist": ["overdrive", "18", "20"]
      case "dely": ["echo", "0.8", "0.9", "375", "0.3"]
      case "gain", "mixr": ["vol", "0.9"]
      default: []
      }
    }
  }
}
