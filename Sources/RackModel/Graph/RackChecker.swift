import Documents
import UnitModel

/// Checks a rack against the units of a catalogue, and finds all of its errors in one run.
///
/// The checker reads no files: the caller says whether a file exists.
public struct RackChecker {
  /// The units that a rack can name.
  public let catalogue: any UnitDirectory
  /// The absolute path of the rack file's folder, to which its paths are relative.
  public let folder: String
  /// Returns the user presets of a unit; called only for units that name a preset.
  public internal(set) var presets: (UnitFacts) -> [UnitState]
  /// Whether there is a readable file at a path.
  public let fileExists: (String) -> Bool

  /// Whether a unit may be missing, by its text in the rack file. The plan then leaves it out.
  public var mayMiss: (String) -> Bool = { _ in false }

  /// Whether a file that a property names may be missing. The property then keeps its default, with a
  /// warning.
  public var allowsMissingFiles = false

  /// Whether the rack is to play live, which an offline effect cannot.
  public var playsLive = false

  /// The commands that a rack's controls can call.
  public var targets: [CalledCommand.Form] = []

  /// The most units of a rack: few enough to check and render in time.
  static let maximumUnits = 1024

  public init(
    catalogue: any UnitDirectory, folder: String,
    presets: @escaping (UnitFacts) -> [UnitState] = { _ in [] },
    fileExists: @escaping (String) -> Bool
  ) {
    self.catalogue = catalogue
    self.folder = folder
    // Each unit's presets are read once, since that may read a folder.
    var known: [UnitReference: [UnitState]] = [:]
    self.presets = { facts in
      let unit = UnitReference(.component(facts.component), version: facts.version)
      let states = known[unit] ?? presets(facts)
      known[unit] = states
      return states
    }
    self.fileExists = fileExists
  }

  /// Parses and checks a rack file; returns a plan if there is no error, and all diagnostics in order of
  /// position.
  public func check(_ bytes: some Sequence<UInt8>, file: String) -> (Plan?, [Diagnostic]) {
    let (rack, findings) = open(bytes, file: file)
    return (rack?.plan, findings)
  }

  /// Parses and checks a rack file; returns the rack with its plan if there is no error, and all
  /// diagnostics in order of position.
  public func open(
    _ bytes: some Sequence<UInt8>, file: String
  ) -> (rack: CheckedRack?, diagnostics: [Diagnostic]) {
    let bytes = Array(bytes.prefix(Rack.maximumSize + 1))
    let (rack, problems) = Rack.read(bytes, file: file)
    guard let rack else { return (nil, problems) }
    let formIsRight = !problems.contains { $0.severity == .error }
    let (plan, findings) = check(rack, isComplete: formIsRight)
    let checked = formIsRight ? plan.map { self.checked(rack, $0, bytes) } : nil
    return (checked, (problems + findings).inOrder())
  }

  /// Checks a rack whose file was edited. Its units keep their values from `former`.
  package func check(
    _ rack: Rack, withValuesOf former: CheckedRack
  ) -> (rack: CheckedRack?, diagnostics: [Diagnostic]) {
    let (checked, diagnostics) = check(rack)
    return (checked?.withValues(of: former), diagnostics)
  }

  /// Checks a rack that was read, edited or made in Swift; returns it with its plan if there is no error.
  public func check(_ rack: Rack) -> (rack: CheckedRack?, diagnostics: [Diagnostic]) {
    let (plan, findings) = check(rack, isComplete: true)
    return (plan.map { checked(rack, $0) }, findings)
  }

  private func checked(
    _ rack: Rack, _ plan: Plan, _ bytes: [UInt8]? = nil
  ) -> CheckedRack {
    CheckedRack(file: rack, folder: folder, plan: plan, bytes: bytes)
  }

  /// - Parameter isComplete: whether the file's form is correct, so that missing parts deserve a warning.
  private func check(_ rack: Rack, isComplete: Bool) -> (Plan?, [Diagnostic]) {
    checkWithoutMissing(rack, isComplete: isComplete) ?? checkAll(rack, isComplete: isComplete)
  }

  func checkAll(_ rack: Rack, isComplete: Bool) -> (Plan?, [Diagnostic]) {
    let diagnostics = DiagnosticCollector(file: rack.file)
    if rack.units.count > Self.maximumUnits {
      diagnostics.error(
        rack.units[Self.maximumUnits].name.position,
        "a rack has at most \(Self.maximumUnits) units; this one has \(rack.units.count)")
      return (nil, diagnostics.diagnostics)
    }
    let context = context(for: rack, diagnostics: diagnostics)
    let groups = UnitGroups(context)
    groups.checkSizes()
    let tempo = rack.tempo.flatMap { context.value($0, for: Self.tempoRange, name: "tempo") }
    var connections = ConnectionResolver(context)
    connections.resolve(rack.connections)

    let modulations = context.modulations(rack.modulations)
    let modulating = modulations.map { $0.planned.cable(at: $0.position) }
    let scenes = context.scenes(rack.scenes)
    let controls = context.controls(rack.controls, scenes: scenes, targets: targets)
    let automation = context.lanes(rack.lanes)
    let exposed = context.exposed(rack.exposed)
    let graph = UnitGraph(
      unitCount: context.units.count, cables: connections.cables + modulating,
      midiCables: connections.midiCables)
    for loop in graph.loops { report(loop, context, isModulated: !modulations.isEmpty) }
    OfflineChecker(
      context: context, cables: connections.cables, midiCables: connections.midiCables,
      modulations: modulations, catalogue: catalogue, playsLive: playsLive
    ).check()
    var negotiator = ChannelNegotiator(connections, catalogue: catalogue)
    negotiator.negotiate(order: graph.order)
    negotiator.checkSourceChannels(of: modulating)
    if isComplete && !diagnostics.hasErrors {
      ReachChecker(connections: connections, modulating: modulating, controls: controls)
        .check(rack)
      groups.remarkOnRows(
        order: graph.order, cables: connections.cables, midiCables: connections.midiCables,
        counts: negotiator.counts)
    }
    checkPipelines(
      context, feedsBack: (connections.cables + modulating).contains(where: \.isFeedback))
    let findings = diagnostics.diagnostics.inOrder()
    guard !diagnostics.hasErrors, let name = rack.name else { return (nil, findings) }
    let planned = zip(context.units, negotiator.counts).compactMap {
      unit, counts -> PlannedUnit? in
      var planned = counts.flatMap { unit.planned(channels: $0) }
      planned?.grantedFiles = unit.grantedFiles
      return planned
    }
    let ports = context.ports
    let plan = Plan(
      name: name.value, tempo: tempo.map(Double.init) ?? Plan.defaultTempo,
      threads: rack.threads, processes: rack.processes, inputs: ports.inputs.map(\.port),
      outputs: ports.outputs.map(\.port),
      midiInputs: ports.midiInputs.map(\.port), midiOutputs: ports.midiOutputs.map(\.port),
      units: planned, cables: connections.cables,
      midiCables: connections.midiCables, modulations: modulations.map(\.planned),
      controls: controls, scenes: scenes, exposed: exposed, automation: automation)
    return (plan, findings)
  }

  /// Reports pipelined units in a rack with feedback. Such a rack is rendered in parts of a cycle, and a
  /// pipelined unit would have to answer each part before the next.
  private func checkPipelines(_ context: RackContext, feedsBack: Bool) {
    for unit in context.units where feedsBack && unit.isPipelined {
      context.diagnostics.error(
        unit.entry.isPipelined?.position ?? unit.entry.name.position,
        "“\(unit.name)” cannot be pipelined in a rack with a feedback cable (~>) or a late modulation;"
          + " leave “pipeline” out")
    }
  }

  /// Returns the resolved ports and units of a rack.
  func context(for rack: Rack, diagnostics: DiagnosticCollector) -> RackContext {
    let ports = RackPorts(rack, diagnostics: diagnostics)
    let resolver = UnitResolver(checker: self, diagnostics: diagnostics)
    return RackContext(
      rack, units: rack.units.map(resolver.resolve), ports: ports, diagnostics: diagnostics)
  }

  /// The description of the tempo as a parameter, beats per minute.
  public static let tempoRange = ParameterInfo(
    identifier: "tempo", name: "Tempo", unit: .beatsPerMinute, minimum: 10, maximum: 400,
    defaultValue: Float(Plan.defaultTempo))

  private func report(
    _ loop: UnitGraph.Loop, _ context: RackContext, isModulated: Bool
  ) {
    let names = loop.units.map { context.units[$0].name }
    let first = names.first ?? ""
    let last = names.last ?? ""
    let advice =
      loop.isMIDI
      ? "MIDI cannot feed back"
      : "where it is meant, mark the cable that feeds back: \(last) ~> \(first)"
        + (isModulated ? ", or the modulation: late: true" : "")
    context.diagnostics.error(
      loop.position, "a loop: \((names + [first]).joined(separator: " -> ")); \(advice)")
  }
}
