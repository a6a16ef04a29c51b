import UnitModel

/// A rack's graph: ports and units as boxes, in columns in the order of the signal, and the cables.
///
/// The boxes are in the order of the plan: inputs, MIDI inputs, units, outputs, MIDI outputs.
struct RackPicture {
  struct Box {
    /// The name of the port or unit in the rack file.
    var name: String
    /// The unit's name in the catalogue, or what the port carries.
    var kind: String
    /// The description for tooltips and screen readers.
    var words: String
    var isPort = true
    /// The process in which the unit renders; empty for the host's.
    var process = ""
    var column = 0
    /// The names of the inputs at the left edge, from the top; empty where one label suffices.
    var inlets: [String] = []
    var x = 0.0
    var y = 0.0
    var width = 0.0
    var height = 0.0
  }

  enum Kind: String, CaseIterable {
    case audio, sidechain, feedback
    case midi = "MIDI"
    case control
  }

  struct Cable {
    var from: Int
    var to: Int
    var kind: Kind
    /// The part of the signal that the cable carries; empty for all.
    var part = ""
    /// The cable as in a rack file; nil for a control.
    var chain: String?
    /// The distance of the end below the middle of `to`.
    var offset = 0.0
    /// The horizontal span of each column that the cable passes, and its y coordinate there.
    var bends: [(left: Double, right: Double, y: Double)] = []
  }

  private(set) var boxes: [Box] = []
  private(set) var cables: [Cable] = []
  private(set) var width = 0.0
  private(set) var height = 0.0
  let title: String
  let words: String
  private let plan: Plan
  private let style: Style

  /// The sizes of the boxes: as large as their labels, or large enough to be operated, as on the page.
  enum Style { case labels, blocks }

  static let margin = 14.0
  static let rowHeight = 15.0
  /// The least size of a unit's block.
  static let block = (width: 150.0, height: 104.0)
  static let feedbackHeight = 16.0

  /// - Parameter places: the positions of boxes that a person has moved, by name.
  init(
    _ plan: Plan, catalogue: any UnitDirectory, style: Style = .labels,
    places: [String: BoxPlace] = [:]
  ) {
    self.plan = plan
    self.style = style
    title = plan.name
    let drawn = plan.drawnCables
    words = drawn.map(\.text).joined(separator: ", ")
    addBoxes(catalogue)
    addCables(drawn)
    setColumns()
    measure()
    place()
    move(to: places)
  }

  private mutating func addBoxes(_ catalogue: any UnitDirectory) {
    func port(_ port: Port, _ kind: String) -> Box {
      let written = kind.isEmpty ? ["mono", "stereo"][safe: port.channelCount - 1] : kind
      let text = written ?? "\(port.channelCount) channels"
      return Box(name: port.name, kind: text, words: "\(port.name): \(text)")
    }
    boxes += plan.inputs.map { port($0, "") } + plan.midiInputs.map { port($0, "MIDI") }
    boxes += plan.units.map { unit in
      let kind = unit.facts.name
      let preset = unit.presetName.map { ", preset \($0)" } ?? ""
      let process =
        switch unit.process ?? catalogue.defaultProcess(of: unit.reference) {
        case .host: ""
        case .own: "own process"
        case .group(let name): "process \(name)"
        }
      return Box(
        name: unit.name, kind: kind, words: "\(unit.name): \(kind)\(preset)", isPort: false,
        process: process)
    }
    boxes += plan.outputs.map { port($0, "") } + plan.midiOutputs.map { port($0, "MIDI") }
  }

  private var firstUnit: Int { plan.inputs.count + plan.midiInputs.count }
  private var firstOutput: Int { firstUnit + plan.units.count }

  private mutating func addCables(_ drawn: [DrawnCable]) {
    var inlets: [[String]] = boxes.map { _ in [] }
    for cable in drawn {
      let isMIDI = cable.kind == .midi
      let bus = cable.to.bus ?? (isMIDI ? "MIDI" : "")
      let to = box(cable.to.endpoint, isMIDI: isMIDI, isSource: false)
      if !inlets[to].contains(bus) { inlets[to].append(bus) }
      let kind: Kind =
        switch cable.kind {
        case .feedback: .feedback
        case .midi: .midi
        case .audio: bus.isEmpty || Int(bus) != nil ? .audio : .sidechain
        }
      cables.append(
        Cable(
          from: box(cable.from.endpoint, isMIDI: isMIDI, isSource: true), to: to, kind: kind,
          part: cable.part, chain: cable.text, offset: Double(inlets[to].firstIndex(of: bus) ?? 0)))
    }
    for (index, names) in inlets.enumerated() where names.count > 1 {
      boxes[index].inlets = names.enumerated().sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.1)
    }
    for index in cables.indices {
      let names = inlets[cables[index].to]
      let bus = names[Int(cables[index].offset)]
      let row = boxes[cables[index].to].inlets.firstIndex(of: bus) ?? 0
      cables[index].offset = (Double(row) - Double(names.count - 1) / 2) * Self.rowHeight
    }
    cables += controlled.map { Cable(from: $0.source, to: $0.unit, kind: .control) }
  }

  private func box(_ endpoint: Endpoint, isMIDI: Bool, isSource: Bool) -> Int {
    switch endpoint {
    case .unit(let unit, _): firstUnit + unit
    case .port(let port):
      isSource
        ? port + (isMIDI ? plan.inputs.count : 0)
        : firstOutput + port + (isMIDI ? plan.outputs.count : 0)
    }
  }

  /// The boxes of each modulation's source and of each control's MIDI input, with the unit that they move,
  /// each pair once.
  private var controlled: [(source: Int, unit: Int)] {
    var found: [(source: Int, unit: Int)] = []
    for modulation in plan.modulations {
      let source = box(modulation.source, isMIDI: false, isSource: true)
      let unit = firstUnit + modulation.unit
      if !found.contains(where: { $0 == (source, unit) }) { found.append((source, unit)) }
    }
    for control in plan.controls {
      guard case .move(let target, _, _, _, _) = control.action else { continue }
      let unit =
        switch target {
        case .parameter(let unit, _), .bypass(let unit): firstUnit + unit
        }
      let port = plan.inputs.count + control.port
      if !found.contains(where: { $0 == (port, unit) }) { found.append((port, unit)) }
    }
    return found
  }

  /// Puts each unit right of all units that feed it, and a unit without sources directly left of what it
  /// feeds.
  private mutating func setColumns() {
    let ways = cables.filter { $0.kind != .feedback && $0.kind != .control }
    let order = UnitGraph(
      unitCount: plan.units.count, cables: plan.cables, midiCables: plan.midiCables
    ).order.map { $0 + firstUnit }
    for box in order {
      boxes[box].column = ways.filter { $0.to == box }.map { boxes[$0.from].column + 1 }.max() ?? 0
    }
    for box in order.reversed() where !ways.contains(where: { $0.to == box }) {
      let next = ways.filter { $0.from == box }.map { boxes[$0.to].column }.min()
      boxes[box].column = max(0, (next ?? 1) - 1)
    }
    let last = (boxes[..<firstOutput].map(\.column).max() ?? 0) + 1
    for box in firstOutput..<boxes.count { boxes[box].column = last }
  }

  private mutating func measure() {
    for index in boxes.indices {
      let box = boxes[index]
      let text = max(
        Double(box.name.count) * 7.4, Double(box.kind.count) * 5.9,
        Double(box.process.count) * 5.3)
      let inlets = box.inlets.map { Double($0.count) * 5.8 + 6 }.max() ?? 0
      switch style {
      case .blocks where !box.isPort:
        boxes[index].width = max(Self.block.width, Double(box.name.count) * 8.4 + 64, text + 24)
        boxes[index].height = max(
          Self.block.height, Double(box.inlets.count) * Self.rowHeight + 48)
      case .labels, .blocks:
        boxes[index].width = text + inlets + 16
        boxes[index].height = max(
          box.process.isEmpty ? 40 : 54, Double(box.inlets.count) * Self.rowHeight + 10)
      }
    }
  }

  private mutating func place() {
    // A control ends below its unit, at a box of height 0 in the unit's column.
    let controls = cables.indices.filter { cables[$0].kind == .control }
    let ends = controls.enumerated().map { (cable: $1, box: boxes.count + $0) }
    let forward = cables.indices.filter { cables[$0].kind != .feedback }
    let layout = LayeredLayout(
      boxes.map { .init(column: $0.column, height: $0.height) }
        + controls.map { .init(column: boxes[cables[$0].to].column, height: 0) },
      forward.map { index in
        let end = ends.first { $0.cable == index }?.box
        return .init(
          from: cables[index].from, to: end ?? cables[index].to, offset: cables[index].offset,
          isStiff: end == nil)
      })
    let columns = spans(of: layout)
    let top = layout.boxes.map { $0.y - $0.height / 2 }.min() ?? 0
    for index in boxes.indices {
      let column = columns[boxes[index].column]
      boxes[index].x = (column.left + column.right - boxes[index].width) / 2
      boxes[index].y = layout.boxes[index].y - top + Self.margin
    }
    for (edge, index) in forward.enumerated() {
      let way = layout.edges[edge]
      let end = ends.first { $0.cable == index }?.box
      cables[index].bends = (way.bends + [end].compactMap(\.self)).map { bend in
        let column = columns[layout.boxes[bend].column]
        return (column.left, column.right, layout.boxes[bend].y - top + Self.margin)
      }
    }
    width = (columns.last?.right ?? 0) + Self.margin
    let bottom = layout.boxes.map { $0.y + $0.height / 2 }.max() ?? 0
    height = bottom - top + 2 * Self.margin
  }

  /// Moves boxes to the positions that a person chose. The cables of moved boxes run straight.
  private mutating func move(to places: [String: BoxPlace]) {
    var moved: Set<Int> = []
    for index in boxes.indices {
      guard let place = places[boxes[index].name] else { continue }
      boxes[index].x = max(place.x, Self.margin)
      boxes[index].y = max(place.y, Self.margin) + boxes[index].height / 2
      width = max(width, boxes[index].x + boxes[index].width + Self.margin)
      height = max(height, boxes[index].y + boxes[index].height / 2 + Self.margin)
      moved.insert(index)
    }
    for index in cables.indices
    where moved.contains(cables[index].from) || moved.contains(cables[index].to) {
      let to = boxes[cables[index].to]
      // A control enters from below.
      cables[index].bends =
        cables[index].kind == .control
        ? [(left: to.x, right: to.x, y: to.y + to.height / 2 + Self.margin)] : []
    }
  }

  /// Returns the left and the right end of each column. The gaps leave room for the text at cables.
  private func spans(of layout: LayeredLayout) -> [(left: Double, right: Double)] {
    var left = Self.margin
    return (0...(layout.boxes.map(\.column).max() ?? 0)).map { column in
      let inside = boxes.filter { $0.column == column }
      let right = left + (inside.map(\.width).max() ?? 0)
      defer {
        let parts = cables.filter { boxes[$0.from].column == column }.map(\.part.count).max() ?? 0
        left = right + max(26, Double(parts) * 5.3 + 22)
      }
      return (left, right)
    }
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}
