import AudioUnits
import BacklineTestSupport
import Foundation
import RackModel
import RackTestSupport
import Testing

@testable import RackControl
@testable import RackSession

/// The analysis of a signal by scope, spectrum and tuner.
struct TelemetryAnalysisTests {
  private func stereo(_ sound: [Float]) -> [SIMD2<Float>] { sound.map { SIMD2($0, $0) } }

  /// Returns the centre frequency of a band, Hz.
  private func centre(_ band: Int) -> Double { 20 * pow(1000, Double(band) / 119) }

  @Test(arguments: [50.0, 317, 1000, 4321, 15_000])
  func aSineHasItsLevelInItsBand(frequency: Double) throws {
    let spectrum = try #require(SpectrumAnalyser(sampleRate: 48_000))
    let bands = spectrum.add(
      stereo(Signals.sine(frequency: frequency, amplitude: 0.5, frames: 4096)))
    let loudest = try #require(bands.indices.max { bands[$0] < bands[$1] })
    #expect(abs(bands[loudest] + 6.02) < 0.2, "\(frequency) Hz")
    // A band is 6 % wide, and at 50 Hz a bin is 23 %.
    #expect(abs(log2(centre(loudest) / frequency)) < (frequency < 100 ? 0.25 : 0.05))
    let far = bands.indices.filter { abs(log2(centre($0) / frequency)) > 2 }
    #expect(far.allSatisfy { bands[$0] < -50 })
  }

  /// The spectrum shows channels that cancel each other, and a single channel at half the power.
  @Test(arguments: [(Float(-1), -6.02), (0, -9.03)])
  func bothChannelsCount(other: Float, level: Double) throws {
    let spectrum = try #require(SpectrumAnalyser(sampleRate: 48_000))
    let sine = Signals.sine(frequency: 1000, amplitude: 0.5, frames: 4096)
    let bands = spectrum.add(sine.map { SIMD2($0, other * $0) })
    #expect(abs(Double(bands.max() ?? 0) - level) < 0.2)
  }

  @Test func smallValuesKeepFourDigits() {
    #expect(Float(0.000123456).withFourDigits == 0.0001235)
    #expect(Float(-1234.56).withFourDigits == -1235)
    #expect(Float(0).withFourDigits == 0)
    #expect(Float(1e6).withFourDigits == 1e6)
  }

  @Test func silenceIsTheFloor() throws {
    let spectrum = try #require(SpectrumAnalyser(sampleRate: 48_000))
    #expect(spectrum.add(stereo([Float](repeating: 0, count: 4096))).allSatisfy { $0 == -90 })
  }

  @Test func theScopeStandsStillOnASine() throws {
    var scope = ScopeAnalyser(sampleRate: 48_000)
    let sound = stereo(Signals.sine(frequency: 220, amplitude: 0.8, frames: 48_000))
    var pictures: [ScopePicture] = []
    for first in stride(from: 0, to: 48_000, by: 1600) {
      if let picture = scope.add(Array(sound[first..<first + 1600])) { pictures.append(picture) }
    }
    let last = try #require(pictures.last)
    #expect(last.isTriggered && last.left.count == 480 && last.right == last.left)
    #expect(last.left.max() == 0.8 && last.left.min() == -0.8)
    // The picture starts within a frame of the same phase each time.
    for picture in pictures.suffix(20) {
      let furthest = zip(picture.left, last.left).map { abs($0 - $1) }.max() ?? 1
      #expect(furthest < 0.03)
    }
    // Direct current never crosses zero.
    var free = ScopeAnalyser(sampleRate: 48_000)
    let constant = free.add(stereo([Float](repeating: 0.5, count: 9600)))
    #expect(constant?.isTriggered == false && constant?.left.allSatisfy { $0 == 0.5 } == true)
  }

  @Test func theTunerHearsThePitch() throws {
    let tuner = try #require(
      TunerAnalyser(sampleRate: 48_000, catalogue: ComponentCatalogue()))
    // The frequency is 20 cents above A2.
    let frequency = 110 * pow(2, 20.0 / 1200)
    let reading = tuner.add(
      stereo(Signals.sine(frequency: frequency, amplitude: 0.3, frames: 24_000)))
    #expect(reading.note == 45)
    #expect(abs(reading.cents - 20) < 0.5)
    #expect(abs(Double(reading.frequency) - frequency) < 0.05)
    #expect(reading.clarity > 0.8)
  }
}

extension JackTests {
  /// Peers that watch a rack that plays.
  struct Watching {
    private static let rack = """
      rack: Watched
      inputs: { keys: { midi: true } }
      outputs: { main: { channels: 2 } }
      units:
        tone: { unit: aumu/sine/bkln, process: own }
        level: { unit: aufx/gain/bkln }
      connections: [ keys -> tone -> level -> main ]
      """

    @Test func aPeerReceivesWhatItWatchesAndNothingElse() async throws {
      try await SessionRig.run(Self.rack) { rig in
        let session = rig.session
        let (one, other) = (Peer("one"), Peer("other"))
        await #expect(throws: (any Error).self) {
          try await session.watch(["level.output.scope"], for: one)
        }
        var changes = session.events(for: one).makeAsyncIterator()
        let others = session.events(for: other)
        try await session.watch(
          ["level.output.spectrum", "tone.notes", "tone.output.tuner"], for: one)
        try await session.send(midi: [0x90, 69, 100], to: "keys")
        var seen: [String: TelemetryReading.Values] = [:]
        func isSettled() -> Bool {
          guard case .array(let notes)? = seen["notes"], notes.count == 128,
            case .tuner(let tuner)? = seen["output.tuner"],
            case .spectrum(let bands)? = seen["output.spectrum"]
          else { return false }
          return notes[69] > 0.3 && tuner.note == 69 && (bands.max() ?? -90) > -60
        }
        while !isSettled(), let change = await changes.next() {
          for reading in change.telemetry { seen[reading.signal] = reading.values }
        }
        #expect(isSettled())
        // Another peer gets none of these events.
        try await session.perform("set level.gain -3 dB")
        for await change in others {
          #expect(change.telemetry.isEmpty)
          if !change.readings.isEmpty { break }
        }
        try await session.watch([], for: one)
        try await session.perform("set level.gain -4 dB")
        var last = await changes.next()
        while last?.readings.contains(where: { $0.value == -4 }) == false {
          last = await changes.next()
        }
        try await session.perform("set level.gain -5 dB")
        #expect(await changes.next()?.telemetry.isEmpty == true)
      }
    }

    @Test(arguments: [
      ("level", "“level” is not a signal; write it like echo.output.spectrum"),
      ("lvel.output.scope", "there is no unit “lvel”; did you mean “level”?"),
      ("level.output.scop", "did you mean “output.scope”?"),
      ("level.response", "level shows no “response”; it has input.scope"),
    ])
    func aWrongSignalIsRefused(signal: String, reason: String) async throws {
      try await SessionRig.run(Self.rack) { rig in
        let peer = Peer("one")
        let changes = rig.session.events(for: peer)
        let error = await #expect(throws: (any Error).self) {
          try await rig.session.watch([signal], for: peer)
        }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains(reason), "\(text)")
        _ = changes
      }
    }
  }
}
