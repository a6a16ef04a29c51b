import AudioUnits
import BacklineTestSupport
import Testing

/// Units name keys, in this process and in their own.
@Suite struct NoteNameTests {
  @Test(arguments: [[], .loadOutOfProcess] as [InstantiationOptions])
  func drumsHaveNames(options: InstantiationOptions) async throws {
    let drums = try await UnitRig("aumu/drum/bkln", options: options).unit
    #expect(drums.facts.namesNotes)
    #expect(drums.noteNames.count == 26 && drums.noteNames[34] == nil)
    #expect(
      [36, 38, 42, 46, 82].map { drums.noteNames[$0] }
        == ["Kick", "Snare", "Closed Hat", "Open Hat", "Shaker"])
    #expect(try await UnitRig("aumu/poly/bkln", options: options).unit.noteNames.isEmpty)
  }

  /// The note names are the labels of the loaded SFZ file.
  @Test(arguments: [[], .loadOutOfProcess] as [InstantiationOptions])
  func filesNameKeys(options: InstantiationOptions) async throws {
    let folder = try TemporaryFolder()
    let long = String(repeating: "ü", count: 100)
    func kit(_ labels: String) throws -> String {
      try folder.write(
        "kit.sfz", bytes: Array("<control> \(labels)\n<region> sample=*silence\n".utf8))
    }
    let sampler = try await UnitRig("aumu/smpl/bkln", options: options).unit
    #expect(sampler.noteNames.isEmpty)
    try sampler.setProperty(
      "file", to: kit("label_key36=Kick Drum\nlabel_key128=Nothing\nlabel_key40=\(long)"))
    #expect(sampler.noteNames.keys.sorted() == [36, 40])
    #expect(sampler.noteNames[36] == "Kick Drum")
    #expect(sampler.noteNames[40]?.hasPrefix("üüü") == true)
    try sampler.setProperty("file", to: kit("label_key60=Bell"))
    #expect(sampler.noteNames == [60: "Bell"])
  }
}
