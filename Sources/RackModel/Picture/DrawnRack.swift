import UnitModel

/// A rack's graph with the places of everything, for a page that draws it.
public struct DrawnRack: Sendable, Codable, Equatable {
  public struct Box: Sendable, Codable, Equatable {
    /// Of the rack file.
    public var name: String
    /// The unit's name, or what the port carries.
    public var kind: String
    public var isPort: Bool
    /// Where it renders; empty in the host.
    public var process: String
    /// What enters at its left edge, from the top; empty where one name is enough.
    public var inlets: [String]
    /// Its left edge, its upper edge, and its size.
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double
  }

  public struct Cable: Sendable, Codable, Equatable {
    /// Names of boxes.
    public var from: String
    public var to: String
    /// `audio`, `sidechain`, `feedback`, `MIDI` or `control`
    public var kind: String
    /// What it carries, where that is not all.
    public var part: String
    /// `drums -> duck.sidechain`, for `disconnect`; nil for a control.
    public var chain: String?
    /// Paths as SVG has them; the arrowhead is filled.
    public var path: String
    public var arrow: String
  }

  public var boxes: [Box]
  public var cables: [Cable]
  public var width: Double
  public var height: Double
  /// All of it in words.
  public var words: String
}

extension Plan {
  /// The rack's graph with the places of everything; `places`: of boxes that a person has moved.
  package func drawn(
    _ catalogue: any UnitDirectory, places: [String: BoxPlace] = [:]
  ) -> DrawnRack {
    let picture = RackPicture(self, catalogue: catalogue, places: places)
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
