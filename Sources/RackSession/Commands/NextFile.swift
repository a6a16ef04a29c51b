import Documents
import RackEngine
import RackModel

/// The command that plays the next file in the folder of a unit's file.
struct PlayNextFile: Command {
  var file = ""

  static let declaration = CommandDeclaration(
    "next-file", "Play the next file of the folder that a unit's file is in.",
    detail: """
      Files are taken in the order in which people count them, and after the last comes the first. What \
      cannot be played is passed by and named; what was playing goes on until the file is ready.
      """, examples: ["next-file amp", "next-file cab.b"],
    target: .init(
      "next file", calls: "next-file", rest: .file(argument: "file")))
  static let arguments: [CommandArgument<Self>] = [
    .required(
      "file", \.file, .unit,
      "The unit, and where it has several files the property: amp, cab.b.")
  ]

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    .done(try await session.play(fileAfter: file, isNext: true))
  }
}

struct PlayPreviousFile: Command {
  var file = ""

  static let declaration = CommandDeclaration(
    "previous-file", "Play the previous file of the folder that a unit's file is in.",
    target: .init(
      "previous file", calls: "previous-file", rest: .file(argument: "file")))
  static let arguments: [CommandArgument<Self>] = [
    .required(
      "file", \.file, .unit,
      "The unit, and where it has several files the property: amp, cab.b.")
  ]

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    .done(try await session.play(fileAfter: file, isNext: false))
  }
}

extension RackSession {
  /// Plays the next or the previous file in the folder of a unit's file. Skips and reports files that cannot be
  /// played. Returns a description.
  fileprivate func play(fileAfter target: String, isNext: Bool) async throws -> String {
    let before = await present()
    let file = try unitFile(target, of: before)
    let others = file.others(isNext: isNext)
    var passed: [String] = []
    for name in others {
      do {
        let after = try RackEditor(checker(rack)).set(
          file.property, of: file.unit, to: file.written(name), in: before)
        _ = try await change(
          from: before, to: after, title: "\(target): the \(isNext ? "next" : "previous") file")
        return (["\(file.unit) plays \(name)"] + passed).joined(separator: "; ")
      } catch {
        passed.append("“\(name)” is passed by: \(error)")
        await engine.report(.warning(passed[passed.count - 1]))
      }
    }
    throw Refusal(
      (["there is no other file to play in \(file.folder)"] + passed).joined(separator: "; "))
  }

  private func unitFile(_ target: String, of rack: CheckedRack) throws(Refusal) -> UnitFile {
    let path = UnitFilePath(target)
    guard let planned = rack.plan.units.first(where: { $0.name == path.unit }),
      let entry = rack.file.units.first(where: { $0.name.value == path.unit })
    else {
      throw Refusal(
        "there is no unit “\(path.unit)” in this rack",
        suggestion: nearestWord(to: path.unit, in: rack.plan.units.map(\.name)))
    }
    let facts = planned.facts
    let known = facts.files(named: "").map(\.identifier)
    let files = facts.files(named: path.property).compactMap { info -> UnitFile? in
      let index = facts.properties.firstIndex(of: info)
      return planned.properties.first { $0.index == index }.map { property in
        let written = entry.properties.first { $0.key.value == info.identifier }?.value.value
        return UnitFile(
          unit: path.unit, property: info.identifier, path: property.value,
          text: written ?? property.value)
      }
    }
    if files.count == 1 { return files[0] }
    let names = known.map { "\(path.unit).\($0)" }
    if files.count > 1 {
      throw Refusal("“\(target)” has several files: \(names.joined(separator: ", "))")
    }
    if !path.property.isEmpty, !known.contains(path.property) {
      throw Refusal(
        "“\(path.unit)” has no file “\(path.property)”",
        suggestion: nearestWord(to: path.property, in: known))
    }
    throw Refusal(
      known.isEmpty
        ? "“\(path.unit)” is a unit without files" : "“\(target)” plays no file from which to go on"
    )
  }
}

/// The file that a unit plays.
struct UnitFile {
  var unit: String
  var property: String
  /// The absolute path.
  var path: String
  /// The path as the rack file contains it.
  var text: String

  private static let sounds: Set = [
    "wav", "wave", "flac", "aiff", "aif", "caf", "w64", "rf64", "ogg", "oga", "opus", "mp3", "au",
  ]

  var folder: String { FilePath.folder(of: path) }
  private var name: String { String(FilePath.name(of: path)) }

  /// Returns the path of another file of the folder, as the rack file writes it.
  func written(_ name: String) -> String { text.dropLast(FilePath.name(of: text).count) + name }

  /// Returns the names of the folder's other files of the same kind, in the order in which to try them.
  func others(isNext: Bool) -> [String] {
    let kind = Self.kind(of: name)
    let found = Folder.names(in: folder).filter {
      $0 != name && !$0.hasPrefix(".") && Self.kind(of: $0) == kind
        && !Folder.isThere("\(folder)/\($0)")
    }
    let sorted = found.sorted { comesBefore($0, $1) }
    let start = sorted.firstIndex { comesBefore(name, $0) } ?? sorted.count
    let forwards = Array(sorted[start...] + sorted[..<start])
    return isNext ? forwards : forwards.reversed()
  }

  /// Returns the suffix in lower case; `sound` for all sound files.
  private static func kind(of name: String) -> String {
    let suffix = name.lastIndex(of: ".").map { name[$0...].dropFirst().lowercased() } ?? ""
    return sounds.contains(suffix) ? "sound" : suffix
  }
}

/// Whether `a` precedes `b` in natural order: numbers by value, ignoring case.
func comesBefore(_ a: String, _ b: String) -> Bool {
  let (left, right) = (parts(of: a), parts(of: b))
  for (one, other) in zip(left, right) where one != other {
    if one.first?.isNumber == true, other.first?.isNumber == true, one.count != other.count {
      return one.count < other.count
    }
    return one < other
  }
  return left.count == right.count ? a < b : left.count < right.count
}

/// Returns the runs of digits, without leading zeros, and the texts between them, in lower case.
private func parts(of name: String) -> [String] {
  var parts: [String] = []
  var wasNumber: Bool?
  for letter in name.lowercased() {
    let isNumber = letter.isASCII && letter.isNumber
    if isNumber == wasNumber {
      parts[parts.count - 1].append(letter)
    } else {
      parts.append(String(letter))
    }
    wasNumber = isNumber
  }
  return parts.map { part in
    guard part.first?.isNumber == true else { return part }
    let value = part.drop { $0 == "0" }
    return value.isEmpty ? "0" : String(value)
  }
}
