import CUnit
import UnitModel

/// A unit that can be instantiated: what is known of it, and where its code is.
public struct Component: Sendable {
  public let facts: UnitFacts
  let descriptor: UnitDescriptor

  init(_ descriptor: UnsafePointer<bl_unit_descriptor>) {
    facts = UnitFacts(descriptor.pointee)
    self.descriptor = UnitDescriptor(pointer: descriptor)
  }
}

/// A unit's descriptor.
///
/// Unchecked because a pointer is not known to be Sendable: a descriptor is constant for the life of
/// its library (unit.h says so), and libraries are never unloaded.
struct UnitDescriptor: @unchecked Sendable {
  let pointer: UnsafePointer<bl_unit_descriptor>
}
