import CTestUnits
import CUnit

/// A unit of CTestUnits.
///
/// Unchecked because of the pointer, whose target is constant for the life of the program.
package struct TestUnit: @unchecked Sendable {
  package let descriptor: UnsafePointer<bl_unit_descriptor>

  private init(_ descriptor: UnsafePointer<bl_unit_descriptor>) { self.descriptor = descriptor }

  package static let scale = TestUnit(bl_test_units(BL_TEST_SCALE))
  package static let scaleApart = TestUnit(bl_test_units(BL_TEST_SCALE_APART))
  package static let provider = TestUnit(bl_test_units(BL_TEST_PROVIDER))
  package static let latent = TestUnit(bl_test_units(BL_TEST_LATENT))
  package static let beat = TestUnit(bl_test_units(BL_TEST_BEAT))
  package static let late = TestUnit(bl_test_units(BL_TEST_LATE))
  package static let sum = TestUnit(bl_test_units(BL_TEST_SUM))
}
