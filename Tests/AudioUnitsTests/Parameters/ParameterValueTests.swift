import AudioUnits
import Documents
import Synchronization
import Testing
import UnitModel

/// A tree stores values, and calls the implementor's functions.
@Suite struct ParameterValueTests {
  @Test func valuesAreHeldToTheirRange() throws {
    let tree = try TestTrees.synthesizer()
    let level = try #require(tree.parameter(atKeyPath: "level"))
    #expect(level.value == -96 && level.minValue == -96 && level.maxValue == 12)
    level.value = 3
    #expect(level.value == 3)
    level.value = 100
    #expect(level.value == 12)
    level.value = .nan
    #expect(level.value == 12)
    level.value = -.infinity
    #expect(level.value == -96)
  }

  @Test func whatIsNotWritableStays() throws {
    let tree = try TestTrees.synthesizer()
    let meter = try #require(tree.parameter(atKeyPath: "meter"))
    meter.value = -3
    #expect(meter.value == -96)
    meter.implementorValueProvider = { _ in -7 }
    #expect(meter.value == -7)
  }

  @Test func valuesAreWrittenAndReadBack() throws {
    let tree = try TestTrees.synthesizer()
    let cutoff = try #require(tree.parameter(atKeyPath: "filter.cutoff"))
    #expect(cutoff.unitName == "Hz")
    #expect(cutoff.string(fromValue: 1200) == "1.2 kHz")
    cutoff.value = 440
    #expect(cutoff.string() == "440 Hz")
    #expect(try cutoff.value(from: "2.5 kHz") == 2500)
    let error = #expect(throws: Refusal.self) { try cutoff.value(from: "30 kHz") }
    #expect(
      error?.description == "30 kHz is above the most that “filter.cutoff” takes, 20 kHz")
  }

  @Test func customUnitsAndNotesHaveWords() throws {
    let tree = try ParameterTree(children: [
      .parameter(
        ParameterInfo(
          identifier: "warmth", name: "Warmth", unit: .custom, minimum: 0, maximum: 9,
          defaultValue: 0, unitName: "suns"), address: 0),
      .parameter(TestTrees.info("root", 0...127, unit: .midiNoteNumber), address: 1),
    ])
    let warmth = try #require(tree.parameter(withAddress: 0))
    #expect(warmth.unitName == "suns" && warmth.string(fromValue: 4) == "4 suns")
    #expect(try warmth.value(from: "4 suns") == 4)
    let root = try #require(tree.parameter(withAddress: 1))
    #expect(root.unitName == nil && root.string(fromValue: 60) == "C4")
    #expect(try root.value(from: "F#3") == 54)
  }

  @Test func theNearestImplementorOnTheWayUpIsAsked() throws {
    let tree = try TestTrees.synthesizer()
    let filter = try #require(tree.node(atKeyPath: "filter"))
    let attack = try #require(tree.parameter(atKeyPath: "filter.envelope.attack"))
    let level = try #require(tree.parameter(atKeyPath: "level"))
    tree.implementorStringFromValueCallback = { _, value in "tree \(value)" }
    filter.implementorStringFromValueCallback = { _, value in "filter \(value)" }
    #expect(attack.string(fromValue: 1) == "filter 1.0")
    #expect(level.string(fromValue: 1) == "tree 1.0")
    filter.implementorStringFromValueCallback = nil
    #expect(attack.string(fromValue: 1) == "tree 1.0")

    filter.implementorValueFromStringCallback = { _, text in Float(text.count) }
    #expect(try attack.value(from: "four") == 4)
    #expect(try level.value(from: "-6 dB") == -6)

    tree.implementorDisplayNameWithLengthCallback = { node, length in
      "\(node.identifier) in \(length)"
    }
    #expect(filter.displayName(withLength: 3) == "filter in 3")

    filter.implementorValueProvider = { $0.maxValue }
    #expect(attack.value == 10 && level.value == -96)
    filter.implementorValueProvider = nil
    #expect(attack.value == attack.minValue)
  }

  @Test func theImplementorHearsOfEachValueBeforeSetReturns() throws {
    let tree = try TestTrees.synthesizer()
    let heard = Mutex<[String]>([])
    tree.implementorValueObserver = { parameter, value in
      heard.withLock { $0.append("\(parameter.keyPath) \(value)") }
    }
    tree.parameter(atKeyPath: "level")?.value = 3
    tree.parameter(atKeyPath: "level")?.value = 100
    tree.parameter(atKeyPath: "osc2.width")?.value = 50
    tree.parameter(atKeyPath: "meter")?.value = -1
    #expect(heard.withLock { $0 } == ["level 3.0", "level 12.0", "osc2.width 50.0"])
  }

  /// An implementor that rounds a value sets the rounded value.
  @Test func theImplementorMayCorrectAValue() throws {
    let tree = try TestTrees.synthesizer()
    let heard = Mutex<[Float]>([])
    tree.implementorValueObserver = { parameter, value in
      heard.withLock { $0.append(value) }
      if value != value.rounded() { parameter.value = value.rounded() }
    }
    let width = try #require(tree.parameter(atKeyPath: "osc1.width"))
    width.value = 41.7
    #expect(heard.withLock { $0 } == [41.7, 42])
    #expect(width.value == 42)
  }
}
