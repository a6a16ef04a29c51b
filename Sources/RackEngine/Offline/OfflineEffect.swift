import AudioUnits
import CUnit
import RackModel
import SoundFiles

/// An offline effect of a rack, set as planned.
final class OfflineEffect {
  let planned: PlannedUnit
  private let unit: AudioUnit

  /// - Throws: `RackError` that names the unit.
  init(_ planned: PlannedUnit, catalogue: ComponentCatalogue, sampleRate: Double) throws(RackError)
  {
    self.planned = planned
    let component = try RackUnit.component(of: planned, in: catalogue)
    let refusals: [PropertyFinding]
    do {
      unit = try AudioUnit(component, process: planned.process)
      refusals = try unit.set(
        planned, format: RenderFormat(sampleRate: sampleRate, maximumFrames: 4096)
      ).refusals
    } catch {
      throw RackError("unit \(planned.name): \(error.reason)")
    }
    guard refusals.isEmpty else { throw RackError(refusals) }
  }

  /// Renders a whole sound into a spool; a bypassed effect returns the sound itself.
  ///
  /// - Parameter progress: receives the share of the output that is done, 0...1, and 0 repeatedly while the
  ///   effect reads its input first; throws to end the rendering.
  /// - Throws: `RackError` that names the unit; or what `progress` throws.
  func render(
    _ sound: SoundSpool, folder: String, progress: (Double) throws -> Void
  ) throws -> SoundSpool {
    guard !planned.isBypassed else { return sound }
    let output = try SoundSpool(folder: folder, channelCount: planned.outputChannelCounts[0])
    do {
      try unit.renderOffline(frames: sound.frameCount) { _, time, frames, _, input in
        if output.frameCount == 0 { try progress(0) }
        let channels = (0..<Int(input.pointee.channel_count)).compactMap { channel in
          input.pointee.channels[channel]
        }
        try sound.read(into: channels, from: Int(time), frames: frames)
        return .ok
      } write: { block, frames in
        try output.write(
          (0..<block.format.channelCount).map { UnsafeBufferPointer(block[$0]) })
        try progress(Double(output.frameCount) / Double(frames))
      }
    } catch let error as AudioUnitError {
      throw RackError("unit \(planned.name): \(error.reason)")
    }
    guard output.frameCount > 0 else {
      throw RackError("unit \(planned.name): nothing of the sound is left")
    }
    return output
  }
}
