import Documents
import UnitModel

/// Writes a rack into the text of a rack file. Unchanged parts stay the same to the byte.
package struct RackFileWriter {
  private let checker: RackChecker

  /// - Parameter checker: a checker whose folder is that of the written file.
  package init(_ checker: RackChecker) { self.checker = checker }

  /// Returns the text of `base` with the content of `rack` and its present values.
  ///
  /// - Throws: `Refusal` where `base` has no text, or the text cannot be changed to describe `rack`.
  package func write(
    _ rack: CheckedRack, into base: CheckedRack
  ) throws(Refusal) -> [UInt8] {
    let name = base.file.file
    guard let bytes = base.bytes,
      let root = Rack.root(of: bytes, DiagnosticCollector(file: name))
    else { throw Refusal("the rack was read from no file") }
    // The catalogue may have newer units than the plan.
    let rack = try RackEditor(checker).edited(rack.withoutSongValues()) { _ in }
    let file = try file(of: rack, inWordsOf: base.file)
    let written = try text(of: bytes, root, base.file, saying: file)
    try verify(written, says: file, of: rack)
    return written
  }

  /// Returns the rack's file with the present values, in the words of `base` where they mean the same.
  ///
  /// The values of a user preset are written as well, so that the rack sounds the same where that preset is
  /// missing or different.
  private func file(of rack: CheckedRack, inWordsOf base: Rack) throws(Refusal) -> Rack {
    var file = rack.file
    for (number, match) in EntryMatching.units(of: file.units, in: base.units).enumerated() {
      guard let match, file.units[number].isOfTheKind(of: base.units[match]) else { continue }
      file.units[number].parameters = base.units[match].parameters
    }
    for checker in [checker, checker.withoutUserPresets] {
      let said = try RackEditor(checker).checked(file)
      for (entry, planned, said) in file.matches(of: rack, and: said) {
        file.units[entry].write(planned, over: said)
      }
    }
    return file
  }

  private func text(
    of bytes: [UInt8], _ root: YAMLValue, _ base: Rack, saying file: Rack
  ) throws(Refusal) -> [UInt8] {
    var tree = root
    tree.update(from: base, to: file)
    let mark = YAMLValue.markLength(of: bytes)
    let text = String(decoding: bytes.dropFirst(mark), as: UTF8.self)
    do {
      return bytes.prefix(mark) + Array(try YAMLEditor.rewrite(text, from: root, to: tree).utf8)
    } catch {
      let position = "\(base.file):\(error.position.line):\(error.position.column)"
      throw Refusal("\(position): this is written so that it cannot be changed in its place")
    }
  }

  /// Reads the written text again, and checks that it describes the same rack with the same values.
  private func verify(
    _ bytes: [UInt8], says file: Rack, of rack: CheckedRack
  ) throws(Refusal) {
    let (read, problems) = Rack.read(bytes, file: file.file)
    if let refusal = Refusal(problems) { throw refusal }
    guard var read, read.saysTheSame(as: file) else {
      throw Refusal("\(file.file) is written so that it cannot be changed in its place")
    }
    for number in read.units.indices {
      let name = read.units[number].name.value
      if let entry = file.units.first(where: { $0.name.value == name }) {
        read.units[number].id = entry.id
      }
    }
    let matches = file.matches(of: rack, and: try RackEditor(checker).checked(read))
    let described = matches.filter { $0.planned.isSet(like: $0.said) }.map(\.planned.id)
    for unit in rack.plan.units where !described.contains(unit.id) {
      throw Refusal("\(file.file): “\(unit.name)” would not be as it is now")
    }
  }
}

extension Rack {
  /// Returns the units that both racks have planned, with the indices of their entries.
  fileprivate func matches(
    of rack: CheckedRack, and other: CheckedRack
  ) -> [(entry: Int, planned: PlannedUnit, said: PlannedUnit)] {
    rack.plan.units.compactMap { planned in
      guard let entry = units.firstIndex(where: { $0.id == planned.id }),
        let said = other.plan.units.first(where: { $0.id == planned.id })
      else { return nil }
      return (entry, planned, said)
    }
  }
}
