import AudioUnits
import CKernel
import JackIO
import RackModel

/// A kernel with all that its render thread may touch, so that they end together and only when no
/// cycle can run any more: the JACK client holds it as well as the engine.
///
/// Unchecked Sendable: `holdings` and `lastRecording` are the engine's alone, and after the engine nobody's.
final class KernelOwner: @unchecked Sendable {
  let pointer: OpaquePointer
  /// By which the units' own commands come.
  let gate: CommandGate
  /// What each graph that the kernel may still touch is made of.
  var holdings: [OpaquePointer: Holding] = [:]

  struct Holding {
    var units: [RackUnit]
    var ports: JackPortSet?
    /// Whose controls and scenes its reports name by place.
    var plan: Plan
    var recording: Recording?
    var automation: Automation?
  }
  /// What the kernel may still record into while it plays no graph.
  var lastRecording: Recording?

  init(sampleRate: Double) throws(RackError) {
    do {
      gate = try CommandGate()
    } catch {
      throw RackError(error.reason)
    }
    var configuration = bl_kernel_configuration()
    configuration.sample_rate = sampleRate
    guard let pointer = bl_kernel_create(&configuration) else {
      throw RackError("memory is short")
    }
    self.pointer = pointer
    gate.open(pointer)
  }

  deinit {
    gate.shut()
    bl_kernel_destroy(pointer)
  }
}
