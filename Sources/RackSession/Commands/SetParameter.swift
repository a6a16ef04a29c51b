import Documents
import RackModel
import UnitModel

/// The command that sets a parameter or a bypass at once, or a text or a file of a unit in turn.
package struct SetParameter: Command {
  package var parameter = ""
  package var value = ""

  package init() {}

  package init(parameter: String, value: String) {
    (self.parameter, self.value) = (parameter, value)
  }

  package static let declaration = CommandDeclaration(
    "set", "Set a parameter or a bypass, or a text or a file of a unit.",
    detail: """
      Every unit has `bypass`, which is `on` or `off`; a parameter that a unit itself calls `bypass` \
      cannot be reached. The path of a file is taken from the rack file's folder; what was playing goes \
      on until the file is ready, or if it cannot be played.
      """,
    examples: [
      "set echo.mix 30 %", "set mix.2.gain -6 dB", "set echo.bypass on",
      "set player.file loops/rain.wav",
    ], lane: .gesture)
  package static let arguments: [CommandArgument<Self>] = [
    .required(
      "parameter", \.parameter, .setting, "The parameter, as in echo.mix, or the property."),
    .required("value", \.value, .value, "The value, as in a rack file."),
  ]

  package func lane(in session: isolated RackSession) -> CommandLane {
    session.property(parameter) == nil ? .gesture : .turn
  }

  package func access(in session: isolated RackSession) -> Access {
    // The data of a unit are private to it and may contain a path.
    session.property(parameter).map { $0.kind == .text ? .edit : .files } ?? .edit
  }

  package func run(
    in session: isolated RackSession, from peer: Peer?
  ) async throws -> Answer {
    if session.property(parameter) != nil {
      let edit = SetProperty(file: UnitFilePath(parameter), value: value)
      return try await edit.run(in: session, from: peer)
    }
    let done = try await session.set(ParameterPath(parameter), to: value, from: peer)
    return .moved(done, try session.reading(of: parameter))
  }
}

/// The edit that `set` makes to a text or a file of a unit.
struct SetProperty {
  var file: UnitFilePath
  var value: String

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    let before = await session.present()
    let after = try edited(before, RackEditor(session.checker(session.rack)))
    try check(after)
    let title = "\(file.unit): \(file.property) is \(value)"
    return .done(try await session.change(from: before, to: after, title: title))
  }

  func edited(_ rack: CheckedRack, _ editor: RackEditor) throws(Refusal) -> CheckedRack {
    try editor.set(file.property, of: file.unit, to: value, in: rack)
  }

  /// Checks that the property has a value in the plan.
  ///
  /// - Throws: `Refusal` if the file does not exist; the former file plays on.
  private func check(_ rack: CheckedRack) throws(Refusal) {
    guard let unit = rack.plan.units.first(where: { $0.name == file.unit }),
      let index = unit.facts.properties.firstIndex(where: { $0.identifier == file.property }),
      !unit.properties.contains(where: { $0.index == index })
    else { return }
    throw Refusal("there is no file “\(value)”; \(file.unit) plays on as it was")
  }
}

extension RackSession {
  /// Returns the property that `target` names; nil for a parameter and for unknown names.
  package func property(_ target: String) -> PropertyInfo? {
    let path = UnitFilePath(target)
    guard let facts = unit(named: path.unit)?.facts,
      facts.parameter(atKeyPath: path.property, inputBusCount: facts.inputBusses.count) == nil
    else { return nil }
    return facts.properties.first { $0.identifier == path.property }
  }
}
