import CJack

extension JackClient {
  /// Names, groups and orders the JACK ports of these rack ports, top to bottom.
  func describe(_ descriptions: [JackPortDescription]) {
    var properties: [PortProperty] = []
    var order = 1
    for description in descriptions {
      for channel in 0..<description.channels {
        guard let port = ports[description.rawName(channel: channel)] else { continue }
        let uuid = library.pointee.jack_port_uuid(port.pointer)
        func add(_ key: String, _ value: String, type: String = "text/plain") {
          properties.append(PortProperty(port: uuid, key: key, value: value, type: type))
        }
        add("pretty-name", description.prettyName(channel: channel))
        add("order", String(order), type: "http://www.w3.org/2001/XMLSchema#integer")
        if description.channels > 1 { add("port-group", description.prettyName) }
        order += 1
      }
    }
    let database = MetadataDatabase(library: library, client: jack)
    use { [properties] in for property in properties { database.set(property) } }
  }

  func removeMetadata(of ports: some Sequence<RegisteredPort>) {
    let database = MetadataDatabase(library: library, client: jack)
    let uuids = ports.map { library.pointee.jack_port_uuid($0.pointer) }
    use { for uuid in uuids { database.remove(uuid) } }
  }

  private func use(_ work: @escaping @Sendable () -> Void) {
    JackMetadata.shared.perform(work) { [continuation] in continuation.yield(.warning($0)) }
  }
}

/// A port property that patchbays read (jackaudio.org/metadata).
private struct PortProperty: Sendable {
  var port: jack_uuid_t
  var key: String
  var value: String
  var type: String
}

/// The server's metadata database, if it has one.
///
/// Unchecked Sendable: libjack's metadata functions may be called on any thread until the client is
/// closed, which waits for them (`JackMetadata.perform`).
private struct MetadataDatabase: @unchecked Sendable {
  let library: UnsafePointer<bl_jack_library>
  let client: OpaquePointer

  func set(_ property: PortProperty) {
    _ = library.pointee.jack_set_property(
      client, property.port, "http://jackaudio.org/metadata/\(property.key)", property.value,
      property.type)
  }

  func remove(_ port: jack_uuid_t) {
    _ = library.pointee.jack_remove_properties(client, port)
  }
}
