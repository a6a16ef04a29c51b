import Foundation

/// Spotify's pedalboard in a process of its own (Benchmarks/pedalboard/peer.py), which times one of
/// its plug-ins whenever it is asked to.
final class PedalboardPeer {
  /// The Python interpreter that `make bench` installs.
  private static let python = ".build/pedalboard/bin/python"

  private let process = Process()
  private let requests = Pipe()
  private let answers = Pipe()
  private var text = Data()

  struct Ended: Error, CustomStringConvertible {
    var plugIn: String
    var description: String { "pedalboard's \(plugIn) cannot be measured" }
  }

  /// Starts the process; nil where pedalboard is not installed.
  init?(impulse: String) {
    guard (try? Child.run([Self.python, "-c", "import pedalboard"])) != nil else { return nil }
    process.executableURL = URL(fileURLWithPath: Self.python)
    process.arguments = ["Benchmarks/pedalboard/peer.py", impulse]
    process.standardInput = requests
    process.standardOutput = answers
    guard (try? process.run()) != nil else { return nil }
  }

  deinit {
    try? requests.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Returns the plug-in's time in nanoseconds a frame.
  func measure(_ plugIn: String) throws -> Double {
    try requests.fileHandleForWriting.write(contentsOf: Data("\(plugIn)\n".utf8))
    while true {
      if let end = text.firstIndex(of: UInt8(ascii: "\n")) {
        defer { text = Data(text[(end + 1)...]) }
        guard let time = Double(String(decoding: text[..<end], as: UTF8.self)) else { break }
        return time
      }
      let more = answers.fileHandleForReading.availableData
      guard !more.isEmpty else { break }
      text += more
    }
    throw Ended(plugIn: plugIn)
  }
}
