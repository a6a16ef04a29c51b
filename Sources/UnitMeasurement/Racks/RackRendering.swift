import AudioUnits
import RackEngine
import RackModel

/// Four seconds of a rack's output at 48 kHz.
package struct RackRendering {
  package let plan: Plan
  /// The audio inputs' channels; nil if the rack has none.
  package let input: [[Float]]?
  /// The first output's channels.
  package let output: [[Float]]
  /// The latency to the first output, frames.
  package let latency: Int
  /// The processing time per second of sound, from the median block so that other load does not
  /// count, seconds.
  package let cost: Double

  package init(_ measured: MeasuredRack, _ plan: Plan, catalogue: ComponentCatalogue) throws {
    self.plan = plan
    let renderer = try RackRenderer(plan, catalogue: catalogue)
    let input = Self.input(measured.source, channels: plan.inputs.flatMap(\.channelNames).count)
    let messages = Self.messages(measured, ports: plan.midiInputs.count)
    let block = 512
    var output = Array(repeating: [Float](), count: plan.outputs[0].channelCount)
    var costs: [Duration] = []
    for start in stride(from: 0, to: Material.frames, by: block) {
      let block = start..<min(start + block, Material.frames)
      let inputs = input.map { Array($0[block]) }
      let begin = ContinuousClock.now
      let rendered = try renderer.render(
        frames: block.count, inputs: inputs,
        messages: messages.filter { block.contains($0.frame) }.map {
          .init(port: $0.port, frame: $0.frame - start, bytes: $0.bytes)
        })
      costs.append(ContinuousClock.now - begin)
      for channel in output.indices { output[channel] += rendered[channel] }
    }
    self.input = input.isEmpty ? nil : input
    self.output = output
    latency = renderer.latencies[0].frames
    cost = costs.sorted()[costs.count / 2] / .seconds(1) * 48_000 / Double(block)
  }

  private static func input(_ source: MeasuredRack.Source, channels: Int) -> [[Float]] {
    switch source {
    case .material(let material, let fed):
      let silence = Signals.constant(0, frames: material.samples.count)
      return (0..<channels).map { $0 < fed ? material.samples : silence }
    case .materialAndChord(let material):
      return (0..<channels).map { _ in material.samples }
    case .chord, .beat, .itself: return []
    }
  }

  /// Returns the messages in order of time.
  private static func messages(_ measured: MeasuredRack, ports: Int) -> [RackRenderer.Message] {
    var events: [(seconds: Double, bytes: [UInt8])] = measured.presses.flatMap { press in
      [
        (press.seconds, [0xB0, press.controller, 127]),
        (press.seconds + 0.05, [0xB0, press.controller, 0]),
      ]
    }
    switch measured.source {
    case .material, .itself: break
    case .chord, .materialAndChord:
      let chord: [UInt8] = [48, 55, 60, 64, 67]
      events += chord.map { (0, [0x90, $0, 100]) } + chord.map { (3, [0x80, $0, 0]) }
    case .beat: events += beat
    }
    return events.flatMap { event in
      (0..<ports).map { .init(port: $0, frame: Int(event.seconds * 48_000), bytes: event.bytes) }
    }
  }

  /// Two bars of sixteenth notes in General MIDI's percussion map.
  private static var beat: [(seconds: Double, bytes: [UInt8])] {
    (0..<32).flatMap { step in
      let keys: [(key: UInt8, velocity: UInt8)?] = [
        [0, 6, 8, 10].contains(step % 16) ? (36, 112) : nil,
        step % 8 == 4 ? (38, 112) : nil,
        step == 30 ? (46, 96) : (42, step.isMultiple(of: 2) ? 96 : 56),
      ]
      return keys.compactMap(\.self).map { (Double(step) / 8, [0x99, $0.key, $0.velocity]) }
    }
  }
}

extension RackRendering {
  /// Returns LUFS and dBTP, measured by the built-in loudness meter, whose own page has its
  /// figures.
  package static func levels(of sound: [[Float]]) throws -> (loudness: Double, truePeak: Double) {
    let meter = try BuiltInUnit("aufx/lufs/bkln").host(channels: sound.count)
    _ = meter.play(sound)
    return (Double(meter.value("integrated")), Double(meter.value("true_peak")))
  }

  /// Returns a plot of the output's and the input's spectra.
  package func picture(title: String) -> Plot {
    Plot(
      title, x: .frequency, y: .decibels(-90 ... -10, step: 10, "Level of a third of an octave"),
      [
        input.map { Plot.Curve("input", BandSpectrum.curve(of: $0)) },
        Plot.Curve("output", BandSpectrum.curve(of: output)),
      ].compactMap(\.self))
  }
}
