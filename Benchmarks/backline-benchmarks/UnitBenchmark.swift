import BacklineTestSupport
import CBenchmarks
import CUnit
import Glibc

/// The cost of each unit by itself, outside the kernel.
enum UnitBenchmark {
  private static let rounds = 25

  static func run() throws {
    let folder = try TemporaryFolder()
    let noise = try folder.writeNoise(
      seconds: Measurement.amount(30, short: 1), channels: 2, to: "noise.wav")
    let impulse = try folder.writeNoise(
      seconds: Measurement.amount(2, short: 1), channels: 2, to: "impulse.wav")
    let files = ["augn/play/bkln": noise, "aufx/conv/bkln": impulse, "aufx/cabn/bkln": impulse]
    let hasFaust = FaustBuild.isPossible && !Measurement.isShort
    var blocks = Table(
      title: "Units, stereo, blocks of 64 and of \(UnitVoice.total)", unit: "ns per frame",
      reference: "at \(UnitVoice.total)")
    var peers = Table(
      title: "Units, stereo, blocks of 64, and the best Faust build", unit: "ns per frame",
      reference: "Faust")
    for unit in BuiltInUnit.all where !unit.outputBusses.isEmpty && unit.facts.preflight == nil {
      let name = fileName(of: unit)
      let short = try UnitVoice(
        unit, blockFrames: 64, file: files[unit.description], parameters: busy(name, unit))
      let long = try UnitVoice(
        unit, blockFrames: UnitVoice.total, file: files[unit.description],
        parameters: busy(name, unit))
      let faust = hasFaust ? FaustBuild.build(name, in: folder) : []
      defer { for build in faust { bl_faust_close(build) } }
      let medians = try Measurement.interleaved(
        rounds: rounds,
        [short.measure, long.measure] + faust.map { build in { short.measure(build) } })
      blocks.rows.append(Table.Row(name, ours: medians[0], reference: medians[1], aim: 1.15))
      let best = medians.dropFirst(2).min()
      peers.rows.append(
        Table.Row(
          name, ours: medians[0], reference: best, aim: 1))
    }
    try blocks.show()
    try peers.show()
    showMean(peers)
    try evenness(files).show()
    if !FaustBuild.isPossible { print("  faust or clang is not installed; apt install faust") }
  }

  /// Prints the geometric mean of the ratios to Faust, over the units that have a Faust build.
  private static func showMean(_ peers: Table) {
    let ratios = peers.rows.compactMap(\.ratio)
    guard !Measurement.isShort, !ratios.isEmpty else { return }
    let mean = exp(ratios.map { log($0) }.reduce(0, +) / Double(ratios.count))
    print("  geometric mean of \(ratios.count) ratios: \(Table.number(mean)), aim 0.6")
  }

  /// Returns a table of the slowest cycles beside the median, for units with uneven work: a late cycle is
  /// audible.
  private static func evenness(_ files: [String: String]) throws -> Table {
    var table = Table(
      title: "Evenness of units, stereo, cycles of 64: p99 beside the median", unit: "ns per cycle",
      reference: "median")
    let fourVoices = ["voices": Float(4)]
    let units: [(String, [String: Float])] = [
      ("aufx/rvrb/bkln", [:]), ("aufx/conv/bkln", [:]), ("aufx/cabn/bkln", [:]),
      ("aufx/octv/bkln", [:]), ("aufx/ptch/bkln", fourVoices), ("aufx/tunr/bkln", [:]),
      ("aufx/lufs/bkln", [:]),
    ]
    for (description, parameters) in units {
      let unit = BuiltInUnit(description)
      let voice = try UnitVoice(
        unit, blockFrames: 64, file: files[description], parameters: parameters)
      let (median, slow) = voice.measureCycles()
      table.rows.append(
        Table.Row(fileName(of: unit), ours: slow, reference: median, aim: 1.5))
    }
    return table
  }

  /// Returns parameters that make a unit do all of its work: equalisers skip flat bands, and a wah skips
  /// work while it stands.
  private static func busy(_ name: String, _ unit: BuiltInUnit) -> [String: Float] {
    if name == "wah" { return ["envelope.amount": 90] }
    guard ["parametric_eq", "graphic_eq", "graphic_eq_31"].contains(name) else { return [:] }
    let gains = unit.parameters.compactMap { parameter -> String? in
      let identifier = String(cString: parameter.identifier)
      guard identifier.hasPrefix("gain") else { return nil }
      return parameter.group.map { "\(String(cString: $0)).\(identifier)" } ?? identifier
    }
    return Dictionary(uniqueKeysWithValues: gains.map { ($0, 3) })
  }

  /// Returns the name of a unit's Faust file: "Low-Pass Filter" has low_pass_filter.dsp.
  private static func fileName(of unit: BuiltInUnit) -> String {
    String(
      String(cString: unit.facts.name).lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
  }
}
