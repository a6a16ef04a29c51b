import AudioUnits
import UnitModel

/// The pitch of a sound.
public struct TunerReading: Sendable, Codable, Equatable {
  /// Hz
  public var frequency: Float
  /// The nearest note; 69 is the A of 440 Hz.
  public var note: Int
  /// From that note to the sound, -50 to 50.
  public var cents: Float
  /// 0 where no pitch is heard, to 1.
  public var clarity: Float
}

/// Finds the pitch by the built-in tuner.
final class TunerAnalyser {
  private let tuner: AudioUnit
  private let addresses: [String: UInt64]
  private let block: AudioPCMBuffer
  private var time: Int64 = 0

  /// Nil where the tuner cannot be made.
  init?(sampleRate: Double, catalogue: ComponentCatalogue) {
    guard let component = try? catalogue.components(for: UnitReference("aufx/tunr/bkln")).first,
      let tuner = try? AudioUnit(component, process: .host)
    else { return nil }
    self.tuner = tuner
    addresses = Dictionary(
      tuner.facts.allParameters().map { ($0.info.identifier, $0.address) }
    ) { first, _ in first }
    let format = AudioFormat(sampleRate: sampleRate, channelCount: 1)
    block = AudioPCMBuffer(format: format, frameCapacity: 1024)
    do {
      for bus in Array(tuner.inputBusses) + Array(tuner.outputBusses) {
        try bus.setFormat(format)
      }
      try tuner.setMaximumFramesToRender(block.frameCapacity)
      try tuner.allocateRenderResources()
    } catch {
      return nil
    }
  }

  /// - Parameter sound: since the last call.
  func add(_ sound: [SIMD2<Float>]) -> TunerReading {
    var rest = sound[...]
    while !rest.isEmpty {
      let part = rest.prefix(block.frameCapacity)
      rest = rest.dropFirst(part.count)
      block.frameLength = part.count
      for (place, frame) in part.enumerated() { block[0][place] = (frame.x + frame.y) / 2 }
      try? tuner.render(to: block, from: [block], at: time)
      time += Int64(part.count)
    }
    tuner.applyRenderChanges()
    return TunerReading(
      frequency: value("frequency").rounded(toPart: 100), note: Int(value("note").rounded()),
      cents: value("cents").rounded(toPart: 10),
      clarity: (value("confidence") / 100).rounded(toPart: 100))
  }

  private func value(_ identifier: String) -> Float {
    addresses[identifier].flatMap { tuner.parameterValue($0) } ?? 0
  }
}
