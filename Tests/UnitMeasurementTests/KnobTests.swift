import BacklineTestSupport
import CUnit
import Testing
import UnitMeasurement

/// A knob that is turned as far as it goes, within 20 ms, adds nothing above -80 dBc to a sine,
/// further than 1 kHz from it: in all units that let a sine alone while nothing moves.
@Suite struct KnobTests {
  private static let units = BuiltInUnit.all.filter { unit in
    settings[unit.description] != nil
  }

  /// How each is set.
  private static let settings: [String: [String: Float]] = [
    "aufx/cabn/bkln": [:], "aufx/cmpr/bkln": ["hold": 10], "aufx/conv/bkln": [:],
    "aufx/dely/bkln": ["time": 0.002, "mix": 50],
    "aufx/eq31/bkln": [:], "aufx/eqgr/bkln": [:], "aufx/eqpm/bkln": [:], "aufx/gain/bkln": [:],
    "aufx/hpas/bkln": [:], "aufx/limt/bkln": [:], "aufx/lpas/bkln": [:], "aufx/mbnd/bkln": [:],
    "aufx/phas/bkln": ["depth": 0], "aufx/rvrb/bkln": [:], "aufx/sprg/bkln": [:],
    "aufx/ster/bkln": [:], "aumx/mixr/bkln": [:], "aupn/panr/bkln": [:],
  ]

  /// What a sweep over the whole range does by itself, and knobs that distort.
  private static let bounds = [
    "aufx/hpas/bkln cutoff": -78.0, "aufx/mbnd/bkln crossover1": -74,
    "aufx/dely/bkln drive": .infinity, "aufx/dely/bkln feedback": .infinity,
  ]

  @Test(arguments: units) func aTurnedKnobIsNotHeard(_ unit: BuiltInUnit) throws {
    let knobs = unit.parameters.filter {
      $0.flags & UInt32(BL_PARAMETER_RAMPABLE) != 0 && $0.flags & UInt32(BL_PARAMETER_WRITABLE) != 0
    }
    #expect(!knobs.isEmpty)
    for knob in knobs {
      let name = String(cString: knob.identifier!)
      for value in [knob.minimum, knob.maximum] {
        let host = try unit.host(channels: 2, Self.settings[unit.description]!)
        let spur = host.spur(moving: name, to: value, channels: 2)
        #expect(
          spur <= Self.bounds["\(unit) \(name)"] ?? -80, "\(unit) \(name) to \(value): \(spur) dBc")
      }
    }
  }
}
