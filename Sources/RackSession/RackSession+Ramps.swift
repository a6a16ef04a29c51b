import AudioUnits
import Documents
import RackEngine
import RackModel
import UnitModel

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
    endRamp(of: path)
    let rate = unit.sampleRate
    let morph = Morph(
      from: [address: now], to: [address: value], of: unit.facts,
      inputBusCount: unit.inputBusses.count, frames: Int(seconds * rate))
    let number = ramps.add(
      Ramp(
        path: path, address: address, value: found.value, curve: found.info, from: now, to: value,
        duration: .seconds(seconds)))
    ramps[number]?.task = Task { [weak self] in
      let start = ContinuousClock.now
      for step in morph.steps {
        try? await Task.sleep(until: start + .seconds(Double(step.frame) / rate))
        guard !Task.isCancelled, let self, await self.continueRamp(number, by: step) else { return }
      }
      try? await Task.sleep(until: start + .seconds(seconds))
      if !Task.isCancelled { await self?.endRamp(number) }
    }
    let title = "\(found.title(of: value)) over \(time)"
    addStep(found, value, title: title)
    return title
  }

  /// Starts a linear ramp of a parameter on the render side.
  func ramp(_ found: FoundParameter, to value: Float, over seconds: Double) throws {
    guard let unit = found.unit, let address = found.address else { return }
    let now = present(found)
    endRamp(of: found.path)
    try unit.rampParameter(address, to: value, over: Int(seconds * unit.sampleRate))
    let number = ramps.add(
      Ramp(
        path: found.path, address: address, value: unit.parameterValue(address) ?? value,
        from: now, to: value, duration: .seconds(seconds)))
    ramps[number]?.task = Task { [weak self] in
      try? await Task.sleep(for: .seconds(seconds))
      if !Task.isCancelled { await self?.endRamp(number) }
    }
  }

  /// Returns the value of a parameter at this moment.
  func present(_ found: FoundParameter) -> Float {
    guard !found.info.isWhole, let ramp = ramps[found.path], ramp.value == found.value else {
      return found.value
    }
    return ramp.present
  }

  /// Sends the next step of a ramp; returns false if something else has set the parameter meanwhile.
  private func continueRamp(_ number: Int, by step: Morph.Step) -> Bool {
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

  private func endRamp(_ number: Int) { ramps[number] = nil }

  /// Ends the ramp of a parameter.
  func endRamp(of path: ParameterPath) { ramps.end { $0 == path } }

  /// The range of a ramp's duration: the render side counts the frames of an hour at any sample rate.
  private static let rampTime = ParameterInfo(
    identifier: "over", name: "over", unit: .seconds, minimum: 0, maximum: 3600, defaultValue: 0)
}
