import CKernel
import CTestUnits
import CUnit

/// Units that are rendered elsewhere.
extension KernelHost {
  /// Adds a unit that does what one of `descriptor` does, but as soon as it is handed its cycle, and
  /// gives it out at its turn; `isDeferred: false`: at its turn, like any other. The log takes down
  /// what is called.
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

  /// What a unit of `addElsewhere` answers from now on.
  package func answer(_ unit: Int = 0, with status: Int) {
    bl_test_deferred_answer(units[unit], bl_status(status))
  }
}
