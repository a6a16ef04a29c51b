import BacklineTestSupport
import CUnit

extension bl_parameter_info {
  var isWritable: Bool { flags & UInt32(BL_PARAMETER_WRITABLE) != 0 }
  var isRampable: Bool { flags & UInt32(BL_PARAMETER_RAMPABLE) != 0 }
  var isPerInputBus: Bool { flags & UInt32(BL_PARAMETER_PER_INPUT_BUS) != 0 }
}

/// What the conformance tests play through any unit.
extension BuiltInUnit {
  /// The output memory that suits the unit where a test does not care.
  var plainMemory: UnitHost.OutputMemory { has(BL_UNIT_PROVIDES_OUTPUT) ? .null : .separate }

  /// Every kind of output memory that the unit must take.
  var memories: [UnitHost.OutputMemory] {
    if has(BL_UNIT_PROVIDES_OUTPUT) { return [.null] }
    let canProcessInPlace = has(BL_UNIT_CAN_PROCESS_IN_PLACE) && !inputBusses.isEmpty
    return canProcessInPlace ? [.separate, .null, .inPlace] : [.separate, .null]
  }

  /// Channel counts for each input bus; more busses than the table has where the unit takes them.
  var generousInputs: [Int] {
    let counts = inputBusses.map { Int($0.default_channel_count) }
    return facts.maximum_input_bus_count >= 3 ? [counts[0], counts[0], counts[0]] : counts
  }

  /// Do channel capabilities leave the bus out (bus.h)?
  func isSidechain(_ bus: bl_bus_info) -> Bool {
    let isOptional = { (bus: bl_bus_info) in bus.flags & UInt32(BL_BUS_OPTIONAL) != 0 }
    return isOptional(bus) && !inputBusses.allSatisfy(isOptional)
  }

  /// Noise for every input: busses × channels × frames.
  func noise(for inputChannels: [Int], frames: Int) -> [[[Float]]] {
    inputChannels.enumerated().map { bus, channels in
      (0..<channels).map { Signals.noise(frames: frames, seed: UInt64(100 * bus + $0 + 1)) }
    }
  }

  /// Changes, ramps and notes at odd moments, the same for the same seed.
  func events(frames: Int, inputBusCount: Int, seed: UInt64 = 7) -> [UnitHost.Event] {
    var random = Random(seed: seed)
    var events: [UnitHost.Event] = []
    for (index, parameter) in parameters.enumerated() where parameter.isWritable {
      for bus in 0..<(parameter.isPerInputBus ? inputBusCount : 1) {
        for _ in 0..<4 {
          var value = Float.random(in: parameter.minimum...parameter.maximum, using: &random)
          if parameter.unit == BL_UNIT_INDEXED || parameter.unit == BL_UNIT_BOOLEAN {
            value = value.rounded()
          }
          let ramp = Int.random(in: 0...900, using: &random)
          events.append(
            .parameter(
              UInt64(bus) << 32 | UInt64(index), value,
              ramp: parameter.isRampable && ramp > 100 ? ramp : 0,
              at: Int.random(in: 0..<frames, using: &random)))
        }
      }
    }
    return has(BL_UNIT_MIDI_INPUT) ? events + notes(frames: frames, seed: seed) : events
  }

  /// Notes that begin and end at odd moments; some are held to the end.
  func notes(frames: Int, seed: UInt64 = 7) -> [UnitHost.Event] {
    var random = Random(seed: seed + 1000)
    return (0..<12).flatMap { _ in
      let note = UInt8.random(in: 30..<100, using: &random)
      let start = Int.random(in: 0..<frames, using: &random)
      return [
        UnitHost.Event.midi([0x90, note, 100], at: start),
        UnitHost.Event.midi([0x80, note, 0], at: start + 700),
      ]
    }
  }
}

/// The same bits, channel for channel and frame for frame?
func identical(_ left: [[Float]], _ right: [[Float]]) -> Bool {
  left.map { $0.map(\.bitPattern) } == right.map { $0.map(\.bitPattern) }
}

func isFinite(_ signal: [[Float]]) -> Bool {
  signal.allSatisfy { $0.allSatisfy(\.isFinite) }
}
