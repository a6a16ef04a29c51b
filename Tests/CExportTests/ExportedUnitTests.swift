import AudioUnits
import BacklineTestSupport
import Foundation
import RackExport
import Testing
import UnitModel

/// Units are exported as LV2 plug-ins, which a host in this process runs.
@Suite(
  .serialized, .disabled(if: isSanitized, "the plug-ins' library is linked without a sanitizer"),
  .enabled(if: FaultyUnit.clang != nil, "clang is not on the PATH"))
struct ExportedUnitTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// - Parameter unit: the unit's codes, or the path of its bundle.
  private func plugIn(_ unit: String, _ uri: String, file: String) throws -> ExportedPlugIn {
    var bundle = LV2Bundle(
      catalogue: ComponentCatalogue(), license: "http://opensource.org/licenses/MIT")
    let component = try ComponentCatalogue().components(for: UnitReference(unit)).first
    try bundle.add(try #require(component))
    let path = folder.path("out.lv2")
    try bundle.write(to: path, library: try ExportedPlugIn.library.get())
    return try ExportedPlugIn(uri, in: path, file: file, hasFeatures: true)
  }

  private func gain() throws -> ExportedPlugIn {
    try plugIn("aufx/gain/bkln", Self.gainURI, file: Self.gainFile)
  }

  private static let gainURI = "urn:backline:aufx/gain/bkln:mono"
  private static let gainFile = "aufx-gain-bkln-mono.ttl"

  @Test(arguments: [
    "block", "block many", "unit", "cable rack 0 0", "cable 0 x 1 0 0 0 0", "whatever 1",
    "value 0 loud", "scene", "scene_value 0 0 0", "port parameter 9 0", "port loud", "state 0",
  ]) func aBundleWithAWrongLineHasNoPlugIns(line: String) throws {
    _ = try gain()
    let list = folder.path("out.lv2/plug-ins.txt")
    let lines = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
    for index in [0, 3, lines.count] {
      let copy = folder.path("\(index).lv2")
      try FileManager.default.copyItem(atPath: folder.path("out.lv2"), toPath: copy)
      let text = (lines[..<index] + [Substring(line)] + lines[index...]).joined(separator: "\n")
      try text.write(toFile: "\(copy)/plug-ins.txt", atomically: true, encoding: .utf8)
      #expect(throws: ExportedPlugIn.Missing.self, "\(line) in line \(index + 1)") {
        try ExportedPlugIn(Self.gainURI, in: copy, file: Self.gainFile)
      }
    }
  }

  @Test func aControlMovesItsParameter() throws {
    let plugIn = try gain()
    plugIn.activate()
    let ones = [[Float](repeating: 1, count: 24_000)]
    plugIn["gain"] = -6
    #expect(abs(plugIn.render(ones, blocks: [64])[0][0] - 0.501187) < 1e-5)
    // The gain ramps over 20 ms.
    plugIn["gain"] = 0
    let heard = plugIn.render(ones, blocks: [100])[0]
    #expect(heard[1] < 0.6 && abs(heard[2000] - 1) < 1e-5)
  }

  /// Some hosts send NaN while they load.
  @Test func aControlThatIsNoNumberMovesNothing() throws {
    let plugIn = try gain()
    plugIn.activate()
    let ones = [[Float](repeating: 1, count: 24_000)]
    plugIn["gain"] = -6
    _ = plugIn.render(ones, blocks: [64])
    for value in [Float.nan, .infinity, -.infinity] {
      plugIn["gain"] = value
      #expect(plugIn.render(ones, blocks: [64])[0].allSatisfy { abs($0 - 0.501187) < 1e-5 })
    }
  }

  /// A unit's log line reaches the host's log as a trace.
  @Test func whatAUnitNotifiesReachesItsHost() throws {
    let code = """
      static bool has_spoken;
      if (!has_spoken) {
          has_spoken = true;
          bl_notify_log(host, timestamp->sample_time, "it is warm");
      }
      bl_segment segment =
      """
    let bundle = try TestBundle(
      "Talker", in: folder.url.path, code: { $0.replacing("bl_segment segment =", with: code) })
    let plugIn = try plugIn(
      bundle.path, "urn:backline:aufx/tmpl/Demo:stereo", file: "aufx-tmpl-Demo-stereo.ttl")
    plugIn.activate()
    _ = plugIn.render(
      [[Float]](repeating: [Float](repeating: 0, count: 24_000), count: 2), blocks: [256])
    #expect(LV2HostFeatures.loggedLine.text == "Template: it is warm\n")
    #expect(LV2HostFeatures.loggedLine.kind == "http://lv2plug.in/ns/ext/log#Trace")
  }
}
