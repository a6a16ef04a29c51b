import Documents

extension Check {
  /// Without events: those have a check of their own.
  static let blockSizes = Check("block-sizes", "renders the same in blocks of any size") {
    subject in
    let format = subject.plainFormat()
    let frames = 5000
    func render(_ sizes: [Int]) throws -> Rendering {
      subject.note("blocks of \(sizes)")
      var job = subject.noiseJob(format, frames: frames)
      job.blockSizes = sizes
      if subject.facts.hasMIDIInput { job.events = [.midi([0x90, 60, 100], at: 0)] }
      return try subject.host(format).render(job)
    }
    let whole = try render([format.maximumFrames])
    let choices = [[1], [2], [17], [64], [480], [1024], [1, 64, 17, 480, 3, 4096, 1024, 63]]
    for sizes in choices {
      try subject.requireSame(try render(sizes), whole, "in blocks of \(sizes)")
    }
    return .pass("1 to \(format.maximumFrames) frames, bit for bit")
  }

  static let eventTiming = Check("event-timing", "plays events at their very frames") { subject in
    let format = subject.plainFormat()
    let frames = 3000
    let events = subject.events(frames: frames, in: format)
    guard !events.isEmpty else { return .notApplicable("it has no parameters and no MIDI") }
    func render(_ sizes: [Int], _ events: [UnitEvent]) throws -> Rendering {
      subject.note("events in blocks of \(sizes)")
      var job = subject.noiseJob(format, frames: frames, events: events)
      job.blockSizes = sizes
      return try subject.host(format).render(job)
    }
    let whole = try render([format.maximumFrames], events)
    for sizes in [[1], [64], [17, 480]] {
      let cut = try render(sizes, events)
      try subject.requireSame(cut, whole, "when its events fall into blocks of \(sizes)")
    }
    // A block that ends where the event stands, and one in which the event stands inside.
    for event in events where (1..<frames).contains(event.frame) {
      let split = try render([event.frame, format.maximumFrames], [event])
      let unsplit = try render([format.maximumFrames], [event])
      try subject.requireSame(
        split, unsplit, "when the block is split at an event (frame \(event.frame))")
    }
    return .pass(numbered(events.count, "event"))
  }

  static let reset = Check("reset", "is as good as new after a reset") { subject in
    let format = subject.plainFormat()
    let frames = 3000
    let used = try subject.host(format)
    // It ends within ramps and with notes held.
    _ = try used.render(
      subject.noiseJob(format, frames: frames, events: subject.events(frames: frames, in: format)))
    used.reset()
    var values: [UInt64: Float] = [:]
    for parameter in subject.parameters(in: format) {
      values[parameter.address] = used.value(at: parameter.address)
    }
    let fresh = try subject.host(format, values: values)
    fresh.reset()
    let job = subject.noiseJob(
      format, frames: frames, events: subject.events(frames: frames, in: format, seed: 99))
    let start = used.sampleTime
    let expected = try fresh.render(job)
    let found = try used.render(job)
    for (bus, output) in found.outputs.enumerated() {
      if let place = output.firstDifference(from: expected.outputs[bus]) {
        throw Fault("differs from a fresh instance at \(place)")
      }
    }
    let messages = found.sentMIDI.map {
      SentMIDI(sampleTime: $0.sampleTime - start, cable: $0.cable, bytes: $0.bytes)
    }
    if messages != expected.sentMIDI { throw Fault("sends other MIDI than a fresh instance") }
    return .pass()
  }

  static let instances = Check("instances", "keeps two instances apart") { subject in
    let format = subject.plainFormat()
    let frames = 2000
    let jobs = [20, 21].map { seed in
      subject.noiseJob(
        format, frames: frames, events: subject.events(frames: frames, in: format, seed: seed))
    }
    func render(_ turns: [Int]) throws -> [Int: [Rendering]] {
      var hosts: [Int: UnitHost] = [:]
      var renderings: [Int: [Rendering]] = [:]
      for index in Set(turns) { hosts[index] = try subject.host(format) }
      for index in turns {
        guard let host = hosts[index] else { continue }
        renderings[index, default: []].append(try host.render(jobs[index]))
      }
      return renderings
    }
    let together = try render([0, 1, 1, 0])
    let apart = [try render([0, 0]), try render([1, 1])]
    for index in 0...1 {
      for (left, right) in zip(together[index] ?? [], apart[index][index] ?? []) {
        try subject.requireSame(left, right, "when another instance plays beside it")
      }
    }
    return .pass()
  }
}
