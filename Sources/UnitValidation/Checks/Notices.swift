import CUnit
import Documents
import UnitModel

/// Checks of the unit's calls to its host, and their threads.
extension Check {
  static let notices = Check("notices", "notifies its host of what it has done") { subject in
    var job = subject.busy(96_000)
    job.followsTimes = true
    let faults = try subject.render(job).faults.intersection(.notices)
    if !faults.isEmpty { throw Fault(faults.sentences.joined(separator: "; ")) }
    return .pass()
  }

  /// The job is long enough for a thread that calls now and then.
  static let threads = Check("threads", "calls its host only while it renders, on its thread") {
    subject in
    let rendering = try subject.render(subject.busy(480_000))
    let faults = rendering.faults.intersection(.calls)
    if !faults.isEmpty { throw Fault(faults.sentences.joined(separator: "; ")) }
    return .pass()
  }

  static let valueTexts = Check("value-texts", "reads back the texts of values that it writes") {
    subject in
    let parameters = subject.parameters().filter { $0.info.flags.contains(.hasText) }
    guard !parameters.isEmpty else { return .notApplicable("it has no texts of its own") }
    guard let write = subject.descriptor.pointee.value_text,
      let read = subject.descriptor.pointee.text_value
    else { throw Fault("BL_PARAMETER_HAS_TEXT, but value_text or text_value is NULL") }
    let host = try subject.host()
    /// Returns the text that value_text writes, which must be terminated within its buffer.
    func text(of value: Float, _ parameter: ParameterReference) throws -> [CChar] {
      let room = Int(BL_VALUE_TEXT_CAPACITY)
      var text = [CChar](repeating: 0x7F, count: 2 * room)
      write(host.unit, parameter.address, value, &text, room)
      guard text.prefix(room).contains(0), text.suffix(room).allSatisfy({ $0 == 0x7F }) else {
        throw Fault("\(parameter.keyPath): the text of \(value) does not end within its room")
      }
      return Array(text.prefix(room).prefix { $0 != 0 }) + [0]
    }
    for parameter in parameters {
      let info = parameter.info
      for step in 0...10 {
        let value = info.value(from: info.minimum, to: info.maximum, share: Double(step) / 10)
        let written = try text(of: value, parameter)
        if written.count == 1 { throw Fault("\(parameter.keyPath): \(value) has no text") }
        var found: Float = 0
        guard read(host.unit, parameter.address, written, &found) else {
          throw Fault(
            "\(parameter.keyPath): does not read “\(String(written))”, which it writes")
        }
        let again = try text(of: found, parameter)
        if again != written {
          throw Fault("\(parameter.keyPath): reads “\(String(written))” as “\(String(again))”")
        }
      }
    }
    return .pass(numbered(parameters.count, "parameter"))
  }
}

extension Subject {
  /// Returns a job of noise with changes, ramps and notes.
  fileprivate func busy(_ frames: Int) -> RenderJob { noise(frames, events: events(frames)) }
}
