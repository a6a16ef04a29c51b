import BacklineTestSupport
import Documents
import Foundation
import RackModel
import RackTestSupport
import Testing

@testable import RackEngine
@testable import RackSession

extension JackTests {
  /// The positions of boxes that a person has moved.
  @Suite(.serialized) struct Layout {
    private static let rack = """
      rack: Test
      inputs: { in: { channels: 1 } }
      outputs: { out: { channels: 1 } }
      units:
        level: { unit: aufx/gain/bkln }
        echo: { unit: aufx/dely/bkln }
      connections: [ in -> level -> echo -> out ]
      """

    private func run(
      _ folder: TemporaryFolder, file: String = "/music/test.yaml",
      _ body: (SessionRig) async throws -> Void
    ) async throws {
      var sources = SessionRig.sources
      sources.layouts = RackLayouts(file: folder.path("data/layouts.json"))
      try await SessionRig.run(Self.rack, file: file, sources: sources, body)
    }

    private func place(_ rig: SessionRig, _ name: String) async -> BoxPlace? {
      await rig.session.drawing().boxes.first { $0.name == name }.map { BoxPlace(x: $0.x, y: $0.y) }
    }

    @Test func aPlaceIsKeptForTheRack() async throws {
      let folder = try TemporaryFolder()
      let place = BoxPlace(x: 300, y: 200)
      var usual: BoxPlace?
      try await run(folder) { rig in
        usual = await self.place(rig, "echo")
        var changes = rig.session.events().makeAsyncIterator()
        try await rig.perform("layout echo --x 300 --y 200")
        #expect(await self.place(rig, "echo") == place)
        // Pages are told, and draw the graph again. The rack is the same: there is nothing to save or undo.
        let change = await changes.next()
        #expect(change?.layout == "Test")
        #expect(change?.rack == nil)
        #expect(await rig.session.state.isSaved)
        #expect(await rig.session.state.undo == nil)
        let cable = await rig.session.drawing().cables.first { $0.to == "echo" }
        #expect(cable?.path.hasSuffix("300 252") == true, "\(cable?.path ?? "")")
        // The position follows the unit's name, also back.
        try await rig.perform("rename echo tape")
        #expect(await self.place(rig, "tape") == place)
        try await rig.perform("undo")
      }
      // The position is kept for the next run, for this rack only.
      try await run(folder, file: "/music/other.yaml") { rig in
        #expect(await self.place(rig, "echo") == usual)
      }
      try await run(folder) { rig in
        #expect(await self.place(rig, "echo") == place)
        #expect(await rig.session.drawing().height > 240)
        try await rig.perform("layout level --x 0 --y 0")
        try await rig.perform("layout echo --reset")
        #expect(await self.place(rig, "echo") == usual)
        try await rig.perform("layout --reset")
        #expect(
          try String(contentsOfFile: folder.path("data/layouts.json"), encoding: .utf8) == "{}")
      }
    }

    @Test func aDamagedFileIsNotWrittenOver() async throws {
      let folder = try TemporaryFolder()
      try Folder.make(folder.path("data"))
      let file = try folder.write("data/layouts.json", bytes: Array("{".utf8))
      try await run(folder) { rig in
        await #expect {
          try await rig.perform("layout echo --x 0 --y 0")
        } throws: {
          ($0 as? FileError)?.reason.hasPrefix("is damaged") == true
        }
      }
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "{")
    }

    @Test func anUnknownBoxIsRefused() async throws {
      let folder = try TemporaryFolder()
      try await run(folder) { rig in
        let error = await #expect(throws: Refusal.self) {
          try await rig.perform("layout ehco --x 0 --y 0")
        }
        #expect(error?.description.contains("did you mean “echo”?") == true)
        #expect(!FileManager.default.fileExists(atPath: folder.path("data/layouts.json")))
      }
    }
  }
}
