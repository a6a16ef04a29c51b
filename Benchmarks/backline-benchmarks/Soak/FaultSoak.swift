import BacklineTestSupport
import Foundation

/// A thousand faults of eight kinds at random moments in a row of eight processes, while another
/// branch of the rack plays.
enum FaultSoak {
  private static let faults = 1000
  private static let frames = 10 * 48_000
  /// The period in frames, long enough that a server on a busy machine skips no frames and all can be
  /// compared.
  private static let period = 1024
  private static let fault = "its input is heard in its place"
  private static let row = SoakStage.row

  private static let rack = """
    rack: \(SoakStage.client)
    inputs: { in: { channels: 1 } }
    outputs: { lost: { channels: 1 }, kept: { channels: 1 } }
    units:
      here: { unit: aufx/dely/bkln, parameters: { time: 20 ms } }
    \(row.map { "  \($0): { unit: ./Faulty.unit, process: own }" }.joined(separator: "\n"))
    processes: { restarts: 100 }
    connections:
      - in -> \(row.joined(separator: " -> ")) -> lost
      - in -> here -> kept

    """

  static func run() async throws {
    let folder = try TemporaryFolder()
    try bundle(in: folder)
    let input = Signals.sine(frequency: 220, amplitude: 0.5, frames: frames)
    var tally = Tally()
    while tally.faults < faults {
      try await turn(input, folder, &tally)
      print("  \(tally.faults) faults, \(tally.different) frames differ")
      fflush(nil)
    }
    var table = Table(
      title: "\(tally.faults) faults in \(tally.seconds) s, \(period) frames", unit: "count",
      reference: "beside")
    table.rows.append(
      .init(
        "frames of the other branch", ours: Double(tally.different), reference: nil,
        ratio: Double(tally.different), aim: 0, remark: "that differ from a run without faults"))
    table.rows.append(
      .init(
        "largest sample of the row", ours: tally.largest, reference: 0.5, aim: 1.001,
        remark: "beside its input's"))
    table.addXruns(tally.xruns)
    table.addReturns(tally.returns.sorted(), aim: nil)
    try table.show()
  }

  private struct Tally {
    var faults = 0
    var seconds = 0
    var different = 0
    var largest = 0.0
    var xruns = (ours: 0, idle: 0)
    var returns: [Double] = []
  }

  private static func turn(
    _ input: [Float], _ folder: TemporaryFolder, _ tally: inout Tally
  ) async throws {
    let stage = try SoakStage(rack, period: period, in: folder)
    defer { stage.end() }
    let probe = try JackProbe(server: stage.server.name, outputs: 1, midi: 0, inputs: 2)
    try probe.connect("injector:out_1", "\(SoakStage.client):in")
    try probe.connect("\(SoakStage.client):lost", "capturer:in_1")
    try probe.connect("\(SoakStage.client):kept", "capturer:in_2")
    let take = try await probe.play([input], frames: frames)
    let kept = try reference(input, folder)
    tally.different += zip(take.channels[1], kept).count { $0 != $1 }
    let largest = take.channels[0].map { $0.isFinite ? abs($0) : .infinity }.max() ?? 0
    tally.largest = max(tally.largest, Double(largest))
    let count = stage.count(of: fault)
    guard count > 0, kept.count == take.channels[1].count else {
      throw SoakStage.NotPlaying(description: "no fault in \(frames / 48_000) s:\n\(stage.said)")
    }
    tally.faults += count
    tally.seconds += frames / 48_000
    tally.xruns = (tally.xruns.ours + stage.xruns.ours, tally.xruns.idle + stage.xruns.idle)
    tally.returns += stage.returns
  }

  /// Returns the output of the other branch alone, rendered from the same input.
  private static func reference(_ input: [Float], _ folder: TemporaryFolder) throws -> [Float] {
    let sound = SoundFile(sampleRate: 48_000, channels: [input])
    let (source, result) = (folder.path("in.wav"), folder.path("kept.wav"))
    try sound.write(source)
    let alone = """
      rack: Alone
      inputs: { in: { channels: 1 } }
      outputs: { kept: { channels: 1 } }
      units: { here: { unit: aufx/dely/bkln, parameters: { time: 20 ms } } }
      connections: [ in -> here -> kept ]

      """
    let rack = try folder.write("alone.yaml", bytes: Array(alone.utf8))
    unlink(result)
    try Child.run([
      Child.sibling("backline"), "render", rack, "--in", "in=\(source)", "--out",
      "kept=\(result)", "--length", "\(frames / 48_000)s", "--bits", "float",
    ])
    return try SoundFile(reading: result).channels[0]
  }

  private static func bundle(in folder: TemporaryFolder) throws {
    let source = "\(repository)/Benchmarks/soak/faulty.c"
    let text = try String(contentsOfFile: source, encoding: .utf8)
      .replacing("../../Tests", with: "\(repository)/Tests")
    _ = try TestBundle(
      "Faulty", in: folder.url.path,
      manifest: {
        $0.replacing("Template", with: "Faulty").replacing("tmpl", with: "falt")
          .replacing("Demo", with: "Test").replacing("in_process: true", with: "")
      }, code: { _ in text })
  }

  private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
}
