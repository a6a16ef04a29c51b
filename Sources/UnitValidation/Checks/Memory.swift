import CUnitHost

extension Check {
  static let inPlace = Check("in-place", "renders the same in place") { subject in
    guard subject.facts.canProcessInPlace else {
      return .notApplicable("it does not say that it can")
    }
    return try compare(subject, "in place") { $0.memory = .inPlace }
  }

  static let nullOutput = Check("null-output", "answers null pointers with memory of its own") {
    subject in
    try compare(subject, "with null output pointers", forbidden: [.noOutputPointer]) {
      $0.memory = .null
    }
  }

  static let inputMemory = Check("input-memory", "takes its input as the host hands it out") {
    subject in
    guard subject.takesAudio else { return .notApplicable("it takes no audio") }
    let forbidden: HostFaults = [.nullInputOffered, .wrongPull, .inputWritten]
    _ = try compare(
      subject, "when a pull fills its memory", forbidden: forbidden
    ) { $0.inputMemory = BL_INPUT_FILLED }
    return try compare(
      subject, "when the host offers its input without a pull", forbidden: forbidden
    ) { $0.inputMemory = BL_INPUT_OFFERED }
  }

  static let bounds = Check("bounds", "writes all of its output and nothing else") { subject in
    try compare(
      subject, "when it renders again", forbidden: [.outOfBounds, .outputNotWritten, .outputMoved]
    ) { _ in }
  }

  static let alignment = Check("alignment", "takes buffers that begin anywhere") { subject in
    try compare(subject, "when buffers begin four bytes later") { $0.isMisaligned = true }
  }

  /// Renders a job unchanged and with a change: the output must be the same, and no rule broken.
  private static func compare(
    _ subject: Subject, _ when: String, forbidden: HostFaults = [],
    _ change: (inout RenderJob) -> Void
  ) throws -> Verdict {
    for sizes in [[64], [17, 480]] {
      var job = subject.noise(3000, blocks: sizes, events: subject.events(3000))
      subject.report("blocks of \(sizes), plainly")
      let expected = try subject.render(job)
      change(&job)
      subject.report("blocks of \(sizes), \(when)")
      let rendering = try subject.render(job)
      for found in [expected, rendering] where !found.faults.isDisjoint(with: forbidden) {
        let sentences = found.faults.intersection(forbidden).sentences
        throw Fault("\(sentences.joined(separator: "; ")) (cycle at frame \(found.faultFrame))")
      }
      try subject.requireSame(rendering, expected, when)
    }
    return .pass()
  }

  static let unconnected = Check("unconnected", "renders with nothing connected") { subject in
    guard subject.takesAudio else { return .notApplicable("it takes no audio") }
    var job = subject.noise(3000, events: subject.notes(3000))
    job.inputs = []
    try subject.requireFinite(job, "with nothing connected")
    return .pass()
  }
}
