import ArgumentParser
import OSC

/// The options for the address at which a rack receives Open Sound Control.
struct OSCOptions: ParsableArguments {
  @Option(
    name: .customLong("osc"),
    help: ArgumentHelp(
      "Receive Open Sound Control on this UDP port, from this machine only, or on ADDRESS:PORT "
        + "(*:9000 for the whole network, which can then do anything to the rack).",
      valueName: "port"),
    transform: OSCPlace.init)
  var place: OSCPlace?

  /// Opens the socket; returns nil without `--osc`.
  func open() throws(OSCError) -> OSCSocket? {
    guard let place else { return nil }
    return try OSCSocket(at: OSCEndpoint(host: place.host, port: place.port))
  }
}

/// An address to receive OSC at: `9000`, `192.168.1.5:9000`, `[::1]:9000`, `*:9000`.
struct OSCPlace: Equatable {
  var host = "127.0.0.1"
  var port: UInt16

  init(_ text: String) throws {
    let digits = text.split(separator: ":", omittingEmptySubsequences: false).last ?? ""
    guard let port = UInt16(digits) else {
      throw ValidationError("--osc takes a port from 0 to 65535, or ADDRESS:PORT, not “\(text)”")
    }
    self.port = port
    guard digits.count < text.count else { return }
    var host = String(text.dropLast(digits.count + 1))
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    guard !host.isEmpty else {
      throw ValidationError("--osc \(text): write * for every address of this machine")
    }
    self.host = host
  }
}
