import AudioUnits
import BacklineTestSupport
import Foundation
import Synchronization
import Testing
import UnitModel

struct ComponentCatalogueTests {
  private func version(_ text: String) -> (String) -> String {
    { $0.replacingOccurrences(of: "1.0.0", with: text) }
  }

  /// Creates a bundle of version 1.0.0 and one of 1.1.0.
  private func twoVersions(_ rig: CatalogueRig) throws {
    try rig.bundle("Old")
    try rig.bundle("New", manifest: version("1.1.0")) {
      $0.replacingOccurrences(of: "0x00010000", with: "0x00010100")
    }
  }

  private func names(_ components: [Component]) -> [String] { components.map(\.name) }

  @Test func descriptionsPredicatesAndTagsFindUnits() throws {
    let rig = try CatalogueRig()
    let bundle = try rig.bundle()
    let catalogue = rig.catalogue
    let all = try #require(ComponentDescription("*/*/*"))
    #expect(catalogue.components(matching: all).count == ComponentCatalogue().components.count + 1)
    let demo = ComponentDescription(manufacturer: "Demo")
    #expect(names(catalogue.components(matching: demo)) == ["Template"])
    #expect(names(catalogue.components { $0.hasMIDIInput && !$0.facts.inputBusses.isEmpty }) == [])
    #expect(
      names(catalogue.components { $0.supports(inputChannels: 0, outputChannels: 1) })
        .contains("Sine Instrument"))
    #expect(names(catalogue.components(tagged: "effects")).contains("Template"))
    #expect(names(try catalogue.components(for: "Template")) == ["Template"])
    #expect(names(try catalogue.components(for: .init(.bundle(path: bundle.path)))) == ["Template"])
    #expect(try catalogue.components(for: "aufx/none/Demo").isEmpty)
  }

  @Test func aComponentHasItsFacts() throws {
    let rig = try CatalogueRig()
    let bundle = try rig.bundle(manifest: {
      $0 + "\nneeds: [network]\nview: unit.yaml\npresets:\n  Loud: { level: 150 % }"
    })
    let component = try #require(try rig.catalogue.components(for: "aufx/tmpl/Demo").first)
    #expect(component.manufacturerName == "Example" && component.versionText == "1.0.0")
    #expect(component.tags == ["Effects"] && component.allowsInProcess)
    #expect(component.needs == [.network] && !component.isSandboxSafe)
    #expect(component.customView == bundle.manifestPath && component.hasCustomView)
    #expect(!component.hasMIDIInput && !component.hasMIDIOutput)
    #expect(component.supports(inputChannels: 2, outputChannels: 2))
    #expect(!component.supports(inputChannels: 1, outputChannels: 2))
    #expect(component.architectures.map { "\($0)-linux" } == [TestBundle.platform])
    #expect(component.facts.parameters.map(\.keyPath) == ["level"])
    #expect(component.facts.factoryPreset(named: "Loud")?.values == [0: 150])
  }

  @Test func theHighestVersionWinsAndOthersCanBeHad() throws {
    let rig = try CatalogueRig()
    try twoVersions(rig)
    let description = try #require(ComponentDescription("aufx/tmpl/Demo"))
    #expect(rig.catalogue.components(matching: description).map(\.versionText) == ["1.1.0"])
    #expect(
      rig.catalogue.components(matching: description, version: 0x10000).map(\.versionText)
        == ["1.0.0"])
    #expect(
      try rig.catalogue.components(for: "aufx/tmpl/Demo@1.0.0").map(\.versionText)
        == ["1.0.0"])
    #expect(try rig.catalogue.components(for: "Template@1.0.0").map(\.versionText) == ["1.0.0"])
    #expect(try rig.catalogue.components(for: "aufx/tmpl/Demo@3.0.0").isEmpty)
    #expect(
      rig.catalogue.components { $0.name == "Template" }.map(\.versionText)
        == ["1.1.0", "1.0.0"])
    #expect(rig.catalogue.refusedBundles.isEmpty)
  }

  @Test func anotherProgramReadsNoLibraryAgain() throws {
    let rig = try CatalogueRig()
    try rig.bundle()
    #expect(rig.catalogue.components.contains { $0.name == "Template" })
    // A catalogue without a program that reads libraries finds the unit in the cache.
    let other = ComponentCatalogue(
      folders: UnitFolders([rig.units]), cacheFolder: rig.folder.path("cache"),
      tagFile: rig.folder.path("tags.yaml"), program: "/nowhere/backline")
    let first = try #require(rig.catalogue.components { $0.bundle != nil }.first)
    #expect(other.components { $0.bundle != nil }.first?.facts == first.facts)
    #expect(throws: Never.self) { try AudioUnit(first) }
  }

  @Test func aDamagedCacheIsMadeAnew() throws {
    let rig = try CatalogueRig()
    try rig.bundle()
    _ = rig.catalogue.components
    let cache = rig.folder.path("cache/units")
    let facts =
      "\(cache)/facts/\(try FileManager.default.contentsOfDirectory(atPath: "\(cache)/facts")[0])"
    for file in [facts, "\(cache)/index.json"] {
      for text in ["", "{", "[1, 2]", #"{"format":"0","bundles":{}}"#] {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        #expect(names(rig.another().components { $0.bundle != nil }) == ["Template"])
      }
    }
  }

  /// A library's constructors run once in a process, however many threads load it.
  @Test func threadsThatWantOneLibraryLoadItOnce() throws {
    let rig = try CatalogueRig()
    let log = rig.folder.path("loads")
    try rig.bundle(code: {
      """
      #include <stdio.h>
      #include <unistd.h>
      __attribute__((constructor)) static void record(void) {
        FILE *log = fopen("\(log)", "a");
        /* NULL in the confined process that inspects the library. */
        if (log != NULL) {
          fprintf(log, "%d\\n", getpid());
          fclose(log);
        }
        usleep(100000);
      }
      """ + "\n" + $0
    })
    let component = try #require(rig.catalogue.components { $0.bundle != nil }.first)
    let made = Mutex<[AudioUnit]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      if let unit = try? AudioUnit(component) { made.withLock { $0.append(unit) } }
    }
    let units = made.withLock { $0 }
    #expect(units.count == 8)
    #expect(units.allSatisfy { $0.isInstance(of: component) })
    let loads = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    #expect(loads.count { $0 == "\(getpid())" } == 1)
  }

  @Test func userTagsPersist() throws {
    let rig = try CatalogueRig()
    let delay = try #require(ComponentDescription("aufx/dely/bkln"))
    try rig.catalogue.tags.add("Favourite", to: delay)
    try rig.catalogue.tags.add("favourite", to: delay)
    try rig.catalogue.tags.add("Space: the final", to: delay)
    #expect(rig.another().tags.tags(of: delay) == ["Favourite", "Space: the final"])
    #expect(names(rig.another().components(tagged: "FAVOURITE")) == ["Delay"])
    #expect(try rig.catalogue.tags.remove("FAVOURITE", from: delay))
    #expect(try !rig.catalogue.tags.remove("favourite", from: delay))
    #expect(rig.another().tags.tags(of: delay) == ["Space: the final"])
  }

  @Test func aBrokenTagFileIsNotOverwritten() throws {
    let rig = try CatalogueRig()
    let delay = try #require(ComponentDescription("aufx/dely/bkln"))
    try FileManager.default.createDirectory(
      atPath: rig.folder.path("config"), withIntermediateDirectories: true)
    let file = try rig.folder.write("config/tags.yaml", bytes: Array("aufx/dely: [x]\n".utf8))
    #expect { try rig.catalogue.tags.add("New", to: delay) } throws: {
      "\($0)".contains("tags.yaml:1:1") && "\($0)".contains("aufx/dely")
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "aufx/dely: [x]\n")
  }

  @Test func validationsAreRememberedUntilTheUnitChanges() throws {
    let rig = try CatalogueRig()
    let bundle = try rig.bundle()
    let records = ValidationRecords(cacheFolder: rig.folder.path("cache"))
    let component = try #require(rig.catalogue.components { $0.bundle != nil }.first)
    #expect(records.state(of: component) == .unknown)
    try records.record(.failed, of: component)
    #expect(records.state(of: component) == .failed)
    try records.record(.passed, of: component)
    #expect(
      ValidationRecords(cacheFolder: rig.folder.path("cache")).state(of: component) == .passed)
    try bundle.compile(try TestBundle.template() + "\n/* anew */\n")
    #expect(records.state(of: component) == .unknown)
  }

  /// Replaces the manifest atomically, because a partly written one would count as another change.
  private func rewrite(_ bundle: UnitBundle, _ manifest: String) throws {
    try Data(manifest.utf8).write(
      to: URL(fileURLWithPath: bundle.manifestPath), options: .atomic)
  }

  @Test func changesAreTold() async throws {
    let rig = try CatalogueRig()
    var changes = rig.catalogue.changes().makeAsyncIterator()
    // The units folder itself appears together with its first bundle.
    let staging = rig.folder.path("staging")
    let bundle = try TestBundle(in: staging)
    try await Task.sleep(for: .milliseconds(300))
    try FileManager.default.moveItem(atPath: staging, toPath: rig.units)
    guard case .appeared(let component) = await changes.next() else {
      Issue.record("nothing appeared")
      return
    }
    #expect(component.name == "Template")
    let moved = try #require(component.bundle)
    try rewrite(moved, "name: x")
    guard case .refused(let refused) = await changes.next() else {
      Issue.record("nothing was refused")
      return
    }
    #expect(refused.bundle == moved && refused.problems.count == 4)
    try rewrite(moved, TestBundle.manifest)
    guard case .appeared = await changes.next() else {
      Issue.record("it did not come back")
      return
    }
    try rewrite(moved, TestBundle.manifest + "\nsummary: Another\n")
    guard case .changed(let changed) = await changes.next() else {
      Issue.record("it did not change")
      return
    }
    #expect(changed.facts.summary == "Another")
    try FileManager.default.removeItem(atPath: moved.path)
    // Skip changes that are reported while the bundle is partly deleted.
    while let change = await changes.next() {
      if case .vanished(let bundle) = change {
        #expect(bundle == moved)
        break
      }
    }
    _ = bundle
  }

  @Test func followersAreToldOfARegistration() async throws {
    let rig = try CatalogueRig()
    var changes = rig.catalogue.changes().makeAsyncIterator()
    for code: FourCharacterCode in ["now1", "ltr1"] {
      let own = UnsafeMutablePointer<bl_unit_descriptor>.allocate(capacity: 1)
      own.initialize(to: BuiltInUnit("aufx/gain/bkln").facts)
      own.pointee.component.subtype = code.rawValue
      own.pointee.component.manufacturer = FourCharacterCode("Host").rawValue
      try rig.catalogue.register(UnsafePointer(own))
      guard case .appeared(let component) = await changes.next() else {
        Issue.record("no registration was reported")
        return
      }
      #expect(component.component.subtype == code)
    }
  }

  /// A change is reported even if it comes before the first scan.
  @Test func aTagIsReportedFromTheBeginning() async throws {
    let rig = try CatalogueRig()
    let gain = try #require(ComponentDescription("aufx/gain/bkln"))
    var changes = rig.catalogue.changes().makeAsyncIterator()
    for tag in ["Voice", "Favourite"] {
      try rig.catalogue.tags.add(tag, to: gain)
      guard case .tagged(let component) = await changes.next() else {
        Issue.record("no tag was reported")
        return
      }
      #expect(component.component == gain && component.userTags.last == tag)
    }
  }

  /// Control sources are no instruments; they are still found by their former type.
  @Test func instrumentsMakeSound() throws {
    let catalogue = ComponentCatalogue()
    let instruments = catalogue.components(matching: ComponentDescription(type: .instrument))
    #expect(
      instruments.map(\.name).sorted() == [
        "Drum Machine", "FM Synth", "Poly Synth", "Sampler", "Sine Instrument",
      ])
    let former = try #require(ComponentDescription("aumu/envl/bkln"))
    #expect(catalogue.components(matching: former).map(\.name) == ["Envelope"])
  }

  @Test func changesOfTagsAreReported() async throws {
    let rig = try CatalogueRig()
    let gain = try #require(ComponentDescription("aufx/gain/bkln"))
    try rig.catalogue.tags.add("Old", to: gain)
    var changes = rig.catalogue.changes().makeAsyncIterator()
    try await Task.sleep(for: .milliseconds(300))
    try rig.another().tags.add("Voice", to: gain)
    guard case .tagged(let component) = await changes.next() else {
      Issue.record("no tag was reported")
      return
    }
    #expect(component.component == gain && component.userTags == ["Old", "Voice"])
  }

  /// A provider adds another kind of component without a change to the catalogue, references or
  /// instances.
  @Test func aProviderBringsComponentsOfItsOwnKind() async throws {
    struct Renamed: ComponentProvider {
      let name = "a test"
      let original: Component
      var component: Component {
        var facts = original.facts
        facts.name = "clap:gain"
        facts.component.manufacturer = "Test"
        return Component(facts) { [original] process throws(BundleFault) in
          try original.descriptor(in: process)
        }
      }
      var knownFacts: [UnitFacts] { [component.facts] }
      func inventory(for reference: UnitReference?) -> ComponentInventory {
        ComponentInventory(components: [component])
      }
    }
    let original = try #require(try ComponentCatalogue().components(for: "Gain").first)
    let catalogue = ComponentCatalogue(providers: [Renamed(original: original)])
    let unit = try await AudioUnit.instantiate(
      "clap:gain", catalogue: catalogue)
    #expect(unit.componentDescription.manufacturer == "Test")
    try unit.allocateRenderResources()
  }
}
