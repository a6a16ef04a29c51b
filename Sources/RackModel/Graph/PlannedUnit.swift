import Documents
import UnitModel

/// A unit of a plan, with everything that it needs before it renders.
public struct PlannedUnit: Sendable, Equatable {
  @Uncompared public var id = UnitID()
  /// Its name in the rack file.
  public var name: String
  /// Which unit of the catalogue; without wildcards.
  public var component: ComponentDescription
  /// Which version of it; nil for the highest.
  public var version: UInt32?
  /// Where its bundle is, from the root, if the rack file names that.
  public var bundle: String?
  /// Files and folders that it may read in a process of its own, from the root.
  public internal(set) var grantedFiles: [String] = []
  /// Channels of each input bus.
  public var inputChannelCounts: [Int]
  /// Channels of each output bus.
  public var outputChannelCounts: [Int]
  /// Those that differ from a fresh instance: the preset's overlaid by the file's own, in the
  /// order of their addresses.
  public var parameters: [PlannedParameter]
  /// In the order of the unit's table.
  public var properties: [PlannedProperty]
  /// Files that its properties name and that are not there, from the root; it plays without them.
  package var missingFiles: [String] = []
  public var isBypassed: Bool
  /// Whether its tail sounds on when the unit is removed or bypassed.
  public var spills: Bool
  /// The factory preset that the file asks for.
  public var presetName: String?
  /// Nil where the file leaves it open: by the unit's consent, as `UnitDirectory.usualProcess` says.
  public var process: ProcessChoice?
  /// In another process, and the rack never waits for it: its sound comes a period later.
  public var isPipelined: Bool
  /// What the catalogue said of it when the plan was made.
  public var facts: UnitFacts

  /// Under which the catalogue has it.
  public var reference: UnitReference {
    UnitReference(
      bundle.map { .bundle(path: $0) } ?? .component(component), version: version)
  }
}

/// The initial value of a parameter.
public struct PlannedParameter: Sendable, Equatable {
  public var address: UInt64
  public var keyPath: String
  /// In the parameter's unit and range.
  public var value: Float
}

extension UnitFacts {
  /// Values by address, in the order of the addresses; unknown addresses are left out.
  package func plannedParameters(_ values: [UInt64: Float]) -> [PlannedParameter] {
    values.sorted { $0.key < $1.key }.compactMap { address, value in
      parameter(at: address).map {
        PlannedParameter(address: address, keyPath: $0.keyPath, value: value)
      }
    }
  }
}

/// One property's value; where it is written makes no difference.
public struct PlannedProperty: Sendable, Equatable {
  /// Place in the unit's property table.
  public var index: Int
  /// Where the property is a path, from the root.
  public var value: String
  /// Where the rack file has it; nil for a rack without a file.
  @Uncompared package var origin: (file: String, position: SourcePosition)?

  package init(
    index: Int, value: String, origin: (file: String, position: SourcePosition)? = nil
  ) {
    (self.index, self.value, self.origin) = (index, value, origin)
  }
}
