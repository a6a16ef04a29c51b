import BacklineTestSupport
import Foundation
import Testing

/// Bundles on the command line, and in racks.
struct BundleCommandTests {
  private func shell(_ line: String, _ folder: TemporaryFolder) throws -> Program.Result {
    try WritingAUnitTests.shell(line, in: folder)
  }

  private func units(_ folder: TemporaryFolder) -> String {
    folder.path(".local/share/backline/units")
  }

  @Test func goodAndBadOnesAreListed() throws {
    let folder = try TemporaryFolder()
    _ = try TestBundle("Good", in: units(folder))
    let bad = try TestBundle(
      "Bad", in: units(folder),
      manifest: { $0.replacingOccurrences(of: "tmpl", with: "toolong") })
    let listed = try shell("backline units", folder)
    #expect(listed.status == 0 && listed.output.contains("aufx/tmpl/Demo  Template"))
    #expect(listed.output.contains("Cannot be used:\n  \(bad.path)\n"))
    #expect(listed.output.contains("\(bad.manifestPath):3:10: error: “toolong”"))
    let refused = try shell("backline units --refused --json", folder)
    #expect(refused.output.contains(bad.path) && !refused.output.contains("Good.unit"))
    let effects = try shell("backline units --tag effects --json", folder)
    #expect(effects.output.contains("aufx/tmpl/Demo") && !effects.output.contains("aufx/dely"))
  }

  @Test func olderVersionsCanBeNamed() throws {
    let folder = try TemporaryFolder()
    _ = try TestBundle("Old", in: units(folder))
    _ = try TestBundle(
      "New", in: units(folder),
      manifest: { $0.replacingOccurrences(of: "1.0.0", with: "2.0.0") },
      code: { $0.replacingOccurrences(of: "0x00010000", with: "0x00020000") })
    let listed = try shell("backline units 'aufx/*/Demo'", folder)
    #expect(listed.output.contains("aufx/tmpl/Demo        Template"))
    #expect(listed.output.contains("aufx/tmpl/Demo@1.0.0  Template"))
    #expect(try shell("backline show aufx/tmpl/Demo", folder).output.contains("2.0.0"))
    #expect(try shell("backline show Template@1.0.0", folder).output.contains("1.0.0"))
  }

  @Test func tagsOfOnesOwnAreKept() throws {
    let folder = try TemporaryFolder()
    #expect(try shell("backline tag add Delay Favourite", folder).status == 0)
    #expect(try shell("backline units --tag favourite", folder).output.hasPrefix("aufx/dely/bkln"))
    #expect(try shell("backline tag list", folder).output.contains("1\tFavourite"))
    let wrong = try shell("backline tag remove Delay Favorite", folder)
    #expect(wrong.status == 64 && wrong.errors.contains("did you mean “Favourite”?"))
    #expect(try shell("backline tag remove Delay Favourite", folder).status == 0)
    #expect(try shell("backline units --tag favourite", folder).status == 1)
  }

  /// A unit in its own process reads and writes the folder that the user has created for it.
  @Test func aUnitHasItsDataFolder() throws {
    let folder = try TemporaryFolder()
    let data = ".local/share/backline/unit-data/aufx-tmpl-Demo"
    try FileManager.default.createDirectory(
      atPath: folder.path(data), withIntermediateDirectories: true)
    _ = try folder.write("\(data)/level", bytes: Array("0.25".utf8))
    let call =
      "process(self, input.channels, output->channels, segment.first_frame, segment.frame_count);"
    let bundle = try TestBundle(
      "Own", in: folder.path("rack"),
      manifest: { $0.replacingOccurrences(of: "in_process: true", with: "") },
      code: {
        "#include <stdio.h>\n"
          + $0.replacingOccurrences(
            of: call,
            with: """
              float level = 0;
              FILE *file = fopen("\(folder.path(data))/level", "r");
              if (file != NULL) { fscanf(file, "%f", &level); fclose(file); }
              file = fopen("\(folder.path(data))/written", "w");
              if (file != NULL) { fputs("state", file); fclose(file); }
              for (uint32_t channel = 0; channel < output->channel_count; channel += 1)
                  for (uint32_t frame = 0; frame < segment.frame_count; frame += 1)
                      output->channels[channel][segment.first_frame + frame] = level;
              """)
      })
    _ = try folder.write(
      "rack/rack.yaml",
      bytes: Array(
        """
        rack: R
        outputs: { out: { channels: 2 } }
        units: { drums: { unit: augn/play/bkln }, own: { unit: \(bundle.path) } }
        connections: [ drums -> own -> out ]
        """.utf8))
    let result = try shell(
      "backline render rack/rack.yaml --length 0.1 --out out=out.wav --bits float", folder)
    #expect(result.status == 0, "\(result.errors)")
    let file = try SoundFile(reading: folder.path("out.wav"))
    #expect(file.channels[0].last == 0.25)
    #expect(FileManager.default.fileExists(atPath: folder.path("\(data)/written")))
  }

  /// A rack finds units in its own folder and by path; a missing version, a broken bundle and a missing
  /// bundle are errors.
  @Test func racksFindTheirUnits() throws {
    let folder = try TemporaryFolder()
    _ = try TestBundle("Own", in: folder.path("rack/units"))
    _ = try TestBundle(
      "Broken", in: folder.path("rack"), manifest: { $0 + "\ncolour: red" })
    func rack(_ unit: String) throws -> Program.Result {
      _ = try folder.write(
        "rack/rack.yaml",
        bytes: Array(
          """
          rack: R
          outputs: { out: { channels: 2 } }
          units:
            drums: { unit: augn/play/bkln }
            it: { unit: \(unit), parameters: { level: 50 % } }
          connections: [ drums -> it -> out ]
          """.utf8))
      return try shell("backline check rack/rack.yaml", folder)
    }
    #expect(try rack("aufx/tmpl/Demo").status == 0)
    #expect(try rack("aufx/tmpl/Demo@1.0.0").status == 0)
    #expect(try rack("Template").status == 0)
    #expect(try rack("./units/Own.unit").status == 0)
    let version = try rack("aufx/tmpl/Demo@1.2.0")
    #expect(version.status == 2 && version.output.contains("rack.yaml:5:15"))
    #expect(version.output.contains("did you mean “aufx/tmpl/Demo@1.0.0”?"))
    let broken = try rack("./Broken.unit")
    #expect(broken.status == 2 && broken.output.contains("Broken.unit/unit.yaml:8:1"))
    let missing = try rack("./None.unit")
    #expect(missing.status == 2 && missing.output.contains("there is no such bundle"))
    // The bundle is not found outside the rack's folder.
    #expect(try shell("backline show aufx/tmpl/Demo", folder).status != 0)
  }
}

extension LivePrograms {
  /// A unit that is rebuilt while it plays.
  @Suite(.serialized) struct Reloading {
    @Test func newCodeTakesOverWithoutABreak() async throws {
      let folder = try TemporaryFolder()
      let bundle = try TestBundle(in: folder.url.path)
      // The new build is half as loud, and its knob has another address.
      let next = try TestBundle(
        in: folder.path("next"),
        code: {
          $0.replacingOccurrences(
            of: "{PARAMETER_LEVEL", with: "{PARAMETER_OTHER, PARAMETER_LEVEL"
          )
          .replacingOccurrences(
            of: "enum { PARAMETER_LEVEL", with: "enum { PARAMETER_OTHER, PARAMETER_LEVEL"
          )
          .replacingOccurrences(
            of: "{\"level\"",
            with: "{\"other\", NULL, \"Other\", BL_UNIT_GENERIC, 0, 1, 0, BL_CURVE_LINEAR,"
              + " BL_PARAMETER_DEFAULT_FLAGS, NULL, NULL, NULL, 2},\n    {\"level\""
          )
          .replacingOccurrences(of: "level = 0.01f", with: "level = 0.005f")
        })
      let file = try SoundFile.sine(1000, frames: 4800).write(folder.path("sine.wav"))
      // The unit runs in the host's process: another process may be late on a busy machine, and its input
      // is heard then.
      try await Rig.run(
        "play", bundle.path, "--process", "host", "--set", "level=50 %", "--file", file
      ) { rig in
        try await rig.program.waitForOutput("ready: Template")
        try rig.probe.connect("Template:main_1", "capturer:in_1")
        // The watcher reads the files once before it can notice a change.
        try await Task.sleep(for: .milliseconds(500))
        let silence = Signals.constant(0, frames: 192_000)
        let heard = try await rig.probe.play([silence], frames: 192_000, after: 48_000) {
          [from = next.libraryPath, to = bundle.libraryPath] in
          #expect(rename(from, to) == 0)
        }.channels[0]
        #expect(rig.program.output.contains("Template was rebuilt and is loaded"))
        let before = SineFit(heard[4800..<24_000], frequency: 1000, sampleRate: 48_000)
        let after = SineFit(heard[168_000...], frequency: 1000, sampleRate: 48_000)
        #expect(abs(before.amplitude - 0.25) < 1e-3 && before.residual < 1e-3)
        #expect(abs(after.amplitude - 0.125) < 1e-3 && after.residual < 1e-3)
        // The output is never steeper than the louder sine with a fade, and never quieter than the softer
        // sine.
        let body = Array(heard[4800...])
        let steepest = zip(body, body.dropFirst()).map { abs($0 - $1) }.max() ?? 1
        #expect(steepest < 0.25 * 2 * .pi * 1000 / 48_000 * 1.05)
        for start in stride(from: 0, to: body.count - 48, by: 48) {
          #expect((body[start..<start + 48].map(abs).max() ?? 0) > 0.12)
        }
      }
    }

    @Test func codeThatDoesNotLoadIsSaidAndTheOldPlaysOn() async throws {
      let folder = try TemporaryFolder()
      let bundle = try TestBundle(in: folder.url.path)
      let file = try SoundFile.sine(1000, frames: 4800).write(folder.path("sine.wav"))
      try await Rig.run("play", bundle.path, "--file", file) { rig in
        try await rig.program.waitForOutput("ready: Template")
        try rig.probe.connect("Template:main_1", "capturer:in_1")
        try await Task.sleep(for: .milliseconds(500))
        // The test overwrites the file from which the playing code was loaded.
        try Data("no library".utf8).write(to: URL(fileURLWithPath: bundle.libraryPath))
        try await rig.program.waitForOutput("the old unit plays on")
        #expect(rig.program.output.contains("unit.so: "))
        let heard = try await rig.probe.play(
          [Signals.constant(0, frames: 24_000)], frames: 24_000
        ).channels[0]
        let fit = SineFit(heard[4800...], frequency: 1000, sampleRate: 48_000)
        #expect(abs(fit.amplitude - 0.5) < 1e-3 && fit.residual < 1e-3)
        try bundle.compile(
          try TestBundle.template().replacingOccurrences(
            of: "level = 0.01f", with: "level = 0.005f"), inPlace: true)
        try await rig.program.waitForOutput("was rebuilt and is loaded")
      }
    }
  }
}
