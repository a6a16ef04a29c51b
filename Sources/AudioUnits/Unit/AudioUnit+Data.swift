import CUnit
import Documents
import Glibc
import UnitModel

extension AudioUnit {
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
}
