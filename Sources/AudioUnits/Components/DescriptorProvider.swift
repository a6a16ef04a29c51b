import AsyncSupport
import CUnit
import CUnits
import UnitModel

/// The units whose descriptors are in this program: those that come with Backline, and those that the
/// host registers.
final class DescriptorProvider: ComponentProvider {
  let name: String
  private let canRunElsewhere: Bool
  private let all: Guarded<[Component]>

  /// The units that come with Backline; `backline-unit` has them, too.
  static func builtIn() -> DescriptorProvider {
    let library = bl_built_in_units().pointee
    let descriptors = (0..<Int(library.unit_count)).compactMap { library.units[$0] }
    return DescriptorProvider(
      name: "Backline itself", canRunElsewhere: true, descriptors.map(UnitDescriptor.init))
  }

  init(name: String, canRunElsewhere: Bool, _ descriptors: [UnitDescriptor] = []) {
    self.name = name
    self.canRunElsewhere = canRunElsewhere
    all = Guarded(
      descriptors.map { Self.component($0, canRunElsewhere: canRunElsewhere) })
  }

  /// - Throws: `BundleFault` where the descriptor is incomplete.
  func add(_ descriptor: UnitDescriptor) throws(BundleFault) -> Component {
    if let problem = UnitLibrary.problem(of: descriptor, called: "the unit") {
      throw BundleFault(problem)
    }
    let component = Self.component(descriptor, canRunElsewhere: canRunElsewhere)
    all.withLock { $0.append(component) }
    return component
  }

  func inventory(for reference: UnitReference?) -> ComponentInventory {
    ComponentInventory(components: all.withLock { $0 })
  }

  var knownFacts: [UnitFacts] { all.withLock { $0.map(\.facts) } }

  private static func component(
    _ descriptor: UnitDescriptor, canRunElsewhere: Bool
  ) -> Component {
    Component(
      UnitFacts(descriptor.pointer.pointee),
      code: LinkedCode(descriptor: descriptor, canRunElsewhere: canRunElsewhere))
  }
}

/// Code that is linked into the program.
private struct LinkedCode: ComponentCode {
  let descriptor: UnitDescriptor
  let canRunElsewhere: Bool

  func descriptor(of facts: UnitFacts) -> UnitDescriptor { descriptor }

  func remoteDescriptor(of facts: UnitFacts) throws(BundleFault) -> UnitDescriptor {
    guard canRunElsewhere else {
      throw BundleFault(
        "\(facts.name) is registered in this program, and can run in no other process")
    }
    return RemoteDescriptor.of(builtIn: descriptor, facts.component)
  }
}
