import AudioUnits
import Documents
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
  func set(_ path: ParameterPath, to text: String, at sampleTime: Int64) async throws {
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

  /// Along the parameter's curve, as `Morph` has it; what can only switch does so half-way.
  func ramp(_ path: ParameterPath, to text: String, over time: String) async throws -> String {
    let found = try await find(path)
    let value = try found.value(written: text)
    let seconds = try Self.seconds(time)
    guard let unit = found.unit, let address = found.address else {
      throw Refusal("“\(path)” is on or off, with nothing between; set it")
    }
    end(path)
    let rate = await engine.status().sampleRate
    let way = Morph(
      from: [address: found.value], to: [address: value], of: unit.facts,
      inputBusCount: unit.inputBusses.count, frames: Int(seconds * rate))
    ramps[path] = Task { await Self.travel(way, on: unit, sampleRate: rate) }
    let title = "ramp \(path) to \(Quantity.format(value, for: found.info)) over \(time)"
    note(found, value, title: title)
    return title
  }

  /// Piece by piece, when its time has come, so that whatever else is set ends the way.
  private static func travel(_ way: Morph, on unit: AudioUnit, sampleRate: Double) async {
    let start = ContinuousClock.now
    for step in way.steps {
      try? await Task.sleep(until: start + .seconds(Double(step.frame) / sampleRate))
      guard !Task.isCancelled else { return }
      if step.ramp == 0 {
        try? unit.setParameter(step.address, to: step.value)
      } else {
        try? unit.scheduleParameter(ramp: step.ramp, address: step.address, value: step.value)
      }
    }
  }

  /// What a parameter is at now.
  public func reading(of parameter: String) async throws -> ParameterReading {
    let path = try ParameterPath(parameter)
    let found = try await find(path)
    return ParameterReading(path, value: found.value, info: found.info)
  }

  /// Ends what is under way.
  func end(_ path: ParameterPath) { ramps.removeValue(forKey: path)?.cancel() }

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

  private func note(
    _ found: FoundParameter, _ value: Float, title: String, isGesture: Bool = false
  ) {
    guard value != found.value else { return }
    history.add(
      .value(found.path, before: found.value, after: value), title: title, isGesture: isGesture)
  }

  private func find(_ path: ParameterPath) async throws(Refusal) -> FoundParameter {
    guard let unit = await engine.audioUnit(named: path.unit) else {
      if let missing = rack.plan.missing.first(where: { $0.name == path.unit }) {
        throw Refusal("“\(path.unit)” is missing: \(missing.reason)")
      }
      let names = rack.plan.units.map(\.name)
      throw Refusal(
        "there is no unit “\(path.unit)” in this rack",
        suggestion: nearestWord(to: path.unit, in: names).map { "\($0).\(path.keyPath)" })
    }
    return try FoundParameter(path, of: unit)
  }

  private static func seconds(_ text: String) throws -> Double {
    do {
      return Double(try Quantity.parse(text, for: rampTime, name: "over"))
    } catch {
      throw Refusal(error.description, suggestion: error.suggestion)
    }
  }

  /// As long as a render thread can count ramps at any rate.
  private static let rampTime = ParameterInfo(
    identifier: "over", name: "over", unit: .seconds, minimum: 0, maximum: 3600, defaultValue: 0)
}

/// A parameter, or a bypass, of a unit that plays.
private struct FoundParameter {
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
    do {
      return try Quantity.parse(text, for: info, name: path.description)
    } catch {
      throw Refusal(error.description, suggestion: error.suggestion)
    }
  }
}
