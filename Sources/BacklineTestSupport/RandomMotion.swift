import AudioUnits
import CUnit
import Foundation
import UnitValidation

/// Plays a unit while everything changes at random: parameters by jumps and ramps, rarely or
/// hundreds of times a second, and the tempo, the transport, the input and the keys. The same for
/// the same seed.
package struct RandomMotion {
  package static let sampleRate = 48_000
  private static let block = 512

  private let unit: BuiltInUnit
  private let range: (bl_parameter_info) -> ClosedRange<Float>?
  private var random: Random

  /// - Parameter range: returns the range in which a parameter moves; nil for its default alone.
  package init(
    of unit: BuiltInUnit, seed: UInt64,
    range: @escaping (bl_parameter_info) -> ClosedRange<Float>? = { $0.minimum...$0.maximum }
  ) {
    (self.unit, self.range, random) = (unit, range, Random(seed: seed))
  }

  /// Renders the unit; returns the peak magnitudes of input and output in each block of 512 frames,
  /// infinite if a sample is NaN or infinite.
  ///
  /// - Parameters:
  ///   - level: the peak magnitude of the input.
  ///   - silence: the time from which on the input is silent and no key is pressed, seconds.
  package mutating func peaks(
    seconds: Double, level: Float, silence: Double
  ) throws -> [(input: Float, output: Float)] {
    let blocks = Int(seconds * Double(Self.sampleRate)) / Self.block
    let sounding = Int(silence * Double(Self.sampleRate)) / Self.block
    let frames = blocks * Self.block
    let input = sound(frames: frames, sounding: sounding * Self.block, level: level)
    let format = UnitFormat(
      inputs: unit.inputBusses.map { Int($0.default_channel_count) },
      outputs: unit.outputBusses.map { Int($0.default_channel_count) }, maximumFrames: Self.block)
    var job = RenderJob(frames: frames, in: format)
    job.inputs = format.inputs.map { channels in
      let buffer = AudioPCMBuffer(channels: channels, frames: frames)
      for channel in 0..<channels { _ = buffer[channel].update(fromContentsOf: input[channel % 2]) }
      return buffer
    }
    job.events = events(blocks: blocks, sounding: sounding)
    job.music = music(blocks: blocks)
    let rendering = try UnitValidation.UnitHost(unit.descriptor, format: format).render(job)
    let heard = rendering.outputs.flatMap { Array($0.channels) }
    return (0..<blocks).map { block in
      let range = block * Self.block..<(block + 1) * Self.block
      return (input.peak(in: range), heard.peak(in: range))
    }
  }

  /// Returns a stereo signal: a sine, noise, a square, clicks, a constant or silence in each half
  /// second, at `level` or softer.
  private mutating func sound(frames: Int, sounding: Int, level: Float) -> [[Float]] {
    var channels = [[Float]](repeating: [Float](repeating: 0, count: frames), count: 2)
    var phase: Float = 0
    for start in stride(from: 0, to: sounding, by: Self.sampleRate / 2) {
      let kind = Int.random(in: 0..<6, using: &random)
      let step = 20 * pow(900, Float.random(in: 0...1, using: &random)) / Float(Self.sampleRate)
      let gain = level * [1, 1, 0.03].randomElement(using: &random)!
      let other = Float.random(in: -1...1, using: &random)
      for frame in start..<min(start + Self.sampleRate / 2, sounding) {
        phase = (phase + step).truncatingRemainder(dividingBy: 1)
        let sample: Float =
          switch kind {
          case 0: sin(2 * .pi * phase)
          case 1: Float.random(in: -1...1, using: &random)
          case 2: phase < 0.5 ? 1 : -1
          case 3: frame % 4800 == 0 ? 1 : 0
          case 4: 1
          default: 0
          }
        channels[0][frame] = gain * sample
        channels[1][frame] = gain * sample * other
      }
    }
    return channels
  }

  /// Returns random events; the likelihood of parameter changes differs in each half second.
  private mutating func events(blocks: Int, sounding: Int) -> [UnitEvent] {
    var events: [UnitEvent] = []
    var likelihood = 0.0
    for block in 0..<blocks {
      let start = block * Self.block
      if block % 47 == 0 { likelihood = [0.002, 0.02, 0.05, 0.15].randomElement(using: &random)! }
      for (index, parameter) in unit.parameters.enumerated()
      where parameter.flags & UInt32(BL_PARAMETER_WRITABLE) != 0 {
        guard let range = range(parameter) else { continue }
        let isTemplate = parameter.flags & UInt32(BL_PARAMETER_PER_INPUT_BUS) != 0
        for bus in 0..<(isTemplate ? unit.inputBusses.count : 1)
        where Double.random(in: 0..<1, using: &random) < likelihood {
          events.append(
            .parameter(
              UInt64(bus) << 32 | UInt64(index), value(of: parameter, in: range),
              ramp: ramp(of: parameter),
              at: start + Int.random(in: 0..<Self.block, using: &random)))
        }
      }
      if unit.has(BL_UNIT_MIDI_INPUT), block < sounding {
        if let message = message() {
          events.append(
            .midi(message, at: start + Int.random(in: 0..<Self.block, using: &random)))
        }
      }
    }
    if unit.has(BL_UNIT_MIDI_INPUT), sounding < blocks {
      events.append(.control(64, 0, at: sounding * Self.block))
      events.append(.control(123, 0, at: sounding * Self.block))
    }
    return events
  }

  /// Returns a random value, which is an end of the range in half of the calls.
  private mutating func value(
    of parameter: bl_parameter_info, in range: ClosedRange<Float>
  ) -> Float {
    let (low, high) = (range.lowerBound, range.upperBound)
    let share = min(max(Float.random(in: -0.5...1.5, using: &random), 0), 1)
    let value =
      switch parameter.curve {
      case BL_CURVE_LOGARITHMIC: low * pow(high / low, share)
      case BL_CURVE_SQUARED: low + (high - low) * share * share
      default: low + (high - low) * share
      }
    let isDiscrete =
      [BL_UNIT_INDEXED, BL_UNIT_BOOLEAN].contains(parameter.unit)
      || (parameter.unit == BL_UNIT_GENERIC && !Self.ramps(parameter))
    return min(max(isDiscrete ? value.rounded() : value, low), high)
  }

  private static func ramps(_ parameter: bl_parameter_info) -> Bool {
    parameter.flags & UInt32(BL_PARAMETER_RAMPABLE) != 0
  }

  /// Returns the length of a ramp, one frame to two seconds; 0 for a jump.
  private mutating func ramp(of parameter: bl_parameter_info) -> Int {
    let ramps = Self.ramps(parameter) && Double.random(in: 0..<1, using: &random) < 0.6
    return ramps ? Int(pow(96_000, Double.random(in: 0...1, using: &random))) : 0
  }

  private mutating func message() -> [UInt8]? {
    let key = UInt8.random(in: 24..<108, using: &random)
    let value = UInt8.random(in: 1..<128, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<5: return [0x90, key, value]
    case 5..<8: return [0x80, key, value]
    case 8: return [0xB0, [1, 7, 11, 64, 71, 74].randomElement(using: &random)!, value]
    case 9: return [0xE0, 0, value]
    default: return nil
    }
  }

  /// Returns the music at a sample time. The tempo changes each third of a second; sometimes the
  /// transport starts, stops or jumps.
  private mutating func music(
    blocks: Int
  ) -> (Int64) -> (bl_musical_context, bl_transport_state) {
    var answers: [(bl_musical_context, bl_transport_state)] = []
    var (tempo, beat, moves) = (120.0, 0.0, true)
    for block in 0..<blocks {
      var changes = false
      if block % 31 == 0 {
        tempo = Double.random(in: 30...300, using: &random)
        let chance = Int.random(in: 0..<3, using: &random)
        if chance == 0 { beat = Double.random(in: -4...400, using: &random) }
        if chance == 1 { moves.toggle() }
        changes = chance < 2
      }
      var (context, transport) = (bl_musical_context(), bl_transport_state())
      context.tempo = tempo
      context.time_signature_numerator = 4
      context.time_signature_denominator = 4
      context.beat_position = beat
      context.downbeat_position = (beat / 4).rounded(.down) * 4
      let left = (beat.rounded(.up) - beat) * 60 * Double(Self.sampleRate) / tempo
      context.frames_to_next_beat = UInt32(left)
      transport.sample_position = Int64(block * Self.block)
      transport.flags =
        (moves ? UInt32(BL_TRANSPORT_MOVING) : 0)
        | (changes ? UInt32(BL_TRANSPORT_CHANGED) : 0)
      answers.append((context, transport))
      beat += moves ? Double(Self.block) * tempo / (60 * Double(Self.sampleRate)) : 0
    }
    let all = answers
    return { all[min(Int($0) / Self.block, all.count - 1)] }
  }
}

extension [[Float]] {
  /// Returns the peak magnitude of all channels; infinite if a sample is NaN or infinite.
  fileprivate func peak(in range: Range<Int>) -> Float {
    var peak: Float = 0
    for channel in self {
      for frame in range {
        let size = abs(channel[frame])
        peak = size.isFinite ? Swift.max(peak, size) : .infinity
      }
    }
    return peak
  }
}
