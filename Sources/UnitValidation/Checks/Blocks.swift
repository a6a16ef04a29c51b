import AudioUnits
import Documents

extension Check {
  /// This check has no parameter events, which have a check of their own.
  static let blockSizes = Check("block-sizes", "renders the same in blocks of any size") {
    subject in
    let maximum = subject.plainFormat().maximumFrames
    let events: [UnitEvent] =
      subject.facts.hasMIDIInput ? [.midi([0x90, 60, 100], at: 0)] : []
    func render(_ sizes: [Int]) throws -> Rendering {
      subject.report("blocks of \(sizes)")
      return try subject.render(subject.noise(5000, blocks: sizes, events: events))
    }
    let whole = try render([maximum])
    let choices = [[1], [2], [17], [64], [480], [1024], [1, 64, 17, 480, 3, 4096, 1024, 63]]
    for sizes in choices {
      try subject.requireSame(try render(sizes), whole, "in blocks of \(sizes)")
    }
    return .pass("1 to \(maximum) frames, bit for bit")
  }

  static let eventTiming = Check("event-timing", "plays events at their very frames") { subject in
    if let reason = subject.reasonForNoTime { return .notApplicable(reason) }
    let (frames, maximum) = (3000, subject.plainFormat().maximumFrames)
    let events = subject.events(frames)
    guard !events.isEmpty else { return .notApplicable("it has no parameters and no MIDI") }
    func render(_ sizes: [Int], _ events: [UnitEvent]) throws -> Rendering {
      subject.report("events in blocks of \(sizes)")
      return try subject.render(subject.noise(frames, blocks: sizes, events: events))
    }
    let whole = try render([maximum], events)
    for sizes in [[1], [64], [17, 480]] {
      try subject.requireSame(
        try render(sizes, events), whole, "when its events fall into blocks of \(sizes)")
    }
    // Split into a block that ends at the event, and a block that contains it.
    for event in events where (1..<frames).contains(event.frame) {
      try subject.requireSame(
        try render([event.frame, maximum], [event]), try render([maximum], [event]),
        "when the block is split at an event (frame \(event.frame))")
    }
    // Start from settings that a person could have made, with long ramps and time after them.
    for seed in 0..<12 {
      let format = subject.plainFormat(sampleRate: [48_000, 44_100, 96_000][seed % 3])
      let (values, events) = subject.settings(9000, in: format, seed: UInt64(seed))
      func render(_ sizes: [Int]) throws -> Rendering {
        subject.report("random settings \(seed) in blocks of \(sizes)")
        let host = try subject.host(format, values: values)
        return try host.render(subject.noise(9000, in: format, blocks: sizes, events: events))
      }
      let whole = try render([maximum])
      for sizes in [[1], [64], [17, 480]] {
        try subject.requireSame(
          try render(sizes), whole, "with random settings \(seed) in blocks of \(sizes)")
      }
    }
    return .pass(numbered(events.count, "event"))
  }

  static let reset = Check("reset", "is as good as new after a reset") { subject in
    let frames = 3000
    let used = try subject.host()
    // The job ends within ramps and with notes held.
    _ = try used.render(subject.noise(frames, events: subject.events(frames)))
    used.reset()
    let values = subject.parameters().map { ($0.address, used.value(at: $0.address)) }
    let fresh = try subject.host(values: Dictionary(uniqueKeysWithValues: values))
    fresh.reset()
    let start = used.sampleTime
    let job = subject.noise(frames, events: subject.events(frames, seed: 99))
    let (expected, found) = (try fresh.render(job), try used.render(job))
    for (output, other) in zip(found.outputs, expected.outputs) {
      if let position = output.firstDifference(from: other) {
        throw Fault("differs from a fresh instance at \(position)")
      }
    }
    let messages = found.sentMIDI.map {
      MIDIOutputEvent(sampleTime: $0.sampleTime - start, cable: $0.cable, bytes: $0.bytes)
    }
    if messages != expected.sentMIDI { throw Fault("sends other MIDI than a fresh instance") }
    return .pass()
  }

  static let instances = Check("instances", "keeps two instances apart") { subject in
    let jobs = [20, 21].map { subject.noise(2000, events: subject.events(2000, seed: $0)) }
    let together = [try subject.host(), try subject.host()]
    var renderings: [[Rendering]] = [[], []]
    for index in [0, 1, 1, 0] { renderings[index].append(try together[index].render(jobs[index])) }
    for index in 0...1 {
      let alone = try subject.host()
      for rendering in renderings[index] {
        try subject.requireSame(
          rendering, try alone.render(jobs[index]), "when another instance plays beside it")
      }
    }
    return .pass()
  }
}
