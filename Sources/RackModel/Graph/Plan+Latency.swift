/// The latency from the inputs of a rack to one of its outputs, frames.
public struct PathLatency: Sendable, Codable, Equatable {
  /// A unit that adds to the latency.
  public struct Unit: Sendable, Codable, Equatable {
    public var name: String
    public var frames: Int
  }

  /// The output's name.
  public var port: String
  /// The latency of the longest path. Shorter paths are delayed to match where they meet.
  public var frames: Int
  /// The units of that path that have a latency, in order.
  public var units: [Unit]
  /// The latency from a sound card's input to its output, with JACK's latency before and after the rack;
  /// nil where that is unknown.
  public var total: Int?
}

extension Plan {
  /// Returns the latency of each audio output, and then of each MIDI output.
  ///
  /// Feedback cables do not count: they delay as an echo does.
  ///
  /// - Parameter frames: the latency of each unit of the plan, frames.
  public func latencies(ofUnits frames: [Int]) -> [PathLatency] {
    typealias Ends = (source: Endpoint, destination: Endpoint)
    let audio: [Ends] = cables.filter { !$0.isFeedback }.map { ($0.source, $0.destination) }
    let midi: [Ends] = midiCables.map { ($0.source, $0.destination) }
    var ways: [Int: [Int]] = [:]
    func sum(_ way: [Int]) -> Int { way.reduce(0) { $0 + frames[$1] } }
    /// Returns the units of the longest path that ends at one of the sources.
    func longest(_ sources: [Endpoint]) -> [Int] {
      sources.compactMap(\.unit).map(way).max { sum($0) < sum($1) } ?? []
    }
    func way(through unit: Int) -> [Int] {
      if let known = ways[unit] { return known }
      let whole =
        longest((audio + midi).filter { $0.destination.unit == unit }.map(\.source)) + [unit]
      ways[unit] = whole
      return whole
    }
    func latencies(_ ports: [Port], _ cables: [Ends]) -> [PathLatency] {
      ports.enumerated().map { index, port in
        let way = longest(cables.filter { $0.destination == .port(index) }.map(\.source))
        let late = way.filter { frames[$0] > 0 }
        return PathLatency(
          port: port.name, frames: sum(way),
          units: late.map { .init(name: units[$0].name, frames: frames[$0]) })
      }
    }
    return latencies(outputs, audio) + latencies(midiOutputs, midi)
  }
}
