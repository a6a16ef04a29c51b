import UnitModel

/// A source of components for a catalogue: the built-in units, bundles, units of the host's own code.
///
/// A catalogue asks its providers in order; of two components with the same description and version,
/// the first counts. Calls may wait for the disk.
package protocol ComponentProvider: Sendable {
  /// For messages: “Backline itself”.
  var name: String { get }

  /// The components that a reference may mean, and those that exist and cannot be used; nil asks for
  /// all. A provider may answer more components than the reference means.
  func inventory(for reference: UnitReference?) -> ComponentInventory

  /// The component that an identity of the provider's own kind means, such as a bundle's path; nil for
  /// an identity of another provider.
  func component(identifiedBy reference: UnitReference) throws(UnitRefusal) -> Component?

  /// Whether it is asked only where no other provider has what a reference names.
  var isAskedLast: Bool { get }

  /// Facts as far as they are known without loading any code, for suggestions.
  var knownFacts: [UnitFacts] { get }

  /// Reads whatever has not been read yet, so that later calls are quick. Away from the caller's thread.
  func scan() async
}

extension ComponentProvider {
  package func component(identifiedBy: UnitReference) throws(UnitRefusal) -> Component? { nil }
  package func scan() async {}
  package var isAskedLast: Bool { false }
}

/// The components that a provider has, and the bundles that cannot be used.
package struct ComponentInventory: Sendable {
  package var components: [Component]
  package var refused: [RefusedBundle]

  package init(components: [Component] = [], refused: [RefusedBundle] = []) {
    (self.components, self.refused) = (components, refused)
  }
}
