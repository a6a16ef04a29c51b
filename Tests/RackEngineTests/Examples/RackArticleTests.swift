import AudioUnits
import BacklineTestSupport
import Foundation
import RackEngine
import RackModel
import Testing

/// The example of AudioUnits.docc/PlayARackFromSwift.md, compiled and run.
@Suite struct RackArticleTests {
  @Test func playARackFromSwift() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("tone.yaml")
    try Data(
      """
      rack: Tone
      outputs: { main: { channels: 2 } }
      units: { tone: { unit: aumu/sine/bkln } }
      connections: [tone -> main]
      """.utf8
    ).write(to: URL(fileURLWithPath: path))
    let file = folder.path("tone.wav")

    let plan = try Plan.load(path)

    var job = OfflineJob()
    job.outputs = ["main": file]
    job.length = 1
    let renderer = try OfflineRenderer(plan, catalogue: .shared, job: job)
    _ = try renderer.render()
    #expect(FileManager.default.fileExists(atPath: file))

    try Data("rack: Tone\nunits: { a: { unit: Nothing } }\n".utf8)
      .write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: RackError.self) { try Plan.load(path) }
    #expect(error?.description.contains("\(path):2:") == true)
  }
}
