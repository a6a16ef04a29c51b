import UnitModel

/// A source of components for a catalogue: the built-in units, bundles, units of the host's own code.
///
/// A catalogue asks its providers in order; of two components with the same description and version,
/// the first counts. Calls may wait for the disk.
package protocol ComponentProvider: Sendable {
  /// For messages: “Backline itself”.
  var name: String { get }

  /// The components that a reference may mean, and those that exist and cannot be used; nil asks for
  /// all. A provider may answer more than what is meant.
  func inventory(for reference: UnitReference?) -> ComponentInventory

  /// The component that an identity of the provider's own kind means, such as a bundle's path; nil for
  /// an identity of another provider.
  func component(identifiedBy reference: UnitReference) throws(UnitRefusal) -> Component?

  /// Facts as far as they are known without loading any code, for suggestions.
  var knownFacts: [UnitFacts] { get }

  /// Reads whatever has not been read yet, so that later calls are quick. Away from the caller's thread.
  func scan() async
}

extension ComponentProvider {
  package func component(identifiedBy: UnitReference) throws(UnitRefusal) -> Component? { nil }
  package func scan() async {}
}

/// The components that a provider has, and the bundles that cannot be used.
package struct ComponentInventory: Sendable {
  package var components: [Component]
  package var refused: [RefusedBundle]

  package init(components: [Component] = [], refused: [RefusedBundle] = []) {
    (self.components, self.refused) = (components, refused)
  }
}

/// The code of a component: how an instance of it is made.
package protocol ComponentCode: Sendable {
  /// The unit's descriptor in this process; loads the code where it is not loaded yet.
  ///
  /// - Throws: `BundleFault` that names the file.
  func descriptor(of facts: UnitFacts) throws(BundleFault) -> UnitDescriptor

  /// The descriptor that stands for the unit here while it runs in another process.
  func remoteDescriptor(of facts: UnitFacts) throws(BundleFault) -> UnitDescriptor
}
