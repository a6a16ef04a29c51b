import AsyncSupport
import AudioUnits
import Documents
import RackEngine
import RackModel
import UnitModel

/// Rack files as units of other racks: `unit: ./lead.yaml`.
final class RackProvider: ComponentProvider {
  let name = "rack files"
  private unowned let catalogue: ComponentCatalogue
  private let known = Guarded<[String: Entry]>([:])

  /// The racks that are being read, the outermost first.
  @TaskLocal private static var open: [String] = []

  private struct Entry: Sendable {
    /// The stamps of the rack's file, of the files that its units read, and those of inner racks; by path.
    var stamps: [String: FileStamp?]
    /// The number of units, those of inner racks included.
    var unitCount: Int
    var component: Component
  }

  /// The most units of a rack in a rack, those of inner racks included: racks that each contain the next twice
  /// double the number at each level.
  private static let maximumUnits = 500

  init(_ catalogue: ComponentCatalogue) { self.catalogue = catalogue }

  var knownFacts: [UnitFacts] { [] }
  func inventory(for reference: UnitReference?) -> ComponentInventory { ComponentInventory() }

  /// Returns a rack file as a component; reads the file again once it, an inner rack or a file of their units has
  /// changed. Nil for a reference to another component.
  ///
  /// - Throws: `UnitRefusal` with the errors of the file.
  func component(identifiedBy reference: UnitReference) throws(UnitRefusal) -> Component? {
    guard case .component(let wanted) = reference.subject, let path = wanted.rackFile else {
      return nil
    }
    let whole = FilePath.resolve(path) ?? path
    guard !Self.open.contains(whole) else {
      let chain = (Self.open + [whole]).map { RackLoader.word(for: $0) }
      throw UnitRefusal("it contains itself: \(chain.joined(separator: " -> "))")
    }
    if let entry = known.withLock({ $0[path] }),
      entry.stamps.allSatisfy({ FileStamp($0.key) == $0.value })
    {
      return entry.component
    }
    let result = Self.$open.withValue(Self.open + [whole]) { read(path, wanted) }
    let entry = try result.get()
    known.withLock { $0[path] = entry }
    return entry.component
  }

  private func read(
    _ path: String, _ wanted: ComponentDescription
  ) -> Result<Entry, UnitRefusal> {
    var stamps: [String: FileStamp?] = [path: FileStamp(path)]
    let (rack, diagnostics) = RackLoader.load(path, at: path, catalogue: catalogue)
    guard let rack else {
      let errors = diagnostics.filter { $0.severity == .error }.map(\.description)
      return .failure(UnitRefusal(errors.joined(separator: "\n")))
    }
    let errors = rack.plan.fileFindings(in: catalogue).filter { $0.severity == .error }
    guard errors.isEmpty else {
      return .failure(UnitRefusal(errors.map(\.description).joined(separator: "\n")))
    }
    for file in rack.plan.files { stamps[file] = FileStamp(file) }
    var unitCount = rack.plan.units.count
    for unit in rack.plan.units {
      guard let file = unit.component.rackFile, let inner = known.withLock({ $0[file] }) else {
        continue
      }
      stamps.merge(inner.stamps) { $1 }
      unitCount += inner.unitCount
    }
    guard unitCount <= Self.maximumUnits else {
      return .failure(
        UnitRefusal(
          "\(path): it has \(unitCount) units with those of its racks, more than the"
            + " \(Self.maximumUnits) that a rack in a rack may have"))
    }
    do {
      let descriptor = try rack.plan.unitDescriptor(in: catalogue)
      var facts = UnitFacts(descriptor.pointer.pointee)
      facts.component.plugIn = wanted.plugIn
      let name = facts.name
      let component = Component(facts) { process throws(BundleFault) in
        guard process == .host else {
          throw BundleFault("\(name) is a rack, whose units run in the program that plays it")
        }
        return descriptor
      }
      return .success(Entry(stamps: stamps, unitCount: unitCount, component: component))
    } catch {
      return .failure(UnitRefusal("\(path): \(error)"))
    }
  }
}

extension ComponentCatalogue {
  /// Lets racks name other racks as units.
  package func includeRacks() { include(RackProvider(self)) }
}
