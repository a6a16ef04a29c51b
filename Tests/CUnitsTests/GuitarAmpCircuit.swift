import Foundation

/// The guitar amp's whole circuits as netlists, written independently of the unit's own lists.
enum GuitarAmpCircuit: Int, CaseIterable {
  case tweed, blackface, plexi, lead

  /// The knobs, 0 to 1.
  struct Knobs: CustomStringConvertible {
    var gain, bass, middle, treble: Double
    var description: String { "gain \(gain), bass \(bass), middle \(middle), treble \(treble)" }
  }

  /// The factor from volts at the output to full scale.
  var scale: Double { [0.0074, 0.0169, 0.0036, -0.0025][rawValue] }

  func netlist(_ knobs: Knobs) -> String { parts(knobs) + OverdriveCircuit.tube }

  /// A triode with its plate's and its cathode's resistor.
  private func stage(_ number: Int, _ grid: String, _ plate: String, _ cathode: String) -> String {
    """
    x\(number) \(grid) p\(number) k\(number) ecc83
    cx\(number) \(grid) p\(number) 1.7p
    rp\(number) p\(number) s \(plate)
    rk\(number) k\(number) 0 \(cathode)
    """
  }

  private func stack(
    from source: String, to out: String, _ knobs: Knobs, slope: String, caps: [String],
    bass: Double, middle: Double
  ) -> String {
    let (low, high) = OverdriveCircuit.pot(250e3, knobs.treble)
    return """
      cs1 \(source) y1 \(caps[0])
      rs1 \(source) y2 \(slope)
      cs2 y2 y3 \(caps[1])
      cs3 y2 y4 \(caps[2])
      rs2 y1 \(out) \(high)
      rs3 \(out) y3 \(low)
      rs4 y3 y4 \(OverdriveCircuit.pot(bass, OverdriveCircuit.audio(knobs.bass)).0)
      rs5 y4 0 \(OverdriveCircuit.pot(middle, knobs.middle).0)
      """
  }

  /// A cathode follower behind plate 3 (or 2), and the British tone stack.
  private func follower(behind plate: String, _ knobs: Knobs) -> String {
    """
    x9 \(plate) s q ecc83
    cx9 \(plate) s 1.7p
    r9 q 0 100k
    \(stack(from: "q", to: "out", knobs, slope: "33k", caps: ["500p", "22n", "22n"], bass: 1e6, middle: 25e3))
    rout out 0 1meg
    """
  }

  private func parts(_ knobs: Knobs) -> String {
    let (below, above) = OverdriveCircuit.pot(1e6, OverdriveCircuit.audio(knobs.gain))
    let treble = OverdriveCircuit.pot(1e6, OverdriveCircuit.audio(knobs.treble)).0
    switch self {
    case .tweed:
      return """
        v1 s 0 250
        r1 in a 34k
        r2 a 0 1meg
        \(stage(1, "a", "100k", "1.5k"))
        c1 k1 0 22u
        c2 p1 d 100n
        r3 w 0 \(below)
        r4 d w \(above)
        c3 w e 4.7n
        r5 e 0 \(treble)
        \(stage(2, "w", "100k", "1.5k"))
        c4 k2 0 22u
        c5 p2 out 22n
        r6 out 0 220k

        """
    case .blackface:
      return """
        v1 s 0 270
        r1 in a 34k
        r2 a 0 1meg
        \(stage(1, "a", "100k", "1.5k"))
        c1 k1 0 25u
        \(stack(from: "p1", to: "d", knobs, slope: "100k", caps: ["250p", "100n", "47n"], bass: 250e3, middle: 10e3))
        r3 w 0 \(below)
        r4 d w \(above)
        c2 d w 47p
        \(stage(2, "w", "100k", "1.5k"))
        c4 k2 0 25u
        c5 p2 out 20n
        r6 out 0 220k

        """
    case .plexi:
      return """
        v1 s 0 300
        r1 in a 34k
        r2 a 0 1meg
        \(stage(1, "a", "100k", "2.7k"))
        c1 k1 0 680n
        c2 p1 d 22n
        r3 w 0 \(below)
        r4 d w \(above)
        c3 d w 500p
        r5 w e 470k
        c4 w e 470p
        r6 e 0 470k
        \(stage(2, "e", "100k", "820"))
        c5 k2 0 680n
        \(follower(behind: "p2", knobs))

        """
    case .lead:
      return """
        v1 s 0 300
        r1 in a 68k
        r2 a 0 1meg
        \(stage(1, "a", "100k", "2.7k"))
        c1 k1 0 680n
        c2 p1 b 22n
        r3 b d 470k
        c3 b d 470p
        r4 w 0 \(below)
        r5 d w \(above)
        c4 d w 1n
        \(stage(2, "w", "100k", "10k"))
        c5 p2 f 22n
        r6 f g 470k
        c6 f g 470p
        r7 g 0 470k
        \(stage(3, "g", "100k", "820"))
        \(follower(behind: "p3", knobs))

        """
    }
  }
}
