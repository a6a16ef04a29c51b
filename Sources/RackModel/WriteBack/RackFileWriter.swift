import Documents
import UnitModel

/// Writes a rack into the text of a rack file; unchanged parts stay the same to the byte.
package struct RackFileWriter {
  private let checker: RackChecker

  /// - Parameter checker: with the folder of the file to be written.
  package init(_ checker: RackChecker) { self.checker = checker }

  /// The text of `base` with everything that `rack` says.
  ///
  /// - Throws: `Refusal` where the text cannot be made to say it.
  package func write(
    _ rack: CheckedRack, into base: CheckedRack
  ) throws(Refusal) -> [UInt8] {
    let name = base.file.file
    guard let bytes = base.bytes,
      let root = Rack.root(of: bytes, DiagnosticCollector(file: name))
    else { throw Refusal("the rack was read from no file") }
    let rack = rack.withoutSongOverrides()
    let file = rack.file(inWordsOf: base)
      .holdingPresets(of: rack.plan)
    let written = try text(of: bytes, root, base.file, saying: file)
    try verify(written, says: file, of: rack)
    return written
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
      let place = "\(base.file):\(error.position.line):\(error.position.column)"
      throw Refusal("\(place): this is written so that it cannot be changed in its place")
    }
  }

  /// Reads the written text again: it must describe the same rack with the same values.
  private func verify(
    _ bytes: [UInt8], says file: Rack, of rack: CheckedRack
  ) throws(Refusal) {
    let (read, problems) = Rack.read(bytes, file: file.file)
    if let refusal = Refusal(problems) { throw refusal }
    guard let read, read.saysTheSame(as: file) else {
      throw Refusal("\(file.file) is written so that it cannot be changed in its place")
    }
    let (checked, diagnostics) = checker.check(read)
    guard let checked else {
      throw Refusal(diagnostics) ?? Refusal("the rack would be wrong")
    }
    for unit in rack.plan.units {
      guard let other = checked.plan.units.first(where: { $0.name == unit.name }),
        unit.component == other.component, unit.isBypassed == other.isBypassed,
        unit.properties == other.properties,
        unit.values(with: unit.facts) == other.values(with: unit.facts)
      else { throw Refusal("\(file.file): “\(unit.name)” would not be as it is now") }
    }
  }
}
