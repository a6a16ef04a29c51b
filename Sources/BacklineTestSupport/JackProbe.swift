import CJack
import CTestSupport

/// Plays arrays and MIDI into the client under test, records its output cycle by cycle, and queries
/// the server as another client.
package final class JackProbe {
  package let library: UnsafePointer<bl_jack_library>
  private let probe: OpaquePointer
  private let outputs: Int
  private let inputs: Int
  private let server: String

  package struct Refused: Error {}
  /// The server skipped frames, or is stopped.
  package struct Incomplete: Error {}

  package struct Recording {
    /// The recorded sound, inputs × frames.
    package var channels: [[Float]]
    /// The recorded messages of the MIDI inputs.
    package var messages: [Message]
    /// The frame time of the first frame, by the frame clock at the end of the run.
    package var startTime: UInt32
  }

  package struct Message: Equatable {
    package var frame: Int
    package var bytes: [UInt8]
    /// The MIDI input that captured the message.
    package var port = 0
    package init(_ bytes: [UInt8], at frame: Int) { (self.bytes, self.frame) = (bytes, frame) }
  }

  /// Creates the ports injector:out_1…, injector:midi_1…, capturer:in_1… and capturer:midi_1….
  package init(
    server: String, outputs: Int = 1, midi: Int = 0, inputs: Int = 1, midiInputs: Int = 0
  ) throws {
    var error: UnsafePointer<CChar>?
    guard let library = bl_jack_load_client(&error),
      let probe = bl_probe_create(
        library, server, UInt32(outputs), UInt32(midi), UInt32(inputs), UInt32(midiInputs))
    else { throw Refused() }
    self.library = library
    self.probe = probe
    self.outputs = outputs
    self.inputs = inputs
    self.server = server
  }

  deinit { bl_probe_destroy(probe) }

  /// Deactivates and activates the capturer, whose ports stay and lose their connections.
  package func reactivate() throws {
    guard library.pointee.jack_deactivate(bl_probe_client(probe)) == 0,
      library.pointee.jack_activate(bl_probe_client(probe)) == 0
    else { throw Refused() }
  }

  /// Connects two ports of any clients, by full name.
  package func connect(_ from: String, _ to: String) throws {
    let status = library.pointee.jack_connect(bl_probe_client(probe), from, to)
    guard status == 0 else { throw Refused() }
  }

  package func disconnect(_ from: String, _ to: String) throws {
    let status = library.pointee.jack_disconnect(bl_probe_client(probe), from, to)
    guard status == 0 else { throw Refused() }
  }

  /// Plays `output` (outputs × frames) and the messages, and records as many frames. `change`
  /// starts once `frame` has been captured, and has ended before this returns. A run is repeated if
  /// a client missed a cycle, or if it ended before `change` could start.
  package func play(
    _ output: [[Float]], frames: Int, messages: [Message] = [], midiPort: Int = 0,
    after frame: Int = 0, _ change: (@Sendable () async throws -> Void)? = nil
  ) async throws -> Recording {
    var changing: Task<Void, any Error>?
    for _ in 0..<5 {
      try start(output, frames, messages, midiPort)
      // Wait ten times as long as the run should take.
      for _ in 0..<2000 + frames / 48 where !bl_probe_is_finished(probe) {
        if let change, changing == nil, bl_probe_captured(probe) > frame {
          changing = Task(operation: change)
        }
        try await Task.sleep(for: .milliseconds(10))
      }
      guard bl_probe_is_finished(probe) else { throw Incomplete() }
      if change != nil, changing == nil { continue }
      try await changing?.value
      if bl_probe_is_complete(probe) {
        let channels = (0..<inputs).map { input in
          Array(UnsafeBufferPointer(start: bl_probe_recording(probe, UInt32(input)), count: frames))
        }
        return Recording(
          channels: channels, messages: capturedMessages, startTime: bl_probe_start_time(probe))
      }
    }
    throw Incomplete()
  }

  private var capturedMessages: [Message] {
    var count: UInt32 = 0
    guard let messages = bl_probe_messages(probe, &count) else { return [] }
    return (0..<Int(count)).map { index in
      let message = messages[index]
      let bytes = withUnsafeBytes(of: message.bytes) { Array($0.prefix(Int(message.length))) }
      var made = Message(bytes, at: Int(message.frame))
      made.port = Int(message.port)
      return made
    }
  }

  private func start(
    _ output: [[Float]], _ frames: Int, _ messages: [Message], _ midiPort: Int
  ) throws {
    precondition(output.count == outputs && output.allSatisfy { $0.count == frames })
    let list = messages.map { message in
      var made = bl_probe_message()
      made.frame = UInt32(message.frame)
      made.length = UInt32(message.bytes.count)
      withUnsafeMutableBytes(of: &made.bytes) { $0.copyBytes(from: message.bytes) }
      return made
    }
    guard
      bl_probe_start(
        probe, output.flatMap { $0 }, UInt32(frames), UInt32(midiPort), list, UInt32(list.count))
    else { throw Refused() }
  }

  package func setFreewheel(_ on: Bool) {
    _ = library.pointee.jack_set_freewheel(bl_probe_client(probe), on ? 1 : 0)
  }

  /// The position of the server's transport, frames.
  package var transportFrame: UInt32 { transport.frame }

  /// The position of the transport, with bar, beat and tick if there is a timebase master.
  package var transport: jack_position_t {
    var position = jack_position_t()
    _ = library.pointee.jack_transport_query(bl_probe_client(probe), &position)
    return position
  }

  /// The full names of all ports, in JACK's order.
  package var ports: [String] {
    strings(library.pointee.jack_get_ports(bl_probe_client(probe), nil, nil, 0))
  }

  package func flags(_ port: String) -> UInt32 {
    UInt32(library.pointee.jack_port_flags(pointer(port)))
  }

  package func type(_ port: String) -> String {
    library.pointee.jack_port_type(pointer(port)).map { String(cString: $0) } ?? ""
  }

  package func connections(_ port: String) -> [String] {
    strings(library.pointee.jack_port_get_all_connections(bl_probe_client(probe), pointer(port)))
  }

  /// Returns the metadata of a port: values by key.
  package func properties(_ port: String) -> [String: String] {
    properties(library.pointee.jack_port_uuid(pointer(port)))
  }

  private func properties(_ uuid: jack_uuid_t) -> [String: String] {
    var description = jack_description_t()
    guard library.pointee.jack_get_properties(uuid, &description) >= 0 else { return [:] }
    defer { library.pointee.jack_free_description(&description, 0) }
    var values: [String: String] = [:]
    for index in 0..<Int(description.property_cnt) {
      let property = description.properties[index]
      values[String(cString: property.key)] = String(cString: property.data)
    }
    return values
  }

  private func pointer(_ port: String) -> OpaquePointer? {
    library.pointee.jack_port_by_name(bl_probe_client(probe), port)
  }

  private func strings(
    _ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) -> [String] {
    guard let list else { return [] }
    defer { library.pointee.jack_free(list) }
    var result: [String] = []
    while let text = list[result.count] { result.append(String(cString: text)) }
    return result
  }
}
