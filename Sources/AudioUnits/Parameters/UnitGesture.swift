import CKernel

/// A gesture that a person makes by means of a unit, or a value within it.
package struct UnitGesture: Sendable {
  package var address: UInt64
  package var type: ParameterAutomationEventType
  /// The value before it, and now.
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
