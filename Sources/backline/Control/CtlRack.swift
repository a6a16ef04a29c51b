import ArgumentParser
import Documents
import RackControl
import RackEngine
import RackModel
import RackStage

extension Ctl {
  struct Load: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Play another rack in the place of this one, without a click.")

    @Argument(
      help: "A rack file, or the name of a rack that comes with Backline.", completion: .racks)
    var file: String

    @OptionGroup var rack: RackChoice

    func run() throws {
      // The running program has a folder of its own.
      let path = RackLoader.locate(file)
      try rack.perform(.load(rack: RackLoader.isThere(file) ? FilePlace.absolute(path) : file))
    }
  }

  struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Read the rack's file again and play it as it is now, without a click.")

    @OptionGroup var rack: RackChoice

    func run() throws { try rack.perform(.reload) }
  }

  struct Restart: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Start a unit's process anew, also one that was given up after repeated crashes.")

    @Argument(help: "A unit that runs in a process of its own.")
    var unit: String

    @OptionGroup var rack: RackChoice

    func run() throws { try rack.request("restart", ["unit": unit]) }
  }

  struct Save: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write the rack as it is now into its file, or a copy into another.",
      discussion: """
        Only what has been changed is written otherwise: comments, order and the way in which the \
        rest is written stay.
        """)

    @Argument(help: "Where to write a copy.", completion: .file(extensions: ["yaml"]))
    var file: String?

    @Flag(help: "Also where the file has been changed meanwhile, or the copy is there already.")
    var force = false

    @Flag(
      help: "Also what its ports are connected to in JACK now: the file's “connect” says so then.")
    var connections = false

    @OptionGroup var rack: RackChoice

    func run() throws {
      // The running program has a folder of its own.
      try rack.perform(
        .save(
          SaveRequest(
            path: file.map(FilePlace.absolute), isForced: force, keepsConnections: connections)))
    }
  }

  struct Undo: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Undo what was done last.")
    @OptionGroup var rack: RackChoice
    func run() throws { try rack.perform(.undo) }
  }

  struct Redo: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Do again what was undone last.")
    @OptionGroup var rack: RackChoice
    func run() throws { try rack.perform(.redo) }
  }

  struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "How a rack is doing: load, xruns, meters, and the time of each unit.")

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var rack: RackChoice

    func run() throws {
      let client = try rack.connect()
      let status = try Terminal.reporting { try client.ask("status", for: EngineSnapshot.self) }
      if json { return print(try JSONText.of(status)) }
      var meters = StatusLines.Meters()
      let width = Terminal.size.columns
      let lines = StatusLines.lines(status, &meters, width: width)
      // Without the empty line above, and without how to stop it.
      for line in lines.dropFirst().dropLast() { print(line.drawn(width: .max)) }
    }
  }

  struct Metrics: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print how a rack is doing in Prometheus' text format.")

    @OptionGroup var rack: RackChoice

    func run() throws {
      let client = try rack.connect()
      print(try Terminal.reporting { try client.ask("metrics", for: String.self) }, terminator: "")
    }
  }

  struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print what changes, until Ctrl-C.")

    @OptionGroup var rack: RackChoice

    func run() throws {
      let client = try rack.connect()
      try Terminal.reporting {
        try client.subscribe()
        while let event = try client.nextEvent() {
          switch event {
          case .values(let readings):
            for reading in readings { Terminal.write("\(reading.parameter)  \(reading.text)\n") }
          case .rack(let name): Terminal.write("rack  \(name)\n")
          case .learning(let learning): Terminal.write("learn  \(learning)\n")
          case .meters: break
          }
        }
      }
    }
  }

  struct Meters: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the peaks of ports and units in dB, until Ctrl-C.")

    @Option(help: "So many times a second, 0.1 to 50.")
    var rate: Double = 4

    @Flag(help: "Print them once.")
    var once = false

    @OptionGroup var rack: RackChoice

    func run() throws {
      let client = try rack.connect()
      try Terminal.reporting {
        try client.subscribe(meters: rate)
        while let event = try client.nextEvent() {
          guard case .meters(let meters) = event else { continue }
          let all = meters.inputs + meters.outputs + meters.units
          let line = all.map { "\($0.name) \(Decibels.text($0.peak))" }.joined(separator: "   ")
          Terminal.write("\(line)\n")
          if once { return }
        }
      }
    }
  }
}
