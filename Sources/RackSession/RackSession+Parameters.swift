import AudioUnits
import Documents
import RackEngine
import RackModel
import UnitModel

extension RackSession {
  func set(_ path: ParameterPath, to text: String) async throws -> String {
    let found = try await find(path)
    let value = try found.value(written: text)
    try await give(value, to: path)
    let title = "set \(path) to \(Quantity.format(value, for: found.info))"
    note(found, value, title: title, isGesture: true)
    return title
  }

  /// Sets a parameter from a frame of the units' timestamps on, ramped like any other set; a frame that
  /// has passed means now. One step to undo, from now on.
  ///
  /// - Throws: `Refusal` where the parameter, or for a bypass the schedule, is not there, or the value
  ///   is none.
  package func set(_ path: ParameterPath, to text: String, at sampleTime: Int64) async throws {
    try await inTurn {
      let found = try await find(path)
      let value = try found.value(written: text)
      guard let unit = found.unit, let address = found.address else {
        throw Refusal("“\(path)” is on or off, and not at a frame")
      }
      let ramp = await engine.rampFrames
      end(path)
      do throws(AudioUnitError) {
        try unit.scheduleParameter(
          at: .sampleTime(sampleTime), ramp: ramp, address: address, value: value)
      } catch {
        throw Refusal("\(path): \(error.reason)")
      }
      let title = "set \(path) to \(Quantity.format(value, for: found.info))"
      note(found, value, title: title, isGesture: true)
    }
  }

  func reset(_ path: ParameterPath) async throws -> String {
    let found = try await find(path)
    try found.checkWritable()
    let value = found.info.defaultValue
    try await give(value, to: path)
    note(found, value, title: "reset \(path)")
    return "reset \(path) to \(Quantity.format(value, for: found.info))"
  }

  /// What a parameter is at now.
  public func reading(of parameter: String) async throws -> ParameterReading {
    let path = try ParameterPath(parameter)
    let found = try await find(path)
    return ParameterReading(path, value: found.value, info: found.info)
  }

  /// Ends what is under way and gives a parameter its value.
  func give(_ value: Float, to path: ParameterPath) async throws {
    end(path)
    let found = try await find(path)
    guard let unit = found.unit, let address = found.address else {
      try await engine.setBypass(path.unit, to: value != 0)
      return feeds.note(ParameterReading(path, value: value, info: found.info))
    }
    do {
      try unit.setParameter(address, to: value)
    } catch {
      throw Refusal("\(path): \(error.reason)")
    }
  }

  func note(
    _ found: FoundParameter, _ value: Float, title: String, isGesture: Bool = false
  ) {
    guard value != found.value else { return }
    history.add(
      .value(found.path, before: found.value, after: value), title: title, isGesture: isGesture)
  }

  func find(_ path: ParameterPath) async throws(Refusal) -> FoundParameter {
    guard let unit = await engine.audioUnit(named: path.unit) else {
      if let missing = rack.plan.missing.first(where: { $0.name == path.unit }) {
        throw Refusal("“\(path.unit)” is missing: \(missing.reason)")
      }
      throw Refusal(
        "there is no unit “\(path.unit)” in this rack", suggestion: await likely(path))
    }
    return try FoundParameter(path, of: unit)
  }

  /// A parameter that there is, or else a unit.
  private func likely(_ path: ParameterPath) async -> String? {
    let names = rack.plan.units.map(\.name)
    guard let name = nearestWord(to: path.unit, in: names),
      let unit = await engine.audioUnit(named: name)
    else { return nil }
    let known =
      unit.facts.allParameters(inputBusCount: unit.inputBusses.count).map(\.keyPath)
      + [ParameterPath.bypass]
    let keyPath =
      known.contains(path.keyPath) ? path.keyPath : nearestWord(to: path.keyPath, in: known)
    return keyPath.map { "\(name).\($0)" } ?? name
  }
}

/// A parameter, or a bypass, of a unit that plays.
struct FoundParameter {
  let path: ParameterPath
  let info: ParameterInfo
  /// At present.
  let value: Float
  /// Both nil for a bypass, which is the rack's to set.
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
      let likely =
        known.first { $0.hasSuffix(".\(path.keyPath)") }
        ?? nearestWord(to: path.keyPath, in: known + [ParameterPath.bypass])
      throw Refusal(
        "“\(path.unit)” (\(unit.facts.component)) has no parameter “\(path.keyPath)”",
        suggestion: likely.map { "\(path.unit).\($0)" })
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
    return try Quantity.asked(text, for: info, name: path.description)
  }
}
