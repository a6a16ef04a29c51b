import UnitModel

/// A unit's presets, by Apple's names; the files are the library's, so that every call looks at the
/// disk.
extension AudioUnit {
  /// Those of the unit's own table, then those that ship as files; numbers from 0 on.
  public func factoryPresets(in library: PresetLibrary = PresetLibrary()) -> [Preset] {
    library.presets(of: facts).entries.map(\.preset).filter { !$0.isUserPreset }
  }

  /// A person's own; numbers below 0.
  public func userPresets(in library: PresetLibrary = PresetLibrary()) -> [Preset] {
    library.presets(of: facts).entries.map(\.preset).filter(\.isUserPreset)
  }

  public var supportsUserPresets: Bool { true }

  /// What a preset sets, without loading it.
  ///
  /// - Throws: `PresetError` where there is none of that name.
  public func presetState(
    for preset: Preset, in library: PresetLibrary = PresetLibrary()
  ) throws(PresetError) -> UnitState {
    try library.entry(named: preset.name, of: facts).state
  }

  /// The preset chosen last; nil until one is, and once it is left by choosing nil.
  public var currentPreset: Preset? { read(\.currentPreset) { $0.preset } }

  /// Loads a preset. Nil only forgets which it was: the values stay.
  ///
  /// - Throws: `PresetError` where there is none of that name; then all is as before.
  @discardableResult
  public func setCurrentPreset(
    _ preset: Preset?, in library: PresetLibrary = PresetLibrary()
  ) throws -> [StateRemark] {
    guard let preset else {
      write(\.currentPreset) { $0.preset = nil }
      return []
    }
    let entry = try library.entry(named: preset.name, of: facts)
    let remarks = try restore(entry.state)
    write(\.currentPreset) { $0.preset = entry.preset }
    return remarks
  }

  /// Saves the present values as a preset of the user's, which is the current one from then on; one
  /// of the same name is replaced.
  ///
  /// - Throws: `PresetError` or `FileError`; then the presets are as before.
  public func saveUserPreset(
    named name: String, in library: PresetLibrary = PresetLibrary()
  ) throws {
    let saved = try library.save(fullState, as: name, of: facts, replacing: true)
    write(\.currentPreset) { $0.preset = saved }
  }

  /// Deletes one of the user's presets; the values stay.
  public func deleteUserPreset(
    _ preset: Preset, in library: PresetLibrary = PresetLibrary()
  ) throws {
    try library.delete(preset.name, of: facts)
    if currentPreset?.name == preset.name { write(\.currentPreset) { $0.preset = nil } }
  }

  /// Travels from the present values to those of a state, in `frames` frames from `sampleTime` on: as
  /// ramps where the unit can follow them (`Morph`).
  ///
  /// - Throws: `AudioUnitError` where the state is another unit's, without render resources, or where
  ///   there is no room for the events; part of the way may then be scheduled.
  public func morph(
    to end: UnitState, from sampleTime: Int64, frames: Int
  ) throws(AudioUnitError) {
    guard end.component == facts.component else {
      throw error("the state is one of \(end.component), not of \(facts.component)")
    }
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
      state.preset = end.presetName.map { Preset(number: end.presetNumber ?? 0, name: $0) }
    }
  }
}
