import CKernel

/// A gesture that a person makes in a unit's own interface, or one value of it.
package struct UnitGesture: Sendable {
  package var address: UInt64
  package var type: ParameterAutomationEventType
  /// The values before the gesture and now.
  package var before: Float
  package var value: Float

  package init(_ report: bl_gesture_report) {
    (address, before, value) = (report.address, report.before, report.value)
    type =
      switch report.type {
      case BL_NOTICE_GESTURE_BEGIN: .touch
      case BL_NOTICE_GESTURE_END: .release
      default: .value
      }
  }
}
