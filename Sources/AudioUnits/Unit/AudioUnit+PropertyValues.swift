import CUnit
import Documents
import FoundationEssentials
import UnitModel

extension AudioUnit {
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
}
