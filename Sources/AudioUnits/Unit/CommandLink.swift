import CKernel
import UnitModel

/// The way to the kernel that plays a unit, for any thread.
///
/// Unchecked because of the pointer: command_gate.h lets every thread in, and whoever opens and shuts
/// it is one at a time.
package final class CommandGate: @unchecked Sendable {
  let pointer: OpaquePointer

  package init() throws(AudioUnitError) {
    guard let pointer = bl_command_gate_create() else {
      throw AudioUnitError(unit: "kernel", reason: "memory is short")
    }
    self.pointer = pointer
  }

  deinit { bl_command_gate_destroy(pointer) }

  /// False where it is shut, or the kernel has no room.
  func send(_ command: bl_command) -> Bool {
    withUnsafePointer(to: command) { bl_command_gate_send(pointer, $0) }
  }

  /// From here on commands reach the kernel.
  package func open(_ kernel: OpaquePointer) { bl_command_gate_open(pointer, kernel) }
  /// From here on none does, and none is on its way.
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
