import AudioUnits
import Documents
import RackEngine
import RackModel
import UnitModel

/// A ramp of a parameter to a value. A set, a scene or MIDI ends the ramp.
struct Ramp {
  var path: ParameterPath
  let address: UInt64
  /// The value at the end of the segment that was sent last.
  var value: Float
  var curve: ParameterInfo?
  var from: Float
  var to: Float
  let start = ContinuousClock.now
  let duration: Duration
  var task: Task<Void, Never>?

  /// The value at this moment of the ramp.
  var present: Float {
    let share = min(max((ContinuousClock.now - start) / duration, 0), 1)
    return curve?.value(from: from, to: to, share: share) ?? from + (to - from) * Float(share)
  }
}

extension RackSession {
  /// Starts a ramp of a parameter along its curve, as `Morph` does. A switch changes half-way. Returns the title.
  ///
  /// - Parameter time: the duration as text, up to an hour.
  /// - Throws: an error if there is no such parameter, it is a bypass, or a text is wrong.
  func ramp(_ path: ParameterPath, to text: String, over time: String) throws -> String {
    let found = try find(path)
    let value = try found.value(written: text)
    let seconds = Double(try Quantity.parse(time, for: Self.rampTime, name: "over"))
    guard let unit = found.unit, let address = found.address else {
      throw Refusal("“\(path)” is on or off and cannot be ramped; use set")
    }
    let now = present(found)
    end(path)
    let rate = unit.sampleRate
    let morph = Morph(
      from: [address: now], to: [address: value], of: unit.facts,
      inputBusCount: unit.inputBusses.count, frames: Int(seconds * rate))
    let number = begin(
      Ramp(
        path: path, address: address, value: found.value, curve: found.info, from: now, to: value,
        duration: .seconds(seconds)))
    ramps[number]?.task = Task { [weak self] in
      let start = ContinuousClock.now
      for step in morph.steps {
        try? await Task.sleep(until: start + .seconds(Double(step.frame) / rate))
        guard !Task.isCancelled, let self, await self.goOn(number, by: step) else { return }
      }
      try? await Task.sleep(until: start + .seconds(seconds))
      if !Task.isCancelled { await self?.finish(number) }
    }
    let title = "ramp \(path) to \(found.text(of: value)) over \(time)"
    note(found, value, title: title)
    return title
  }

  /// Starts a linear ramp of a parameter on the render side.
  func ramp(_ found: FoundParameter, to value: Float, over seconds: Double) throws {
    guard let unit = found.unit, let address = found.address else { return }
    let now = present(found)
    end(found.path)
    try unit.rampParameter(address, to: value, over: Int(seconds * unit.sampleRate))
    let number = begin(
      Ramp(
        path: found.path, address: address, value: unit.parameterValue(address) ?? value,
        from: now, to: value, duration: .seconds(seconds)))
    ramps[number]?.task = Task { [weak self] in
      try? await Task.sleep(for: .seconds(seconds))
      if !Task.isCancelled { await self?.finish(number) }
    }
  }

  /// Returns the value of a parameter at this moment.
  func present(_ found: FoundParameter) -> Float {
    let ramp = ramps.values.first { $0.path == found.path && $0.value == found.value }
    return found.info.isWhole ? found.value : ramp?.present ?? found.value
  }

  private func begin(_ ramp: Ramp) -> Int {
    rampCount += 1
    ramps[rampCount] = ramp
    return rampCount
  }

  /// Sends the next step of a ramp; returns false if something else has set the parameter meanwhile.
  private func goOn(_ number: Int, by step: Morph.Step) -> Bool {
    guard let ramp = ramps[number], let unit = unit(named: ramp.path.unit),
      unit.parameterValue(step.address) == ramp.value
    else {
      ramps[number] = nil
      return false
    }
    do {
      if step.ramp == 0 {
        try unit.setParameter(step.address, to: step.value)
      } else {
        try unit.rampParameter(step.address, to: step.value, over: step.ramp)
      }
    } catch {
      ramps[number] = nil
      return false
    }
    ramps[number]?.value = unit.parameterValue(step.address) ?? step.value
    return true
  }

  private func finish(_ number: Int) { ramps[number] = nil }

  /// Ends the ramp of a parameter.
  func end(_ path: ParameterPath) { endRamps { $0 == path } }

  /// Ends the ramps of the parameters for which `isMeant` returns true.
  func endRamps(where isMeant: (ParameterPath) -> Bool) {
    for (number, ramp) in ramps where isMeant(ramp.path) {
      ramp.task?.cancel()
      ramps[number] = nil
    }
  }

  /// The range of a ramp's duration: the render side counts the frames of an hour at any sample rate.
  private static let rampTime = ParameterInfo(
    identifier: "over", name: "over", unit: .seconds, minimum: 0, maximum: 3600, defaultValue: 0)
}
