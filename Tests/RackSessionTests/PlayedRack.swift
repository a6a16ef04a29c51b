import BacklineTestSupport
import Documents
import RackTestSupport
import Testing
import UnitModel

@testable import RackModel
@testable import RackSession

/// A rack as a session has it, without anything that sounds.
struct PlayedRack {
  private(set) var rack: CheckedRack
  private let checker: RackChecker
  /// The units as they were read.
  private let start: [PlannedUnit]
  private var count = 0

  init(_ rack: CheckedRack, checker: RackChecker) {
    (self.rack, self.checker, start) = (rack, checker, rack.plan.units)
  }

  func isPlayed(by other: CheckedRack) -> Bool {
    let same = PlayedRack(other, checker: checker)
    return same.settings == settings && same.words == words
      && Set(other.file.connections.map(\.text)) == Set(rack.file.connections.map(\.text))
  }

  /// The values by unit.
  private var settings: [String: UnitValues] {
    Dictionary(uniqueKeysWithValues: rack.plan.units.map { ($0.name, $0.values) })
  }

  /// What is written about its units besides: controls in their order, the rest in any.
  private var words: [[String]] {
    let file = rack.file
    let controls = file.controls.map { control in
      let words = [control.source, control.target] + (control.range ?? [])
      let curve = control.curve.map { "\($0.value)" } ?? ""
      return (words.map { $0?.value ?? "" } + [curve]).joined(separator: ", ")
    }
    let scenes = file.scenes.map { scene in
      scene.name.value
        + scene.values.map { " \($0.key.value): \($0.value.value)" }.sorted().joined()
    }
    let lanes = file.automation.map { lane in
      ([lane.target.value, lane.curve.map { "\($0.value)" } ?? ""] + lane.points.map(\.value))
        .joined(separator: ", ")
    }
    let spilling = file.units.filter(\.spills).map(\.name.value)
    return [controls, scenes.sorted(), lanes.sorted(), spilling.sorted()]
  }

  /// Moves a parameter by hand; what a lane moves keeps its value of the file.
  mutating func set(_ unit: String, _ keyPath: String, to value: Float) throws {
    guard let index = rack.plan.units.firstIndex(where: { $0.name == unit }),
      let parameter = rack.plan.units[index].facts.parameter(
        atKeyPath: keyPath, inputBusCount: rack.plan.units[index].inputChannelCounts.count)
    else { throw Refusal("no \(unit).\(keyPath)") }
    move(
      .parameter(unit: index, address: parameter.address), to: parameter.info.nearest(to: value))
  }

  mutating func bypass(_ unit: String, _ isBypassed: Bool) {
    guard let index = rack.plan.units.firstIndex(where: { $0.name == unit }) else { return }
    move(.bypass(unit: index), to: isBypassed ? 1 : 0)
  }

  private mutating func move(_ target: ControlTarget, to value: Float) {
    if !rack.plan.automation.contains(where: { $0.target == target }) { rack.plan[target] = value }
  }

  mutating func edit(_ line: String) throws {
    let edit = try #require(try Commands.read(line: line) as? any EditCommand)
    rack = try edit.edit(rack, with: RackEditor(checker))
  }

  mutating func storeScene(_ name: String) throws {
    rack = try RackEditor(checker).storeScene(name, over: nil, of: rack, since: start)
  }

  /// Does one of the things that a person does; false where it cannot be done.
  mutating func changeSomething(_ random: inout Random) -> Bool {
    guard let unit = rack.plan.units.randomElement(using: &random) else { return false }
    count += 1
    let units = ["aufx/gain/bkln", "Delay", "aufx/ring/bkln", "aumu/sine/bkln", "aumx/mixr/bkln"]
    switch Int.random(in: 0..<17, using: &random) {
    case 0..<5:
      guard
        let parameter = unit.facts.allParameters(inputBusCount: unit.inputChannelCounts.count)
          .filter({ $0.info.isStored }).randomElement(using: &random)
      else { return false }
      let info = parameter.info
      let value = Float.random(in: info.minimum...info.maximum, using: &random)
      return (try? set(unit.name, parameter.keyPath, to: value)) != nil
    case 5:
      bypass(unit.name, !unit.isBypassed)
      return true
    case 6: return (try? edit("remove \"\(unit.name)\"")) != nil
    case 7: return (try? edit("rename \"\(unit.name)\" \"neu \(count)\"")) != nil
    case 8:
      let other = units.randomElement(using: &random) ?? ""
      return (try? edit("replace \"\(unit.name)\" \"\(other)\"")) != nil
    case 9:
      let chain = rack.file.connections.randomElement(using: &random)
      let place = chain.map { Int.random(in: 0..<$0.arrows.count, using: &random) } ?? 0
      let cable = chain.map { "\($0.endpoints[place].value) -> \($0.endpoints[place + 1].value)" }
      let other = units.randomElement(using: &random) ?? ""
      return
        (try? edit(
          "add new\(count) \"\(other)\""
            + (Bool.random(using: &random) ? cable.map { " --into \"\($0)\"" } ?? "" : ""))) != nil
    case 10:
      let chain = rack.file.connections.randomElement(using: &random)?.endpoints ?? []
      guard chain.count > 1 else { return false }
      let place = Int.random(in: 1..<chain.count, using: &random)
      return (try? edit("disconnect \"\(chain[place - 1].value) -> \(chain[place].value)\"")) != nil
    case 11:
      // Another of its kind takes its place, which may spill as little as it is said to.
      let text = rack.file.units.first { $0.name.value == unit.name }?.unit?.value ?? ""
      let name = Bool.random(using: &random) ? unit.name : "another \(count)"
      guard (try? edit("remove \"\(unit.name)\"")) != nil else { return false }
      return
        (try? edit("add \"\(name)\" \"\(text)\"")) != nil
    case 12:
      let name = "former \(count)"
      guard (try? edit("rename \"\(unit.name)\" \"\(name)\"")) != nil else { return false }
      let other = units.randomElement(using: &random) ?? ""
      return Bool.random(using: &random)
        ? (try? edit("replace \"\(name)\" \"\(other)\"")) != nil
        : (try? edit("add \"\(unit.name)\" \"\(other)\""))
          != nil
    case 13:
      guard let port = rack.file.inputs.filter(\.isMIDI).randomElement(using: &random) else {
        return false
      }
      let number = Int.random(in: 1...4, using: &random)
      return
        (try? edit("map \"\(port.name.value) cc \(number)\" \"\(unit.name).bypass\""))
        != nil
    case 14:
      guard let control = rack.file.controls.randomElement(using: &random),
        let source = control.source?.value, let target = control.target?.value
      else { return false }
      if Bool.random(using: &random), (try? edit("forget \"\(target)\"")) == nil { return false }
      return (try? edit("map \"\(source)\" \"\(target)\"")) != nil
    case 15:
      let known = rack.file.scenes.randomElement(using: &random)?.name.value
      let new = "scene \(count)"
      guard let known, Bool.random(using: &random) else {
        return (try? storeScene(Bool.random(using: &random) ? known ?? new : new)) != nil
      }
      let isRenamed = Bool.random(using: &random)
      return
        (try? edit(isRenamed ? "rename-scene \"\(known)\" \"\(new)\"" : "remove-scene \"\(known)\""))
        != nil
    default:
      guard let other = rack.plan.units.randomElement(using: &random) else { return false }
      return (try? edit("connect \"\(unit.name) -> \(other.name)\"")) != nil
    }
  }
}
