import CKernel
import CTestUnits
import CUnit

/// Units that are rendered elsewhere, as those in other processes.
extension KernelHost {
  /// Adds a unit that renders like one of `descriptor`, but as soon as it gets its cycle, and
  /// returns its output at its turn.
  ///
  /// - Parameters:
  ///   - isDeferred: whether it does so; false for a unit that renders at its turn.
  ///   - log: records the kernel's calls.
  @discardableResult
  package func addElsewhere(
    _ descriptor: UnsafePointer<bl_unit_descriptor>, inputs: [UInt32] = [1],
    outputs: [UInt32] = [1], parameters: [(Int, Float)] = [], isDeferred: Bool = true,
    log: CallLog? = nil
  ) -> Int {
    let wrapped = bl_test_deferred_create(descriptor)!
    ownDescriptors.append(wrapped)
    let number = add(wrapped, inputs: inputs, outputs: outputs, parameters: parameters)
    if isDeferred { bl_node_set_dispatch_render(nodes[number], bl_test_begin_render) }
    if let log { bl_test_deferred_log(units[number], log.pointer, Int32(number)) }
    return number
  }

  /// Sets the status that a unit of `addElsewhere` returns from now on.
  package func answer(_ unit: Int = 0, with status: Int) {
    bl_test_deferred_answer(units[unit], bl_status(status))
  }
}
