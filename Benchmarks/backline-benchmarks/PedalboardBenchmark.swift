import BacklineTestSupport

/// Units beside pedalboard's plug-ins of the same kind.
enum PedalboardBenchmark {
  /// A unit with the settings of the plug-in of the same name in peer.py.
  private struct Twin {
    var plugIn: String
    var unit: String
    var parameters: [String: Float] = [:]
    /// The differences in the work of the two, for the table.
    var remark = ""
  }

  private static let twins = [
    Twin(plugIn: "gain", unit: "aufx/gain/bkln", parameters: ["gain": -6]),
    Twin(
      plugIn: "chorus", unit: "aufx/chor/bkln", parameters: ["voices": 1],
      remark: "ours: sinc of 16 taps; peer: linear"),
    Twin(plugIn: "phaser", unit: "aufx/phas/bkln", parameters: ["stages": 2]),
    Twin(
      plugIn: "compressor", unit: "aufx/cmpr/bkln", parameters: ["knee": 0, "hold": 0],
      remark: "ours: linked channels; peer: no knee, no hold"),
    Twin(
      plugIn: "limiter", unit: "aufx/limt/bkln", parameters: ["ceiling": -20],
      remark: "ours: look-ahead, true peaks; peer: compressors and a clipper"),
    Twin(
      plugIn: "reverb", unit: "aufx/rvrb/bkln",
      remark: "ours: 32 lines that move; peer: 8 combs and 4 all-passes a side"),
    Twin(plugIn: "delay", unit: "aufx/dely/bkln", remark: "ours: tone in the loop; peer: none"),
    Twin(
      plugIn: "ladder filter", unit: "aufx/filt/bkln", parameters: ["resonance": 30],
      remark: "ours: no aliasing; peer: at the sample rate"),
    Twin(
      plugIn: "distortion", unit: "aufx/dist/bkln",
      remark: "ours: no aliasing, tone; peer: tanh at the sample rate"),
    Twin(
      plugIn: "noise gate", unit: "aufx/gate/bkln", parameters: ["threshold": -40],
      remark: "ours: linked, hysteresis, hold"),
    Twin(
      plugIn: "bit crusher", unit: "aufx/crsh/bkln", parameters: ["rate": 48_000],
      remark: "ours: rate, too"),
    Twin(
      plugIn: "pitch shifter", unit: "aufx/ptch/bkln", parameters: ["voice_1.semitones": 7],
      remark: "peer: Rubber Band"),
    Twin(plugIn: "convolver", unit: "aufx/conv/bkln", parameters: ["mix": 100], remark: "2 s"),
    Twin(
      plugIn: "low-pass filter", unit: "aufx/lpas/bkln",
      remark: "ours: second order, resonance; peer: first order"),
    Twin(
      plugIn: "high-pass filter", unit: "aufx/hpas/bkln", parameters: ["cutoff": 100],
      remark: "ours: second order, resonance; peer: first order"),
  ]

  static func run() throws {
    let folder = try TemporaryFolder()
    let impulse = try folder.writeNoise(seconds: 2, channels: 2, to: "impulse.wav")
    let peer = Measurement.isShort ? nil : PedalboardPeer(impulse: impulse)
    var table = Table(
      title: "Units beside pedalboard, stereo, blocks of 64", unit: "ns per frame",
      reference: "pedalboard")
    for twin in twins {
      let file = twin.plugIn == "convolver" ? impulse : nil
      let voice = try UnitVoice(
        BuiltInUnit(twin.unit), blockFrames: 64, file: file, parameters: twin.parameters)
      var measures: [() throws -> Double] = [{ voice.measure() }]
      if let peer { measures.append { try peer.measure(twin.plugIn) } }
      let medians = try Measurement.interleaved(rounds: 15, measures)
      table.rows.append(
        Table.Row(
          twin.plugIn, ours: medians[0], reference: peer != nil ? medians[1] : nil, aim: 1,
          remark: twin.remark))
    }
    try table.show()
    if let peer {
      let nothing = try Measurement.interleaved(rounds: 15, [{ try peer.measure("nothing") }])[0]
      print("  pedalboard takes \(Table.number(nothing)) ns for a call without a plug-in as well")
    } else if !Measurement.isShort {
      print("  pedalboard is not installed; make bench does so where it has a network")
    }
  }
}
