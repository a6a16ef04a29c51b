import AudioUnits
import Documents
import RackEngine
import RackModel
import UnitModel

extension RackSession {
  func set(_ path: ParameterPath, to text: String, from peer: Peer?) async throws -> String {
    let found = try find(path)
    let value = try found.value(written: text)
    try await apply(value, to: path, from: found.isExact(value, written: text) ? peer : nil)
    let title = found.title(of: value)
    addStep(found, value, title: title, isGesture: true)
    return title
  }

  /// Sets a parameter at a frame, with the usual short ramp, as one step to undo.
  ///
  /// - Parameter sampleTime: the frame on the units' timeline; a frame that has passed means now.
  /// - Throws: `Refusal` if there is no such parameter, if it is a bypass, or if the text is none of its values.
  package func set(
    _ path: ParameterPath, to text: String, at sampleTime: Int64, from peer: Peer?
  ) throws {
    let found = try find(path)
    let value = try found.value(written: text)
    guard let unit = found.unit, let address = found.address else {
      throw Refusal("“\(path)” is a bypass, which cannot be set at a frame")
    }
    if let peer, found.isExact(value, written: text) {
      feed.expect(found.info.nearest(to: value), of: path, by: peer)
    }
    endRamp(of: path)
    do throws(AudioUnitError) {
      try unit.setParameter(address, to: value, at: .sampleTime(sampleTime))
    } catch {
      throw Refusal("\(path): \(error.reason)")
    }
    addStep(found, value, title: found.title(of: value), isGesture: true)
  }

  /// Returns the present value of a parameter, also during a ramp.
  ///
  /// - Throws: `Refusal` if there is no such parameter.
  public func reading(of parameter: String) throws -> ParameterReading {
    let path = try ParameterPath(parameter)
    let found = try find(path)
    return found.reading(of: present(found), revision: revision)
  }

  /// Ends the ramp of a parameter and sets the parameter.
  ///
  /// - Parameter peer: the peer that is not sent the change.
  func apply(_ value: Float, to path: ParameterPath, from peer: Peer? = nil) async throws {
    endRamp(of: path)
    let found = try find(path)
    if let peer, found.value != value {
      feed.expect(found.info.nearest(to: value), of: path, by: peer)
    }
    guard let unit = found.unit, let address = found.address else {
      try await engine.setBypass(path.unit, to: value != 0)
      return feed.postValue(value, of: path, found.info)
    }
    do {
      try unit.setParameter(address, to: value)
    } catch {
      throw Refusal("\(path): \(error.reason)")
    }
  }

  /// Adds a set of a parameter to the history.
  func addStep(
    _ found: FoundParameter, _ value: Float, title: String, isGesture: Bool = false
  ) {
    guard value != found.value, !found.info.isMomentary else { return }
    history.add(
      .value(found.path, before: found.value, after: value), title: title, isGesture: isGesture)
  }

  /// Returns the unit of this name, with the values that the render side has set; nil if there is none.
  func unit(named name: String) -> AudioUnit? {
    let unit = feed.units.first { $0.name == name }?.audioUnit
    unit?.applyRenderChanges()
    return unit
  }

  func find(_ path: ParameterPath) throws(Refusal) -> FoundParameter {
    guard let unit = unit(named: path.unit) else {
      if let missing = rack.plan.missing.first(where: { $0.name == path.unit }) {
        throw Refusal("“\(path.unit)” is missing: \(missing.reason)")
      }
      throw Refusal(
        "there is no unit “\(path.unit)” in this rack", suggestion: nearestParameter(to: path))
    }
    return try FoundParameter(path, of: unit)
  }

  /// Returns a parameter of the unit with the nearest name, or that unit; nil if no name is near.
  private func nearestParameter(to path: ParameterPath) -> String? {
    guard let name = nearestWord(to: path.unit, in: feed.units.map(\.name)),
      let unit = unit(named: name)
    else { return nil }
    let known =
      unit.facts.allParameters(inputBusCount: unit.inputBusses.count).map(\.keyPath)
      + [ParameterPath.bypass]
    let keyPath =
      known.contains(path.keyPath) ? path.keyPath : nearestWord(to: path.keyPath, in: known)
    return keyPath.map { "\(name).\($0)" } ?? name
  }
}

/// A parameter or a bypass of a unit that plays.
struct FoundParameter {
  let path: ParameterPath
  let info: ParameterInfo
  /// The value that was set last.
  let value: Float
  /// The unit of the parameter. This and `address` are nil for a bypass, which the engine sets.
  var unit: AudioUnit?
  var address: UInt64?

  init(_ path: ParameterPath, of unit: AudioUnit) throws(Refusal) {
    self.path = path
    if path.isBypass {
      info = .bypass
      value = unit.shouldBypassEffect ? 1 : 0
      return
    }
    let busCount = unit.inputBusses.count
    guard
      let found = unit.facts.parameter(atKeyPath: path.keyPath, inputBusCount: busCount),
      let value = unit.parameterValue(found.address)
    else {
      let known = unit.facts.allParameters(inputBusCount: busCount).map(\.keyPath)
      let nearest =
        known.first { $0.hasSuffix(".\(path.keyPath)") }
        ?? nearestWord(to: path.keyPath, in: known + [ParameterPath.bypass])
      throw Refusal(
        "“\(path.unit)” (\(unit.facts.component)) has no parameter “\(path.keyPath)”",
        suggestion: nearest.map { "\(path.unit).\($0)" })
    }
    info = found.info
    self.value = value
    (self.unit, address) = (unit, found.address)
  }

  func checkWritable() throws(Refusal) {
    if !info.flags.contains(.writable) { throw Refusal("“\(path)” can be read, but not set") }
  }

  func value(written text: String) throws(Refusal) -> Float {
    try checkWritable()
    if let ownTexts {
      do { return try ownTexts.value(from: text) } catch {
        throw Refusal("\(path): \((error as? Refusal)?.reason ?? "\(error)")")
      }
    }
    return try Quantity.parse(text, for: info, name: path.description)
  }

  /// The parameter of the unit's tree if the unit formats and parses its own texts; nil otherwise.
  private var ownTexts: Parameter? {
    guard info.flags.contains(.hasText), let address else { return nil }
    return unit?.parameterTree.parameter(withAddress: address)
  }

  func text(of value: Float) -> String {
    ownTexts?.string(fromValue: value) ?? Quantity.format(value, for: info)
  }

  /// Returns the title of a step to a value: `echo: Mix 30 %`, `echo bypassed`.
  func title(of value: Float) -> String {
    if path.isBypass { return "\(path.unit) \(value >= 0.5 ? "bypassed" : "switched on")" }
    let owner = "\(path)".split(separator: ".").dropLast().joined(separator: ".")
    return "\(owner): \(info.name) \(text(of: value))"
  }

  func reading(of value: Float, revision: Int) -> ParameterReading {
    let text = ownTexts?.string(fromValue: value)
    return ParameterReading(path, value: value, info: info, text: text, revision: revision)
  }

  /// Whether the text is a number in the parameter's unit that is stored unchanged, so that the sender knows the
  /// new value.
  func isExact(_ value: Float, written text: String) -> Bool {
    let number = Float(text) ?? ["false": 0, "true": 1][text]
    return number == value && info.nearest(to: value) == value
  }
}
