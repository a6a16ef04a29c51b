import AudioUnits
import BacklineTestSupport
import CBenchmarks
import Glibc
import UnitModel

/// The time to list two thousand bundles and to find one, beside reading their files.
///
/// Only the catalogue's cache varies; the files are in the system's page cache throughout.
enum CatalogueBenchmark {
  private static let count = Measurement.amount(2000, short: 20)
  private static let rounds = 7

  struct Incomplete: Error, CustomStringConvertible {
    var found: Int
    var wanted: Int
    var description: String { "the catalogue has \(found) of \(wanted) bundles" }
  }

  static func run() throws {
    let folder = try TemporaryFolder()
    let bundles = try ManyBundles(count, in: folder)
    let caches = (own: folder.path("cache"), program: folder.path("program-cache"))
    let wanted = bundles.names[count / 2 + 1]

    func look(for wanted: Int, _ components: (ComponentCatalogue) throws -> [Component]) throws
      -> Double
    {
      let catalogue = ComponentCatalogue(
        folders: UnitFolders([bundles.unitFolder]), cacheFolder: caches.own,
        tagFile: folder.path("tags.yaml"), program: Child.sibling("backline"))
      var found = 0
      let time = try Measurement.wallSeconds {
        found = try components(catalogue).count { $0.bundle != nil }
      }
      guard found == wanted else { throw Incomplete(found: found, wanted: wanted) }
      return time * 1000
    }
    func list() throws -> Double { try look(for: count) { $0.components } }
    func find() throws -> Double {
      try look(for: 1) { try $0.components(for: UnitReference(wanted)) }
    }
    func forgetting(_ measure: () throws -> Double) throws -> Double {
      try Child.run(["rm", "-rf", caches.own, caches.program])
      return try measure()
    }
    func time(_ command: [String], dataFolder: String = "") throws -> Double {
      let environment = ["XDG_DATA_HOME": dataFolder, "XDG_CACHE_HOME": caches.program]
      return try Measurement.wallSeconds {
        let child = try Child.start(command, environment: environment)
        guard child.wait().status == 0 else { throw Child.Failed(command: command) }
      } * 1000
    }
    func show() throws -> Double {
      try time([Child.sibling("backline"), "show", wanted], dataFolder: bundles.dataFolder)
    }
    let paths = bundles.manifests.map { strdup($0) }
    defer { for path in paths { free(path) } }
    let manifests = paths.map { UnsafePointer($0) }

    let medians = try Measurement.interleaved(
      rounds: rounds,
      [
        { Measurement.wallSeconds { _ = bl_floor_read_files(manifests, UInt32(count)) } * 1000 },
        { try time([Child.sibling("bare-loader")] + bundles.libraries) },
        { try time([Child.sibling("bare-loader"), bundles.libraries[0]]) },
        { try forgetting(list) }, list, find,
        { try forgetting(find) },
        show, show,
        { try time([Child.sibling("backline"), "show", "Gain"], dataFolder: folder.path("none")) },
      ])
    let (manifest, libraries, library) = (medians[0], medians[1], medians[2])
    var table = Table(title: "Catalogue of \(count) bundles, by the clock", unit: "ms")
    table.rows = [
      Table.Row(
        "list all, nothing remembered", ours: medians[3], reference: manifest + libraries,
        remark: "floor: all manifests read, all libraries loaded by a bare child"),
      Table.Row(
        "list all, remembered", ours: medians[4], reference: manifest,
        remark: "floor: all manifests read"),
      Table.Row(
        "find one, nothing remembered", ours: medians[6], reference: manifest + library,
        remark: "floor: all manifests read, one library loaded by a bare child"),
      Table.Row("find one, remembered", ours: medians[5], reference: manifest, remark: "likewise"),
      Table.Row(
        "backline show it, nothing remembered", ours: medians[7], reference: medians[9],
        remark: "beside a unit that comes with Backline, where there is no bundle"),
      Table.Row(
        "backline show it again", ours: medians[8], reference: medians[9],
        remark: "`play` finds it in the same way"),
    ]
    try table.show()
  }
}
