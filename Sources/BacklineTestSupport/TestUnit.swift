import CTestUnits
import CUnit

/// The units of CTestUnits, which last as long as the program.
public struct TestUnit: @unchecked Sendable {
  // Constant C data, never written.
  public let descriptor: UnsafePointer<bl_unit_descriptor>

  private init(_ descriptor: UnsafePointer<bl_unit_descriptor>) { self.descriptor = descriptor }

  public static let scale = TestUnit(bl_test_units(BL_TEST_SCALE))
  public static let scaleApart = TestUnit(bl_test_units(BL_TEST_SCALE_APART))
  public static let provider = TestUnit(bl_test_units(BL_TEST_PROVIDER))
  public static let latent = TestUnit(bl_test_units(BL_TEST_LATENT))
  public static let beat = TestUnit(bl_test_units(BL_TEST_BEAT))
  public static let late = TestUnit(bl_test_units(BL_TEST_LATE))
  public static let sum = TestUnit(bl_test_units(BL_TEST_SUM))
}
