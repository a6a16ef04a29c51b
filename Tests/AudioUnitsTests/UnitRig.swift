import AudioUnits
import BacklineTestSupport
import CKernel
import CUnit
import Testing
import UnitModel

/// A unit outside any rack, rendered through arrays.
struct UnitRig {
  let unit: AudioUnit
  private(set) var sampleTime: Int64 = 0

  init(
    _ name: String, in catalogue: ComponentCatalogue = ComponentCatalogue(),
    _ settle: (AudioUnit) throws -> Void = { _ in }
  ) async throws {
    let description = try #require(ComponentDescription(name))
    unit = try await AudioUnit.instantiate(description, catalogue: catalogue)
    try settle(unit)
    try unit.allocateRenderResources()
  }

  func address(_ keyPath: String) throws -> UInt64 {
    try #require(unit.facts.parameter(atKeyPath: keyPath)).address
  }

  /// Renders output bus 0 from busses × channels × frames of input; busses that are left out are not
  /// connected. Channels × frames; no channels for a unit without output busses.
  mutating func render(
    _ inputs: [[[Float]]] = [], frames: Int, cycles: [Int] = [512]
  ) throws -> [[Float]] {
    let channels = unit.outputBusses.first?.format.channelCount ?? 0
    var result = [[Float]](repeating: [], count: channels)
    var (done, turn) = (0, 0)
    while done < frames {
      let count = min(cycles[turn % cycles.count], frames - done)
      let memory = (0..<channels).map { _ in
        UnsafeMutablePointer<Float>.allocate(capacity: count)
      }
      defer { for pointer in memory { pointer.deallocate() } }
      var pointers: [UnsafeMutablePointer<Float>?] = memory
      let start = done
      try pointers.withUnsafeMutableBufferPointer { pointers in
        var output = bl_buffers(channel_count: UInt32(channels), channels: pointers.baseAddress)
        try unit.render(at: sampleTime, frames: count, output: &output) {
          _, _, frames, bus, input in
          guard inputs.indices.contains(bus) else { return bl_status(BL_ERROR_NO_CONNECTION) }
          for channel in 0..<Int(input.pointee.channel_count) {
            for frame in 0..<frames {
              input.pointee.channels[channel]?[frame] = inputs[bus][channel][start + frame]
            }
          }
          return bl_status(BL_OK)
        }
      }
      for channel in 0..<channels {
        result[channel] += UnsafeBufferPointer(start: memory[channel], count: count)
      }
      done += count
      turn += 1
      sampleTime += Int64(count)
    }
    return result
  }
}
