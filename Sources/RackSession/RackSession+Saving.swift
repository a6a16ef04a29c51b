import AudioUnits
import Documents
import Glibc
import RackEngine
import RackModel
import UnitModel

extension RackSession {
  /// Writes the present rack into its file, or a copy elsewhere; returns a description.
  func save(_ request: SaveRack) async throws -> String {
    let (done, unsaved) = try await saved(request)
    if let unsaved { throw Refusal("\(done), but \(unsaved)") }
    return done
  }

  /// Saves as `save` does; returns a description, and the reason why a unit's data were not saved.
  private func saved(_ request: SaveRack) async throws -> (done: String, unsaved: String?) {
    let (name, revision) = (rack.file.file, revision)
    guard var record = records[name] else { throw Refusal("the rack was read from no file") }
    if request.connections == true { record.connections = try await engine.connections() }
    records[name] = record
    var live = await present(atEndOfRamps: true)
    if let tempo = await engine.tempo, tempo != live.plan.tempo {
      let tenths = Float((tempo * 10).rounded() / 10)
      live.file.tempo = Located(Quantity.format(tenths, for: RackChecker.tempoRange))
    }
    if let connections = record.connections {
      live.file.setAutoConnect(connections, for: live.plan)
    }
    let units = await engine.namedUnits
    let isCopy = request.path.map { !isItself($0, name) } ?? false
    func write(_ rack: CheckedRack) throws -> String {
      isCopy
        ? try copy(rack, record, to: request.path ?? "", isForced: request.force == true)
        : try save(rack, record, isForced: request.force == true)
    }
    var (complete, unsaved) = await withData(of: units, in: live)
    var done: String
    do {
      done = try write(complete)
    } catch let refusal as Refusal where complete.file != live.file {
      // With the units' data the file may be too long.
      complete = live
      done = try write(live)
      unsaved = "the data of units are not saved: \(refusal.reason)"
    }
    if !isCopy {
      savedRevision = revision
      // A unit that is created again, as for another format, gets its data back.
      for unit in complete.plan.units {
        for property in unit.properties where unit.facts.properties[property.index].kind == .data {
          rack.set(property, of: unit.id)
        }
      }
    }
    for unit in units {
      do {
        let audioUnit = unit.audioUnit
        try await Self.writing.answer { try audioUnit.saveDataFiles() }
      } catch {
        let reason = (error as? AudioUnitError)?.reason ?? "\(error)"
        unsaved = "the data of \(unit.name) are not saved: \(reason)"
      }
    }
    return (done, unsaved)
  }

  /// Returns the rack with its units' data properties, and the reason why a unit's data are missing.
  private func withData(
    of units: [NamedUnit], in live: CheckedRack
  ) async -> (rack: CheckedRack, unsaved: String?) {
    var rack = live
    var unsaved: String?
    for unit in units {
      do {
        let audioUnit = unit.audioUnit
        let data = try await Self.writing.answer { try audioUnit.refreshData() }
        for (index, value) in data {
          rack.set(PlannedProperty(index: index, value: value), of: unit.id)
        }
      } catch {
        let reason = (error as? AudioUnitError)?.reason ?? "\(error)"
        unsaved = "the data of \(unit.name) are not saved: \(reason)"
      }
    }
    return (rack, unsaved)
  }

  /// Writes the present rack into its file, or beside that file on failure. Returns a description, nil if the file
  /// has not changed.
  public func saveOrCopy() async -> String? {
    (try? await inTurn(evenAtEnd: true) { await savedOrCopied() }) ?? nil
  }

  func savedOrCopied() async -> String? {
    let before = records[rack.file.file]?.present.bytes
    do {
      let (done, unsaved) = try await saved(SaveRack())
      let isSame = records[rack.file.file]?.present.bytes == before
      return isSame ? unsaved : done + (unsaved.map { ", but \($0)" } ?? "")
    } catch {
      let reason = "\(error)"
      do {
        let copied = try await saved(SaveRack(path: placeBeside(rack.file.file)))
        return ["\(reason); \(copied.done)", copied.unsaved].compactMap(\.self)
          .joined(separator: ", but ")
      } catch {
        return "\(reason); the live changes are lost: \(error)"
      }
    }
  }

  /// Returns the first free path, or path of a copy of this session: `NAME.live.yaml`, `NAME.live-2.yaml` …
  private func placeBeside(_ name: String) -> String {
    let stem = FilePath.absolute(name.hasSuffix(".yaml") ? String(name.dropLast(5)) : name)
    func path(_ number: Int) -> String {
      "\(stem).live\(number > 1 ? "-\(number)" : "").yaml"
    }
    var number = 1
    while access(path(number), F_OK) == 0, !isOwnCopy(path(number)) { number += 1 }
    return path(number)
  }

  /// Whether the file is an unchanged copy that this session has written.
  private func isOwnCopy(_ path: String) -> Bool {
    guard let place = FilePath.resolve(path), let bytes = records.copies[place] else {
      return false
    }
    return (try? read(path)) == bytes
  }

  private func isItself(_ path: String, _ name: String) -> Bool {
    !name.isEmpty && FilePath.resolve(path) == FilePath.resolve(name)
  }

  private func save(
    _ live: CheckedRack, _ record: RackRecord, isForced: Bool
  ) throws -> String {
    let name = live.file.file
    let checker = checker(live)
    var base = record.base
    let found = WholeFile.isThere(name) ? try read(name) : nil
    if let reason = sources.reasonNotToWrite(name) {
      let bytes = try? RackFileWriter(checker).write(live, into: base)
      guard let found, bytes == found else { throw Refusal(reason) }
      return "\(name) is up to date"
    }
    if let found, found != record.present.bytes, found != base.bytes {
      guard isForced else {
        throw Refusal(
          "\(name) has been changed since it was read, and nothing was written; read it again (backline"
            + " ctl reload), write into it as it is now (--force), or save a copy (backline ctl save FILE)"
        )
      }
      base = checker.open(found, file: name).rack?.identified(like: live) ?? base
    }
    let bytes = try RackFileWriter(checker).write(live, into: base)
    if bytes == found { return "\(name) is up to date" }
    try write(bytes, to: name)
    let saved = checker.open(bytes, file: name).rack?.identified(like: live)
    var present = saved ?? record.present
    present.file.loadedAutomation = record.present.file.loadedAutomation
    records[name]?.base = base
    records[name]?.present = present
    setListPlayer?.update(present)
    return "saved in \(name)"
  }

  private func copy(
    _ live: CheckedRack, _ record: RackRecord, to path: String, isForced: Bool
  ) throws -> String {
    guard let place = FilePath.resolve(path) else { throw FileError(path: path) }
    if WholeFile.isThere(path), !isForced, !isOwnCopy(path) {
      throw Refusal("\(path) exists already; --force overwrites it")
    }
    var checker = sources.checker(FilePath.folder(of: place))
    checker.mayMiss = self.checker(live).mayMiss
    var live = live
    if checker.folder != live.folder { live.file.leaveFolder(live) }
    let bytes = try RackFileWriter(checker).write(live, into: record.base)
    try write(bytes, to: path)
    records.copies[place] = bytes
    return "saved a copy in \(path)"
  }

  private func read(_ path: String) throws -> [UInt8] {
    try WholeFile.read(path, limit: Rack.maximumSize)
  }

  /// Writes a file. Does not replace a write-protected file, although its folder would permit that.
  private func write(_ bytes: [UInt8], to path: String) throws {
    if access(path, W_OK) != 0, errno != ENOENT {
      let reason = String(cString: strerror(errno))
      throw Refusal("\(path): \(reason); save it elsewhere: backline ctl save FILE")
    }
    do {
      try WholeFile.write(bytes, to: path)
    } catch {
      throw Refusal("\(error); save it elsewhere: backline ctl save FILE")
    }
  }
}

extension Rack {
  /// Makes the paths that are relative to the file's folder absolute.
  fileprivate mutating func leaveFolder(_ rack: CheckedRack) {
    func absolute(_ path: String) -> String { FilePath.absolute("\(rack.folder)/\(path)") }
    for index in units.indices {
      for number in units[index].files.indices
      where !units[index].files[number].value.hasPrefix("/") {
        units[index].files[number].value = absolute(units[index].files[number].value)
      }
      if let path = units[index].unit.flatMap({ UnitReference($0.value).path }),
        !path.hasPrefix("/")
      {
        units[index].unit?.value = absolute(path)
      }
      guard let unit = rack.plan.units.first(where: { $0.name == units[index].name.value }) else {
        continue
      }
      for number in units[index].properties.indices {
        let entry = units[index].properties[number]
        let isPath =
          unit.facts.properties.first { $0.identifier == entry.key.value }?.isPath ?? false
        if isPath, !entry.value.value.hasPrefix("/") {
          units[index].properties[number].value.value = absolute(entry.value.value)
        }
      }
    }
  }
}
