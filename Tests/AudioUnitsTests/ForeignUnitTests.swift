import AudioUnits
import BacklineTestSupport
import CForeignUnits
import Glibc
import Testing
import UnitModel

/// Units whose code is not Backline's own cannot change the floating-point state of the calling
/// thread.
@Suite struct ForeignUnitTests {
  /// Builds a bundle whose functions all set upward rounding, traps on division by zero, and
  /// denormals.
  private func bundles() throws -> CatalogueRig {
    let rig = try CatalogueRig()
    try rig.bundle(code: { code in
      let spoiled = ["process(template_unit *self", "void reset(", "float parameter_value("]
      var text = "#define _GNU_SOURCE\n#include <fenv.h>\n" + code
      for start in spoiled {
        guard let name = text.range(of: start),
          let brace = text.range(of: "{\n", range: name.upperBound..<text.endIndex)
        else { continue }
        text.replaceSubrange(
          brace,
          with: "{\n    fesetround(FE_UPWARD);\n    feenableexcept(FE_DIVBYZERO);\n")
      }
      return text
    })
    return rig
  }

  @Test func theFloatingPointStateIsTheHosts() async throws {
    let rig = try bundles()
    let before = bl_floating_point_state()
    var unit = try await UnitRig("aufx/tmpl/Demo", in: rig.catalogue, options: .loadInProcess)
    #expect(unit.unit.process == .host)
    let ones = Signals.constant(1, frames: 512)
    #expect(try unit.render([[ones, ones]], frames: 512)[0].last ?? 0 > 0.9)
    unit.unit.reset()
    _ = unit.unit.parameterValue(0)
    unit.unit.deallocateRenderResources()
    #expect(bl_floating_point_state() == before)
    #expect(fegetround() == FE_TONEAREST)
  }

  /// libjack needs a stack of half a MiB.
  @Test func aThreadThatRendersHasItsStackAndAGuard() {
    var (thread, attributes) = (pthread_t(), pthread_attr_t())
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, 512 << 10)
    #expect(bl_create_render_thread(&thread, &attributes, { $0 }, nil) == 0)
    pthread_join(thread, nil)
    var (stack, guarded) = (0, 0)
    pthread_attr_getstacksize(&attributes, &stack)
    pthread_attr_getguardsize(&attributes, &guarded)
    #expect(stack == Int(BL_RENDER_STACK) && guarded == Int(BL_RENDER_STACK_GUARD))
  }

  @Test func theSameCodeIsTheSameUnit() throws {
    let rig = try bundles()
    let component = try #require(rig.catalogue.components(matching: .init("aufx/tmpl/Demo")!).first)
    let first = try AudioUnit(component, process: .host)
    #expect(first.isInstance(of: component))
  }

  /// A bundle named by its path is probably in development, so it runs in its own process even if
  /// its manifest allows this one.
  @Test func aBundleThatIsNamedByItsPathHasAProcessOfItsOwn() throws {
    let rig = try CatalogueRig()
    let bundle = try rig.bundle()
    let named = try rig.catalogue.components(for: UnitReference(.bundle(path: bundle.path)))
    #expect(named.map(\.defaultProcess) == [.own] && named.map(\.processByConsent) == [.host])
    #expect(try rig.catalogue.components(for: "Template").map(\.defaultProcess) == [.host])
  }
}
