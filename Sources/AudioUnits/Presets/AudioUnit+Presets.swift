import UnitModel

/// A unit's presets. Every call reads the files of `presetLibrary`. Observers are also notified of what other
/// instances and programs save.
extension AudioUnit {
  /// The library that presets are loaded from and saved in; initially `PresetLibrary.standard`.
  public var presetLibrary: PresetLibrary {
    get { state.withLock { $0.presetLibrary } ?? .standard }
    set {
      state.withLock { state in
        state.presetLibrary = newValue
        state.presetFollower?.cancel()
        state.presetFollower = nil
      }
      notifyOfPresets()
    }
  }

  private func notifyOfPresets() {
    notify(\.factoryPresets)
    notify(\.userPresets)
  }

  /// Returns the presets and makes them observable from now on, whichever program saves or deletes
  /// them.
  private func presets(_ property: KeyPath<AudioUnit, [Preset]>) -> [Preset] {
    registrar.access(self, keyPath: property)
    let library = presetLibrary
    state.withLock { state in
      guard state.presetFollower == nil else { return }
      let watcher = library.watcher(of: facts.component)
      state.presetFollower = Task { [weak self] in
        for await _ in watcher.changes { self?.notifyOfPresets() }
      }
    }
    return library.presets(of: facts).entries.map(\.preset)
  }

  /// The presets of the unit's own table, then those that ship as files; numbered from 0.
  public var factoryPresets: [Preset] { presets(\.factoryPresets).filter { !$0.isUserPreset } }

  /// The presets that a person has saved; negative numbers.
  public var userPresets: [Preset] { presets(\.userPresets).filter(\.isUserPreset) }

  /// Returns the state that a preset sets, without loading it. The preset is found by its name, or if
  /// that is empty, by its number.
  ///
  /// - Throws: `PresetError` if there is no such preset.
  public func presetState(for preset: Preset) throws(PresetError) -> UnitState {
    try presetLibrary.entry(for: preset, of: facts).state
  }

  /// The preset loaded last, or nil.
  public var currentPreset: Preset? { read(\.currentPreset) { $0.preset } }

  /// Loads a preset, found as in `presetState(for:)`. Nil clears `currentPreset` and keeps the values.
  ///
  /// - Throws: `PresetError` if there is no such preset; then nothing changes.
  @discardableResult
  public func setCurrentPreset(_ preset: Preset?) throws -> [StateRemark] {
    guard let preset else {
      write(\.currentPreset) { $0.preset = nil }
      return []
    }
    let entry = try presetLibrary.entry(for: preset, of: facts)
    let remarks = try restore(entry.state)
    write(\.currentPreset) { $0.preset = entry.preset }
    return remarks
  }

  /// Saves the current state as a user preset, which becomes the current preset; a user preset of the
  /// same name is replaced.
  ///
  /// - Throws: `PresetError`, `FileError`, or `AudioUnitError` if the unit's data is not available; then
  ///   the presets stay.
  public func saveUserPreset(named name: String) throws {
    try refreshData()
    let saved = try presetLibrary.save(fullState, as: name, of: facts, replacing: true)
    write(\.currentPreset) { $0.preset = saved }
    notifyOfPresets()
  }

  /// Deletes a user preset; the values stay.
  public func deleteUserPreset(_ preset: Preset) throws {
    try presetLibrary.delete(preset.name, of: facts)
    if currentPreset?.name == preset.name { write(\.currentPreset) { $0.preset = nil } }
    notifyOfPresets()
  }

  /// Moves from the current values to those of a state, in `frames` frames from `sampleTime` on, with
  /// ramps if the unit supports them (`Morph`).
  ///
  /// - Throws: `AudioUnitError` if the state is another unit's, without render resources, or if there
  ///   is no room for the events; part of the way may then be scheduled.
  public func morph(
    to end: UnitState, from sampleTime: Int64, frames: Int
  ) throws(AudioUnitError) {
    guard end.component == facts.component else {
      throw error("the state is one of \(end.component), not of \(facts.component)")
    }
    guard (0...Int(UInt32.max)).contains(frames) else {
      throw error("a morph over \(frames) frames is out of range")
    }
    try check(sampleTime: sampleTime)
    let busCount = inputBusses.count
    let way = Morph(
      from: parameterValues, to: end.values(for: facts, inputBusCount: busCount), of: facts,
      inputBusCount: busCount, frames: frames)
    for step in way.steps {
      try scheduleParameter(
        at: .sampleTime(sampleTime + Int64(step.frame)), ramp: step.ramp, address: step.address,
        value: step.value)
    }
    write(\.currentPreset) { state in
      state.preset = preset(of: end)
    }
  }
}
