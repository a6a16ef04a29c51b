import CIO
import CUnit

/// The JACK ports of one graph: hand `context` to the graph's description, and unregister the set
/// once that graph is reported retired.
///
/// Unchecked Sendable: the pointer never changes; what it points to is written before the set is
/// handed out and by the setters before the graph is sent, and is the render thread's from
/// then on.
public final class JackPortSet: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<bl_jack_ports>
  /// The raw names of the ports that the set holds.
  let names: [String]
  /// What each is to be connected to.
  let autoConnect: [String: [String]]

  init(
    pointer: UnsafeMutablePointer<bl_jack_ports>, names: [String],
    autoConnect: [String: [String]]
  ) {
    self.pointer = pointer
    self.names = names
    self.autoConnect = autoConnect
  }

  deinit { bl_jack_ports_destroy(pointer) }

  /// For `bl_graph_description.context`.
  public var context: UnsafeMutableRawPointer { UnsafeMutableRawPointer(pointer) }

  /// Sets the beats per minute where JACK's transport has none; before the graph is sent.
  public func setTempo(_ tempo: Double) { pointer.pointee.tempo = tempo }

  /// Names the units to wait for in freewheel, those whose descriptor has `wait_until_ready`; before
  /// the graph is sent. False when memory is short.
  public func waitInFreewheel(
    for units: [(descriptor: UnsafePointer<bl_unit_descriptor>, unit: OpaquePointer)]
  ) -> Bool {
    let fed = units.filter { $0.descriptor.pointee.wait_until_ready != nil }.map {
      bl_jack_fed_unit(descriptor: $0.descriptor, unit: $0.unit)
    }
    return bl_jack_ports_set_fed_units(pointer, fed, UInt32(fed.count))
  }
}
