/// The latency from the inputs of a rack to one of its outputs.
public struct PathLatency: Sendable, Codable, Equatable {
  /// A unit that adds to it.
  public struct Unit: Sendable, Codable, Equatable {
    public var name: String
    public var frames: Int
  }

  /// The output's name.
  public var port: String
  /// Along the longest path; shorter ones wait for it where they meet.
  public var frames: Int
  /// The units of that path that have a latency, in order.
  public var units: [Unit]
  /// Frames from a sound card's input to its output, JACK's latency before and behind the rack included;
  /// nil where that is not known.
  public var total: Int?
}

extension Plan {
  /// The latency of each output, MIDI outputs last, where the units have these (frames, in the units'
  /// order). Feedback cables do not count: they delay as an echo does.
  public func latencies(ofUnits frames: [Int]) -> [PathLatency] {
    typealias Ends = (source: Endpoint, destination: Endpoint)
    let audio: [Ends] = cables.filter { !$0.isFeedback }.map { ($0.source, $0.destination) }
    let midi: [Ends] = midiCables.map { ($0.source, $0.destination) }
    var ways: [Int: [Int]] = [:]
    func sum(_ way: [Int]) -> Int { way.reduce(0) { $0 + frames[$1] } }
    /// The units of the longest path through these.
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
      ports.enumerated().map { place, port in
        let way = longest(cables.filter { $0.destination == .port(place) }.map(\.source))
        let late = way.filter { frames[$0] > 0 }
        return PathLatency(
          port: port.name, frames: sum(way),
          units: late.map { .init(name: units[$0].name, frames: frames[$0]) })
      }
    }
    return latencies(outputs, audio) + latencies(midiOutputs, midi)
  }
}
