import BacklineTestSupport
import CUnit
import Foundation
import Testing

/// What is refused, and why.
@Suite struct NeuralAmpFileTests {
  let unit = BuiltInUnit("aufx/namp/bkln")
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// The reason for which a file is refused; nil where it is not.
  private func refusal(of path: String) throws -> String? {
    do {
      _ = try UnitHost(unit.descriptor, properties: ["file": path])
      return nil
    } catch let refusal as UnitHost.Refusal {
      return "\(refusal)"
    }
  }

  private func refusal(ofText text: String) throws -> String? {
    try refusal(of: folder.write("amp.nam", bytes: Array(text.utf8)))
  }

  private static let model = AmpModel.waveNet([
    .init(channels: 2, kernels: [3, 3], dilations: [1, 2], isNew: true)
  ])
  private static let file = model.file(version: "0.7.0")

  @Test func theModelIsFine() throws {
    #expect(try refusal(ofText: Self.file) == nil)
    for version in ["0.5.0", "0.5.4", "0.6.0", "0.7.3"] {
      #expect(try refusal(ofText: Self.model.file(version: version)) == nil)
    }
    #expect(try refusal(ofText: Self.model.file(rate: nil)) == nil)
  }

  /// A text of the file, another in its place, and a part of the reason.
  static let faults: [(String, String, String)] = [
    ("0.7.0", "0.8.0", "version 0.8.0"), ("0.7.0", "0.4.9", "version 0.4.9"),
    ("0.7.0", "1.0.0", "version 1.0.0"), ("\"version\"", "\"vision\"", "states no version"),
    ("WaveNet", "Transformer", "Transformer"), ("\"weights\"", "\"heights\"", "missing"),
    ("\"channels\": 2", "\"channels\": 1000000000", "channels"),
    ("\"channels\": 2", "\"channels\": -2", "channels"),
    ("\"channels\": 2", "\"channels\": 2.5", "channels"),
    ("\"channels\": 2", "\"channels\": \"2\"", "channels"),
    ("[1, 2]", "[1, 2000000000000]", "dilation"), ("[1, 2]", "[1, 0]", "dilation"),
    ("[1, 2]", "[]", "dilations"), ("[1, 2]", "[1, 1000000]", "looks back too far"),
    ("[1, 2]", "[1]", "for each layer"), ("[3, 3]", "[3, 1000000]", "kernel_size"),
    ("\"bottleneck\": 2", "\"bottleneck\": 3", "weights"),
    ("Tanh", "Tan", "activation"), ("\"none\"", "\"blended\"", "gating_mode"),
    ("\"conv_pre_film\": {\"active\": false}", "\"conv_pre_film\": {\"active\": true}", "FiLM"),
    ("\"head1x1\": {\"active\": false", "\"head1x1\": {\"active\": true", "head1x1"),
    ("\"layer1x1\": {\"active\": true", "\"layer1x1\": {\"active\": false", "layer1x1"),
    ("\"condition_size\": 1", "\"condition_size\": 2", "condition_size"),
    ("\"condition_size\": 1", "\"condition_size\": 1, \"surprise\": 1", "surprise"),
    ("\"head\": null", "\"head\": {}", "head behind"),
    ("\"head\": null", "\"head\": null, \"condition_dsp\": {}", "condition_dsp"),
    ("\"input_size\": 1", "\"input_size\": 3", "fit together"),
    ("48000", "1e9", "sample rate"), ("48000", "0", "sample rate"),
    ("\"weights\": [", "\"weights\": [NaN, ", "NaN"),
    ("\"weights\": [", "\"weights\": [1e999, ", "no finite number"),
    ("\"weights\": [", "\"weights\": [null, ", "no finite number"),
    ("\"weights\": [", "\"weights\": [-, ", "broken number"),
    ("\"weights\": [", "\"weights\": [0.5, ", "too many"),
    ("\"weights\": [", "\"weights\": [], \"more\": [", "too few"),
    ("{", "[", "no .nam"), ("\"metadata\"", "metadata", "no JSON"),
  ]

  @Test(arguments: faults.indices) func faultsAreNamed(index: Int) throws {
    let (from, to, reason) = Self.faults[index]
    let range = try #require(Self.file.range(of: from))
    var text = Self.file.replacingCharacters(in: range, with: to)
    if to == "[" { text = "[]" }
    let refusal = try #require(try refusal(ofText: text))
    #expect(refusal.contains(reason), "\(refusal)")
    #expect(refusal.contains("amp.nam"))
  }

  @Test func hostileFilesAreRefused() throws {
    let deep = String(repeating: "[", count: 100_000)
    #expect(try refusal(ofText: deep)?.contains("nested too deeply") == true)
    let wide = "[" + String(repeating: "0,", count: 2_100_000) + "0]"
    #expect(try refusal(ofText: wide)?.contains("too many values") == true)
    let huge = folder.path("huge.nam")
    #expect(FileManager.default.createFile(atPath: huge, contents: nil))
    let handle = try #require(FileHandle(forWritingAtPath: huge))
    try handle.truncate(atOffset: 2 << 30)
    try handle.close()
    #expect(try refusal(of: huge)?.contains("more than 32 MiB") == true)
    #expect(try refusal(ofText: "")?.contains("empty") == true)
    #expect(try refusal(of: folder.url.path)?.contains("folder") == true)
    #expect(try refusal(of: folder.path("none.nam")) != nil)
    let weights = "[" + String(repeating: "0,", count: 300_000) + "0]"
    let many = """
      {"version": "0.5.0", "architecture": "Linear", "config": {}, "weights": \(weights)}
      """
    #expect(try refusal(ofText: many)?.contains("more than") == true)
  }

  /// What people download instead of a model.
  @Test func impostorsAreToldWhatTheyAre() throws {
    let impostors: [([UInt8], String)] = [
      (Array("\u{FEFF} <!DOCTYPE html><html>404".utf8), "a web page"),
      (Array("\n<HTML>".utf8), "a web page"), (Array("PK\u{3}\u{4}....".utf8), "a zip archive"),
      ([0x1F, 0x8B, 8, 0], "gzip"), (Array("Rar!...".utf8), "a RAR archive"),
      ([0, 5, 0x16, 7, 0, 2, 0, 0], "a Mac notes"),
      (Array("version https://git-lfs.github.com/spec/v1\n".utf8), "Git LFS"),
    ]
    for (bytes, reason) in impostors {
      let refusal = try refusal(of: folder.write("amp.nam", bytes: bytes))
      #expect(refusal?.contains(reason) == true, "\(refusal ?? "")")
    }
    #expect(try refusal(ofText: "\u{FEFF}" + Self.file) == nil)
  }

  @Test func everyShorterFileIsRefused() throws {
    let bytes = Array(Self.file.utf8)
    for length in stride(from: 1, to: bytes.count, by: 7) {
      let path = try folder.write("amp.nam", bytes: Array(bytes.prefix(length)))
      #expect(try refusal(of: path) != nil, "\(length)")
    }
  }

  /// Whatever is in a file, it is refused or played.
  @Test func mutatedFilesDoNoHarm() throws {
    var mutator = Mutator(seed: 7)
    let input = [Signals.noise(frames: 64)]
    for _ in 0..<300 {
      let path = try folder.write("amp.nam", bytes: mutator.mutated(Array(Self.file.utf8)))
      guard
        let host = try? UnitHost(
          unit.descriptor, inputChannels: [1], outputChannels: [1], properties: ["file": path])
      else { continue }
      _ = host.render(inputs: [input], frames: 64)
    }
  }
}
