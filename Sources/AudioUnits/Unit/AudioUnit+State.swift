import CUnit
import CUnitService
import Documents
import FoundationEssentials
import Glibc
import UnitModel

/// A remark about a restored state; remarks are not errors.
public enum StateRemark: Sendable, Hashable, CustomStringConvertible {
  /// A parameter that the unit does not have; it is kept in `fullState`.
  case unknownParameter(String)
  case unknownProperty(String)
  /// The state was written by this version, which is newer than the unit.
  case newerVersion(String)
  /// A file that was found elsewhere than at the state's path.
  case found(property: String, at: String)
  /// A file that was not found, or that the unit refused.
  case notRestored(property: String, reason: String)

  public var description: String {
    switch self {
    case .unknownParameter(let keyPath): "there is no parameter “\(keyPath)”; it is kept"
    case .unknownProperty(let identifier): "there is no property “\(identifier)”; it is kept"
    case .newerVersion(let version): "the state is of version \(version), which is newer"
    case .found(let property, let path): "“\(property)” was found at \(path)"
    case .notRestored(let property, let reason): "“\(property)” is as before: \(reason)"
    }
  }
}

extension AudioUnit {
  /// The parameters, the properties and the current preset's name, observable as a whole; files keep
  /// the paths that they were set with.
  public var fullState: UnitState {
    registrar.access(self, keyPath: \.parameterValues)
    registrar.access(self, keyPath: \.propertyValues)
    registrar.access(self, keyPath: \.currentPreset)
    let facts = facts
    return state.withLock { state in
      let stored = state.parameters.values.filter { address, _ in
        facts.parameter(at: address)?.info.isStored == true
      }
      var result = UnitState(facts, values: stored, presetName: state.preset?.name)
      result.presetNumber = state.preset?.number
      result.properties = state.properties
      if let unknown = state.unknown {
        result.unknownParameters = unknown.unknownParameters
        result.unknownEntries = unknown.unknownEntries
        result.properties.merge(unknown.properties) { known, _ in known }
      }
      return result
    }
  }

  /// Returns the state for a document in `folder`: files in or below that folder have relative
  /// paths, so that the folder can be moved as a whole.
  public func fullStateForDocument(in folder: String) -> UnitState {
    var result = fullState
    let root = FilePath.resolve(folder) ?? folder
    for property in facts.properties where property.isPath {
      guard let path = result.properties[property.identifier],
        let resolved = FilePath.resolve(path), resolved.hasPrefix("\(root)/")
      else { continue }
      result.properties[property.identifier] = String(resolved.dropFirst("\(root)/".count))
    }
    return result
  }

  /// Applies a state: parameters that it does not name get their defaults, properties stay. All
  /// parameters are set together, as `setParameter` does.
  ///
  /// `folders` are searched for files missing at the state's path: the document's folder, the rack's,
  /// the folder of the shipped sounds.
  ///
  /// - Throws: `AudioUnitError` if the state is another unit's, or has a value that is NaN; then
  ///   nothing changes.
  @discardableResult
  public func restore(
    _ new: UnitState, folders: [String] = []
  ) throws(AudioUnitError) -> [StateRemark] {
    guard new.component == facts.component else {
      throw error("the state is one of \(new.component), not of \(facts.component)")
    }
    let busCount = inputBusses.count
    let defaults = Self.defaultValues(of: facts, inputBusCount: busCount)
    let values = defaults.merging(new.values(for: facts, inputBusCount: busCount)) { $1 }
    var held: [(address: UInt64, value: Float)] = []
    for (address, value) in values.sorted(by: { $0.key < $1.key })
    where facts.parameter(at: address)?.info.isStored == true {
      held.append((address, try heldValue(value, of: address)))
    }

    var remarks: [StateRemark] = []
    if new.version > facts.version {
      remarks.append(.newerVersion(UnitFacts.written(version: new.version)))
    }
    var unknown = new
    unknown.parameters = [:]
    for (keyPath, value) in new.parameters
    where facts.parameter(atKeyPath: keyPath, inputBusCount: busCount) == nil {
      unknown.unknownParameters[keyPath] = "\(value)"
    }
    remarks += unknown.unknownParameters.keys.sorted().map { .unknownParameter($0) }
    unknown.properties = new.properties.filter { identifier, _ in
      !facts.properties.contains { $0.identifier == identifier }
    }
    remarks += unknown.properties.keys.sorted().map { .unknownProperty($0) }

    set(held)
    for (index, property) in facts.properties.enumerated() {
      guard let value = new.properties[property.identifier] else { continue }
      remarks += restore(property, index: index, value: value, folders: folders)
    }
    write(\.currentPreset) { state in
      state.unknown = unknown
      state.preset = preset(of: new)
    }
    return remarks
  }

  private func restore(
    _ property: PropertyInfo, index: Int, value: String, folders: [String]
  ) -> [StateRemark] {
    var remarks: [StateRemark] = []
    var value = value
    if property.isPath, !value.isEmpty {
      guard let path = Self.find(value, in: folders) else {
        let others = folders.isEmpty ? "" : ", nor in \(folders.joined(separator: ", "))"
        return [
          .notRestored(property: property.identifier, reason: "there is no \(value)\(others)")
        ]
      }
      let expected = value.hasPrefix("/") ? value : folders.first.map { "\($0)/\(value)" } ?? value
      if path != expected { remarks.append(.found(property: property.identifier, at: path)) }
      value = path
    }
    do {
      try setProperty(at: index, to: value)
    } catch {
      remarks.append(.notRestored(property: property.identifier, reason: error.reason))
    }
    return remarks
  }

  /// Returns the path of a file that a state names. A relative path is tried from each folder in turn;
  /// a missing file is searched for in the folders by its name alone.
  private static func find(_ path: String, in folders: [String]) -> String? {
    let isRelative = !path.hasPrefix("/") && !folders.isEmpty
    let candidates = isRelative ? folders.map { "\($0)/\(path)" } : [path]
    let name = FilePath.name(of: path)
    return (candidates + folders.map { "\($0)/\(name)" }).first { access($0, R_OK) == 0 }
  }

  /// The properties that have been set, by identifier; observable as a whole.
  public var propertyValues: [String: String] { read(\.propertyValues) { $0.properties } }

  /// The parts of the properties' values that the unit has left out, such as regions of an instrument
  /// whose samples are missing: sentences, in the order of the properties; observable as a whole.
  public var propertyWarnings: [String] {
    let identifiers = facts.properties.map(\.identifier)
    return read(\.propertyWarnings) { state in
      identifiers.flatMap { state.propertyWarnings[$0] ?? [] }
    }
  }

  /// Sets a property, such as the path of a sound file; also while the unit is rendered. A relative
  /// path is resolved against the program's current folder.
  ///
  /// - Throws: `AudioUnitError` if there is no such property, or with the unit's reason for refusing
  ///   the value; then the property stays.
  public func setProperty(_ identifier: String, to value: String) throws(AudioUnitError) {
    let known = facts.properties.map(\.identifier)
    guard let index = known.firstIndex(of: identifier) else {
      let nearest = nearestWord(to: identifier, in: known).map { "; did you mean “\($0)”?" }
      throw error("it has no property “\(identifier)”\(nearest ?? "")")
    }
    try setProperty(at: index, to: value)
  }

  /// Sets a property by its index in the unit's table.
  package func setProperty(at index: Int, to value: String) throws(AudioUnitError) {
    guard facts.properties.indices.contains(index) else {
      throw error("it has no property \(index)")
    }
    let identifier = facts.properties[index].identifier
    var passed = value
    if facts.properties[index].isPath, !value.isEmpty {
      // The unit's process has a working folder of its own.
      passed = FilePath.absolute(value)
      service?.group.allow(reading: [passed])
    }
    if component.component.plugIn != nil {
      service?.group.allow(reading: Self.files(namedBy: value))
    }
    let problem = controlLock.withLock { _ -> String? in
      var message = [CChar](repeating: 0, count: Int(BL_MESSAGE_CAPACITY))
      let status = bl_set_property(
        descriptor, instance, UInt32(index), passed, &message, message.count)
      let text = String(message)
      guard status == BL_OK else { return text }
      state.withLock {
        $0.properties[identifier] = value
        $0.propertyWarnings[identifier] = text.split(separator: "\n").map(String.init)
      }
      return nil
    }
    if let problem { throw error(problem) }
    notify(\.propertyValues)
    notify(\.propertyWarnings)
    askNoteNames()
  }

  /// The files that the unit has read in addition to those that its properties name, such as the
  /// samples of an instrument.
  package var filesRead: [String] {
    var files: [String] = []
    while let file = try? send(message: "\(files.count)", channel: "files"), !file.isEmpty {
      files.append(file)
    }
    return files
  }

  /// Returns the files that the state of a plug-in names; the state is Turtle: `<file:///…>`.
  private static func files(namedBy state: String) -> [String] {
    state.split(separator: "<file://", omittingEmptySubsequences: false).dropFirst().compactMap {
      URL(string: "file://\($0.prefix { $0 != ">" })")?.path
    }
  }

  /// Copies the data that the unit holds outside parameters and other properties into its data
  /// properties, if it has changed.
  ///
  /// - Returns: the indices and values of the properties that have data.
  /// - Throws: `AudioUnitError` with the unit's reason, or if its process is gone.
  @discardableResult
  package func refreshData() throws(AudioUnitError) -> [(index: Int, value: String)] {
    var taken: [(index: Int, value: String)] = []
    for (index, property) in facts.properties.enumerated() where property.kind == .data {
      let text = try data(ofPropertyAt: index) { data in
        guard let text = bl_text_of_data(data.bytes, data.count) else { return "" }
        defer { free(text) }
        return String(cString: text)
      }
      if let text { write(\.propertyValues) { $0.properties[property.identifier] = text } }
      if let value = propertyValues[property.identifier] { taken.append((index, value)) }
    }
    return taken
  }

  /// Writes the data that the unit holds, such as a loop, into the files that its properties name;
  /// nothing if it holds none, or names no file. May wait up to 0.2 s until the data stops
  /// changing.
  ///
  /// - Throws: `AudioUnitError` with the reason why the data was not written.
  package func saveDataFiles() throws(AudioUnitError) {
    for (index, property) in facts.properties.enumerated() where property.kind == .dataFile {
      // The unit must not have the host write where it may not write itself.
      if service != nil, component.bundle != nil {
        throw error("a unit of a bundle cannot write files from a process of its own")
      }
      guard let path = propertyValues[property.identifier], !path.isEmpty,
        let bytes = try data(
          ofPropertyAt: index,
          {
            Array(UnsafeBufferPointer(start: $0.bytes, count: $0.count))
          })
      else { continue }
      do {
        try WholeFile.write(bytes, to: path)
      } catch {
        throw self.error("\(error)")
      }
    }
  }

  /// Returns what the unit saves of a property's data; nil if there is nothing to keep, or nothing
  /// new.
  private func data<Result>(
    ofPropertyAt index: Int, _ body: (bl_data) -> Result
  ) throws(AudioUnitError) -> Result? {
    guard let save = descriptor.pointee.save_data else { return nil }
    var data = bl_data()
    defer { free(data.bytes) }
    var message = [CChar](repeating: 0, count: Int(BL_MESSAGE_CAPACITY))
    let status = controlLock.withLock { _ in
      withUnsafeMutablePointer(to: &data) {
        var writer = bl_data_writer_to($0)
        return save(instance, UInt32(index), &writer, &message, message.count)
      }
    }
    guard status == BL_OK else { throw error(String(message)) }
    return data.count > 0 ? body(data) : nil
  }

  /// Returns the preset that a state names; a preset of the unit's own table gets its number there.
  func preset(of state: UnitState) -> Preset? {
    state.presetName.map { name in
      let number = facts.factoryPresets.firstIndex { $0.name == name }
      return Preset(number: state.presetNumber ?? number ?? 0, name: name)
    }
  }
}
