import CJack

/// The keys under which patchbays look (jackaudio.org/metadata).
enum JackMetadataKey {
  static let prettyName = "http://jackaudio.org/metadata/pretty-name"
  static let portGroup = "http://jackaudio.org/metadata/port-group"
  static let order = "http://jackaudio.org/metadata/order"
}

extension JackClient {
  /// Names, groups and orders the ports of these rack ports, top to bottom.
  func describe(_ descriptions: [JackPortDescription]) {
    var order = 1
    for description in descriptions {
      for channel in 0..<description.channels {
        guard let port = ports[description.rawName(channel: channel)] else { continue }
        let uuid = library.pointee.jack_port_uuid(port.pointer)
        setProperty(uuid, JackMetadataKey.prettyName, description.prettyName(channel: channel))
        setProperty(
          uuid, JackMetadataKey.order, String(order),
          type: "http://www.w3.org/2001/XMLSchema#integer")
        if description.channels > 1 {
          setProperty(uuid, JackMetadataKey.portGroup, description.prettyName)
        }
        order += 1
      }
    }
  }

  func removeMetadata(of port: RegisteredPort) {
    _ = library.pointee.jack_remove_properties(jack, library.pointee.jack_port_uuid(port.pointer))
  }

  /// Leaves nothing of ours in the server's metadata.
  func removeMetadata() {
    for port in ports.values { removeMetadata(of: port) }
  }

  /// Metadata is courtesy: a server that keeps none plays as well.
  private func setProperty(
    _ subject: jack_uuid_t, _ key: String, _ value: String, type: String = "text/plain"
  ) {
    _ = library.pointee.jack_set_property(jack, subject, key, value, type)
  }
}
