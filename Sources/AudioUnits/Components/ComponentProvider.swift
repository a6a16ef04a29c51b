import UnitModel

/// A source of components for a catalogue: the built-in units, bundles, units of the host's own code.
///
/// A catalogue asks its providers in order; of two components with the same description and version,
/// the first counts. Calls may wait for the disk.
package protocol ComponentProvider: Sendable {
  /// The provider's name, for messages: “Backline itself”.
  var name: String { get }

  /// Returns the components that a reference may mean, and those that exist and cannot be used; nil
  /// stands for all. A provider may return more components than the reference means.
  func inventory(for reference: UnitReference?) -> ComponentInventory

  /// Returns the component that an identity of the provider's own kind means, such as a bundle's path;
  /// nil for an identity of another provider.
  func component(identifiedBy reference: UnitReference) throws(UnitRefusal) -> Component?

  /// Whether the provider is asked only if no other provider has the referenced unit.
  var isAskedLast: Bool { get }

  /// The facts that are known without loading any code, for suggestions.
  var knownFacts: [UnitFacts] { get }

  /// Reads whatever has not been read yet, so that later calls are quick. Runs off the caller's thread.
  func scan() async
}

extension ComponentProvider {
  package func component(identifiedBy: UnitReference) throws(UnitRefusal) -> Component? { nil }
  package func scan() async {}
  package var isAskedLast: Bool { false }
}

/// A provider's components, and its bundles that cannot be used.
package struct ComponentInventory: Sendable {
  package var components: [Component]
  package var refused: [RefusedBundle]

  package init(components: [Component] = [], refused: [RefusedBundle] = []) {
    (self.components, self.refused) = (components, refused)
  }
}
