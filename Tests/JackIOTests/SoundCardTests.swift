import Testing

@testable import JackIO

struct SoundCardTests {
  @Test func theFirstThatPlaysAndRecordsIsChosen() {
    let listing = """
      00-03: HDMI 0 : HDMI 0 : playback 1
      01-00: ALC257 Analog : ALC257 Analog : playback 1 : capture 1
      02-00: USB Audio : USB Audio : playback 1 : capture 1
      """
    #expect(
      SoundCard.choose(from: listing)
        == SoundCard(device: "hw:1", name: "ALC257 Analog", canCapture: true))
  }

  @Test func oneThatOnlyPlaysIsBetterThanNone() {
    let listing = """
      00-00: Microphone : USB Audio : capture 1
      01-03: HDMI 0 : HDMI 0 : playback 1
      """
    #expect(
      SoundCard.choose(from: listing)
        == SoundCard(device: "hw:1,3", name: "HDMI 0", canCapture: false))
  }

  @Test(arguments: ["", "\n", "nonsense", "00-00: Microphone : USB Audio : capture 1"])
  func withoutPlaybackThereIsNone(listing: String) {
    #expect(SoundCard.choose(from: listing) == nil)
  }
}
