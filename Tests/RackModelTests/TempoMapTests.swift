import Testing

@testable import RackModel

@Suite struct TempoMapTests {
  /// 90 beats a minute in 4/4; from quarter 6 on 120 in 6/8; from quarter 12 on 60.
  private let map = {
    var map = TempoMap(tempo: 90)
    map.change(at: 6, tempo: 120, metre: TempoMap.Metre(6, 8))
    map.change(at: 12, tempo: 60)
    return map
  }()

  @Test(arguments: [
    (0.0, 90.0, 0.0, 0.0), (1, 90, 1.5, 0), (3, 90, 4.5, 4),
    // From here on a beat is an eighth, and bars count from the change.
    (4, 240, 12, 12), (5, 240, 16, 12), (6.5, 240, 22, 18), (7, 120, 24, 24), (9, 120, 28, 24),
  ])
  func itStandsWhereTheSongDoes(seconds: Double, tempo: Double, beat: Double, bar: Double) {
    for rate in [8000.0, 44_100, 48_000] {
      let place = map.position(atFrame: Int(seconds * rate), sampleRate: rate)
      #expect(abs(place.tempo - tempo) < 1e-9 && abs(place.beat - beat) < 1e-9)
      #expect(abs(place.downbeat - bar) < 1e-9)
      #expect(place.metre == (seconds < 4 ? TempoMap.Metre(4, 4) : TempoMap.Metre(6, 8)))
      if seconds > 0 { #expect(abs(map.seconds(atBeat: beat) - seconds) < 1e-9) }
    }
  }

  @Test func changesFollowOneAnother() {
    #expect(map.change(afterFrame: 0, sampleRate: 1000) == 4000)
    #expect(map.change(afterFrame: 3999, sampleRate: 1000) == 4000)
    #expect(map.change(afterFrame: 4000, sampleRate: 1000) == 7000)
    #expect(map.change(afterFrame: 7000, sampleRate: 1000) == nil)
    #expect(TempoMap(tempo: 100).change(afterFrame: 0, sampleRate: 1000) == nil)
  }

  @Test func theLastWordAtAPlaceCounts() {
    var map = TempoMap(tempo: 120)
    map.change(at: 0, tempo: 60)
    map.change(at: 0, metre: TempoMap.Metre(3, 4))
    let place = map.position(atFrame: 5000, sampleRate: 1000)
    #expect(place.tempo == 60 && place.beat == 5 && place.downbeat == 3)
  }
}
