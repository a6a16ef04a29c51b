import ArgumentParser
import AudioUnits
import Documents
import Glibc
import JackIO
import RackEngine
import RackFiles
import RackModel
import RackStage

extension JackServerChoice: ExpressibleByArgument {}

/// Options for the JACK server.
struct ServerOptions: ParsableArguments {
  @Option(
    help: """
      Which JACK server: join one that runs; auto: join, or else start one; alsa: start one on the \
      sound card; dummy: start one without sound.
      """)
  var server = JackServerChoice.join

  @Option(help: "The server's name; without it, the default server.")
  var serverName: String?

  @Option(help: "ALSA's name of the sound card, for a server that Backline starts.")
  var device: String?

  @Option(
    help: "48000, 44.1kHz, 48k: for a server that Backline starts; without it, 48 kHz.",
    transform: OptionValue.rate)
  var rate: Int?

  @Option(help: "Frames per cycle, for a server that Backline starts; without it, 128.")
  var period: Int?

  @Option(
    help: """
      Threads that render parallel branches of the rack: 1 to 16, or auto: as many as save time; \
      without it, what the rack says.
      """,
    transform: OptionValue.threads)
  var threads: ThreadChoice?

  @Flag(
    help: """
      Be JACK's timebase master, unless another program is: others have tempo, bars and beats from \
      the rack.
      """)
  var timebase = false

  @Flag(
    help: "End with exit code 3 when the server ends, instead of waiting for it to come back.")
  var endWithServer = false

  /// Returns the options of a stage with control by OSC and by the page.
  func stage(_ osc: OSCOptions, _ page: PageOptions) -> Stage.Options {
    var options = Stage.Options()
    options.server = server
    options.serverOptions = JackServer.Options(
      name: serverName, device: device, sampleRate: rate ?? 48_000, period: period ?? 128)
    (options.endsWithServer, options.takesTimebase) = (endWithServer, timebase)
    options.threads = threads
    options.opensControlSocket = true
    options.osc = osc.open
    options.page = page.options
    return options
  }

  /// Returns a sentence about options that a joined server overrides; nil if there are none.
  func remark(sampleRate: Int, period: Int, isOurs: Bool) -> String? {
    guard !isOurs else { return nil }
    var ignored: [String] = []
    if let rate, rate != sampleRate { ignored.append("--rate") }
    if let asked = self.period, asked != period { ignored.append("--period") }
    if device != nil { ignored.append("--device") }
    guard !ignored.isEmpty else { return nil }
    return "the running server decides: \(sampleRate) Hz, \(period) frames;"
      + " \(ignored.joined(separator: " and ")) apply only to a server that Backline starts"
  }

  func validate() throws {
    guard (8000...192_000).contains(rate ?? 48_000) else {
      throw ValidationError("--rate is 8000 to 192000 Hz")
    }
    let frames = period ?? 128
    guard (16...8192).contains(frames) else {
      throw ValidationError("--period is 16 to 8192 frames")
    }
    guard server == .dummy || frames & (frames - 1) == 0 else {
      throw ValidationError("--period is a power of two on a sound card; --server dummy takes any")
    }
    if device != nil && server == .dummy {
      throw ValidationError("--device names a sound card; --server dummy has none")
    }
    if let serverName, !Self.isServerName(serverName) {
      throw ValidationError("--server-name has 1 to 63 bytes, without slash or control character")
    }
  }

  /// Whether the name is valid for a JACK server: it becomes part of file names in /dev/shm.
  private static func isServerName(_ name: String) -> Bool {
    (1...63).contains(name.utf8.count)
      && !name.unicodeScalars.contains { $0 == "/" || $0.value < 32 || $0.value == 127 }
  }
}

struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Play a rack through JACK.",
    discussion: """
      On a terminal it shows meters until Ctrl-C: the peak of each port, and for each unit its share \
      of a cycle, its output peak, and its mean and longest time. Into a pipe it prints a line when it \
      is ready, and one for each event. Signal USR1 reloads the rack file without a click; while the \
      file has errors, the old rack plays on. With --watch every save of the file is followed, and only \
      what it changes. A set list starts with the first song; “backline ctl next” and MIDI programs \
      select others (docs/guide/set-lists.md). “backline ctl” changes the rack while it plays; “backline \
      ctl save” or --write-back writes the changes into the file. When the JACK server ends, the rack \
      waits with all its settings, and plays on with all connections once a server of that name runs. \
      Ctrl-C, TERM, QUIT and a closed terminal fade it out and end it; without a terminal, HUP reloads \
      like USR1.
      """)

  @Argument(
    help: """
      A rack file, or the name of a rack that comes with Backline; a set list; or several racks, in \
      the order of the show.
      """, completion: .performances)
  var racks: [String] = []

  @Flag(
    inversion: .prefixedNo,
    help: "Follow the files as they are saved; the default on a terminal.")
  var watch: Bool?

  @Flag(
    help: """
      Write live changes into the rack file, at the end and before another rack is loaded. \
      “backline ctl save” does so at any time.
      """)
  var writeBack = false
  @Option(
    help: "Lanes from a file besides the rack's own; see also “backline ctl automate”.",
    completion: .file(extensions: ["yaml"]))
  var automation: String?

  @Option(
    help: """
      Record all outputs from the first frame to the last: wav, w64, caf, aiff, au or flac. Where the \
      file exists, the next free name is used: take-2.wav. See also “backline ctl record”.
      """, completion: .file())
  var record: String?

  @OptionGroup var server: ServerOptions
  @OptionGroup var page: PageOptions
  @OptionGroup var osc: OSCOptions
  @OptionGroup var log: LogOptions
  @OptionGroup var units: CatalogueOptions

  func validate() throws {
    // A session manager opens a project, so that no rack is needed.
    if racks.isEmpty, !ManagedProject.isWanted {
      throw ValidationError("Missing expected argument '<racks> ...'")
    }
  }

  func run() async throws {
    JackSession.loadLibrary()
    let catalogue = try units.catalogue()
    var project: ManagedProject?
    do { project = try await ManagedProject.join() } catch {
      Terminal.complain("warning: \(error); playing outside of any session")
    }
    do {
      try await play(project, catalogue)
    } catch {
      let code = (error as? Failure)?.code ?? error as? ExitCode
      await project?.refuse(because: Self.message(for: error), isWrong: code == .wrongRack)
      throw error
    }
  }

  private func play(_ project: ManagedProject?, _ catalogue: ComponentCatalogue) async throws {
    let racks = try project?.racks(given: self.racks) ?? self.racks
    if racks.isEmpty { throw ValidationError("Missing expected argument '<racks> ...'") }
    let isSetList = racks.count == 1 && SetListLoader.isSetList(racks[0])
    let path = isSetList ? SetListLoader.locate(racks[0]) : RackLoader.locate(racks[0])
    if automation != nil && (isSetList || racks.count > 1) {
      throw ValidationError("--automation works with one rack, not with a set list")
    }
    let read = { @Sendable [automation] in
      Performance.read(
        racks, at: path, isSetList: isSetList, automation: automation, catalogue: catalogue)
    }
    let signals = Signals(isPlaying: true)
    let (performance, diagnostics) = read()
    let log = log.log
    if performance == nil, log == nil { throw Failure(diagnostics) }
    for diagnostic in diagnostics {
      if let log { log.write(.diagnostic(diagnostic)) } else { Terminal.complain("\(diagnostic)") }
    }
    guard let performance else { throw ExitCode.wrongRack }
    // The rack of a session is saved with the session, into the project.
    let writesBack = writeBack && (project == nil || performance.isSetList)
    if writeBack && !writesBack {
      Terminal.complain("--write-back is ignored: the session saves this rack")
    }
    if writesBack {
      // Files that cannot be written are reported at the start.
      for path in performance.rackFiles {
        if let reason = RackLoader.reasonNotToWrite(path) { throw Failure(reason, code: .usage) }
        try WholeFile.checkReplaceable(path)
      }
    }
    var options = server.stage(osc, page)
    (options.recording, options.writesBack) = (record, writesBack)
    options.files = .lenient
    options.watchesFiles = watch ?? Terminal.outputIsTerminal
    try await Player(log).play(server: server, signals: signals) { [options] in
      try await Stage.start(
        performance, options, catalogue: catalogue, project: project, diagnostics: diagnostics,
        read: read)
    }
  }
}
