/// An error of JACK; the description contains the remedy if there is one.
public enum JackError: Error, Equatable, CustomStringConvertible {
  /// libjack or libjackserver is missing or too old.
  case library(String)
  case noServer(String)
  /// A server may run, but refuses the client.
  case clientRefused(name: String, reason: String)
  case portRefused(name: String, reason: String)
  case notActivated
  /// No server could be started in this process.
  case serverNotStarted(driver: String, reason: String)
  /// The server does not respond.
  case standsStill
  /// The client was closed, or its server has ended.
  case closed

  public var description: String {
    switch self {
    case .library(let reason): reason
    case .noServer(let name):
      """
      no JACK server named "\(name)" runs; start one, or let Backline start its own with \
      --server auto|alsa|dummy
      """
    case .clientRefused(let name, let reason):
      "JACK does not take the client \"\(name)\": \(reason)"
    case .portRefused(let name, let reason): "JACK does not register port \"\(name)\": \(reason)"
    case .notActivated: "JACK does not activate the client"
    case .serverNotStarted(let driver, let reason):
      "no JACK server could be started with the \(driver) driver: \(reason)"
    case .standsStill: "the JACK server stands still: it does not answer"
    case .closed: "the JACK client is closed"
    }
  }
}
