import BacklineTestSupport

/// Reads 20,000 mutated files of every kind, with a new seed each time.
enum FileSoak {
  static func run() throws {
    let seed = UInt64.random(in: .min ... .max)
    let count = Measurement.amount(20_000, short: 20)
    print("mutated files, seed \(seed)")
    var table = Table(
      title: "\(count) mutated files of each kind, the slowest", unit: "ms", reference: "limit")
    for result in try FileFuzz().run(count: count, seed: seed) {
      table.rows.append(
        .init(
          result.kind, ours: result.slowest / .milliseconds(1), reference: 1000, aim: 1,
          remark: "\(result.accepted) accepted"))
    }
    try table.show()
  }
}
