import AudioUnits
import UnitModel

/// The measured pitch of a sound.
public struct TunerReading: Sendable, Codable, Equatable {
  /// The frequency in Hz.
  public var frequency: Float
  /// The number of the nearest MIDI note; 69 is the A of 440 Hz.
  public var note: Int
  /// The deviation of the sound from that note in cents, -50 to 50.
  public var cents: Float
  /// The clarity of the pitch, from 0 without a pitch to 1.
  public var clarity: Float
}

/// An analyser of pitch, which renders the built-in tuner unit.
final class TunerAnalyser {
  private let tuner: AudioUnit
  private let addresses: [String: UInt64]
  private let block: AudioPCMBuffer
  private var time: Int64 = 0

  /// Creates an analyser; nil if the tuner unit cannot be created.
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

  /// Adds sound and returns the pitch.
  ///
  /// - Parameter sound: the frames since the last call, left and right.
  func add(_ sound: [SIMD2<Float>]) -> TunerReading {
    var rest = sound[...]
    while !rest.isEmpty {
      let part = rest.prefix(block.frameCapacity)
      rest = rest.dropFirst(part.count)
      block.frameLength = part.count
      for (index, frame) in part.enumerated() { block[0][index] = (frame.x + frame.y) / 2 }
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
