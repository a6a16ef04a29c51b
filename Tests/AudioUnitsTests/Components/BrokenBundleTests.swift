import AudioUnits
import BacklineTestSupport
import Foundation
import Testing

/// Each broken bundle is refused with a message that names its error.
struct BrokenBundleTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    /// The parts that the message must contain.
    var parts: [String]
    var manifest: @Sendable (String) -> String? = { $0 }
    var code: @Sendable (String) -> String? = { $0 }
    var testDescription: String { name }

    init(
      _ name: String, _ parts: String...,
      manifest: @escaping @Sendable (String) -> String? = { $0 },
      code: @escaping @Sendable (String) -> String? = { $0 }
    ) {
      self.name = name
      self.parts = parts
      self.manifest = manifest
      self.code = code
    }
  }

  private static func manifest(
    _ old: String, _ new: String
  ) -> @Sendable (String) -> String? {
    { $0.replacingOccurrences(of: old, with: new) }
  }

  private static func code(_ old: String, _ new: String) -> @Sendable (String) -> String? {
    { $0.replacingOccurrences(of: old, with: new) }
  }

  /// Returns a change that inserts text before the unit's own code.
  private static func before(_ text: String) -> @Sendable (String) -> String? {
    { "\(text)\n\($0)" }
  }

  static let manifests: [Case] = [
    Case("no manifest", "Template.unit:1:1", "the bundle has no unit.yaml", manifest: { _ in nil }),
    Case("empty", "unit.yaml:1:1", "begins with “name: NAME”", manifest: { _ in "" }),
    Case("a list", "unit.yaml:1:1", "not a list", manifest: { _ in "- name\n" }),
    Case("tab", "unit.yaml:2:1", "a tab", manifest: { _ in "name: X\n\ttype: aufx\n" }),
    Case("not text", "unit.yaml:1:5", "zero byte", manifest: { _ in "name\0" }),
    Case(
      "too large", "unit.yaml:1:1", "larger than 256 KiB",
      manifest: { $0 + "\n#" + String(repeating: "x", count: 1 << 18) }),
    Case(
      "unknown key", "unit.yaml:6:1", "did you mean “tags”?", manifest: manifest("tags", "tag")),
    Case(
      "key missing", "unit.yaml:1:1", "“version” is missing, as in version: 1.0.0",
      manifest: manifest("version: 1.0.0\n", "")),
    Case("key twice", "unit.yaml:2:1", "given twice", manifest: { "name: A\n" + $0 }),
    Case(
      "short code", "unit.yaml:3:10", "it has 3 characters", "four ASCII letters or digits",
      manifest: manifest("tmpl", "tmp")),
    Case(
      "foreign letter", "unit.yaml:3:10", "“ä” is not an ASCII letter",
      manifest: manifest("tmpl", "tmpä")),
    Case(
      "punctuation", "unit.yaml:4:15", "“!” is not an ASCII letter",
      manifest: manifest("Demo", "Dem!")),
    Case(
      "wildcard", "unit.yaml:3:10", "without wildcards", manifest: manifest("tmpl", "\"*\"")),
    Case(
      "type in words", "unit.yaml:2:7", "aumu (instrument)", "did you mean “aufx”?",
      manifest: manifest("aufx", "effect")),
    Case(
      "unknown type", "unit.yaml:2:7", "no units of type “aufy”", "did you mean",
      manifest: manifest("aufx", "aufy")),
    Case(
      "version", "unit.yaml:5:10", "“one” is not a version", manifest: manifest("1.0.0", "one")),
    Case(
      "tags as text", "unit.yaml:6:7", "“tags” must be a list",
      manifest: manifest("[Effects]", "Effects")),
    Case(
      "consent", "unit.yaml:7:13", "must be true or false", manifest: manifest("true", "maybe")),
    Case(
      "needs", "unit.yaml:8:9", "did you mean “network”?",
      manifest: { $0 + "\nneeds: [netwerk]" }),
    Case(
      "view is not there", "unit.yaml:8:7", "the bundle has no file “view.html”",
      manifest: { $0 + "\nview: view.html" }),
    Case(
      "view outside", "unit.yaml:8:7", "is outside the bundle",
      manifest: { $0 + "\nview: ../../etc/passwd" }),
    Case(
      "alias", "unit.yaml:1:7", "anchors (&) and aliases (*)",
      manifest: manifest("name: Template", "name: &a Template")),
  ]

  static let libraries: [Case] = [
    Case(
      "no library", "it has no library for this machine", "\(TestBundle.platform)/unit.so",
      code: { _ in nil }),
    Case(
      "no entry", "unit.so: it exports no backline_unit_library",
      code: code("backline_unit_library", "another_function")),
    Case(
      "undefined symbol", "unit.so: ", "undefined symbol: nowhere",
      code: code(
        "BL_EXPORT", "void nowhere(void);\nvoid (*call)(void) = nowhere;\nBL_EXPORT")),
    Case(
      "other ABI", "the library was built for version 1 of the unit ABI",
      code: before("#include \"backline/unit.h\"\n#undef BL_ABI_VERSION\n#define BL_ABI_VERSION 1")),
    Case(
      "no units", "it has no unit",
      code: code("{BL_ABI_VERSION, 1, units}", "{BL_ABI_VERSION, 0, units}")),
    Case(
      "no render", "unit 1 of its table has no render",
      code: code("reset,\n    render,", "reset,\n    NULL,")),
    Case(
      "other codes", "says the unit is “aufx/tmpx/Demo”", "unit.so says “aufx/tmpl/Demo”",
      manifest: manifest("tmpl", "tmpx")),
    Case(
      "other version and name", "says the version is “1.0.1”", "unit.so says “1.0.0”",
      "says the name is “Templet”",
      manifest: {
        $0.replacingOccurrences(of: "1.0.0", with: "1.0.1")
          .replacingOccurrences(of: "name: Template", with: "name: Templet")
      }),
    Case(
      "preset", "unit.yaml:9:11", "the unit has no parameter “levle”; did you mean “level”?",
      manifest: { $0 + "\npresets:\n  Loud: { levle: 150 % }" }),
    Case(
      "preset out of range", "unit.yaml:9:18", "above the most that “level” takes",
      manifest: { $0 + "\npresets:\n  Loud: { level: 300 % }" }),
  ]

  /// Libraries that end the process that reads them; a sanitizer handles such faults itself.
  static let ends: [Case] = [
    Case(
      "crash", "loading it crashes: Segmentation fault",
      code: before(
        "__attribute__((constructor)) static void crash(void) { *(volatile int *)8 = 1; }")),
    Case(
      "exit", "loading it ends the program (exit code 3)",
      code: before(
        "#include <stdlib.h>\n__attribute__((constructor)) static void end(void) { exit(3); }")),
    Case(
      "fork", "loading it is refused: clone: units may not start processes",
      code: before(
        """
        #include <unistd.h>
        __attribute__((constructor)) static void reach(void) { fork(); }
        """)),
    Case(
      "abort", "loading it crashes: Aborted",
      code: before(
        "#include <stdlib.h>\n__attribute__((constructor)) static void end(void) { abort(); }")),
  ]

  @Test(arguments: manifests + libraries + (isSanitized ? [] : ends))
  func isSaid(_ wrong: Case) throws {
    let rig = try CatalogueRig()
    // A valid bundle beside the broken one must not be affected.
    try rig.bundle(
      "Good", manifest: { $0.replacingOccurrences(of: "tmpl", with: "good") },
      code: { $0.replacingOccurrences(of: "'t', 'm', 'p', 'l'", with: "'g', 'o', 'o', 'd'") })
    // If the manifest is wrong, the library is not read.
    let isAboutManifest = Self.manifests.contains { $0.name == wrong.name }
    try rig.bundle(manifest: wrong.manifest, code: isAboutManifest ? { _ in nil } : wrong.code)
    let said = rig.problems.joined(separator: "\n")
    for part in wrong.parts { #expect(said.contains(part), "\(said)") }
    #expect(
      rig.catalogue.components.filter { $0.bundle != nil }.map(\.component.description)
        == ["aufx/good/Demo"])
    // Another program gets the same messages, from the cache.
    #expect(rig.another().refusedBundles == rig.catalogue.refusedBundles)
  }

  @Test func everythingIsSaidAtOnce() throws {
    let rig = try CatalogueRig()
    try rig.bundle(manifest: { _ in "name: \"\"\ntype: aufz\nsubtype: a\nversion: x\ntag: [a]\n" })
    #expect(rig.problems.count == 6)
  }

  @Test func aHangingLibraryIsGivenUp() throws {
    let rig = try CatalogueRig()
    try rig.bundle(
      code: Self.before(
        "#include <unistd.h>\n__attribute__((constructor)) static void hang(void) { sleep(60); }"))
    #expect(rig.problems.first?.contains("takes longer than 5 seconds") == true)
  }

  @Test func filesInPlaceOfFoldersAndFoldersInPlaceOfFiles() throws {
    let rig = try CatalogueRig()
    try FileManager.default.createDirectory(
      atPath: "\(rig.units)/Folder.unit/unit.yaml", withIntermediateDirectories: true)
    _ = FileManager.default.createFile(atPath: "\(rig.units)/File.unit", contents: Data())
    let bundle = try rig.bundle(code: { _ in nil })
    try Data("no library".utf8).write(to: URL(fileURLWithPath: bundle.libraryPath))
    let said = rig.problems
    #expect(said.count == 3)
    #expect(said.contains { $0.contains("File.unit:1:1: error: it is not a folder") })
    #expect(said.contains { $0.contains("Folder.unit/unit.yaml:1:1: error: it is a folder") })
    #expect(said.contains { $0.contains("unit.so: file too short") || $0.contains("invalid ELF") })
  }

  @Test func twoOfOneKindAreReportedWithBothPaths() throws {
    let rig = try CatalogueRig()
    let first = try rig.bundle()
    let second = try rig.bundle(in: "more-units")
    #expect(
      rig.catalogue.components(matching: .init("aufx/tmpl/Demo")!).map(\.bundle?.path)
        == [first.path])
    #expect(
      rig.problems == [
        "\(second.path): it claims to be aufx/tmpl/Demo 1.0.0, which \(first.path) is already"
      ])
  }

  @Test func whatIsNamedAndBrokenIsRefusedWithTheReason() throws {
    let rig = try CatalogueRig()
    try rig.bundle(manifest: Self.manifest("1.0.0", "1.0.x"))
    #expect { try rig.catalogue.components(for: "aufx/tmpl/Demo") } throws: {
      "\($0)".contains("unit.yaml:5:10") && "\($0)".contains("1.0.x")
    }
  }

  @Test func withoutConsentItIsNotLoadedIntoThisProcess() throws {
    let rig = try CatalogueRig()
    try rig.bundle(manifest: Self.manifest("in_process: true", "in_process: false"))
    let component = try #require(
      rig.catalogue.components { $0.bundle != nil }.first, "\(rig.problems)")
    #expect(!component.allowsInProcess)
    #expect(component.defaultProcess == .own)
    #expect { try AudioUnit(component, process: .host) } throws: {
      "\($0)".contains("in_process: true")
    }
  }
}
