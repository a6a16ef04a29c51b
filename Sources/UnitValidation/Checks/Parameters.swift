import CUnit
import Documents
import UnitModel

extension Check {
  static let parameterValues = Check("parameter-values", "keeps the values that it is given") {
    subject in
    let host = try subject.host()
    for parameter in subject.parameters() {
      let value = host.value(at: parameter.address)
      if value != parameter.info.defaultValue {
        throw Fault(
          "\(parameter.keyPath) begins at \(value), not at its default"
            + " \(parameter.info.defaultValue)")
      }
    }
    for parameter in subject.parameters() {
      let info = parameter.info
      for value in [info.minimum, info.maximum, info.defaultValue] {
        host.set(parameter.address, to: value)
        let found = host.value(at: parameter.address)
        if found != info.kept(value) {
          throw Fault("\(parameter.keyPath) is \(found) when set to \(value)")
        }
      }
      subject.report("an event for \(parameter.keyPath)")
      let ramp = info.flags.contains(.rampable) ? 100 : 0
      let event = UnitEvent.parameter(parameter.address, info.maximum, ramp: ramp, at: 20)
      _ = try host.render(subject.noise(200, blocks: [64], events: [event]))
      let found = host.value(at: parameter.address)
      if found != info.kept(info.maximum) {
        throw Fault("\(parameter.keyPath) is \(found) after an event that says \(info.maximum)")
      }
    }
    return .pass()
  }

  /// Sets each parameter alone to its ends, and all at once.
  static let parameterExtremes = Check("parameter-extremes", "stays finite at the ends of ranges") {
    subject in
    let parameters = subject.parameters()
    guard !parameters.isEmpty else { return .notApplicable("it has no parameters") }
    let job = subject.noise(3000, events: subject.notes(3000))
    for (name, chosen) in parameters.map({ ($0.keyPath, [$0]) }) + [("everything", parameters)] {
      for (end, value) in [("minimum", \ParameterInfo.minimum), ("maximum", \.maximum)] {
        let values = chosen.map { ($0.address, $0.info[keyPath: value]) }
        let host = try subject.host(values: Dictionary(uniqueKeysWithValues: values))
        try subject.requireFinite(job, with: host, "with \(name) at its \(end)")
      }
    }
    return .pass(numbered(parameters.count, "parameter"))
  }

  /// Ramps parameters from end to end, and in bursts of jumps.
  static let parameterSweeps = Check("parameter-sweeps", "stays finite while parameters move") {
    subject in
    let parameters = subject.parameters()
    guard !parameters.isEmpty else { return .notApplicable("it has no parameters") }
    let frames = 8000
    var sweeps = subject.notes(frames)
    var bursts = sweeps
    for (index, parameter) in parameters.enumerated() {
      func move(_ number: Int, ramp: Int = 0, at frame: Int) -> UnitEvent {
        let end = number % 2 == 0 ? parameter.info.minimum : parameter.info.maximum
        return .parameter(parameter.address, end, ramp: ramp, at: frame)
      }
      if parameter.info.flags.contains(.rampable) {
        sweeps += (0..<4).map { move($0, ramp: 1900, at: $0 * 2000 + index % 100) }
      }
      bursts += stride(from: index, to: frames, by: 7 + index).enumerated().map {
        move($0.offset, at: $0.element)
      }
      bursts += (0..<64).map { move($0, at: 4000) }
    }
    try subject.requireFinite(subject.noise(frames, events: sweeps), "while parameters sweep")
    try subject.requireFinite(subject.noise(frames, events: bursts), "in a burst of changes")
    return .pass(numbered(sweeps.count + bursts.count, "event"))
  }

  static let unknownEvents = Check("unknown-events", "ignores events for what it does not have") {
    subject in
    let count = UInt64(subject.facts.parameters.count)
    var events = [count, 0xFFFF_FFFF, 500 << 32, .max].map {
      UnitEvent.parameter($0, 1, ramp: 30, at: 100)
    }
    if !subject.facts.hasMIDIInput {
      events += [
        .midi([0x90, 60, 100], at: 200),
        UnitEvent(.systemExclusive([0xF0, 0xF7], cable: 0), at: 300),
      ]
    }
    try subject.requireSame(
      try subject.render(subject.noise(2000, events: events)),
      try subject.render(subject.noise(2000)), "after events that do not concern it")
    return .pass()
  }

  static let state = Check("state", "comes back from a saved state") { subject in
    let (facts, parameters) = (subject.facts, subject.parameters())
    var random = SeededGenerator(seed: 5)
    let values = parameters.map { ($0.address, Subject.value(of: $0.info, using: &random)) }
    let first = try subject.host(values: Dictionary(uniqueKeysWithValues: values))
    var saved = UnitState(component: facts.component, version: facts.version)
    for parameter in parameters {
      saved.parameters[parameter.keyPath] = first.value(at: parameter.address)
    }
    let text = saved.written(for: facts)
    let (state, diagnostics) = UnitState.read(text.utf8, file: "state.yaml") { _ in facts }
    guard let state else {
      throw Fault("its state cannot be read back: \(diagnostics.first?.message ?? "")")
    }
    let second = try subject.host(
      values: state.values(for: facts, inputBusCount: first.format.inputs.count))
    for parameter in parameters {
      let before = first.value(at: parameter.address)
      let after = second.value(at: parameter.address)
      if before != after {
        throw Fault("\(parameter.keyPath) was \(before) and comes back as \(after)")
      }
    }
    let job = subject.noise(3000, events: subject.notes(3000))
    try subject.requireSame(
      try second.render(job), try first.render(job), "when its state is restored")
    return .pass(numbered(saved.parameters.count, "value"))
  }

  static let presets = Check("presets", "takes on its presets") { subject in
    let presets = subject.facts.factoryPresets
    guard !presets.isEmpty else { return .notApplicable("it has no factory presets") }
    for preset in presets {
      subject.report(preset.name)
      let host = try subject.host(values: preset.values)
      for (address, value) in preset.values where host.value(at: address) != value {
        let keyPath = subject.facts.parameter(at: address)?.keyPath ?? "\(address)"
        throw Fault("\(preset.name): \(keyPath) is \(host.value(at: address)), not \(value)")
      }
      let job = subject.noise(3000, events: subject.notes(3000))
      try subject.requireFinite(job, with: host, "with the preset \(preset.name)")
    }
    return .pass(numbered(presets.count, "preset"))
  }

  static let propertyValues = Check("property-values", "says why it refuses a property") {
    subject in
    let properties = subject.facts.properties
    guard !properties.isEmpty else { return .notApplicable("it has no properties") }
    let values: [(name: String, bytes: [UInt8])] = [
      ("nothing", []), ("a path that leads nowhere", Array("/no/such/file".utf8)),
      ("a folder", Array("/usr/share".utf8)),
      ("a long text", [UInt8](repeating: 0x61, count: 100_000)),
      ("bytes that are not UTF-8", [0xFF, 0xFE, 0x80]),
    ]
    let host = try subject.host()
    for (index, property) in properties.enumerated() {
      for value in values {
        subject.report("\(property.identifier): \(value.name)")
        // Pass half of the memory's size to the unit, which must not write to the other half.
        var message = [CChar](repeating: 0x55, count: 64)
        let bytes = value.bytes.map { CChar(bitPattern: $0) } + [0]
        let status = bl_set_property(
          subject.descriptor, host.unit, UInt32(index), bytes, &message, 32)
        if message[32...].contains(where: { $0 != 0x55 }) {
          throw Fault(
            "\(property.identifier): the message about \(value.name) is longer than its room")
        }
        if status != BL_OK, !message[..<32].contains(0) || message[0] == 0 {
          throw Fault("\(property.identifier): refuses \(value.name) and does not say why")
        }
      }
    }
    try subject.requireFinite(
      subject.noise(1000, events: subject.notes(1000)), with: host,
      "after properties that it refused")
    return .pass(numbered(properties.count, "property", plural: "properties"))
  }
}

/// Checks of units' own data.
extension Check {
  static let data = Check("data", "takes up the data that it saves") { subject in
    let indices = subject.facts.properties.indices.filter {
      subject.facts.properties[$0].kind == .data
    }
    guard !indices.isEmpty else { return .notApplicable("it has no data") }
    // Press all buttons, which may be what turns the sound into data.
    let presses = subject.parameters().filter(\.info.isMomentary).enumerated().map {
      UnitEvent.parameter($0.element.address, 1, at: 4800 * ($0.offset + 1))
    }
    let first = try subject.host()
    _ = try first.render(subject.noise(96_000, events: presses + subject.notes(96_000)))
    let second = try subject.host()
    for index in indices {
      let name = subject.facts.properties[index].identifier
      subject.report(name)
      let saved = try first.data(ofPropertyAt: index)
      guard !saved.isEmpty else { continue }
      try UnitHost.load(saved, intoPropertyAt: index, of: second.unit, subject.descriptor)
      if try !second.data(ofPropertyAt: index).isEmpty {
        throw Fault("\(name): saves again what was loaded: it writes nothing where nothing is new")
      }
      // A new instance, allocated afterwards, must have the data, too.
      let third = try UnitHost(subject.descriptor, format: subject.plainFormat()) { unit in
        try UnitHost.load(saved, intoPropertyAt: index, of: unit, subject.descriptor)
      }
      second.reset()
      let job = subject.noise(4800)
      try subject.requireSame(
        try second.render(job), try third.render(job), "with the data \(name)")
    }
    return .pass(numbered(indices.count, "property", plural: "properties"))
  }
}

extension ParameterInfo {
  /// Returns the parameter's value after it was set to `value`: a button has no value.
  fileprivate func kept(_ value: Float) -> Float { isMomentary ? 0 : value }
}
