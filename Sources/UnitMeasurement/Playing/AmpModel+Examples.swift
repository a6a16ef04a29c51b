import Foundation

extension AmpModel {
  /// Each architecture in the shape of those that the trainer makes, with fewer or nearer layers.
  package static let examples: [AmpModel] = [
    // A1.
    waveNet([
      Layers(
        channels: 16, kernels: [3, 3, 3], dilations: [1, 2, 64], headSize: 8, headBias: false),
      Layers(channels: 8, kernels: [3, 3, 3], dilations: [1, 2, 5]),
    ]),
    // A1 nano, gated.
    waveNet([
      Layers(
        channels: 4, kernels: [3, 3], dilations: [1, 7], isGated: true, headSize: 2,
        headBias: false),
      Layers(channels: 2, kernels: [3, 3], dilations: [3, 30], isGated: true),
    ]),
    // A2 full and lite.
    waveNet([
      Layers(
        channels: 8, kernels: [6, 6, 15, 6], dilations: [1, 41, 13, 3], activation: "LeakyReLU",
        headKernel: 16, isNew: true)
    ]),
    waveNet([
      Layers(
        channels: 3, kernels: [6, 15, 6], dilations: [101, 1, 17], activation: "LeakyReLU",
        headKernel: 16, isNew: true)
    ]),
    gated("Hardtanh"), gated("SiLU"), gated("Hardswish"), gated("Softsign"), gated("Sigmoid"),
    convNet(channels: 6, dilations: [1, 2, 4, 8, 100], normalises: true, activation: "Tanh"),
    convNet(channels: 5, dilations: [1, 3], normalises: false, activation: "ReLU"),
    linear((0..<300).map { Double(Float(sin(Double($0 * $0)) / 10)) }, bias: 0.25),
    lstm(hidden: 3, layers: 1), lstm(hidden: 12, layers: 2),
  ]

  private static func gated(_ activation: String) -> AmpModel {
    waveNet([
      Layers(
        channels: 5, kernels: [2, 3], dilations: [1, 4], activation: activation, isGated: true,
        isNew: true)
    ])
  }
}
