/// The same bits, channel for channel and frame for frame?
func identical(_ left: [[Float]], _ right: [[Float]]) -> Bool {
  left.map { $0.map(\.bitPattern) } == right.map { $0.map(\.bitPattern) }
}
