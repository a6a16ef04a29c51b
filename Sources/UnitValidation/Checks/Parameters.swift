import Documents
import UnitModel

extension Check {
  static let parameterValues = Check("parameter-values", "keeps the values that it is given") {
    subject in
    let format = subject.plainFormat()
    let host = try subject.host(format)
    var faults: [String] = []
    for parameter in subject.facts.allParameters(inputBusCount: format.inputs.count) {
      let value = host.value(at: parameter.address)
      if value != parameter.info.defaultValue, parameter.info.flags.contains(.writable) {
        faults.append(
          "\(parameter.keyPath) begins at \(value), not at its default \(parameter.info.defaultValue)"
        )
      }
    }
    try Fault.throwAny(faults)
    for parameter in subject.parameters(in: format) {
      let info = parameter.info
      for value in [info.minimum, info.maximum, info.defaultValue] {
        host.set(parameter.address, to: value)
        let found = host.value(at: parameter.address)
        if found != value { throw Fault("\(parameter.keyPath) is \(found) when set to \(value)") }
      }
      subject.note("an event for \(parameter.keyPath)")
      let ramp = info.flags.contains(.rampable) ? 100 : 0
      var job = subject.noiseJob(format, frames: 200)
      job.blockSizes = [64]
      job.events = [.parameter(parameter.address, info.maximum, ramp: ramp, at: 20)]
      _ = try host.render(job)
      let found = host.value(at: parameter.address)
      if found != info.maximum {
        throw Fault("\(parameter.keyPath) is \(found) after an event that says \(info.maximum)")
      }
    }
    return .pass()
  }

  /// Each parameter alone at its ends, and all at once.
  static let parameterExtremes = Check("parameter-extremes", "stays finite at the ends of ranges") {
    subject in
    let format = subject.plainFormat()
    let parameters = subject.parameters(in: format)
    guard !parameters.isEmpty else { return .notApplicable("it has no parameters") }
    let job = subject.noiseJob(format, frames: 3000, events: subject.notes(frames: 3000))
    for alone in 0...parameters.count {
      for isHigh in [false, true] {
        let chosen = alone < parameters.count ? [parameters[alone]] : parameters
        let values = chosen.map { ($0.address, isHigh ? $0.info.maximum : $0.info.minimum) }
        let who = alone < parameters.count ? parameters[alone].keyPath : "everything"
        let when = "with \(who) at its \(isHigh ? "maximum" : "minimum")"
        subject.note(when)
        let host = try subject.host(format, values: Dictionary(uniqueKeysWithValues: values))
        try subject.requireFinite(try host.render(job), when)
      }
    }
    return .pass(numbered(parameters.count, "parameter"))
  }

  /// Ramps from end to end, and bursts of jumps.
  static let parameterSweeps = Check("parameter-sweeps", "stays finite while parameters move") {
    subject in
    let format = subject.plainFormat()
    let parameters = subject.parameters(in: format)
    guard !parameters.isEmpty else { return .notApplicable("it has no parameters") }
    let frames = 8000
    var sweeps = subject.notes(frames: frames)
    var bursts = sweeps
    for (index, parameter) in parameters.enumerated() {
      let ends = [parameter.info.minimum, parameter.info.maximum]
      if parameter.info.flags.contains(.rampable) {
        for turn in 0..<4 {
          sweeps.append(
            .parameter(parameter.address, ends[turn % 2], ramp: 1900, at: turn * 2000 + index % 100)
          )
        }
      }
      for (turn, frame) in stride(from: index, to: frames, by: 7 + index).enumerated() {
        bursts.append(.parameter(parameter.address, ends[turn % 2], at: frame))
      }
      for turn in 0..<64 {
        bursts.append(.parameter(parameter.address, ends[turn % 2], at: 4000))
      }
    }
    for (events, when) in [(sweeps, "while parameters sweep"), (bursts, "in a burst of changes")] {
      subject.note(when)
      let job = subject.noiseJob(format, frames: frames, events: events)
      try subject.requireFinite(try subject.host(format).render(job), when)
    }
    return .pass(numbered(sweeps.count + bursts.count, "event"))
  }

  static let unknownEvents = Check("unknown-events", "ignores events for what it does not have") {
    subject in
    let format = subject.plainFormat()
    let frames = 2000
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
    let plain = try subject.host(format).render(subject.noiseJob(format, frames: frames))
    let disturbed = try subject.host(format).render(
      subject.noiseJob(format, frames: frames, events: events))
    try subject.requireSame(disturbed, plain, "after events that do not concern it")
    return .pass()
  }

  static let state = Check("state", "comes back from a saved state") { subject in
    let format = subject.plainFormat()
    let facts = subject.facts
    var random = SeededGenerator(seed: 5)
    var saved = UnitState(component: facts.component, version: facts.version)
    var values: [UInt64: Float] = [:]
    for parameter in subject.parameters(in: format) {
      values[parameter.address] = Subject.value(of: parameter.info, using: &random)
    }
    let first = try subject.host(format, values: values)
    for parameter in subject.parameters(in: format) {
      saved.parameters[parameter.keyPath] = first.value(at: parameter.address)
    }
    let text = saved.written(for: facts)
    let (state, diagnostics) = UnitState.read(text.utf8, file: "state.yaml") { _ in facts }
    guard let state else {
      throw Fault("its state cannot be read back: \(diagnostics.first?.message ?? "")")
    }
    let restored = state.values(for: facts, inputBusCount: format.inputs.count)
    let second = try subject.host(format, values: restored)
    for parameter in subject.parameters(in: format) {
      let (before, after) = (
        first.value(at: parameter.address), second.value(at: parameter.address)
      )
      if before != after {
        throw Fault("\(parameter.keyPath) was \(before) and comes back as \(after)")
      }
    }
    let job = subject.noiseJob(format, frames: 3000, events: subject.notes(frames: 3000))
    try subject.requireSame(
      try second.render(job), try first.render(job), "when its state is restored")
    return .pass(numbered(saved.parameters.count, "value"))
  }
}
