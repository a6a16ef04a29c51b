import AudioUnits
import BacklineTestSupport
import Foundation
import RackModel

/// The test units' variable delay as a bundle, for racks.
package enum LateUnit {
  /// The catalogue of a unit folder that it is built into.
  package static func catalogue(in folder: TemporaryFolder) throws -> ComponentCatalogue {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/CTestUnits/late_unit.c")
    let library = """
      static const bl_unit_descriptor *const units[] = {&bl_test_late_unit};
      static const bl_unit_library library = {BL_ABI_VERSION, 1, units};
      const bl_unit_library *backline_unit_library(void) { return &library; }
      """
    let code = try String(contentsOf: source, encoding: .utf8) + library
    _ = try TestBundle("Late", in: folder.path("units")) { _ in
      """
      name: Variable Delay
      type: aufx
      subtype: vdly
      manufacturer: test
      version: 1.0.0
      tags: [Effects]
      in_process: true
      """
    } code: { _ in
      code
    }
    return ComponentCatalogue(
      folders: UnitFolders([folder.path("units")]), cacheFolder: folder.path("cache"))
  }

  /// A rack with it beside a way without any latency.
  package static func plan(_ catalogue: ComponentCatalogue, latency: Int) throws -> Plan {
    try TestRacks.plan(
      """
      rack: Test
      inputs: { in: { channels: 1 } }
      outputs: { out: { channels: 1 } }
      units:
        late: { unit: aufx/vdly/test, parameters: { latency: \(latency) } }
      connections: [ in -> late -> out, in -> out ]
      """, catalogue: catalogue)
  }
}
