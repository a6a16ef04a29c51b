import AsyncSupport
import AudioUnits
import Dispatch
import Documents
import JackIO
import OSC
import RackControl
import RackEngine
import RackFiles
import RackModel
import RackSession

/// A rack or set list that plays through JACK, as `backline run` plays it: the stage follows the files and the
/// bundles of the units, and opens a control socket and OSC.
///
/// `engine.events` report events. The rack plays until `stop`, or until the stage is released.
public actor Stage {
  public struct Options: Sendable {
    public var server = JackServerChoice.join
    public var serverOptions = JackServer.Options()
    /// Whether the rack ends with the server, instead of waiting for the next.
    public var endsWithServer = false
    /// Whether the client becomes JACK's timebase master, unless there is one.
    public var takesTimebase = false
    /// The thread choice that overrides the racks' own; nil for the racks' own.
    public var threads: ThreadChoice?
    /// The rule for files that units refuse at the start.
    public var files = FileRule.kept
    /// The client's name in JACK; nil for the name of the project, the set list or the rack.
    public var clientName: String?
    /// Whether `backline ctl` can control the rack.
    public var opensControlSocket = false
    /// The options of the rack's page, which needs the control socket; nil for no page.
    public var page: PageProcess.Options?
    /// Opens the socket for OSC; nil for no OSC.
    package var osc: (@Sendable () throws(OSCError) -> OSCSocket?)?
    /// Whether saved changes of the files are followed.
    public var watchesFiles = false
    /// Whether live changes are written into the rack file at the end.
    public var writesBack = false
    /// The path of a sound file that all outputs are recorded into; if it exists, the next free name is used.
    public var recording: String?

    public init() {}
  }

  /// A function that reads the files again; the performance is nil if they have errors.
  package typealias Reader =
    @Sendable () -> (
      performance: Performance?, diagnostics: [Diagnostic]
    )

  public nonisolated let session: RackSession
  public nonisolated var engine: Engine { session.engine }

  private let executor = QueueExecutor(label: "backline.stage")
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }
  private let options: Options
  private let project: ManagedProject?
  private let read: Reader
  /// The files as last read without errors.
  private var performance: Performance
  /// The diagnostics of the last reading.
  private var diagnostics: [Diagnostic]
  private var isWrong = false
  /// The contents of the files, by path.
  private var contents: [String: [UInt8]]
  /// The files of units that had changed at the last comparison, by path.
  private var changed: [String: FileStamp] = [:]
  private let folders = FolderWatcher()
  private var watched: (bundles: Set<UnitBundle>, missing: [MissingUnit]) = ([], [])
  private var parts: Parts

  /// A task beside the playback; tasks run one after the other, and a stop does not wait for them.
  private enum Work: Sendable {
    case reload
    /// The files have changed.
    case files
    /// Files that units read have changed.
    case unitFiles
    case bundle(ComponentChange)
  }
  private nonisolated let work: AsyncStream<Work>.Continuation

  /// Plays a rack from `Rack.load` or `Rack.checked` until `stop`.
  ///
  /// - Throws: `JackError`, `RackError` or `SoundFileError`, with nothing left behind.
  public static func start(
    _ rack: CheckedRack, options: Options = Options(), catalogue: ComponentCatalogue = .shared
  ) async throws -> Stage {
    try await start(.rack(rack), options, catalogue: catalogue) { (.rack(rack), []) }
  }

  /// Plays a rack or set list until `stop`.
  ///
  /// - Parameters:
  ///   - diagnostics: the diagnostics of reading `performance`.
  ///   - read: reads the performance again.
  package static func start(
    _ performance: Performance, _ options: Options, catalogue: ComponentCatalogue,
    project: ManagedProject? = nil, diagnostics: [Diagnostic] = [], read: @escaping Reader
  ) async throws -> Stage {
    // The files are read before the start, during which a file may be saved.
    let contents = options.watchesFiles ? contents(of: performance.files) : [:]
    let (rack, setListPlayer, engine) = try await start(
      performance, options, catalogue: catalogue, project: project)
    if let path = options.recording {
      do {
        _ = try await engine.startRecording(RecordingRequest(path: path).withFreeName())
      } catch {
        await engine.stop()
        throw error
      }
    }
    var sources = RackLoader.sources(catalogue)
    let name = rack.file.file
    // The rack is read with its automation file, and its name never stands for a rack that comes with Backline.
    if !performance.isSetList {
      sources.load = { [load = sources.load] path in
        guard path == name else { return load(path) }
        let (performance, diagnostics) = read()
        return (performance?.rack, diagnostics)
      }
    }
    let session = await RackSession(
      rack, engine: engine, sources: sources, setListPlayer: setListPlayer)
    if options.writesBack { await session.writeBack() }
    let (stream, work) = AsyncStream.makeStream(of: Work.self)
    let stage = Stage(session, performance, contents, options, project, diagnostics, read, work)
    await stage.open(stream)
    return stage
  }

  /// Plays the rack, or the first song of a set list that the engine can play.
  private static func start(
    _ performance: Performance, _ options: Options, catalogue: ComponentCatalogue,
    project: ManagedProject?
  ) async throws -> (CheckedRack, SetListPlayer?, Engine) {
    var refusals: [String] = []
    var opening = try performance.opening()
    while true {
      do {
        let engine = try await Engine.start(
          opening.plan, catalogue: catalogue, server: options.server,
          options: options.serverOptions, endsWithServer: options.endsWithServer,
          takesTimebase: options.takesTimebase, threads: options.threads,
          clientName: options.clientName ?? project?.project.clientName ?? opening.player?.title,
          files: options.files)
        for refusal in refusals { await engine.report(.warning(refusal)) }
        return (opening.rack, opening.player, engine)
      } catch let error as RackError {
        guard let player = opening.player,
          let next = try? performance.opening(from: player.nextPlace)
        else { throw error }
        refusals.append("“\(player.name)” cannot be played: \(error)")
        opening = next
      }
    }
  }

  private init(
    _ session: RackSession, _ performance: Performance, _ contents: [String: [UInt8]],
    _ options: Options, _ project: ManagedProject?, _ diagnostics: [Diagnostic],
    _ read: @escaping Reader,
    _ work: AsyncStream<Work>.Continuation
  ) {
    self.contents = contents
    (self.session, self.performance) = (session, performance)
    (self.options, self.project, self.diagnostics) = (options, project, diagnostics)
    parts = Parts(session: session, project: project, writesBack: options.writesBack)
    (self.read, self.work) = (read, work)
  }

  private func open(_ stream: AsyncStream<Work>) async {
    if options.opensControlSocket {
      do {
        parts.control = try await ControlServer.start(session)
        startPage()
      } catch {
        await engine.report(.warning("“backline ctl” cannot control this rack: \(error)"))
      }
    }
    await project?.opened(session, isSetList: performance.isSetList)
    await openOSC()
    // Tasks do not retain the stage, which ends with its last owner.
    parts.tasks.append(
      Task { [weak self] in for await work in stream { await self?.carryOut(work) } })
    watchBundles(of: await session.rack.plan)
    parts.tasks.append(
      Task { [weak self, session] in
        for await events in session.events() where events.contains(where: { $0 is RackReplaced }) {
          await self?.watchBundles(of: session.rack.plan)
          await self?.watchFiles()
        }
      })
    await watchFiles()
    if options.watchesFiles {
      parts.tasks.append(
        Task { [weak self, folders] in for await _ in folders.changes { await self?.compareFiles() }
        })
    }
    if let song = await session.status().song { await engine.report(.song(song)) }
  }

  private func startPage() {
    guard let wanted = options.page, let socket = parts.control?.path else { return }
    let (events, report) = AsyncStream.makeStream(of: EngineEvent.self)
    parts.tasks.append(
      Task { [engine] in for await event in events { await engine.report(event) } })
    do {
      parts.page = try PageProcess(socket: socket, wanted) { report.yield($0) }
    } catch {
      report.yield(.warning("the page cannot be served: \(error)"))
    }
  }

  private func openOSC() async {
    do throws(OSCError) {
      guard let socket = try options.osc?() else { return }
      if let endpoint = socket.endpoint {
        await engine.report(.remark("OSC at osc.udp://\(endpoint)/"))
      }
      parts.osc = await OSCServer.start(session, on: socket) { [engine] sentence in
        Task { await engine.report(.warning(sentence)) }
      }
    } catch {
      let advice = error.isTaken ? "; give --osc another port, or 0 for any that is free" : ""
      await engine.report(.warning("OSC cannot control this rack: \(error)\(advice)"))
    }
  }

  /// Plays the rack file as saved, with its values; of a set list, applies the changes of the files.
  public nonisolated func reload() async {
    guard await performance.isSetList else {
      _ = work.yield(.reload)
      return
    }
    work.yield(.files)
    work.yield(.unitFiles)
  }

  /// Fades out and ends; returns a sentence about saved live changes, or nil.
  @discardableResult
  public func stop() async -> String? {
    let ending = parts
    parts.haveEnded = true
    return await ending.stop()
  }

  /// Stops a stage that was not stopped, without waiting for that.
  deinit { Task { [parts] in await parts.stop() } }

  /// The parts that end with the stage.
  private struct Parts: Sendable {
    let session: RackSession
    let project: ManagedProject?
    let writesBack: Bool
    var tasks: [Task<Void, Never>] = []
    var bundleTasks: [Task<Void, Never>] = []
    var control: ControlServer?
    var osc: OSCServer?
    var page: PageProcess?
    var haveEnded = false

    @discardableResult
    func stop() async -> String? {
      guard !haveEnded else { return nil }
      for task in tasks + bundleTasks { task.cancel() }
      page?.stop()
      await control?.stop()
      await osc?.stop()
      await project?.client.stop()
      await session.end()
      let saved = writesBack ? await session.saveOrCopy() : nil
      await session.engine.stop()
      return saved
    }
  }

  private func carryOut(_ work: Work) async {
    do {
      switch work {
      case .reload: try await session.perform(ReloadRack())
      case .files: try await followFiles()
      case .unitFiles: try await followUnitFiles()
      case .bundle(.appeared(let component)), .bundle(.changed(let component)):
        try await follow(component)
      case .bundle(.refused(let bundle)):
        for problem in bundle.problems { await engine.report(.remark(problem)) }
        await engine.report(
          .warning("\(bundle.bundle.path) cannot be used; the old unit plays on"))
      case .bundle(.vanished), .bundle(.tagged): break
      }
    } catch {
      guard await !session.hasEnded else { return }
      await engine.report(.warning("\(error); what was playing goes on"))
    }
  }

  private func followFiles() async throws {
    let (read, diagnostics) = await DispatchQueue.global().answer { [read] in read() }
    let (kind, wasWrong) = (performance.isSetList ? "set list" : "rack file", isWrong)
    // A set list has many files: only new messages are of interest.
    for diagnostic in diagnostics
    where !performance.isSetList || !self.diagnostics.contains(diagnostic) {
      await engine.report(.diagnostic(diagnostic))
    }
    (self.diagnostics, isWrong) = (diagnostics, read == nil)
    guard let read else {
      return await engine.report(.warning("the \(kind) is wrong; what was playing goes on"))
    }
    switch read {
    case .rack(let rack, _): try await session.follow(rack)
    case .setList(let list): try await session.follow(list)
    }
    performance = read
    await watchFiles()
    if wasWrong {
      await engine.report(.remark("the \(kind) is right again, and plays as written"))
    }
  }

  private func followUnitFiles() async throws {
    let changed = await engine.changedUnitFiles.keys.sorted()
    guard !changed.isEmpty else { return }
    let diagnostics = try await session.renew()
    for diagnostic in diagnostics { await engine.report(.diagnostic(diagnostic)) }
    guard diagnostics.isEmpty else { return }
    let names = changed.prefix(3).map { FilePath.name(of: $0) }.joined(separator: ", ")
    let others = changed.count > 3 ? " and \(changed.count - 3) others" : ""
    await engine.report(.remark("\(names)\(others) changed and was read again"))
  }

  private func follow(_ component: Component) async throws {
    let missing = await session.rack.plan.missing.map(\.name)
    let diagnostics = try await session.renew()
    let stillMissing = await session.rack.plan.missing.map(\.name)
    let found = missing.filter { !stillMissing.contains($0) }
    await engine.report(
      .remark(
        found.isEmpty
          ? "\(component.name) was rebuilt and is loaded"
          : "\(component.name) is available now: \(found.joined(separator: ", ")) plays"))
    for diagnostic in diagnostics { await engine.report(.diagnostic(diagnostic)) }
    if !diagnostics.isEmpty {
      await engine.report(.warning("the rack does not fit the new bundle; the old one plays on"))
    }
  }

  // MARK: - Files and bundles

  private func watchFiles() async {
    guard options.watchesFiles else { return }
    let files = performance.files + (await engine.unitFiles)
    // Both the folder of a link and the folder of its target can change.
    folders.watch(
      Set(
        files.flatMap { [$0, FilePath.resolve($0) ?? $0] }.map { path in
          FilePath.folder(of: FilePath.absolute(path))
        }
      ).sorted())
    await compareFiles()
  }

  /// Schedules a reload if the contents of a file have changed, or a missing file exists now. A removed file
  /// counts as unchanged: some editors replace files.
  private func compareFiles() async {
    let changed = await engine.changedUnitFiles
    if changed != self.changed, !changed.isEmpty { work.yield(.unitFiles) }
    self.changed = changed
    let present = Self.contents(of: performance.files)
    let hasChanged = present.contains { path, bytes in
      !bytes.isEmpty && contents[path].map { $0 != bytes } ?? false
    }
    contents.merge(present) { old, new in new.isEmpty ? old : new }
    if hasChanged { work.yield(.files) }
  }

  /// Returns the contents of files, by path; empty for missing files.
  private static func contents(of files: [String]) -> [String: [UInt8]] {
    Dictionary(
      files.map { ($0, (try? WholeFile.read($0, limit: AutomationFile.maximumSize)) ?? []) }
    ) { first, _ in first }
  }

  /// Watches the bundles of the rack's units and of its missing units, and the whole catalogue for missing units
  /// without a bundle.
  private func watchBundles(of plan: Plan) {
    let catalogue = engine.catalogue
    let bundles = Set(
      plan.units.compactMap { (try? catalogue.components(for: $0.reference))?.first?.bundle }
        + plan.missing.compactMap { $0.bundle.map(UnitBundle.init(path:)) })
    let missing = plan.missing.filter { $0.bundle == nil }
    guard bundles != watched.bundles || missing != watched.missing else { return }
    for task in parts.bundleTasks { task.cancel() }
    (watched, parts.bundleTasks) = ((bundles, missing), [])
    if !bundles.isEmpty {
      let changes = catalogue.changes(of: Array(bundles))
      parts.bundleTasks.append(
        Task { [work] in for await change in changes { work.yield(.bundle(change)) } })
    }
    guard !missing.isEmpty else { return }
    let isMissed: @Sendable (Component) -> Bool = { component in
      missing.contains { $0.isMet(by: component.component, called: component.name) }
    }
    let changes = catalogue.changes { [work] in
      // A unit that came between the rack's check and the first look.
      for component in catalogue.components where isMissed(component) {
        work.yield(.bundle(.appeared(component)))
      }
    }
    parts.bundleTasks.append(
      Task { [work] in
        for await change in changes where change.usable.map(isMissed) ?? false {
          work.yield(.bundle(change))
        }
      })
  }
}

extension ComponentChange {
  /// The component that can be used now; nil if there is none.
  fileprivate var usable: Component? {
    switch self {
    case .appeared(let component), .changed(let component): component
    case .refused, .vanished, .tagged: nil
    }
  }
}
