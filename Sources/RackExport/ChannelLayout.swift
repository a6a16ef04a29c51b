import RackModel
import UnitModel

/// The channel counts of a unit's busses in a plug-in; each layout makes a plug-in of its own.
struct ChannelLayout {
  /// The name of the layout: "stereo", "mono-stereo", "4x4", "stereo-sidechain".
  var name: String
  /// The channel count of each input bus; nil for a sidechain that is left out.
  var inputs: [Int?]
  /// The channel count of the output; nil without an output.
  var output: Int?

  /// Returns the layouts that a unit accepts of mono, stereo and mono to stereo, or else its default layout; if
  /// the unit has sidechains, each layout again with them.
  static func all(of facts: UnitFacts) -> [ChannelLayout] {
    let busses = facts.inputBusses.indices
    let usual = (
      input: facts.inputBusses.first?.defaultChannelCount,
      output: facts.outputBusses.first?.defaultChannelCount
    )
    guard usual.input != nil || usual.output != nil else {
      return [ChannelLayout(name: "midi", inputs: [], output: nil)]
    }
    func layout(_ input: Int?, _ output: Int?) -> ChannelLayout {
      let input = usual.input.flatMap { _ in input }
      return ChannelLayout(
        name: name(input, output), inputs: busses.map { facts.isSidechain($0) ? nil : input },
        output: output)
    }
    // A unit without input has a layout for each output.
    let pairs = usual.input == nil ? [(1, 1), (2, 2)] : [(1, 1), (2, 2), (1, 2)]
    var layouts = pairs.map(layout).filter { $0.fits(facts) }
    if layouts.isEmpty { layouts = [layout(usual.input, usual.output)] }
    let withSidechains = layouts.map { layout in
      ChannelLayout(
        name: "\(layout.name)-sidechain",
        inputs: busses.map { layout.inputs[$0] ?? facts.inputBusses[$0].defaultChannelCount },
        output: layout.output)
    }
    return layouts + (busses.contains(where: facts.isSidechain) ? withSidechains : [])
  }

  private func fits(_ facts: UnitFacts) -> Bool {
    guard let counts = try? facts.channelCounts(sources: inputs, output: output) else {
      return false
    }
    return zip(inputs, counts.inputs).allSatisfy { $0 == nil || $0 == $1 }
  }

  private static func name(_ input: Int?, _ output: Int?) -> String {
    switch (input ?? output, output) {
    case (1, 1): "mono"
    case (2, 2): "stereo"
    case (1, 2): "mono-stereo"
    default: "\(input ?? 0)x\(output ?? 0)"
    }
  }
}
