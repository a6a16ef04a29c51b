import BacklineTestSupport
import Foundation

/// Ten minutes of eight processes at real work, in two rows side by side.
enum StageSoak {
  private static let minutes = 10

  private static let rack = """
    rack: \(SoakStage.client)
    outputs: { out: { channels: 2 } }
    units:
      sound: { unit: augn/play/bkln, properties: { file: noise.wav } }
      drive: { unit: aufx/dist/bkln, preset: Drum Crunch, process: own }
      warm: { unit: aufx/lpas/bkln, process: own }
      press: { unit: aufx/cmpr/bkln, process: own }
      echo: { unit: aufx/dely/bkln, process: own }
      ring: { unit: aufx/ring/bkln, process: own }
      thin: { unit: aufx/hpas/bkln, process: own }
      fold: { unit: aufx/dist/bkln, preset: Drum Fold, process: own }
      chop: { unit: aufx/tmlo/bkln, process: own }
      mix: { unit: aumx/mixr/bkln, inputs: 2 }
    connections:
      - sound -> drive -> warm -> press -> echo -> mix.1
      - sound -> ring -> thin -> fold -> chop -> mix.2
      - mix -> out

    """

  static func run() throws {
    let folder = try TemporaryFolder()
    _ = try folder.writeNoise(seconds: 10, channels: 2, to: "noise.wav")
    let stage = try SoakStage(rack, in: folder)
    defer { stage.end() }
    sleep(2)
    let (before, began) = (stage.xruns, stage.program.processorTime)
    sleep(UInt32(minutes * 60))
    let after = stage.xruns
    var table = Table(
      title: "\(minutes) minutes with eight processes, 64 frames", unit: "count",
      reference: "beside")
    table.addXruns((after.ours - before.ours, after.idle - before.idle))
    let time = (stage.program.processorTime - began) / Double(minutes * 60) * 100
    table.rows.append(.init("% of a processor, the host", ours: time, reference: nil))
    try table.show()
    for line in stage.said.split(separator: "\n").suffix(12) { print("  | \(line)") }
  }
}
