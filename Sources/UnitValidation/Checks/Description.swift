import CUnit
import UnitModel

extension Check {
  /// Without these there is nothing to call, and no other check runs.
  static let functions = Check("functions", "has the functions that every unit needs") { subject in
    let unit = subject.descriptor.pointee
    var missing: [String] = []
    // Swift takes these for never null; a table in C can hold anything.
    let required: [(String, UnsafeRawPointer?)] = [
      ("create", unsafeBitCast(unit.create, to: UnsafeRawPointer?.self)),
      ("destroy", unsafeBitCast(unit.destroy, to: UnsafeRawPointer?.self)),
      ("set_parameter", unsafeBitCast(unit.set_parameter, to: UnsafeRawPointer?.self)),
      ("parameter_value", unsafeBitCast(unit.parameter_value, to: UnsafeRawPointer?.self)),
      (
        "allocate_render_resources",
        unsafeBitCast(unit.allocate_render_resources, to: UnsafeRawPointer?.self)
      ),
      (
        "deallocate_render_resources",
        unsafeBitCast(unit.deallocate_render_resources, to: UnsafeRawPointer?.self)
      ),
      ("reset", unsafeBitCast(unit.reset, to: UnsafeRawPointer?.self)),
      ("render", unsafeBitCast(unit.render, to: UnsafeRawPointer?.self)),
    ]
    for (name, pointer) in required where pointer == nil { missing.append("\(name) is NULL") }
    if unit.property_count > 0, unit.set_property == nil {
      missing.append("set_property is NULL, but there are properties")
    }
    try Fault.throwAny(missing)
    return .pass()
  }

  static let component = Check("component", "says what it is") { subject in
    let unit = subject.descriptor.pointee
    var faults: [String] = []
    let codes = [
      ("type", unit.component.type), ("subtype", unit.component.subtype),
      ("manufacturer", unit.component.manufacturer),
    ]
    let types = FourCharacterCode.unitTypes.map(\.code.rawValue)
    for (name, code) in codes where code == 0 || FourCharacterCode(rawValue: code) == nil {
      let hexadecimal = String(code, radix: 16)
      faults.append("the \(name) 0x\(hexadecimal) is not four ASCII letters or digits")
    }
    if FourCharacterCode(rawValue: unit.component.type) != nil, !types.contains(unit.component.type)
    {
      faults.append("the type \(subject.facts.component.type) is none that hosts know")
    }
    if unit.version == 0 { faults.append("the version is 0") }
    let texts = [
      ("name", subject.facts.name), ("manufacturer's name", subject.facts.manufacturerName),
      ("summary", subject.facts.summary),
    ]
    for (name, text) in texts {
      if text.allSatisfy(\.isWhitespace) { faults.append("the \(name) is empty") }
      if text.contains(where: \.isNewline) { faults.append("the \(name) has several lines") }
    }
    try Fault.throwAny(faults)
    return .pass("\(subject.facts.component) \(subject.facts.versionText)")
  }

  static let tags = Check("tags", "has tags by which it is found") { subject in
    var faults: [String] = []
    if subject.facts.tags.isEmpty { faults.append("there are no tags") }
    for tag in subject.facts.tags where tag.allSatisfy(\.isWhitespace) {
      faults.append("a tag is empty")
    }
    faults += repeated(subject.facts.tags.map { $0.lowercased() }).map {
      "the tag \($0) comes twice"
    }
    try Fault.throwAny(faults)
    return .pass(subject.facts.tags.joined(separator: ", "))
  }

  /// Those that come more than once.
  static func repeated(_ words: [String]) -> [String] {
    var seen: Set<String> = []
    return words.filter { !seen.insert($0).inserted }
  }
}
