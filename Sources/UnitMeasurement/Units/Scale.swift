extension MeasuredUnit {
  static let scale = MeasuredUnit(
    "aumi/scal/bkln",
    figures: [
      Figure("F sharp (66) in C major, nearest", in: "", .near(65, within: 0)) { unit in
        Double(try unit.host().note(for: 66)?.note ?? 0)
      },
      Figure("F sharp (66) in C major, up", in: "", .near(67, within: 0)) { unit in
        Double(try unit.host(["outside": 1]).note(for: 66)?.note ?? 0)
      },
      Figure("Keys of 128 that stay where they are in C major", in: "", .near(75, within: 0)) {
        unit in
        let host = try unit.host()
        return Double((0..<128).count { host.note(for: UInt8($0))?.note == UInt8($0) })
      },
    ]
  ) { unit in
    Plot(
      "Note sent over key played, A minor pentatonic, by what becomes of notes outside",
      x: Plot.Axis("Key", 57...69, step: 1), y: Plot.Axis("Note", 54...72, step: 3),
      try [("Nearest", 0), ("Up", 1), ("Down", 2)].map { (name: String, outside: Float) in
        let host = try unit.host(preset: "A Minor Pentatonic", ["outside": outside])
        return Plot.Curve(
          name,
          (57...69).map { Plot.Point(Double($0), Double(host.note(for: UInt8($0))?.note ?? 0)) })
      })
  }
}
