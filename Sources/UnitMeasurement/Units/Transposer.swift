extension MeasuredUnit {
  static let transposer = MeasuredUnit(
    "aumi/trns/bkln",
    figures: [
      Figure("C4 (60), a fifth up", in: "", .near(67, within: 0)) { unit in
        Double(try unit.host(["semitones": 7]).note(for: 60)?.note ?? 0)
      },
      Figure("C sharp (61) in C major", in: "", .near(60, within: 0)) { unit in
        Double(try unit.host(["scale": 1]).note(for: 61)?.note ?? 0)
      },
    ]
  ) { unit in
    Plot(
      "Note sent over key played, by scale, root C", x: Plot.Axis("Key", 60...72, step: 1),
      y: Plot.Axis("Note", 60...80, step: 4),
      try [("Chromatic", 0, 0), ("Major", 1, 0), ("Major, a fifth up", 1, 7)].map {
        (name: String, scale: Float, semitones: Float) in
        let host = try unit.host(["scale": scale, "semitones": semitones])
        return Plot.Curve(
          name,
          (60...72).map { key in
            Plot.Point(Double(key), Double(host.note(for: UInt8(key))?.note ?? 0))
          })
      })
  }
}
