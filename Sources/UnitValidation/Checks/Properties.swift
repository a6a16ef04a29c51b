import CUnit
import Documents

extension Check {
  /// Whatever is said: it is taken, or refused with the reason.
  static let propertyValues = Check("property-values", "says why it refuses a property") {
    subject in
    let properties = subject.facts.properties
    guard !properties.isEmpty else { return .notApplicable("it has no properties") }
    guard let set = subject.descriptor.pointee.set_property else {
      throw Fault("set_property is NULL")
    }
    let values: [(name: String, bytes: [UInt8])] = [
      ("nothing", []), ("a path that leads nowhere", Array("/no/such/file".utf8)),
      ("a folder", Array("/usr/share".utf8)),
      ("a long text", [UInt8](repeating: 0x61, count: 100_000)),
      ("what is no text", [0xFF, 0xFE, 0x80]),
    ]
    let host = try subject.host()
    for (index, property) in properties.enumerated() {
      for value in values {
        subject.note("\(property.identifier): \(value.name)")
        // Room for a short message only; what lies behind is not the unit's.
        var message = [CChar](repeating: 0x55, count: 64)
        let bytes = value.bytes.map { CChar(bitPattern: $0) } + [0]
        let status = set(host.unit, UInt32(index), bytes, &message, 32)
        if message[32...].contains(where: { $0 != 0x55 }) {
          throw Fault(
            "\(property.identifier): the message about \(value.name) is longer than its room")
        }
        guard status != BL_OK else { continue }
        guard message[..<32].contains(0), message[0] != 0 else {
          throw Fault("\(property.identifier): refuses \(value.name) and does not say why")
        }
      }
    }
    let job = subject.noiseJob(host.format, frames: 1000, events: subject.notes(frames: 1000))
    try subject.requireFinite(try host.render(job), "after properties that it refused")
    return .pass(numbered(properties.count, "property", plural: "properties"))
  }
}
