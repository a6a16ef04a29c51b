import Documents
import UnitModel

/// Checks a rack file whole against the units that there are.
///
/// Every error is found in one go. Works anywhere and touches nothing: whether a file exists is asked
/// of the caller.
public struct RackChecker {
  /// All units that a rack can name.
  public let catalogue: any UnitDirectory
  /// The absolute path of the rack file's folder, to which its paths are relative.
  public let folder: String
  /// The user presets of a unit; called only for units of a rack that name a preset.
  public let presets: (UnitFacts) -> [UnitState]
  /// Answers whether there is a readable file at a path.
  public let fileExists: (String) -> Bool

  /// Whether a unit that the rack names in these words may be missing; the rest is planned without it.
  public var mayMiss: (String) -> Bool = { _ in false }

  /// Whether a file that a unit's property names may be missing; the property is then left at its
  /// default, with a warning.
  public var allowsMissingFiles = false

  /// More than any rack needs, and few enough to check and render in time.
  static let mostUnits = 1024

  public init(
    catalogue: any UnitDirectory, folder: String,
    presets: @escaping (UnitFacts) -> [UnitState] = { _ in [] },
    fileExists: @escaping (String) -> Bool
  ) {
    self.catalogue = catalogue
    self.folder = folder
    // Several units of a kind have the same, and to look may mean to read a folder.
    let known = KnownPresets(presets)
    self.presets = { known.states(of: $0) }
    self.fileExists = fileExists
  }

  /// Parses and checks; a plan where there is no error, and everything there is to say, in order of
  /// position.
  public func check(_ bytes: some Sequence<UInt8>, file: String) -> (Plan?, [Diagnostic]) {
    let (rack, findings) = open(bytes, file: file)
    return (rack?.plan, findings)
  }

  /// The same, with the rack as it is written.
  public func open(
    _ bytes: some Sequence<UInt8>, file: String
  ) -> (rack: CheckedRack?, diagnostics: [Diagnostic]) {
    let bytes = Array(bytes.prefix(RackFileParser.maximumSize + 1))
    let (rack, problems) = RackFileParser.parse(bytes, file: file)
    guard let rack else { return (nil, problems) }
    let formIsRight = !problems.contains { $0.severity == .error }
    let (plan, findings) = check(rack, isWhole: formIsRight)
    let checked = formIsRight ? plan.map { self.checked(rack, $0, bytes) } : nil
    return (checked, (problems + findings).inOrder())
  }

  /// Checks a rack file that has been parsed.
  public func check(_ rack: RackFile) -> (rack: CheckedRack?, diagnostics: [Diagnostic]) {
    let (plan, findings) = check(rack, isWhole: true)
    return (plan.map { checked(rack, $0) }, findings)
  }

  private func checked(
    _ rack: RackFile, _ plan: Plan, _ bytes: [UInt8]? = nil
  ) -> CheckedRack {
    CheckedRack(file: rack, folder: folder, plan: plan, bytes: bytes)
  }

  /// `isWhole`: nothing was left out for errors of form, so that what is missing is worth a word.
  private func check(_ rack: RackFile, isWhole: Bool) -> (Plan?, [Diagnostic]) {
    checkWithoutMissing(rack, isWhole: isWhole) ?? checkAll(rack, isWhole: isWhole)
  }

  func checkAll(_ rack: RackFile, isWhole: Bool) -> (Plan?, [Diagnostic]) {
    var diagnostics = DiagnosticCollector(file: rack.file)
    if rack.units.count > Self.mostUnits {
      diagnostics.error(
        rack.units[Self.mostUnits].name.position,
        "a rack has at most \(Self.mostUnits) units; this one has \(rack.units.count)")
      return (nil, diagnostics.diagnostics)
    }
    var connections = resolver(for: rack, diagnostics: &diagnostics)
    let (ports, units) = (connections.ports, connections.units)
    let groups = UnitGroups(units)
    groups.checkSizes(diagnostics: &diagnostics)
    let tempo = tempo(of: rack, diagnostics: &diagnostics)
    let processes = ProcessSettings(rack.processes, diagnostics: &diagnostics)
    connections.resolve(rack.connections, diagnostics: &diagnostics)

    let names = connections.names
    let targets = TargetResolver(names: names, units: units)
    let scenes = SceneResolver(targets: targets).resolve(rack.scenes, diagnostics: &diagnostics)
    let controls = ControlResolver(names: names, ports: ports, targets: targets, scenes: scenes)
      .resolve(rack.controls, diagnostics: &diagnostics)
    let automation = LaneResolver(targets: targets).resolve(
      rack.lanes, diagnostics: &diagnostics)
    let graph = UnitGraph(
      unitCount: units.count, cables: connections.cables, midiCables: connections.midiCables)
    for loop in graph.loops {
      report(loop, units: units, diagnostics: &diagnostics)
    }
    var negotiator = ChannelNegotiator(
      ports: ports, units: units, cables: connections.cables,
      incompleteUnits: connections.incompleteUnits, catalogue: catalogue)
    negotiator.negotiate(order: graph.order, diagnostics: &diagnostics)
    if isWhole && !diagnostics.hasErrors {
      let reach = ReachChecker(
        rack: rack, ports: ports, units: units, connections: connections, controls: controls)
      reach.check(diagnostics: &diagnostics)
      groups.remarkOnRows(
        order: graph.order, cables: connections.cables, midiCables: connections.midiCables,
        counts: negotiator.counts, diagnostics: &diagnostics)
    }
    let findings = diagnostics.diagnostics.inOrder()
    guard !diagnostics.hasErrors, let name = rack.name else { return (nil, findings) }
    let planned = zip(units, negotiator.counts).compactMap { unit, counts in
      counts.flatMap { unit.planned(channels: $0) }
    }
    let plan = Plan(
      name: name.value, tempo: tempo, processes: processes, inputs: ports.inputs.map(\.port),
      outputs: ports.outputs.map(\.port),
      midiInputs: ports.midiInputs.map(\.port), midiOutputs: ports.midiOutputs.map(\.port),
      units: planned, cables: connections.cables,
      midiCables: connections.midiCables, controls: controls, scenes: scenes,
      automation: automation)
    return (plan, findings)
  }

  /// The names that a rack's chains can have: its ports and its units.
  func resolver(
    for rack: RackFile, diagnostics: inout DiagnosticCollector
  ) -> ConnectionResolver {
    let ports = RackPorts(rack, diagnostics: &diagnostics)
    let names = RackNames(rack, ports: ports, diagnostics: &diagnostics)
    let resolver = UnitResolver(
      catalogue: catalogue, folder: folder, presets: presets, fileExists: fileExists,
      allowsMissingFiles: allowsMissingFiles)
    let processResolver = ProcessResolver(catalogue: catalogue)
    let units = rack.units.map { entry in
      var unit = resolver.resolve(entry, diagnostics: &diagnostics)
      processResolver.resolve(entry, for: &unit, diagnostics: &diagnostics)
      return unit
    }
    return ConnectionResolver(names: names, ports: ports, units: units)
  }

  private func tempo(of rack: RackFile, diagnostics: inout DiagnosticCollector) -> Double {
    guard let written = rack.tempo else { return Plan.usualTempo }
    do {
      return Double(try Quantity.parse(written.value, for: Self.tempoRange, name: "tempo"))
    } catch {
      diagnostics.error(written.position, error.description, suggestion: error.suggestion)
      return Plan.usualTempo
    }
  }

  /// The range of the tempo.
  public static let tempoRange = ParameterInfo(
    identifier: "tempo", name: "Tempo", unit: .beatsPerMinute, minimum: 10, maximum: 400,
    defaultValue: Float(Plan.usualTempo))

  private func report(
    _ loop: UnitGraph.Loop, units: [ResolvedUnit], diagnostics: inout DiagnosticCollector
  ) {
    let names = loop.units.map { units[$0].name }
    let first = names.first ?? ""
    let last = names.last ?? ""
    let advice =
      loop.isMIDI
      ? "MIDI cannot run round in one"
      : "where it is meant, mark the cable that feeds back: \(last) ~> \(first)"
    diagnostics.error(
      loop.position, "a loop: \((names + [first]).joined(separator: " -> ")); \(advice)")
  }
}

/// The presets of units, asked for once for each kind of unit.
private final class KnownPresets {
  private struct Kind: Hashable {
    var component: ComponentDescription
    var version: UInt32
  }

  private let find: (UnitFacts) -> [UnitState]
  private var found: [Kind: [UnitState]] = [:]

  init(_ find: @escaping (UnitFacts) -> [UnitState]) { self.find = find }

  func states(of facts: UnitFacts) -> [UnitState] {
    let kind = Kind(component: facts.component, version: facts.version)
    if let states = found[kind] { return states }
    let states = find(facts)
    found[kind] = states
    return states
  }
}
