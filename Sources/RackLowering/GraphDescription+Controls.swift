import CKernel
import RackModel

extension GraphDescription {
  /// Adds a plan's controls and scenes to a description.
  static func addControls(
    of plan: Plan, sampleRate: Double, to description: inout bl_graph_description,
    _ arrays: CArrays
  ) {
    let controls =
      plan.controls.map(makeControl)
      + plan.sortedSongCalls.map { call in
        var control = makeControl(call.source, at: call.port)
        control.mode = BL_CONTROL_CALL
        return control
      }
    let scenes = plan.scenes.map { scene in
      let values = scene.values.map { value in
        bl_scene_value(
          node: UInt32(value.target.unit), address: value.target.address, value: value.value)
      }
      return bl_scene(
        value_count: UInt32(values.count), values: arrays.copy(values),
        ramp_duration: UInt32(scene.time * sampleRate))
    }
    description.control_count = UInt32(controls.count)
    description.controls = arrays.copy(controls)
    description.scene_count = UInt32(scenes.count)
    description.scenes = arrays.copy(scenes)
  }

  private static func makeControl(_ source: ControlSource, at port: Int) -> bl_control {
    var control = bl_control()
    control.port = UInt32(port)
    (control.source, control.number) = makeSource(source.kind)
    control.channels = source.channel.map { 1 << UInt16($0 - 1) } ?? .max
    control.bank_coarse = source.bank.map { UInt8($0.coarse) } ?? UInt8(BL_ANY_BANK)
    control.bank_fine = source.bank?.fine.map { UInt8($0) } ?? UInt8(BL_ANY_BANK)
    return control
  }

  private static func makeControl(_ planned: PlannedControl) -> bl_control {
    var control = makeControl(planned.source, at: planned.port)
    (control.picks_up, control.latches) = (planned.picksUp, planned.latches)
    switch planned.action {
    case .panic: control.mode = BL_CONTROL_PANIC
    case .command, .tap: control.mode = BL_CONTROL_REQUEST
    case .recall(let scene):
      control.mode = BL_CONTROL_RECALL
      control.scene = UInt32(scene)
    case .move(let target, let mode, let from, let to, let curve):
      control.mode = makeMode(mode)
      (control.node, control.address) = (UInt32(target.unit), target.address)
      (control.from, control.to) = (from, to)
      control.curve = bl_parameter_curve(curve.rawValue)
    }
    return control
  }

  private static func makeMode(_ mode: ControlMode) -> bl_control_mode {
    switch mode {
    case .absolute: BL_CONTROL_ABSOLUTE
    case .toggle, .latching: BL_CONTROL_TOGGLE
    case .twosComplement: BL_CONTROL_TWOS_COMPLEMENT
    case .binaryOffset: BL_CONTROL_BINARY_OFFSET
    case .signAndMagnitude: BL_CONTROL_SIGN_AND_MAGNITUDE
    }
  }

  private static func makeSource(_ kind: ControlSource.Kind) -> (bl_control_source, UInt32) {
    switch kind {
    case .controller(let number): (BL_CONTROL_CONTROLLER, UInt32(number))
    case .fineController(let number): (BL_CONTROL_FINE_CONTROLLER, UInt32(number))
    case .nonRegisteredParameter(let number): (BL_CONTROL_NRPN, UInt32(number))
    case .pitchBend: (BL_CONTROL_PITCH_BEND, 0)
    case .pressure: (BL_CONTROL_PRESSURE, 0)
    case .keyPressure(let key): (BL_CONTROL_KEY_PRESSURE, UInt32(key))
    case .note(let key): (BL_CONTROL_NOTE, UInt32(key))
    case .program(let number): (BL_CONTROL_PROGRAM, UInt32(number))
    }
  }
}
