import AudioUnits
import BacklineTestSupport
import Foundation
import Testing
import UnitModel

/// The state of a unit is set, saved and restored.
@Suite struct AudioUnitStateTests {
  private func make(_ name: String) async throws -> AudioUnit {
    try await AudioUnit.instantiate(
      try #require(ComponentDescription(name)), catalogue: ComponentCatalogue())
  }

  @Test func aStateComesBackWhole() async throws {
    let one = try await make("aufx/dely/bkln")
    for (index, reference) in one.facts.allParameters().enumerated() {
      let info = reference.info
      let share = Float(index + 1) / Float(one.facts.parameters.count + 1)
      let value = info.minimum + (info.maximum - info.minimum) * share
      let isDiscrete = !info.valueStrings.isEmpty || info.unit == .boolean || info.unit == .indexed
      try one.setParameter(reference.address, to: isDiscrete ? value.rounded() : value)
    }
    let two = try await make("aufx/dely/bkln")
    #expect(two.fullState != one.fullState)
    #expect(try two.restore(one.fullState).isEmpty)
    #expect(two.fullState == one.fullState)
    #expect(two.parameterValues == one.parameterValues)
  }

  @Test func whatTheUnitDoesNotKnowIsSaidAndKept() async throws {
    let unit = try await make("aufx/gain/bkln")
    var state = unit.fullState
    state.version = 0x0200_0000
    state.parameters["gain"] = -12
    state.parameters["warp"] = 7
    state.unknownParameters["shine"] = "much"
    state.properties["picture"] = "a.png"
    let remarks = try unit.restore(state)
    #expect(
      Set(remarks) == [
        .newerVersion("512.0.0"), .unknownParameter("warp"), .unknownParameter("shine"),
        .unknownProperty("picture"),
      ])
    let kept = unit.fullState
    #expect(kept.parameters == ["gain": -12])
    #expect(kept.unknownParameters == ["warp": "7.0", "shine": "much"])
    #expect(kept.properties["picture"] == "a.png")
  }

  @Test func anotherUnitsStateChangesNothing() async throws {
    let gain = try await make("aufx/gain/bkln")
    let before = gain.fullState
    let other = try await make("aufx/dely/bkln")
    let error = #expect(throws: AudioUnitError.self) { try gain.restore(other.fullState) }
    #expect(error?.reason == "the state is one of aufx/dely/bkln, not of aufx/gain/bkln")
    #expect(gain.fullState == before)
  }

  @Test func aSoundFileIsFoundWhenTheDocumentHasMoved() async throws {
    let folder = try TemporaryFolder()
    let files = FileManager.default
    let old = folder.url.appendingPathComponent("älteres Stück")
    let new = folder.url.appendingPathComponent("new")
    let sounds = folder.url.appendingPathComponent("sounds")
    for url in [old.appendingPathComponent("takes"), sounds] {
      try files.createDirectory(at: url, withIntermediateDirectories: true)
    }
    let file = old.appendingPathComponent("takes/one.wav")
    try SoundFile(sampleRate: 48_000, channels: [Signals.constant(0.5, frames: 4800)])
      .write(file.path)
    let unit = try await make("augn/play/bkln")
    let index = try #require(unit.facts.properties.firstIndex { $0.isPath })
    let identifier = unit.facts.properties[index].identifier
    try unit.setProperty(identifier, to: file.path)
    #expect(unit.fullState.properties[identifier] == file.path)
    let state = unit.fullStateForDocument(in: old.path)
    #expect(state.properties[identifier] == "takes/one.wav")

    // Move the whole folder.
    try files.moveItem(at: old, to: new)
    let second = try await make("augn/play/bkln")
    #expect(try second.restore(state, folders: [new.path]).isEmpty)
    let moved = new.appendingPathComponent("takes/one.wav")
    #expect(second.fullState.properties[identifier] == moved.path)

    // Move the file alone.
    let elsewhere = sounds.appendingPathComponent("one.wav")
    try files.moveItem(at: moved, to: elsewhere)
    for lost in [state, unit.fullState] {
      let third = try await make("augn/play/bkln")
      let remarks = try third.restore(lost, folders: [new.path, sounds.path])
      #expect(remarks == [.found(property: identifier, at: elsewhere.path)])
    }

    // Remove the file.
    try files.removeItem(at: elsewhere)
    let fourth = try await make("augn/play/bkln")
    let remarks = try fourth.restore(state, folders: [new.path])
    guard case .notRestored(identifier, let reason) = try #require(remarks.first) else {
      Issue.record("\(remarks)")
      return
    }
    #expect(reason.contains("takes/one.wav") && reason.contains(new.path))
  }
}
