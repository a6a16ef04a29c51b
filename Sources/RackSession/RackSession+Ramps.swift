import AudioUnits
import Documents
import RackEngine
import RackModel
import UnitModel

/// A parameter on its way; whatever else sets it ends the way.
package struct Ramp {
  var path: ParameterPath
  /// Where the last piece leads to.
  var value: Float
  var task: Task<Void, Never>
}

extension RackSession {
  /// Along the parameter's curve, as `Morph` has it; what can only switch does so half-way.
  func ramp(_ path: ParameterPath, to text: String, over time: String) async throws -> String {
    let found = try await find(path)
    let value = try found.value(written: text)
    let seconds = Double(try Quantity.asked(time, for: Self.rampTime, name: "over"))
    guard let unit = found.unit, let address = found.address else {
      throw Refusal("“\(path)” is on or off, with nothing between; set it")
    }
    end(path)
    let rate = await engine.status().sampleRate
    let way = Morph(
      from: [address: found.value], to: [address: value], of: unit.facts,
      inputBusCount: unit.inputBusses.count, frames: Int(seconds * rate))
    rampCount += 1
    let number = rampCount
    let task = Task { [weak self] in
      let start = ContinuousClock.now
      for step in way.steps {
        try? await Task.sleep(until: start + .seconds(Double(step.frame) / rate))
        guard !Task.isCancelled, let self, await self.go(on: number, by: step) else { return }
      }
      await self?.finish(number)
    }
    ramps[number] = Ramp(path: path, value: found.value, task: task)
    let title = "ramp \(path) to \(Quantity.format(value, for: found.info)) over \(time)"
    note(found, value, title: title)
    return title
  }

  /// Takes a ramp's next step; false where somebody else has set the parameter meanwhile.
  private func go(on number: Int, by step: Morph.Step) async -> Bool {
    guard let path = ramps[number]?.path, let unit = await engine.audioUnit(named: path.unit),
      // Not ended while the unit was asked for.
      let ramp = ramps[number], unit.parameterValue(step.address) == ramp.value
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

  /// Ends what is under way to a parameter.
  func end(_ path: ParameterPath) { endRamps { $0 == path } }

  /// Ends what is under way to these.
  func endRamps(where isMeant: (ParameterPath) -> Bool) {
    for (number, ramp) in ramps where isMeant(ramp.path) {
      ramp.task.cancel()
      ramps[number] = nil
    }
  }

  /// As long as a render thread can count ramps at any rate.
  private static let rampTime = ParameterInfo(
    identifier: "over", name: "over", unit: .seconds, minimum: 0, maximum: 3600, defaultValue: 0)
}
