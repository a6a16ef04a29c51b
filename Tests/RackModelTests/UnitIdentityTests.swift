import Documents
import Testing

@testable import RackModel

/// Matching of the units of a rack with those of the rack that it replaces.
@Suite struct UnitIdentityTests {
  private let checker = RackChecker(catalogue: TestCatalogue.units, folder: "/") { _ in true
  }

  /// Returns a rack of units such as `a Gain, b Delay`.
  private func rack(_ units: String) throws -> CheckedRack {
    let entries = units.split(separator: ",").map { unit in
      let words = unit.split(separator: " ")
      return "  \(words[0]): { unit: \(words[1]) }"
    }
    let chain = units.split(separator: ",").map { $0.split(separator: " ")[0] }
      .joined(separator: " -> ")
    let text = """
      rack: Test
      inputs: { in: { channels: 2 } }
      outputs: { out: { channels: 2 } }
      units:
      \(entries.joined(separator: "\n"))
      connections: [ in -> \(chain) -> out ]
      """
    let (rack, diagnostics) = checker.open(Array(text.utf8), file: "test.yaml")
    return try #require(rack, "\(diagnostics)")
  }

  /// Returns the present names of the units of `former`, in their order; `-` for removed units.
  private func names(of former: CheckedRack, in rack: CheckedRack) -> String {
    former.file.units.map { rack.name(of: $0.id) ?? "-" }.joined(separator: " ")
  }

  /// Another rack, another song, or the same file read again.
  @Test(arguments: [
    ("a aufx/gain/bkln, b aufx/ring/bkln", "a b"),
    // The units in another order, with others between them.
    ("b aufx/ring/bkln, c aufx/gain/bkln, a aufx/gain/bkln", "a b"),
    // A unit of the same name with another component.
    ("a aufx/ring/bkln, b aufx/ring/bkln", "- b"),
    // Units under other names.
    ("x aufx/gain/bkln, b aufx/ring/bkln", "- b"), ("b aufx/gain/bkln, a aufx/ring/bkln", "- -"),
    ("c aufx/lpas/bkln", "- -"),
  ]) func aRackThatIsReadHasTheUnitsOfTheirNames(units: String, names: String) throws {
    let former = try rack("a aufx/gain/bkln, b aufx/ring/bkln")
    let read = try rack(units)
    #expect(self.names(of: former, in: read) == "- -")
    #expect(self.names(of: former, in: read.identified(like: former)) == names)
  }

  @Test func anEditKeepsWhichUnitIsWhich() throws {
    let editor = RackEditor(checker)
    let rack = try rack("a aufx/gain/bkln, b aufx/ring/bkln")
    let renamed = try editor.rename("a", to: "c", in: rack)
    #expect(names(of: rack, in: renamed) == "c b")
    // A new unit with the free name is another unit.
    let added = try editor.add("a", "aufx/gain/bkln", to: renamed)
    #expect(names(of: rack, in: added.identified(like: renamed)) == "c b")
    let removed = try editor.remove("c", from: added)
    #expect(names(of: rack, in: removed) == "- b")
    // A unit that an undo restores has its identity again.
    #expect(names(of: rack, in: added.identified(like: removed)) == "c b")
    #expect(names(of: rack, in: rack.identified(like: renamed)) == "a b")
    #expect(names(of: rack, in: try editor.replace("a", by: "aufx/ring/bkln", in: rack)) == "a b")
  }

  @Test func anIdentityDoesNotCountInComparisons() throws {
    let (one, other) = (try rack("a aufx/gain/bkln"), try rack("a aufx/gain/bkln"))
    #expect(one.file.units[0].id != other.file.units[0].id)
    #expect(one.file == other.file && one.plan == other.plan)
  }
}
