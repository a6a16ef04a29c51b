import AudioUnits
import BacklineTestSupport
import CKernel
import CUnit
import Testing
import UnitModel

/// A standalone unit, rendered from and into arrays.
struct UnitRig {
  let unit: AudioUnit
  private(set) var sampleTime: Int64 = 0

  init(
    _ name: String, in catalogue: ComponentCatalogue = ComponentCatalogue(),
    options: InstantiationOptions = [], _ prepare: (AudioUnit) throws -> Void = { _ in }
  ) async throws {
    let description = try #require(ComponentDescription(name))
    unit = try await AudioUnit.instantiate(
      description, options: options, catalogue: catalogue)
    try prepare(unit)
    try unit.allocateRenderResources()
  }

  func address(_ keyPath: String) throws -> UInt64 {
    try #require(unit.facts.parameter(atKeyPath: keyPath)).address
  }

  /// Renders output bus 0 in cycles of these lengths, repeated.
  ///
  /// - Parameter inputs: busses × channels × frames; missing busses are not connected.
  /// - Returns: channels × frames; no channels for a unit without output busses.
  mutating func render(
    _ inputs: [[[Float]]] = [], frames: Int, cycles: [Int] = [512]
  ) throws -> [[Float]] {
    var result = [[Float]](repeating: [], count: unit.outputBusses.first?.format.channelCount ?? 0)
    var (done, turn) = (0, 0)
    while done < frames {
      let count = min(cycles[turn % cycles.count], frames - done)
      let cycle = done..<done + count
      if let bus = unit.outputBusses.first {
        let output = AudioPCMBuffer(format: bus.format, frameCapacity: count)
        let rate = bus.format.sampleRate
        try unit.render(
          to: output,
          from: inputs.map { AudioPCMBuffer($0.map { Array($0[cycle]) }, sampleRate: rate) },
          at: sampleTime)
        for (channel, samples) in output.channels.enumerated() { result[channel] += samples }
      } else {
        try unit.render(at: sampleTime, frames: count)
      }
      done += count
      turn += 1
      sampleTime += Int64(count)
    }
    return result
  }
}
