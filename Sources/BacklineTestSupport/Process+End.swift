import Foundation

extension Process {
  /// Waits for the end; a process that has not ended after `seconds` is killed, so that its test fails and
  /// does not wait for ever.
  package func waitForEnd(within seconds: Double = 300) {
    let number = processIdentifier
    let killing = DispatchWorkItem { kill(number, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: killing)
    waitUntilExit()
    killing.cancel()
  }
}
