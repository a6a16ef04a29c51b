import ArgumentParser
import Glibc
import RackControl
import RackEngine
import RackModel
import RackSession

/// Questions, whose answers are formatted for people.
extension Ctl {
  struct Get: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "The value of a parameter, or of all parameters of a unit or the rack.")

    @Argument(help: "A parameter (echo.mix) or a unit (echo).", completion: .parametersAndUnits)
    var parameter: String?

    @OptionGroup var rack: RackChoice

    func run() throws {
      let client = try rack.connect()
      func reading(_ parameter: String) throws -> ParameterReading {
        try client.ask("get", ["parameter": parameter], for: ParameterReading.self)
      }
      if let parameter, parameter.contains(".") { return print(try reading(parameter).text) }
      let listing = try client.ask("list", for: RackListing.self)
      let units = listing.units.filter { parameter == nil || $0.name == parameter }
      // The error names the nearest unit.
      if let parameter, units.isEmpty { _ = try reading("\(parameter).bypass") }
      for unit in listing.missing where parameter == nil {
        print("\(unit.name)   MISSING: \(unit.reason)")
      }
      for unit in units {
        print("\(unit.name)   \(unit.title)" + (unit.preset.map { ", preset \($0)" } ?? ""))
        let rows = unit.parameters.map { parameter in
          let moves = listing.modulations.filter { $0.to == parameter.parameter }
          return [
            parameter.parameter, parameter.text,
            moves.map { "moved by \($0.from), \($0.depth)" }.joined(separator: "; "),
          ]
        }
        for line in Table.lines(rows) { print("  \(line)") }
      }
    }
  }

  struct Controls: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "The MIDI controls and their targets.")
    @OptionGroup var rack: RackChoice
    func run() throws {
      RackChoice.show(try rack.listing().controls, orSay: "the rack has no MIDI controls")
    }
  }

  struct Scenes: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "The scenes of the rack.")
    @OptionGroup var rack: RackChoice
    func run() throws {
      RackChoice.show(try rack.listing().scenes, orSay: "the rack has no scenes")
    }
  }

  struct Songs: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "The songs of the set list.",
      discussion: """
        An arrow marks the song that plays, an exclamation mark a song that was called for and could not \
        be played.
        """)
    @OptionGroup var rack: RackChoice

    func run() throws {
      let listing = try rack.listing()
      let songs = (listing.songs ?? []).map { song in
        let mark = song == listing.song ? "-> " : song == listing.refusedSong ? " ! " : "   "
        return mark + song
      }
      RackChoice.show(songs, orSay: "no set list is running")
    }
  }

  struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "The state of a rack: load, xruns, meters, and the time of each unit.")

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var rack: RackChoice

    func run() throws {
      let status = try rack.connect().ask("status", for: EngineSnapshot.self)
      if json { return print(try JSONText.of(status)) }
      var meters = StatusLines.Meters()
      let lines = StatusLines.lines(status, &meters, width: Terminal.size.columns)
      // All lines but the empty first line and “Ctrl-C to stop”.
      for line in lines.dropFirst().dropLast() { print(line.drawn(width: .max)) }
    }
  }

  struct Metrics: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the state of a rack in Prometheus' text format.")

    @OptionGroup var rack: RackChoice

    func run() throws {
      print(try rack.connect().ask("metrics", for: String.self), terminator: "")
    }
  }

  struct Log: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "What has happened since the rack plays.")

    @OptionGroup var rack: RackChoice

    func run() throws {
      let entries = try rack.connect().ask("log", for: [LogEntry].self)
      RackChoice.show(
        entries.map { entry in
          var (seconds, time) = (time_t(entry.time), tm())
          localtime_r(&seconds, &time)
          let clock = [time.tm_hour, time.tm_min, time.tm_sec].map { part in
            "\(part < 10 ? "0" : "")\(part)"
          }
          return
            "\(clock.joined(separator: ":"))  \(entry.isWarning ? "warning: " : "")\(entry.text)"
        }, orSay: "nothing has happened yet")
    }
  }

  struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print changes until Ctrl-C.")

    @Argument(
      help: ArgumentHelp(
        "Signals to print instead, as JSON, 30 times a second: echo.output.spectrum.",
        discussion:
          "UNIT.input or UNIT.output with .scope, .spectrum or .tuner, or an array that the unit shows."
      ))
    var signals: [String] = []

    @Flag(help: "Also print the messages of the MIDI inputs.")
    var midi = false

    @OptionGroup var rack: RackChoice

    func run() throws {
      let client = try rack.connect()
      try client.subscribe(midi: midi)
      if !signals.isEmpty {
        _ = try client.request("watch", ["signals": signals.joined(separator: " ")])
      }
      while let event = try client.nextEvent() {
        if !signals.isEmpty {
          guard let telemetry = event as? TelemetryRead else { continue }
          for reading in telemetry.readings { Terminal.write(try JSONText.line(reading)) }
          continue
        }
        for line in event.lines { Terminal.write("\(line)\n") }
      }
    }
  }

  struct Meters: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the peaks of ports and units in dB, until Ctrl-C.")

    @Option(help: "Times a second, 0.1 to 50.")
    var rate: Double = 4

    @Flag(help: "Print them once.")
    var once = false

    @OptionGroup var rack: RackChoice

    func run() throws {
      let client = try rack.connect()
      try client.subscribe(meters: rate)
      while let event = try client.nextEvent() {
        guard let meters = event as? RackMeters else { continue }
        let all = meters.inputs + meters.outputs + meters.units
        let line = all.map { "\($0.name) \(Decibels.text($0.peak))" }.joined(separator: "   ")
        Terminal.write("\(line)\n")
        if once { return }
      }
    }
  }
}

extension RackChoice {
  /// Prints the lines. If there are none, writes the reason to standard error, as scripts read the output.
  fileprivate static func show(_ lines: [some CustomStringConvertible], orSay reason: String) {
    for line in lines { print(line) }
    if lines.isEmpty { Terminal.complain(reason) }
  }

  fileprivate func listing() throws -> RackListing {
    try connect().ask("list", for: RackListing.self)
  }
}
