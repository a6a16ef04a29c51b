import CKernel
import UnitModel

/// Sends commands to the kernel that plays a unit, from any thread.
///
/// Unchecked because of the pointer: any thread may send (command_gate.h), and only the owner opens
/// and shuts the gate, on one thread at a time.
package final class CommandGate: @unchecked Sendable {
  let pointer: OpaquePointer

  package init() throws(AudioUnitError) {
    guard let pointer = bl_command_gate_create() else {
      throw AudioUnitError(unit: "kernel", reason: "out of memory")
    }
    self.pointer = pointer
  }

  deinit { bl_command_gate_destroy(pointer) }

  /// Sends a command; returns false if the gate is shut or the kernel has no room.
  func send(_ command: bl_command) -> Bool {
    withUnsafePointer(to: command) { bl_command_gate_send(pointer, $0) } == BL_OK
  }

  /// Lets commands through to the kernel.
  package func open(_ kernel: OpaquePointer) { bl_command_gate_open(pointer, kernel) }
  /// Refuses commands; returns once those in progress have arrived.
  package func shut() { bl_command_gate_shut(pointer) }
}

/// The kernel that plays a unit of a rack, and the number by which it knows the unit.
package struct CommandLink: Sendable {
  package let gate: CommandGate
  package let identifier: UInt32

  package init(gate: CommandGate, identifier: UInt32) {
    self.gate = gate
    self.identifier = identifier
  }
}
