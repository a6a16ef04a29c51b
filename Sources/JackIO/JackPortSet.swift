import CIO
import CUnit

/// The JACK ports of one graph, to be unregistered once the graph is retired.
///
/// Unchecked Sendable: the pointee is written before the graph is sent, and belongs to the render thread
/// from then on.
public final class JackPortSet: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<bl_jack_ports>
  /// The ports' names, without the client's.
  let names: [String]
  /// The rack ports, in their order in patchbays.
  let descriptions: [JackPortDescription]
  /// The full names of the ports to connect to, by port name.
  let autoConnect: [String: [String]]

  init(
    pointer: UnsafeMutablePointer<bl_jack_ports>, names: [String],
    descriptions: [JackPortDescription], autoConnect: [String: [String]]
  ) {
    self.pointer = pointer
    self.names = names
    self.descriptions = descriptions
    self.autoConnect = autoConnect
  }

  deinit { bl_jack_ports_destroy(pointer) }

  /// The context for `bl_graph_description.context`.
  public var context: UnsafeMutableRawPointer { UnsafeMutableRawPointer(pointer) }

  /// Sets the tempo to use if JACK's transport has none, beats per minute; call before the graph is
  /// sent.
  public func setTempo(_ tempo: Double) { pointer.pointee.tempo = tempo }

  /// Sets the units to wait for in freewheel mode, before the graph is sent; returns false if
  /// memory is short.
  public func waitInFreewheel(
    for units: [(descriptor: UnsafePointer<bl_unit_descriptor>, unit: OpaquePointer)]
  ) -> Bool {
    let fed = units.filter { $0.descriptor.pointee.wait_until_ready != nil }.map {
      bl_jack_fed_unit(descriptor: $0.descriptor, unit: $0.unit)
    }
    return bl_jack_ports_set_fed_units(pointer, fed, UInt32(fed.count))
  }
}
