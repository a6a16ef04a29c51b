import AudioUnits
import BacklineTestSupport
import Foundation
import RackEngine
import RackModel

/// Renders a plan by files in a folder of its own, samples in and samples out.
package struct OfflineRendering {
  package let result: OfflineResult
  /// By output, channels × frames.
  package let outputs: [String: [[Float]]]
  /// By MIDI output, in frames.
  package let midi: [String: [JackProbe.Message]]
  package let sampleRate: Int

  /// `inputs` are by port, channels × frames.
  package init(
    _ plan: Plan, inputs: [String: [[Float]]] = [:], sampleRate: Int = 48_000,
    catalogue: ComponentCatalogue = TestRacks.catalogue,
    _ configure: (inout OfflineJob) throws -> Void = { _ in }
  ) throws {
    let folder = try TemporaryFolder()
    var job = OfflineJob()
    job.samples = .float
    job.sampleRate = Double(sampleRate)
    for (name, channels) in inputs {
      job.inputs[name] = try SoundFile(sampleRate: sampleRate, channels: channels)
        .write(folder.path("in-\(name).wav"))
    }
    for port in plan.outputs { job.outputs[port.name] = folder.path("out-\(port.name).wav") }
    for port in plan.midiOutputs { job.outputs[port.name] = folder.path("\(port.name).mid") }
    try configure(&job)
    result = try OfflineRenderer(plan, catalogue: catalogue, job: job).render()
    let midiNames = plan.midiOutputs.map(\.name)
    let paths = job.outputs
    midi = try paths.filter { midiNames.contains($0.key) }.mapValues { path in
      try MIDIFile.parse(Data(contentsOf: URL(fileURLWithPath: path))).messages.map {
        JackProbe.Message($0.bytes, at: Int(($0.seconds * Double(sampleRate)).rounded()))
      }
    }
    let files = try paths.filter { !midiNames.contains($0.key) }.mapValues {
      try SoundFile(reading: $0)
    }
    outputs = files.mapValues(\.channels)
    self.sampleRate = files.values.first?.sampleRate ?? 0
  }

  /// The channels of the output `out`, or of the only one.
  package var output: [[Float]] { outputs["out"] ?? outputs.values.first ?? [] }
}

/// Sound and MIDI such as a musician would send through a rack.
package enum Material {
  /// For every audio input of a plan, cut or wound to its channels.
  package static func inputs(_ plan: Plan, _ channels: [[Float]]) -> [String: [[Float]]] {
    Dictionary(
      plan.inputs.map { port in
        (port.name, (0..<port.channelCount).map { channels[$0 % channels.count] })
      }
    ) { first, _ in first }
  }

  /// The beginning of the drum loop.
  package static func drums(frames: Int) throws -> [[Float]] {
    try SoundFile(reading: TestRacks.drumLoop).channels.map { Array($0.prefix(frames)) }
  }

  /// A chord of four notes, two bends and the end of it, to every MIDI input.
  package static func chord(_ plan: Plan, from time: Double = 0, length: Double) -> [OfflineJob
    .Message]
  {
    plan.midiInputs.indices.flatMap { port in
      func message(_ share: Double, _ bytes: [UInt8]) -> OfflineJob.Message {
        OfflineJob.Message(port: port, time: time + share * length, bytes: bytes)
      }
      let notes: [UInt8] = [48, 60, 64, 67]
      return notes.map { message(0, [0x90, $0, 100]) }
        + [message(0.31, [0xE0, 0, 80]), message(0.52, [0xE0, 0, 64])]
        + notes.map { message(0.9, [0x80, $0, 0]) }
    }
  }
}
