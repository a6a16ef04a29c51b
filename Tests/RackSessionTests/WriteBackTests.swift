import BacklineTestSupport
import Documents
import Foundation
import RackModel
import RackTestSupport
import Testing
import UnitModel

@testable import RackEngine

/// Changes are written into the text of the rack file, and nothing else is.
@Suite struct WriteBackTests {
  private static let folder = TestRacks.folder.deletingLastPathComponent()
    .appendingPathComponent("Tests/Fixtures/writing")
  private static var checker: RackChecker { TestRacks.checker() }

  private static func open(_ bytes: some Sequence<UInt8>) throws -> CheckedRack {
    let (rack, diagnostics) = checker.open(Array(bytes), file: "test.yaml")
    guard let rack else { throw TestRacks.Wrong(description: "\(diagnostics)") }
    return rack
  }

  private static func text(of name: String) throws -> String {
    let url =
      name.contains(".")
      ? folder.appendingPathComponent(name)
      : TestRacks.folder.appendingPathComponent("\(name).yaml")
    return try String(contentsOf: url, encoding: .utf8)
  }

  private static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// Returns the lines that differ, as `diff` prints them: `-` and `+`.
  private static func difference(_ old: String, _ new: String) -> [String] {
    let changes = lines(new).difference(from: lines(old))
    return changes.removals.map { "-\($0.line)" } + changes.insertions.map { "+\($0.line)" }
  }

  private static func written(
    _ text: String, _ changes: (inout PlayedRack) throws -> Void
  ) throws -> String {
    let base = try open(text.utf8)
    var rack = PlayedRack(base, checker: checker)
    try changes(&rack)
    let bytes = try RackFileWriter(checker).write(rack.rack, into: base)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func valuesAreReplacedInTheWayInWhichTheyAreWritten() throws {
    let text = try Self.text(of: "commented.yaml")
    let written = try Self.written(text) { rack in
      try rack.set("drive", "mix", to: 55)
      try rack.set("tone", "cutoff", to: 2000)
      try rack.set("synth", "envelope.release", to: 1.5)
      try rack.set("synth", "level", to: -12)
      try rack.set("echo", "time", to: 0.5)
      try rack.set("mix", "1.pan", to: 0.25)
      try rack.set("mix", "2.gain", to: -6)
      try rack.set("mix", "2.pan", to: -0.1)
      try rack.set("gate", "cutoff", to: 90)
      rack.bypass("tone", true)
      rack.bypass("echo", true)
    }
    #expect(
      Self.difference(text, written) == [
        "-    gate:   { unit: aufx/hpas/bkln }                            # no hum",
        "-            mix: 40%            # was 80",
        "-    tone:   { unit: Low-Pass Filter, bypass: off, parameters: { cutoff: \"1.2k\", resonance: 3 dB, } }",
        "-            envelope.release: 0.3,         # seconds",
        "-            level: -9dB",
        "-            parameters: { time: 402ms, mix: 30 % } }   # two lines are enough",
        "-                pan: L30",
        "-            2: { gain: -4.5 dB }   # synth",
        "+    gate:   { unit: aufx/hpas/bkln, parameters: { cutoff: 90 Hz } }                            # no hum",
        "+            mix: 55%            # was 80",
        "+    tone:   { unit: Low-Pass Filter, bypass: on, parameters: { cutoff: \"2k\", resonance: 3 dB, } }",
        "+            envelope.release: 1.5,         # seconds",
        "+            level: -12dB",
        "+            parameters: { time: 500ms, mix: 30 % }, bypass: true }   # two lines are enough",
        "+                pan: R25",
        "+            2: { gain: -6 dB, pan: L10 }   # synth",
      ])
  }

  @Test func unitsAndCablesComeAndGoByLines() throws {
    let text = try Self.text(of: "commented.yaml")
    let written = try Self.written(text) { rack in
      try rack.edit("remove gate")
      try rack.edit("rename tone dusk")
      try rack.edit("add room aufx/dely/bkln --preset Slapback --into \"mix -> echo\"")
      try rack.edit("connect \"synth -> mix.1\"")
      try rack.edit("replace drive aufx/ring/bkln")
      try rack.edit("map \"pedals cc 7\" echo.mix --range \"0 %, 50 %\"")
      try rack.edit("forget drive.bypass")
    }
    #expect(
      Self.difference(text, written) == [
        "-    gate:   { unit: aufx/hpas/bkln }                            # no hum",
        "-        unit: aufx/dist/bkln",
        "-        preset: Alien Chatter   # not as bad as it sounds",
        "-        parameters:",
        "-            mix: 40%            # was 80",
        "-            drive: 9 dB",
        "-    tone:   { unit: Low-Pass Filter, bypass: off, parameters: { cutoff: \"1.2k\", resonance: 3 dB, } }",
        "-- guitar -> gate -> drive -> tone -> mix.1   # the guitar's way",
        "-- \"mix -> echo -> main\"",
        "-    - { from: pedals cc 1, to: tone.cutoff, curve: log }   # wah",
        "-    - from: pedals cc 80    # left switch",
        "-      to: drive.bypass",
        "-      mode: toggle",
        "-    tone.resonance: { points: [3 dB @ 0 s, 9 dB @ 8 s], curve: hold }   # slowly",
        "-    gate.bypass: [off @ bar 1, on @ bar 9]",
        "-    drive.drive:",
        "-        - 9 dB @ 0 s",
        "-        - 30 dB @ 1:30   # the solo",
        "+        unit: aufx/ring/bkln",
        "+    dusk:   { unit: Low-Pass Filter, bypass: off, parameters: { cutoff: \"1.2k\", resonance: 3 dB, } }",
        "+    room:",
        "+        unit: aufx/dely/bkln",
        "+        preset: Slapback",
        "+- guitar -> drive -> dusk -> mix.1   # the guitar's way",
        "+- \"mix -> room -> echo -> main\"",
        "+- synth -> mix.1",
        "+    - { from: pedals cc 1, to: dusk.cutoff, curve: log }   # wah",
        "+    - { from: pedals cc 7, to: echo.mix, range: [0 %, 50 %] }",
        "+    dusk.resonance: { points: [3 dB @ 0 s, 9 dB @ 8 s], curve: hold }   # slowly",
      ])
  }

  /// A lane follows its unit, not the unit's name.
  @Test func lanesFollowTheirUnits() throws {
    let text = try Self.text(of: "commented.yaml")
    let written = try Self.written(text) { rack in
      try rack.edit("rename echo slow")
      try rack.edit("add echo Delay --into \"tone -> mix.1\"")
      try rack.edit("remove drive")
    }
    #expect(
      Self.difference(text, written).filter { $0.contains("@") } == [
        "-        - 9 dB @ 0 s",
        "-        - 30 dB @ 1:30   # the solo",
        "-    echo.feedback: [ 20% @ 0 s, 60% @ 20 s ]",
        "+    slow.feedback: [ 20% @ 0 s, 60% @ 20 s ]",
      ])
    let base = try Self.open(text.utf8)
    let other = text.replacing(
      "    echo.feedback: [ 20% @ 0 s, 60% @ 20 s ]\n", with: "")
    // A lane that somebody has removed from the file meanwhile is written again, as the rack has it.
    let bytes = try RackFileWriter(Self.checker).write(base, into: try Self.open(other.utf8))
    #expect(try Self.open(bytes).plan.automation == base.plan.automation)
  }

  /// Values that lanes have moved do not count as changes.
  @Test func whatLanesLeadStaysAsItIsWritten() throws {
    let text = try Self.text(of: "commented.yaml")
    let written = try Self.written(text) { rack in
      try rack.set("echo", "feedback", to: 33)
      rack.bypass("gate", true)
      try rack.set("drive", "drive", to: 20)
    }
    #expect(written == text)
  }

  /// Lanes of another file are played, and stay in their file.
  @Test func loadedLanesAreNotWritten() throws {
    let text = try Self.text(of: "commented.yaml")
    let (lanes, _) = AutomationFile.parse(
      "automation: { echo.feedback: [7 % @ 0 s], echo.time: [1 s @ 0 s] }".utf8, file: "moves.yaml")
    let base = try Self.open(text.utf8)
    let loaded = Self.checker.adding(lanes, from: "moves.yaml", to: base).rack
    #expect(loaded?.plan.automation.count == base.plan.automation.count + 1)
    #expect(loaded?.plan.automation.contains { $0.points.map(\.value) == [7] } == true)
    var rack = PlayedRack(try #require(loaded), checker: Self.checker)
    #expect(try RackFileWriter(Self.checker).write(rack.rack, into: base) == Array(text.utf8))
    try rack.edit("rename echo slow")
    let lane = rack.rack.plan.automation.filter { $0.points.map(\.value) == [7] }
    #expect(lane.count == 1)
    let written = try RackFileWriter(Self.checker).write(rack.rack, into: base)
    #expect(
      String(decoding: written, as: UTF8.self).contains("slow.feedback: [ 20% @ 0 s, 60% @ 20 s ]"))
  }

  @Test func controlsAreMappedAnewAndForgotten() throws {
    let text = try Self.text(of: "commented.yaml")
    let anew = "map \"pedals cc 1\" tone.cutoff --range \"100 Hz, 1 kHz\""
    let mapped = try Self.written(text) { try $0.edit(anew) }
    #expect(
      Self.difference(text, mapped) == [
        "-    - { from: pedals cc 1, to: tone.cutoff, curve: log }   # wah",
        "+    - { from: pedals cc 1, to: tone.cutoff, range: [100 Hz, 1 kHz] }   # wah",
      ])
    let later = try Self.written(text) { rack in
      try rack.edit("forget tone.cutoff")
      try rack.edit(anew)
    }
    #expect(
      Self.difference(text, later) == [
        "-    - { from: pedals cc 1, to: tone.cutoff, curve: log }   # wah",
        "+    - { from: pedals cc 1, to: tone.cutoff, range: [100 Hz, 1 kHz] }",
      ])
    #expect(try Self.open(later.utf8).plan.controls.count == 2)
  }

  @Test func whetherAUnitSpillsIsWritten() throws {
    let text = try Self.text(of: "commented.yaml")
    let other = try Self.written(text) { rack in
      try rack.edit("remove echo")
      try rack.edit("add room aufx/dely/bkln --into \"mix -> main\"")
    }
    #expect(try Self.open(other.utf8).file.units.contains { $0.spills } == false)
    let replaced = try Self.written(text) { rack in
      try rack.edit("rename echo slow")
      try rack.edit("replace slow aufx/ring/bkln")
    }
    #expect(try Self.open(replaced.utf8).file.units.filter(\.spills).map(\.name.value) == ["slow"])
  }

  @Test func everythingMayGoAndCome() throws {
    let text = """
      rack: Small
      outputs: { main: }
      units:
        tone: { unit: aumu/sine/bkln } # the only one
      connections:
        - tone -> main
      """
    let empty = try Self.written(text) { try $0.edit("remove tone") }
    #expect(
      empty == "rack: Small\noutputs: { main: }\nunits: {}\nconnections: []\n")
    let full = try Self.written("rack: Small\noutputs: { main: }\n") { rack in
      try rack.edit("add tone aumu/sine/bkln")
      try rack.edit("connect \"tone -> main\"")
    }
    #expect(
      full == "rack: Small\noutputs: { main: }\n"
        + "units: { tone: { unit: aumu/sine/bkln } }\nconnections: [tone -> main]\n")
    let json = try Self.written(try Self.text(of: "compact.json")) { rack in
      try rack.edit("add echo aufx/dely/bkln --into \"level -> main\"")
      try rack.set("level", "gain", to: -6)
    }
    #expect(
      json.hasSuffix(
        """
        "level": {"unit": "aufx/gain/bkln", "parameters": {"gain": "-6 dB"}}, \
        "echo": {"unit": "aufx/dely/bkln"}},
         "connections": ["drums -> level", "level -> echo -> main"]}

        """), "\(json)")
  }

  /// The file may have other systems' line ends, and the byte order mark that some editors write.
  @Test func theBytesAroundStayAsTheyAre() throws {
    let text = try "\u{FEFF}" + Self.text(of: "commented.yaml").replacing("\n", with: "\r\n")
    let written = try Self.written(text) { rack in
      try rack.set("drive", "mix", to: 55)
      try rack.edit("add room Delay --into \"mix -> echo\"")
    }
    #expect(written.utf8.starts(with: [0xEF, 0xBB, 0xBF]))
    #expect(!written.replacing("\r\n", with: "").contains("\n"))
    #expect(written.contains("mix: 55%            # was 80\r\n"))
  }

  @Test(arguments: TestRacks.shipped + ["commented.yaml", "compact.json"])
  func whateverIsDoneIsWritten(name: String) throws {
    let text = try Self.text(of: name)
    let base = try Self.open(text.utf8)
    let checker = Self.checker
    var random = Random(seed: 7)
    for _ in 0..<4 {
      var rack = PlayedRack(base, checker: checker)
      var former: [PlayedRack] = []
      for _ in 0..<8 {
        let before = rack
        guard rack.changeSomething(&random) else { continue }
        former.append(before)
        let live = rack.rack
        let bytes = try RackFileWriter(checker).write(live, into: base)
        let read = try Self.open(bytes)
        #expect(rack.isPlayed(by: read))
        let lost = Self.comments(of: base, text, keptBy: live).filter {
          !String(decoding: bytes, as: UTF8.self).contains($0)
        }
        #expect(lost.isEmpty, "\(String(decoding: bytes, as: UTF8.self))")
      }
      if let first = former.first { rack = first }
      #expect(try RackFileWriter(checker).write(rack.rack, into: base) == Array(text.utf8))
    }
  }

  /// Returns the comments that are on no line of a removed or replaced unit, nor of a chain.
  private static func comments(
    of base: CheckedRack, _ text: String, keptBy live: CheckedRack
  ) -> [Substring] {
    let starts = base.file.units.map(\.name.position.line)
    let changed = base.file.units.enumerated().filter { _, unit in
      !live.file.units.contains {
        $0.name.value == unit.name.value && $0.unit?.value == unit.unit?.value
          && $0.preset?.value == unit.preset?.value
      }
    }
    let gone = changed.map { number, unit in
      unit.name.position
        .line...max(
          unit.name.position.line,
          (unit.parameters.map(\.value.position.line)
            + unit.properties.map(\.value.position.line)
            + [unit.preset?.position.line, unit.unit?.position.line].compactMap(\.self)).max() ?? 0,
          (starts.filter { $0 > unit.name.position.line }.min() ?? 0) - 1)
    }
    let chains = base.file.connections.flatMap(\.endpoints).map(\.position.line)
    let controls = base.file.controls.map(\.position.line).flatMap { [$0, $0 + 1, $0 + 2] }
    let scenes = base.file.scenes.flatMap(\.values).map(\.key.position.line)
    let lanes = base.file.automation.flatMap { [$0.target] + $0.points }.map(\.position.line)
    return lines(text).enumerated().compactMap { number, line in
      let line0 = number + 1
      guard let start = line.firstIndex(of: "#"), !gone.contains(where: { $0.contains(line0) }),
        !(chains + controls + scenes + lanes).contains(line0)
      else { return nil }
      return line[start...]
    }
  }
}

extension CollectionDifference.Change where ChangeElement == Substring {
  fileprivate var line: Substring {
    switch self {
    case .insert(_, let line, _), .remove(_, let line, _): line
    }
  }
}
