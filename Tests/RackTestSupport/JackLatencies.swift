import BacklineTestSupport

extension JackTestServer {
  /// The latencies of a client's ports as `jack_lsp -l` prints them, in frames; a range whose ends
  /// differ counts as none.
  package func latencies(of client: String) -> [String: (playback: Int?, capture: Int?)] {
    var result: [String: (playback: Int?, capture: Int?)] = [:]
    var port = ""
    for line in run("jack_lsp", "-l", client).split(separator: "\n") {
      let range = line.split { !$0.isNumber }.compactMap { Int($0) }
      let value = range.count == 2 && range[0] == range[1] ? range[0] : nil
      if line.contains("port playback latency") {
        result[port, default: (nil, nil)].playback = value
      } else if line.contains("port capture latency") {
        result[port, default: (nil, nil)].capture = value
      } else if line.contains(":"), !line.contains(" ") {
        port = String(line)
      }
    }
    return result
  }
}
