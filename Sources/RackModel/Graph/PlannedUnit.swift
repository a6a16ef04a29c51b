import Documents
import UnitModel

/// A unit of a plan, with everything that is needed before it renders.
public struct PlannedUnit: Sendable, Equatable {
  @Uncompared public var id = UnitID()
  /// The unit's name in the rack file.
  public var name: String
  /// The component of the catalogue, without wildcards.
  public var component: ComponentDescription
  /// The version of the component; nil for the highest.
  public var version: UInt32?
  /// The absolute path of the bundle that the rack file names; nil if it names none.
  public var bundle: String?
  /// The absolute paths of the files and folders that the unit may read in a process of its own.
  public internal(set) var grantedFiles: [String] = []
  /// The number of channels of each input bus.
  public var inputChannelCounts: [Int]
  /// The number of channels of each output bus.
  public var outputChannelCounts: [Int]
  /// The parameters with values, in the order of their addresses: those of the
  /// preset, overridden by the file's own.
  public var parameters: [PlannedParameter]
  /// The property values in the order of the unit's property table.
  public var properties: [PlannedProperty]
  /// The absolute paths of missing files that the unit's properties name; the unit plays without them.
  package var missingFiles: [String] = []
  public var isBypassed: Bool
  /// Whether the unit's tail sounds on when the unit is removed or bypassed.
  public var spills: Bool
  /// The factory preset that the file asks for.
  public var presetName: String?
  /// The process in which the unit renders; nil for the default, `UnitDirectory.defaultProcess`.
  public var process: ProcessChoice?
  /// Whether the unit renders in another process that the rack never waits for; its output comes a period
  /// later.
  public var isPipelined: Bool
  /// The unit's description when the plan was made.
  public var facts: UnitFacts

  /// The reference by which the catalogue finds the unit.
  public var reference: UnitReference {
    UnitReference(
      bundle.map { .bundle(path: $0) } ?? .component(component), version: version)
  }
}

/// The initial value of a parameter.
public struct PlannedParameter: Sendable, Equatable {
  public var address: UInt64
  public var keyPath: String
  /// The value in the parameter's unit and range.
  public var value: Float
}

extension UnitFacts {
  /// Returns values by address as parameters in the order of the addresses; leaves out unknown addresses.
  package func plannedParameters(_ values: [UInt64: Float]) -> [PlannedParameter] {
    values.sorted { $0.key < $1.key }.compactMap { address, value in
      parameter(at: address).map {
        PlannedParameter(address: address, keyPath: $0.keyPath, value: value)
      }
    }
  }
}

/// The value of a property. Equality ignores the place where the value is written.
public struct PlannedProperty: Sendable, Equatable {
  /// The index in the unit's property table.
  public var index: Int
  /// The value; the absolute path where the property is a path.
  public var value: String
  /// The place of the value in the rack file; nil for a rack without a file.
  @Uncompared package var origin: (file: String, position: SourcePosition)?

  package init(
    index: Int, value: String, origin: (file: String, position: SourcePosition)? = nil
  ) {
    (self.index, self.value, self.origin) = (index, value, origin)
  }
}
