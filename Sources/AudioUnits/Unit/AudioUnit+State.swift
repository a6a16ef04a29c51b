import Documents
import Glibc
import UnitModel

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

  /// Returns the preset that a state names; a preset of the unit's own table gets its number there.
  func preset(of state: UnitState) -> Preset? {
    state.presetName.map { name in
      let number = facts.factoryPresets.firstIndex { $0.name == name }
      return Preset(number: state.presetNumber ?? number ?? 0, name: name)
    }
  }
}
