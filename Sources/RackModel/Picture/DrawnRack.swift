import UnitModel

/// A rack's graph with all positions, in SVG units, for a page that draws it.
public struct DrawnRack: Sendable, Codable, Equatable {
  public struct Box: Sendable, Codable, Equatable {
    /// The name of the port or unit in the rack file.
    public var name: String
    /// The unit's name in the catalogue, or what the port carries.
    public var kind: String
    public var isPort: Bool
    /// The process in which the unit renders; empty for the host's.
    public var process: String
    /// The names of the inputs at the left edge, from the top; empty where one label suffices.
    public var inlets: [String]
    /// The left edge; `y` is the upper edge.
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double
  }

  public struct Cable: Sendable, Codable, Equatable {
    /// The names of the boxes at both ends.
    public var from: String
    public var to: String
    /// The kind: `audio`, `sidechain`, `feedback`, `MIDI` or `control`.
    public var kind: String
    /// The part of the signal that the cable carries; empty for all.
    public var part: String
    /// The chain for `disconnect`, `drums -> duck.sidechain`; nil for a control.
    public var chain: String?
    /// The SVG paths of the line and of the arrowhead, which is filled.
    public var path: String
    public var arrow: String
  }

  public var boxes: [Box]
  public var cables: [Cable]
  public var width: Double
  public var height: Double
  /// The description of the graph in words.
  public var words: String
}

extension Plan {
  /// Returns the rack's graph with all positions.
  ///
  /// - Parameter places: the positions of boxes that a person has moved, by name.
  package func drawn(
    _ catalogue: any UnitDirectory, places: [String: BoxPlace] = [:]
  ) -> DrawnRack {
    let picture = RackPicture(self, catalogue: catalogue, style: .blocks, places: places)
    return DrawnRack(
      boxes: picture.boxes.map { box in
        DrawnRack.Box(
          name: box.name, kind: box.kind, isPort: box.isPort, process: box.process,
          inlets: box.inlets, x: box.x.roundedToTenths,
          y: (box.y - box.height / 2).roundedToTenths, width: box.width.roundedToTenths,
          height: box.height.roundedToTenths)
      },
      cables: zip(picture.cables, picture.lines).map { cable, line in
        DrawnRack.Cable(
          from: picture.boxes[cable.from].name, to: picture.boxes[cable.to].name,
          kind: cable.kind.rawValue, part: cable.part, chain: cable.chain, path: line.path,
          arrow: line.arrow)
      }, width: picture.width.roundedToTenths, height: picture.fullHeight.roundedToTenths,
      words: picture.words)
  }
}
