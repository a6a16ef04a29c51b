/// Those without op-amps, or with one of several parts.
extension OverdriveCircuit {
  func transistorParts(_ knobs: Knobs) -> String {
    let (drive, tone) = (knobs.drive, knobs.tone)
    let treble = Self.pot(100e3, tone).0
    switch self {
    case .boost:
      return """
        v1 s 0 9
        c1 in b 4.7n
        r1 in a \(treble)
        c2 a b 47n
        r2 b s 470k
        r3 b d 30k
        r4 d 0 \(Self.pot(76e3, knobs.bias).0)
        q1 c b e oc44
        c3 b c 10p
        r5 e 0 3.9k
        r6 e w \(Self.pot(5e3, Self.audio(1 - drive)).0)
        c4 w 0 47u
        r7 s c 10k
        c5 c out 10n
        r8 out 0 470k

        """
    case .triode:
      let (bottom, top) = Self.pot(1e6, Self.audio(drive))
      return """
        v1 s 0 250
        r1 in a 68k
        x1 a b c ecc83
        c1 a b 1.7p
        r2 b s 100k
        r3 c 0 1.5k
        c2 c 0 22u
        c3 b d 22n
        r4 w 0 \(bottom)
        r5 d w \(top)
        r6 w e 220k
        x2 e f g ecc83
        c4 e f 1.7p
        r7 f s 100k
        r8 g h 500
        r9 h 0 \(Self.pot(2e3, knobs.bias).0)
        c5 g 0 22u
        c6 f i 22n
        r10 i out 220k
        r11 out 0 10k
        c7 out j 10n
        r12 j 0 \(treble)

        """
    case .face:
      let (above, below) = Self.pot(1e3, drive)
      return """
        v1 s 0 9
        r1 in a 5k
        c1 a b 2.2u
        q1 c b 0 ac128a
        c2 b 0 1.5n
        c3 b c 100p
        r2 c s 33k
        q2 d c e ac128b
        c4 c e 3.3n
        c5 c d 100p
        r3 d f 4.1k
        r4 f g \(Self.pot(8.2e3, knobs.bias).0)
        r5 g s 470
        r6 e b 100k
        r7 w 0 \(above)
        r8 e w \(below)
        c6 w 0 20u
        c7 g x 10n
        r11 x out 22k
        c8 out h 4.7n
        r9 h 0 \(treble)
        r10 out 0 500k

        """
    case .pi:
      let (left, right) = Self.pot(100e3, tone)
      let (bottom, top) = Self.pot(100e3, drive)
      return """
        v1 s 0 9
        r1 in a 39k
        c1 a b 100n
        r2 b 0 100k
        q1 c b d small
        r3 b c 470k
        c2 b c 470p
        r4 c s 10k
        r5 d 0 100
        c3 c e 100n
        r6 f 0 1k
        r7 w f \(bottom)
        r8 e w \(top)
        c4 w g 100n
        \(clipping(1, from: "g", to: "i"))
        c5 i l 100n
        \(clipping(2, from: "l", to: "n"))
        r9 n q 39k
        c6 q 0 10n
        c7 n r 4n
        r10 r 0 22k
        r11 q v \(left)
        r12 v r \(right)
        c8 v x 100n
        r13 x s 430k
        r14 x 0 100k
        q2 y x z small
        r15 z 0 3.3k
        r16 y s 15k
        c9 y out 100n
        r17 out 0 100k

        """
    case .octave:
      return """
        v1 s 0 9
        c1 in a 47n
        r1 a 0 1meg
        x1 a b c limited gbw=1e6 slew=0.5e6 swing=3.5
        r2 b d 10k
        r3 d c \(Self.pot(250e3, Self.audio(drive)).0)
        c2 b c 100p
        r4 b e 4.7k
        c3 e 0 100n
        c4 c f 1u
        r5 f g 47k
        r6 s g 100k
        r7 g 0 47k
        q1 h g i small
        r8 h j 3.9k
        r9 j s \(Self.pot(2e3, knobs.bias).0)
        r10 i 0 4.7k
        c5 h k 470n
        c6 i l 470n
        r11 k 0 22k
        r12 l 0 22k
        d1 k m germanium
        d2 l m germanium
        r13 m 0 22k
        c7 m 0 1n
        r14 m n 10k
        c8 n o 10n
        r15 o 0 \(treble)
        c9 n out 100n
        r16 out 0 100k

        """
    default: return ""
    }
  }

  /// One of the two stages of a Big Muff that have diodes.
  private func clipping(_ number: Int, from source: String, to out: String) -> String {
    """
    ra\(number) \(source) m\(number) 10k
    rb\(number) m\(number) 0 100k
    qa\(number) \(out) m\(number) o\(number) small
    rc\(number) m\(number) \(out) 470k
    ca\(number) m\(number) \(out) 470p
    cb\(number) m\(number) p\(number) 100n
    da\(number) p\(number) \(out) silicon
    db\(number) \(out) p\(number) silicon
    rd\(number) \(out) s 10k
    re\(number) o\(number) 0 150
    """
  }
}
