import AsyncSupport
import CUnit
import CUnitService
import Documents
import UnitModel

/// Descriptors of units as they are in other processes: their tables are ours, their functions a
/// link's.
///
/// Like those of libraries, they last: one for each unit of each state of a library.
enum RemoteDescriptor {
  private struct Key: Hashable {
    var component: ComponentDescription
    var library: FileStamp?
  }

  private static let made = Guarded<[Key: UnitDescriptor]>([:])

  /// Of a unit that comes with Backline.
  static func of(builtIn descriptor: UnitDescriptor, _ component: ComponentDescription)
    -> UnitDescriptor
  {
    find(Key(component: component, library: nil)) {
      let copy = UnsafeMutablePointer<bl_unit_descriptor>.allocate(capacity: 1)
      copy.initialize(to: descriptor.pointer.pointee)
      return copy
    }
  }

  /// Of a unit whose library is not loaded here.
  static func of(_ facts: UnitFacts, library path: String) -> UnitDescriptor {
    find(Key(component: facts.component, library: FileStamp(path))) { DescriptorTables.make(facts) }
  }

  private static func find(
    _ key: Key, _ make: () -> UnsafeMutablePointer<bl_unit_descriptor>
  ) -> UnitDescriptor {
    made.withLock { made in
      if let known = made[key] { return known }
      let descriptor = make()
      bl_service_describe(descriptor)
      let result = UnitDescriptor(pointer: UnsafePointer(descriptor))
      made[key] = result
      return result
    }
  }
}
