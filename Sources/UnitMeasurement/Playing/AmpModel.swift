import Foundation

/// A neural amplifier model with random weights: its .nam file, and a reference implementation in
/// double precision, written from the architecture's definition.
package struct AmpModel: Sendable {
  /// The members of the model's JSON object, apart from its version and sample rate.
  fileprivate var architecture: String
  fileprivate var config: String
  fileprivate var weights: [Double]
  /// The length of the model's memory, frames; the reference starts after as many zeros.
  package var reach: Int
  /// Computes the output for an input that was 0 before its first frame.
  fileprivate var compute: @Sendable ([Double]) -> [Double]

  private var json: String {
    let numbers = weights.map { "\($0)" }.joined(separator: ", ")
    return """
      "architecture": "\(architecture)", "config": \(config), "weights": [\(numbers)]
      """
  }

  package func file(version: String = "0.5.4", rate: Int? = 48_000, metadata: String = "{}")
    -> String
  {
    let rate = rate.map { ", \"sample_rate\": \($0)" } ?? ""
    return "{\"version\": \"\(version)\", \"metadata\": \(metadata), \(json)\(rate)}"
  }

  /// Returns the output for an input after endless silence, minus the output for silence.
  package func callAsFunction(_ input: [Float]) -> [Double] {
    let output = compute([Double](repeating: 0, count: reach) + input.map(Double.init))
    return output.dropFirst(reach).map { $0 - output[reach - 1] }
  }
}

/// Random weights in single precision, as in a file; the same for the same seed.
private struct WeightSource {
  private var random: Random
  private(set) var drawn: [Double] = []

  init(seed: UInt64) { random = Random(seed: seed) }

  mutating func draw(_ count: Int, fanIn: Int) -> [Double] {
    let bound = Float(1 / Double(fanIn).squareRoot())
    let weights = (0..<count).map { _ in Double(Float.random(in: -bound...bound, using: &random)) }
    drawn += weights
    return weights
  }
}

/// A convolution over time: z[o][t] = bias[o] + Σ w[o][i][k] x[i][t - (taps - 1 - k) · dilation].
private struct Convolution: Sendable {
  var inputs: Int, outputs: Int, taps: Int
  var dilation = 1
  var weights: [Double]
  var bias: [Double]?

  func callAsFunction(_ input: [[Double]]) -> [[Double]] {
    (0..<outputs).map { output in
      var sums = [Double](repeating: bias?[output] ?? 0, count: input[0].count)
      for row in 0..<inputs {
        for tap in 0..<taps {
          let weight = weights[(output * inputs + row) * taps + tap]
          let late = (taps - 1 - tap) * dilation
          input[row].withUnsafeBufferPointer { from in
            sums.withUnsafeMutableBufferPointer { to in
              var frame = late
              while frame < to.count {
                to[frame] += weight * from[frame - late]
                frame += 1
              }
            }
          }
        }
      }
      return sums
    }
  }
}

private func plus(_ a: [[Double]], _ b: [[Double]]) -> [[Double]] {
  zip(a, b).map { zip($0, $1).map(+) }
}

private func sigmoid(_ x: Double) -> Double { 1 / (1 + exp(-x)) }

/// Returns an activation function by its name in files.
private func activation(_ name: String) -> @Sendable (Double) -> Double {
  switch name {
  case "Tanh": { tanh($0) }
  case "ReLU": { max(0, $0) }
  case "LeakyReLU": { $0 > 0 ? $0 : 0.01 * $0 }
  case "Hardtanh": { min(1, max(-1, $0)) }
  case "Sigmoid": { sigmoid($0) }
  case "SiLU": { $0 * sigmoid($0) }
  case "Hardswish": { $0 * min(6, max(0, $0 + 3)) / 6 }
  case "Softsign": { $0 / (1 + abs($0)) }
  default: fatalError(name)
  }
}

extension AmpModel {
  /// A layer array of a WaveNet.
  package struct Layers: Sendable {
    var channels: Int
    var kernels: [Int]
    var dilations: [Int]
    var activation = "Tanh"
    var isGated = false
    var headSize = 1
    var headKernel = 1
    var headBias = true
    /// Whether to write the array as files of version 0.7 do.
    var isNew = false

    package init(
      channels: Int, kernels: [Int], dilations: [Int], activation: String = "Tanh",
      isGated: Bool = false, headSize: Int = 1, headKernel: Int = 1, headBias: Bool = true,
      isNew: Bool = false
    ) {
      (self.channels, self.kernels, self.dilations) = (channels, kernels, dilations)
      (self.activation, self.isGated, self.isNew) = (activation, isGated, isNew)
      (self.headSize, self.headKernel, self.headBias) = (headSize, headKernel, headBias)
    }

    fileprivate func config(inputs: Int) -> String {
      var text = """
        "input_size": \(inputs), "condition_size": 1, "channels": \(channels), \
        "dilations": \(dilations)
        """
      if isNew {
        let none = kernels.map { _ in "\"\(isGated ? "gated" : "none")\"" }.joined(separator: ", ")
        let types = kernels.map { _ in "{\"type\": \"\(activation)\"}" }.joined(separator: ", ")
        text += """
          , "kernel_sizes": \(kernels), "activation": [\(types)], "gating_mode": [\(none)], \
          "bottleneck": \(channels), "head1x1": {"active": false, "out_channels": 1, "groups": 1}, \
          "layer1x1": {"active": true, "groups": 1}, "conv_pre_film": {"active": false}, \
          "head": {"out_channels": \(headSize), "kernel_size": \(headKernel), "bias": \(headBias)}
          """
      } else {
        text += """
          , "kernel_size": \(kernels[0]), "activation": "\(activation)", "gated": \(isGated), \
          "head_size": \(headSize), "head_bias": \(headBias)
          """
      }
      return "{\(text)}"
    }
  }

  /// Creates a WaveNet: residual layers of dilated convolutions; the output is the sum of all
  /// layers'.
  package static func waveNet(_ arrays: [Layers], seed: UInt64 = 1) -> AmpModel {
    var source = WeightSource(seed: seed)
    var run: [@Sendable (inout (body: [[Double]], head: [[Double]]?), [Double]) -> Void] = []
    var configs: [String] = []
    var inputs = 1
    var reach = 1
    for array in arrays {
      configs.append(array.config(inputs: inputs))
      let start = Convolution(
        inputs: inputs, outputs: array.channels, taps: 1,
        weights: source.draw(array.channels * inputs, fanIn: inputs))
      run.append { signals, _ in signals.body = start(signals.body) }
      for (kernel, dilation) in zip(array.kernels, array.dilations) {
        run.append(layer(of: array, kernel, dilation, &source))
        reach += (kernel - 1) * dilation
      }
      let sums = array.channels * array.headKernel
      let head = Convolution(
        inputs: array.channels, outputs: array.headSize, taps: array.headKernel,
        weights: source.draw(array.headSize * sums, fanIn: sums),
        bias: array.headBias ? source.draw(array.headSize, fanIn: sums) : nil)
      run.append { signals, _ in signals.head = head(signals.head ?? []) }
      inputs = array.channels
      reach += array.headKernel - 1
    }
    let scale = source.draw(1, fanIn: 10)[0]
    return AmpModel(
      architecture: "WaveNet",
      config:
        "{\"layers\": [\(configs.joined(separator: ", "))], \"head\": null, \"head_scale\": 1}",
      weights: source.drawn, reach: reach
    ) { [run] input in
      var signals: (body: [[Double]], head: [[Double]]?) = ([input], nil)
      for step in run { step(&signals, input) }
      return (signals.head?[0] ?? []).map { $0 * scale }
    }
  }

  /// The "standard" WaveNet of the original trainer: 20 layers, 13,802 weights.
  package static var standardA1: AmpModel {
    let dilations = (0..<10).map { 1 << $0 }
    let kernels = dilations.map { _ in 3 }
    return waveNet([
      Layers(
        channels: 16, kernels: kernels, dilations: dilations, headSize: 8, headBias: false),
      Layers(channels: 8, kernels: kernels, dilations: dilations),
    ])
  }

  private static func layer(
    of array: Layers, _ kernel: Int, _ dilation: Int, _ source: inout WeightSource
  ) -> @Sendable (inout (body: [[Double]], head: [[Double]]?), [Double]) -> Void {
    let channels = array.channels
    let width = array.isGated ? 2 * channels : channels
    let convolution = Convolution(
      inputs: channels, outputs: width, taps: kernel, dilation: dilation,
      weights: source.draw(width * channels * kernel, fanIn: channels * kernel),
      bias: source.draw(width, fanIn: channels * kernel))
    let mix = Convolution(
      inputs: 1, outputs: width, taps: 1, weights: source.draw(width, fanIn: 1))
    let through = Convolution(
      inputs: channels, outputs: channels, taps: 1,
      weights: source.draw(channels * channels, fanIn: channels),
      bias: source.draw(channels, fanIn: channels))
    let curve = activation(array.activation)
    return { signals, input in
      let sums = plus(convolution(signals.body), mix([input]))
      var heard = sums.prefix(channels).map { $0.map(curve) }
      if array.isGated {
        for row in heard.indices {
          heard[row] = zip(heard[row], sums[channels + row]).map { $0 * sigmoid($1) }
        }
      }
      signals.head = signals.head.map { plus($0, heard) } ?? heard
      signals.body = plus(signals.body, through(heard))
    }
  }

  /// Creates a ConvNet: blocks of convolutions with two taps, optionally with batch normalisation.
  package static func convNet(
    channels: Int, dilations: [Int], normalises: Bool, activation name: String, seed: UInt64 = 2
  ) -> AmpModel {
    var source = WeightSource(seed: seed)
    var blocks: [@Sendable ([[Double]]) -> [[Double]]] = []
    var inputs = 1
    for dilation in dilations {
      var convolution = Convolution(
        inputs: inputs, outputs: channels, taps: 2, dilation: dilation,
        weights: source.draw(2 * inputs * channels, fanIn: 2 * inputs))
      if !normalises { convolution.bias = source.draw(channels, fanIn: 2) }
      let mean = normalises ? source.draw(channels, fanIn: 4) : []
      // A variance must be positive.
      let variance = normalises ? source.drawSquares(channels) : []
      let weight = normalises ? source.draw(channels, fanIn: 1) : []
      let bias = normalises ? source.draw(channels, fanIn: 1) : []
      let epsilon = normalises ? source.drawSquares(1)[0] : 0
      let curve = activation(name)
      blocks.append { [convolution] input in
        convolution(input).enumerated().map { row, sums in
          sums.map { sum in
            guard normalises else { return curve(sum) }
            let scaled = (sum - mean[row]) / (variance[row] + epsilon).squareRoot()
            return curve(scaled * weight[row] + bias[row])
          }
        }
      }
      inputs = channels
    }
    let head = Convolution(
      inputs: channels, outputs: 1, taps: 1, weights: source.draw(channels, fanIn: channels),
      bias: source.draw(1, fanIn: channels))
    return AmpModel(
      architecture: "ConvNet",
      config: """
        {"channels": \(channels), "dilations": \(dilations), "batchnorm": \(normalises), \
        "activation": "\(name)"}
        """, weights: source.drawn, reach: dilations.reduce(1, +)
    ) { [blocks] input in head(blocks.reduce([input]) { $1($0) })[0] }
  }

  /// Creates a linear model with this impulse response.
  package static func linear(_ response: [Double], bias: Double? = nil) -> AmpModel {
    AmpModel(
      architecture: "Linear",
      config: "{\"receptive_field\": \(response.count), \"bias\": \(bias != nil)}",
      weights: response + (bias.map { [$0] } ?? []), reach: response.count
    ) { input in
      Convolution(
        inputs: 1, outputs: 1, taps: response.count, weights: response.reversed(),
        bias: bias.map { [$0] })([input])[0]
    }
  }

  /// Creates an LSTM: stacked layers of long short-term memory.
  package static func lstm(hidden: Int, layers: Int, seed: UInt64 = 3) -> AmpModel {
    struct Layer {
      var inputs: Int
      var weights, bias, output, cells: [Double]
    }
    var source = WeightSource(seed: seed)
    let cells = (0..<layers).map { number in
      let inputs = number == 0 ? 1 : hidden
      return Layer(
        inputs: inputs,
        weights: source.draw(4 * hidden * (inputs + hidden), fanIn: inputs + hidden),
        bias: source.draw(4 * hidden, fanIn: 4), output: source.draw(hidden, fanIn: 4),
        cells: source.draw(hidden, fanIn: 4))
    }
    let head = source.draw(hidden, fanIn: hidden)
    let headBias = source.draw(1, fanIn: hidden)[0]
    return AmpModel(
      architecture: "LSTM",
      config: "{\"input_size\": 1, \"hidden_size\": \(hidden), \"num_layers\": \(layers)}",
      weights: source.drawn, reach: 2000
    ) { input in
      var cells = cells
      return input.map { sample in
        var values = [sample]
        for number in cells.indices {
          let layer = cells[number]
          let all = values + layer.output
          let sums = (0..<4 * hidden).map { row in
            zip(layer.weights[(row * all.count)...], all).reduce(layer.bias[row]) {
              $0 + $1.0 * $1.1
            }
          }
          for unit in 0..<hidden {
            // The gates are input, forget, cell and output.
            cells[number].cells[unit] =
              sigmoid(sums[hidden + unit]) * layer.cells[unit]
              + sigmoid(sums[unit]) * tanh(sums[2 * hidden + unit])
            cells[number].output[unit] =
              sigmoid(sums[3 * hidden + unit]) * tanh(cells[number].cells[unit])
          }
          values = cells[number].output
        }
        return zip(head, values).reduce(headBias) { $0 + $1.0 * $1.1 }
      }
    }
  }
}

extension WeightSource {
  /// Draws weights above 0.01.
  mutating func drawSquares(_ count: Int) -> [Double] {
    (0..<count).map { _ in
      var weight = 0.0
      repeat {
        weight = draw(1, fanIn: 1)[0]
        if weight <= 0.01 { drop() }
      } while weight <= 0.01
      return weight
    }
  }

  private mutating func drop() { drawn.removeLast() }
}
