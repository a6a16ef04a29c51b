import CJack

extension JackClient {
  /// Names, groups and orders the ports of these rack ports, top to bottom.
  func describe(_ descriptions: [JackPortDescription]) {
    var order = 1
    for description in descriptions {
      for channel in 0..<description.channels {
        guard let port = ports[description.rawName(channel: channel)] else { continue }
        let uuid = library.pointee.jack_port_uuid(port.pointer)
        setProperty(uuid, "pretty-name", description.prettyName(channel: channel))
        setProperty(
          uuid, "order", String(order),
          type: "http://www.w3.org/2001/XMLSchema#integer")
        if description.channels > 1 {
          setProperty(uuid, "port-group", description.prettyName)
        }
        order += 1
      }
    }
  }

  func removeMetadata(of port: RegisteredPort) {
    _ = library.pointee.jack_remove_properties(jack, library.pointee.jack_port_uuid(port.pointer))
  }

  func removeMetadata() {
    for port in ports.values { removeMetadata(of: port) }
  }

  /// Sets a property that patchbays read (jackaudio.org/metadata), if the server has metadata.
  private func setProperty(
    _ subject: jack_uuid_t, _ key: String, _ value: String, type: String = "text/plain"
  ) {
    _ = library.pointee.jack_set_property(
      jack, subject, "http://jackaudio.org/metadata/\(key)", value, type)
  }
}
