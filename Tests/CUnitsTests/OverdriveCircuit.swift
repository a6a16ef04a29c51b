import Foundation

/// The overdrive's circuits as netlists, written independently of the unit's own lists.
enum OverdriveCircuit: Int, CaseIterable {
  case screamer, plus, rodent, gold, boost, triode, opAmp, face, pi, breaker, octave

  /// The knobs, 0 to 1.
  struct Knobs: CustomStringConvertible {
    var drive, tone, bias: Double
    var description: String { "drive \(drive), tone \(tone), bias \(bias)" }
  }

  /// The factor from volts at the output to full scale.
  var gain: Double {
    [0.449, 0.596, 0.256, 0.0916, -0.0814, 0.114, 0.0668, 0.588, 0.25, -0.537, -1.29][rawValue]
  }

  func netlist(_ knobs: Knobs) -> String { parts(knobs) + Self.models }

  /// Returns the ohms on both sides of a wiper.
  static func pot(_ ohms: Double, _ share: Double) -> (Double, Double) {
    (ohms * share + 1, ohms * (1 - share) + 1)
  }

  /// Returns the share of a pot's resistance at an audio taper's position.
  static func audio(_ place: Double) -> Double { (pow(121, place) - 1) / 120 }

  private static let models = """
    .model silicon d is=2.52n n=1.752
    .model germanium d is=200n n=1.3
    .model oldgermanium d is=15u n=1
    .model oc44 npn is=2u bf=85 br=10
    .model ac128a npn is=1u bf=70 br=5
    .model ac128b npn is=1u bf=120 br=5
    .model small npn is=1e-14 bf=590 br=1
    .subckt follower plus minus out gbw=3e6
    g1 0 x plus minus {6.283185307179586e-9*gbw}
    r1 x 0 {1e5/(6.283185307179586e-9*gbw)}
    c1 x 0 1n
    e1 out 0 x 0 1
    .ends
    .subckt limited plus minus out gbw=1e6 slew=1e6 swing=3.5
    b1 0 x i={slew*1e-9}*tanh(V(plus,minus)*{6.283185307179586*gbw/slew})
    r1 x 0 {1e5/(6.283185307179586e-9*gbw)}
    c1 x 0 1n
    b2 x 0 i={slew*1e-9}*(exp((V(x)-swing)/0.1)-exp((-V(x)-swing)/0.1))
    e1 out 0 x 0 1
    .ends

    """ + tube

  /// A 12AX7.
  static let tube = """
    .model grid d is=1n n=4
    .subckt ecc83 g p k
    b1 p k i=2/1060*pwr(max(V(p,k),1e-9)/600*ln(1+exp(min(600*(0.01+V(g,k)/
    + sqrt(300+V(p,k)*V(p,k))),80))),1.4)
    d1 g k grid
    .ends
    """

  private func parts(_ knobs: Knobs) -> String {
    let (drive, tone) = (knobs.drive, knobs.tone)
    let treble = Self.pot(100e3, tone).0
    switch self {
    case .screamer:
      let (left, right) = Self.pot(20e3, tone)
      return """
        c1 in a 20n
        r1 a 0 510k
        e1 b 0 a 0 1
        c2 b c 1u
        r2 c 0 10k
        x1 c d e follower
        r3 d f 4.7k
        c3 f 0 47n
        r4 d g 51k
        r5 g e \(Self.pot(500e3, Self.audio(drive)).0)
        c4 d e 51p
        d1 d e silicon
        d2 e d silicon
        r6 e h 1k
        c5 h 0 220n
        r7 h 0 10k
        x2 h i j follower
        r8 i j 1k
        r9 h w \(left)
        r10 w i \(right)
        r11 w k 220
        c6 k 0 220n
        c7 j out 1u
        r12 out 0 100k

        """
    case .plus:
      return """
        c1 in a 10n
        r1 a b 10k
        r2 b 0 1meg
        x1 b c d limited gbw=1e6 slew=0.5e6 swing=3.5
        r3 c d 1meg
        r4 c e 4.7k
        r5 e f \(Self.pot(1e6, Self.audio(1 - drive)).0)
        c2 f 0 47n
        c3 d g 1u
        r6 g h 10k
        d1 h 0 germanium
        d2 0 h germanium
        c4 h 0 1n
        r7 h 0 50k
        r8 h out 10k
        c5 out i 10n
        r9 i 0 \(treble)
        r10 out 0 1meg

        """
    case .rodent:
      return """
        c1 in a 22n
        r1 a 0 1meg
        x1 a c d limited gbw=1e6 slew=0.3e6 swing=3.9
        r3 c d \(Self.pot(150e3, Self.audio(drive)).0)
        c3 c d 100p
        r4 c e 47
        c4 e 0 2.2u
        r5 c f 560
        c5 f 0 4.7u
        c6 d g 1u
        r6 g h 1k
        r10 h 0 47k
        d1 h 0 silicon
        d2 0 h silicon
        r7 h i \(Self.pot(100e3, 1 - tone).0)
        r8 i j 1.5k
        c7 j 0 3.3n
        c8 j out 22n
        r9 out 0 1meg

        """
    case .gold:
      let (left, right) = Self.pot(10e3, 1 - tone)
      return """
        c1 in a 100n
        r1 a 0 1meg
        x1 a b c limited gbw=3e6 slew=13e6 swing=3.5
        r2 b c 422k
        c2 b c 390p
        r3 b d 17k
        r4 d e \(Self.pot(100e3, 1 - drive).0)
        c3 e 0 82n
        c4 c f 1u
        r5 f g 1k
        d1 g 0 oldgermanium
        d2 0 g oldgermanium
        r6 g h 47k
        r7 a i 68k
        r8 i h \(Self.pot(100e3, drive).0)
        x2 0 h j follower
        r9 h j 392k
        c5 h j 20p
        r10 j k 100k
        r11 k l 100k
        r12 j m 1.8k
        r13 m w \(left)
        r14 w n \(right)
        r15 n l 4.7k
        c6 w k 3.9n
        x3 0 k l follower
        c7 l out 1u
        r16 out 0 100k

        """
    case .opAmp:
      return """
        c1 in a 47n
        r1 a 0 1meg
        x1 a b c limited gbw=3e6 slew=13e6 swing=3.5
        r2 b d 10k
        r3 d c \(Self.pot(500e3, Self.audio(drive)).0)
        c2 b c 22p
        r4 b e 2.2k
        c3 e 0 100n
        c4 c f 1u
        r5 f out 10k
        c5 out g 10n
        r6 g 0 \(treble)
        r7 out 0 100k

        """
    case .breaker:
      let (feedback, forward) = Self.pot(100e3, drive)
      let (right, left) = Self.pot(25e3, tone)
      return """
        c1 in a 10n
        r1 a 0 1meg
        x1 a b c limited gbw=3e6 slew=13e6 swing=3.5
        r2 b d 27k
        r3 b e 33k
        c2 e d 10n
        c3 d 0 10n
        c4 b c 100p
        r4 b c \(feedback)
        r5 c f \(forward)
        c5 f g 100n
        r6 g h 10k
        x2 0 h i follower
        r7 h i 220k
        r8 h j 6.8k
        d1 j k silicon
        d2 k i silicon
        d3 i l silicon
        d4 l j silicon
        r9 i m 1k
        r10 m w \(left)
        r11 w n \(right)
        c6 n 0 10n
        r12 w o 6.8k
        c7 o 0 10n
        r13 o 0 100k
        c8 o out 100n
        r14 out 0 1meg

        """
    case .boost, .triode, .face, .pi, .octave: return transistorParts(knobs)
    }
  }
}
