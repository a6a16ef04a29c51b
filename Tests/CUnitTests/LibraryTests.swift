import BacklineTestSupport
import CUnit
import Testing

/// Libraries built before members were appended to the unit descriptor can still be used.
struct LibraryTests {
  private func adapted(size: Int) throws -> bl_unit_descriptor {
    var unit = BuiltInUnit("aufx/gain/bkln").descriptor.pointee
    unit.size = UInt32(size)
    unit.tail_time = { _ in 1 }
    return try withUnsafePointer(to: unit) { unit in
      var unit: UnsafePointer<bl_unit_descriptor>? = unit
      return try withUnsafePointer(to: &unit) { units in
        var library = bl_unit_library(
          abi_version: UInt32(BL_ABI_VERSION), unit_count: 1, units: units)
        return try #require(bl_unit_library_adapt(&library)?.pointee.units[0]).pointee
      }
    }
  }

  @Test func `what a unit was built without is zero`() throws {
    let last = try #require(MemoryLayout<bl_unit_descriptor>.offset(of: \.tail_time))
    let unit = try adapted(size: last)
    #expect(unit.tail_time == nil && unit.render != nil && String(cString: unit.name) == "Gain")
  }

  @Test func `a present unit is as it was built`() throws {
    #expect(try adapted(size: MemoryLayout<bl_unit_descriptor>.size).tail_time != nil)
  }
}
