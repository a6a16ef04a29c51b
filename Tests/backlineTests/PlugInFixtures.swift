import BacklineTestSupport
import Foundation
import Testing

/// The plug-ins of Tests/Fixtures.
enum PlugInFixtures {
  /// Returns a folder with all fixtures in its folder `lv2`, and with the built code of the fixture `name`.
  static func folder(with name: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let source = URL(filePath: #filePath).appending(path: "../../Fixtures/plug-ins").standardized
    try FileManager.default.copyItem(atPath: source.path, toPath: folder.path("lv2"))
    let build = try WritingAUnitTests.shell(
      "cc -shared -fPIC -o lv2/\(name).lv2/\(name).so lv2/\(name).lv2/\(name).c -lm", in: folder)
    #expect(build.status == 0, "\(build.errors)")
    return folder
  }
}
