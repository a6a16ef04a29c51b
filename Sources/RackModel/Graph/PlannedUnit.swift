import UnitModel

/// One unit of a plan, with all that it needs before it renders.
public struct PlannedUnit: Sendable, Equatable {
  /// Its name in the rack file.
  public var name: String
  /// Which unit of the catalogue; without wildcards.
  public var component: ComponentDescription
  /// Which version of it; nil for the highest.
  public var version: UInt32?
  /// Where its bundle is, from the root, if the rack file names that.
  public var bundle: String?
  /// Channels of each input bus.
  public var inputChannelCounts: [Int]
  /// Channels of each output bus.
  public var outputChannelCounts: [Int]
  /// Those that differ from a fresh instance: the preset's overlaid by the file's own, in the
  /// order of their addresses.
  public var parameters: [PlannedParameter]
  /// In the order of the unit's table.
  public var properties: [PlannedProperty]
  public var isBypassed: Bool
  /// Whether its tail goes on sounding when the unit is removed or bypassed.
  public var spills: Bool
  /// The factory preset that the file asks for.
  public var presetName: String?
  /// Nil where the file leaves it open: by the unit's consent, as `UnitDirectory.usualProcess` says.
  public var process: ProcessChoice?
  /// In another process, and never waited for: its sound comes a period later.
  public var isPipelined: Bool

  public init(
    name: String, component: ComponentDescription, version: UInt32? = nil, bundle: String? = nil,
    inputChannelCounts: [Int],
    outputChannelCounts: [Int], parameters: [PlannedParameter] = [],
    properties: [PlannedProperty] = [], isBypassed: Bool = false, spills: Bool = false,
    presetName: String? = nil, process: ProcessChoice? = nil, isPipelined: Bool = false
  ) {
    self.name = name
    self.component = component
    self.version = version
    self.bundle = bundle
    self.inputChannelCounts = inputChannelCounts
    self.outputChannelCounts = outputChannelCounts
    self.parameters = parameters
    self.properties = properties
    self.isBypassed = isBypassed
    self.spills = spills
    self.presetName = presetName
    self.process = process
    self.isPipelined = isPipelined
  }

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

  public init(address: UInt64, keyPath: String, value: Float) {
    self.address = address
    self.keyPath = keyPath
    self.value = value
  }
}

/// One property's value.
public struct PlannedProperty: Sendable, Equatable {
  /// Place in the unit's property table.
  public var index: Int
  /// Where the property is a path, from the root.
  public var value: String

  public init(index: Int, value: String) {
    self.index = index
    self.value = value
  }
}
