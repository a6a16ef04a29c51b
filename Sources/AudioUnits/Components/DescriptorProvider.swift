import AsyncSupport
import CUnit
import CUnits
import UnitModel

/// The units whose descriptors are in this program: those that come with Backline, and those that the
/// host registers.
final class DescriptorProvider: ComponentProvider {
  let name: String
  private let canRunElsewhere: Bool
  private let all = Guarded<[Component]>([])

  /// Creates the provider of the units that come with Backline; `backline-unit` has the same units.
  static func builtIn() -> DescriptorProvider {
    let provider = DescriptorProvider(name: "Backline itself", canRunElsewhere: true)
    let library = bl_built_in_units().pointee
    let descriptors = (0..<Int(library.unit_count)).compactMap { library.units[$0] }
    provider.all.withLock { all in
      all = descriptors.map { provider.component(UnitDescriptor(pointer: $0)) }
    }
    return provider
  }

  init(name: String, canRunElsewhere: Bool) {
    (self.name, self.canRunElsewhere) = (name, canRunElsewhere)
  }

  /// Adds a unit.
  ///
  /// - Throws: `BundleFault` if the descriptor is incomplete.
  func add(_ descriptor: UnitDescriptor) throws(BundleFault) -> Component {
    if let problem = UnitLibrary.problem(of: descriptor, called: "the unit") {
      throw BundleFault(problem)
    }
    let component = component(descriptor.guarded)
    all.withLock { $0.append(component) }
    return component
  }

  func inventory(for reference: UnitReference?) -> ComponentInventory {
    ComponentInventory(components: all.withLock { $0 })
  }

  var knownFacts: [UnitFacts] { all.withLock { $0.map(\.facts) } }

  private func component(_ descriptor: UnitDescriptor) -> Component {
    let facts = UnitFacts(descriptor.pointer.pointee)
    return Component(facts, isOfHost: !canRunElsewhere) {
      [canRunElsewhere] process throws(BundleFault) in
      if process == .host { return descriptor }
      guard canRunElsewhere else {
        throw BundleFault(
          "\(facts.name) is registered in this program, and can run in no other process")
      }
      return RemoteDescriptor.of(facts)
    }
  }
}
