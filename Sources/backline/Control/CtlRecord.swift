import ArgumentParser
import Documents
import Glibc
import RackEngine
import SoundFiles

extension Ctl {
  struct Record: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Record what a rack plays into a sound file.", subcommands: [Start.self, Stop.self])

    struct Start: ParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Record from now on.",
        discussion: """
          Nothing is missing from the first frame to the last, whatever is changed meanwhile. Where the \
          disk does not keep up, there is silence in its place, counted and told. The file can be \
          played at any moment, also when the program or the machine breaks off: at most the last second \
          is missing then.
            backline ctl record start --out take.wav
            backline ctl record start mic main_1 echo --out stems.wav
          """)

      @Argument(
        help: """
          What to record, in the order of the file's channels: inputs, outputs (main, main_1), units \
          (echo) and their busses (split.2). All outputs where nothing is named.
          """, completion: .portsAndUnits)
      var sources: [String] = []

      @Option(
        name: .customLong("out"),
        help: """
          The file, which must not be there yet: wav, w64, caf, aiff, au, flac. Named after the rack and \
          the time where not given.
          """, completion: .file())
      var file: String?

      @Option(help: "Bits of a sample: 16, 24 or float; float where not given, for FLAC 24.")
      var bits: SampleFormat?

      @OptionGroup var rack: RackChoice

      func run() throws {
        let client = try rack.connect()
        try Terminal.reporting {
          let path = try file ?? Self.name(client)
          // The running program has a folder of its own.
          var arguments = ["action": "start", "file": FilePlace.absolute(path)]
          if !sources.isEmpty { arguments["of"] = sources.joined(separator: ",") }
          if let bits { arguments["samples"] = bits.rawValue }
          print(try client.request("record", arguments))
        }
      }

      private static func name(_ client: ControlClient) throws -> String {
        let rack = try client.ask("status", for: EngineSnapshot.self).rack
        var (now, parts) = (time(nil), tm())
        localtime_r(&now, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let length = strftime(&text, text.count, "%Y-%m-%d %H.%M.%S", &parts)
        let time = String(decoding: text[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return "\(rack.map { $0 == "/" ? "_" : String($0) }.joined()) \(time).wav"
      }
    }

    struct Stop: ParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "End the recording.")

      @OptionGroup var rack: RackChoice

      func run() throws { try rack.request("record", ["action": "stop"]) }
    }
  }
}
