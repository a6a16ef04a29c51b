import Foundation

extension Process {
  /// Waits for the process's end; kills it after `seconds`, so that its test fails instead of
  /// hanging.
  package func waitForEnd(within seconds: Double = 300) {
    let number = processIdentifier
    let killing = DispatchWorkItem { kill(number, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: killing)
    waitUntilExit()
    killing.cancel()
  }
}
