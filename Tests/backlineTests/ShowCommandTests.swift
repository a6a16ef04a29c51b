import BacklineTestSupport
import Testing

@Suite struct ShowCommandTests {
  @Test func whatMovesParametersIsShown() throws {
    let folder = try TemporaryFolder()
    let rack = try folder.write(
      "moved.yaml",
      bytes: Array(
        """
        rack: Moved
        inputs: { in: { channels: 1 }, keys: { midi: true } }
        outputs: { out: { channels: 1 } }
        units: { lfo: { unit: LFO }, tone: { unit: Low-Pass Filter } }
        connections: [ in -> tone -> out ]
        modulations:
          - { from: lfo, to: tone.cutoff, depth: 30 % }
          - { from: in, to: tone.resonance, depth: -5.5 %, curve: square, late: true }
        controls: [ { from: keys cc 1, to: tone.cutoff, range: [100 Hz, 5 kHz] } ]
        scenes: { dark: { tone.cutoff: 200 Hz } }

        """.utf8))
    let shown = try Program.run("show", rack)
    #expect(shown.status == 0, "\(shown.errors)")
    for line in [
      "lfo modulates tone.cutoff, 30 %", "in modulates tone.resonance, -5.5 %, square, late",
      "keys cc 1 -> tone.cutoff, 100 Hz to 5 kHz", "scene dark: tone.cutoff 200 Hz",
    ] {
      #expect(shown.output.contains(line + "\n"), "\(shown.output)")
    }
  }
}
