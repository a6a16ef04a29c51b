import Foundation
import FoundationXML
import Testing

@testable import RackModel

/// The picture of a rack's graph.
@Suite struct RackPictureTests {
  /// Two paths of unequal length, a sidechain, a loop, MIDI and a control.
  static let tangled = """
    rack: Loud & <soft>
    inputs:
      pair: { channels: 2 }
      keys: { midi: true }
    outputs: { main: { channels: 2 } }
    units:
      one:   { unit: aufx/gain/bkln }
      two:   { unit: aufx/lpas/bkln }
      three: { unit: aufx/ring/bkln }
      synth: { unit: Sine Instrument }
      echo:  { unit: aufx/dely/bkln }
      mix:   { unit: aumx/mixr/bkln, inputs: 4 }
    connections:
      - pair channel 2 -> one -> two -> three -> mix.1
      - pair -> mix.2
      - keys notes C4.. -> synth -> mix.3
      - synth -> three.carrier
      - mix -> main
      - mix ~> echo -> mix.4
    controls:
      - { from: keys cc 7, to: mix.master, range: [-40 dB, 0 dB] }
    """

  private func picture(_ text: String) throws -> RackPicture {
    RackPicture(try PlanTests.plan(text), catalogue: TestCatalogue.units)
  }

  @Test func boxesStandApartInTheOrderOfTheSound() throws {
    let picture = try picture(Self.tangled)
    let boxes = picture.boxes
    for (place, box) in boxes.enumerated() {
      #expect(box.x >= 0 && box.x + box.width <= picture.width, "\(box.name)")
      #expect(box.y - box.height / 2 >= 0, "\(box.name)")
      #expect(box.y + box.height / 2 <= picture.height, "\(box.name)")
      for other in boxes[(place + 1)...] {
        let isBeside = box.x + box.width < other.x || other.x + other.width < box.x
        let isBelow = abs(box.y - other.y) > (box.height + other.height) / 2
        #expect(isBeside || isBelow, "\(box.name) and \(other.name)")
      }
    }
    for cable in picture.cables where cable.kind != .feedback {
      let (from, to) = (boxes[cable.from], boxes[cable.to])
      #expect(from.x + from.width < to.x, "\(from.name) -> \(to.name)")
    }
    #expect(boxes.filter { $0.column == 0 }.map(\.name).sorted() == ["keys", "pair"])
  }

  @Test func cablesPassBetweenBoxes() throws {
    let picture = try picture(Self.tangled)
    #expect(picture.cables.contains { $0.kind == .audio && $0.bends.count == 3 })
    for cable in picture.cables {
      for bend in cable.bends {
        for box in picture.boxes where box.x < bend.right && bend.left < box.x + box.width {
          #expect(abs(box.y - bend.y) > box.height / 2, "\(box.name)")
        }
      }
    }
  }

  @Test func aMovedBoxTakesItsCablesAlong() throws {
    let plan = try PlanTests.plan(Self.tangled)
    let picture = RackPicture(
      plan, catalogue: TestCatalogue.units,
      places: ["mix": BoxPlace(x: 900, y: 500), "one": BoxPlace(x: 0, y: 0)])
    for box in picture.boxes {
      #expect(box.x >= 0 && box.x + box.width <= picture.width, "\(box.name)")
      #expect(box.y - box.height / 2 >= 0 && box.y + box.height / 2 <= picture.height)
    }
    let mix = try #require(picture.boxes.first { $0.name == "mix" })
    #expect(mix.x == 900 && mix.y - mix.height / 2 == 500)
    for cable in picture.cables where cable.kind != .control && cable.kind != .feedback {
      let isMoved = [cable.from, cable.to].contains {
        ["mix", "one"].contains(picture.boxes[$0].name)
      }
      #expect(!isMoved || cable.bends.isEmpty)
    }
    // Feedback passes below all boxes.
    let back = try #require(zip(picture.cables, picture.lines).first { $0.0.kind == .feedback })
    #expect(back.1.path.contains("\((picture.height - 4).tenths)L"))
    #expect(try self.picture(Self.tangled).width < picture.width)
  }

  @Test func eachKindOfCableIsTold() throws {
    let picture = try picture(Self.tangled)
    #expect(Set(picture.cables.map(\.kind)) == Set(RackPicture.Kind.allCases))
    #expect(picture.cables.map(\.part).filter { !$0.isEmpty } == ["channel 2", "notes C4.."])
    let inlets = Dictionary(uniqueKeysWithValues: picture.boxes.map { ($0.name, $0.inlets) })
    #expect(inlets["mix"] == ["1", "2", "3", "4"] && inlets["three"] == ["", "carrier"])
    #expect(inlets["one"] == [])
    // A chain of one line stays one line.
    let straight = try self.picture(
      """
      rack: x
      inputs: { in: }
      outputs: { out: }
      units: { a: { unit: Gain }, b: { unit: Gain }, c: { unit: Gain } }
      connections: [ in -> a -> b -> c -> out ]
      """)
    #expect(Set(straight.boxes.map(\.y)).count == 1)
    #expect(!straight.svg.contains(">audio<"))
  }

  @Test func thePictureIsReadAloudAndEscaped() throws {
    let picture = try picture(Self.tangled)
    let document = try XMLDocument(data: Data(picture.svg.utf8))
    let root = try #require(document.rootElement())
    #expect(
      root.elements(forName: "title").first?.stringValue == "Loud & <soft>: ports, units and cables"
    )
    let words = root.elements(forName: "desc").first?.stringValue ?? ""
    for cable in [
      "pair channel 2 -> one", "keys notes C4.. -> synth", "synth -> three.carrier",
      "mix ~> echo", "echo -> mix.4",
    ] {
      #expect(words.components(separatedBy: ", ").contains(cable), "\(cable)")
    }
    #expect(root.elements(forName: "g").count == picture.boxes.count)
  }
}
