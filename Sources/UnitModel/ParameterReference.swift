/// One parameter of an instance: a row of the table, and for a template the input bus.
public struct ParameterReference: Sendable, Equatable {
  /// The name in files: "filter.envelope.attack", "2.gain".
  public let keyPath: String
  /// The address in events; valid for this version of the unit only.
  public let address: UInt64
  public let info: ParameterInfo

  /// Returns the address of a row of the table and an input bus.
  public static func address(index: Int, inputBus: Int = 0) -> UInt64 {
    UInt64(UInt32(truncatingIfNeeded: inputBus)) << 32 | UInt64(UInt32(truncatingIfNeeded: index))
  }

  /// Returns the index in the unit's parameter table.
  public static func index(of address: UInt64) -> Int { Int(address & 0xFFFF_FFFF) }

  /// Returns the input bus, from 0; 0 unless the parameter is a template.
  public static func inputBus(of address: UInt64) -> Int { Int(address >> 32) }
}
