import AudioUnits
import CRack
import RackLowering
import RackModel
import UnitModel

extension Plan {
  /// Returns a descriptor of the rack as a unit, whose units run in this process; valid as long as the program.
  ///
  /// - Throws: `RackError` if a unit cannot run in this process, or memory is short.
  package func unitDescriptor(in catalogue: ComponentCatalogue) throws(RackError) -> UnitDescriptor
  {
    var descriptors: [UnsafePointer<bl_unit_descriptor>?] = []
    for unit in units {
      let component = try RackUnit.component(of: unit, in: catalogue)
      guard unit.process ?? component.processByConsent == .host else {
        throw RackError(
          "unit \(unit.name): it runs in a process of its own, which a unit of a rack within a rack"
            + " cannot; write “process: host” for it, or move it to the outer rack")
      }
      guard !component.facts.isOfflineEffect else {
        throw RackError(
          "unit \(unit.name): it sees its whole input before it plays, which a unit of a rack within a"
            + " rack cannot; move it to the outer rack")
      }
      do {
        descriptors.append(try component.descriptor(in: .host).pointer)
      } catch {
        throw RackError("unit \(unit.name): \(error)")
      }
    }
    let arrays = CArrays()
    var plan = rackPlan(arrays)
    guard let pointer = bl_rack_describe(&plan, descriptors) else {
      throw RackError("memory is short")
    }
    // The descriptor uses the arrays as long as the program runs.
    _ = Unmanaged.passRetained(arrays)
    return UnitDescriptor(pointer: pointer)
  }

  /// Returns the plan for C, valid as long as `arrays`.
  private func rackPlan(_ arrays: CArrays) -> bl_rack_plan {
    var plan = bl_rack_plan()
    plan.name = arrays.copy(name)
    plan.block = 1024
    plan.tempo = tempo
    plan.graph = graphDescription(arrays)
    // The outer rack's outputs have ceilings.
    plan.graph.output_ceilings = nil
    plan.graph.scene_count = 0
    plan.input_names = arrays.copy(inputs.map(\.name))
    plan.output_names = arrays.copy(outputs.map(\.name))
    plan.midi_input_names = arrays.copy(midiInputs.map(\.name))
    plan.midi_output_names = arrays.copy(midiOutputs.map(\.name))
    plan.unit_count = UInt32(units.count)
    plan.units = arrays.mutableCopy(units.map { Self.planned($0, arrays) })
    let properties = units.enumerated().flatMap { unit, planned in
      planned.properties.map {
        bl_planned_property(
          unit: UInt32(unit), index: UInt32($0.index), is_in_folder: false,
          text: arrays.copy($0.value))
      }
    }
    plan.property_count = UInt32(properties.count)
    plan.properties = arrays.copy(properties)
    plan.scene_count = UInt32(scenes.count)
    plan.scenes = arrays.mutableCopy(scenes.map { Self.planned($0, arrays) })
    plan.exposed_count = UInt32(parameters.count)
    let exposed = parameters.map { bl_exposed(unit: UInt32($0.unit), address: $0.address) }
    plan.exposed = arrays.copy(exposed)
    return plan
  }

  private static func planned(_ unit: PlannedUnit, _ arrays: CArrays) -> bl_planned_unit {
    var planned = bl_planned_unit()
    planned.name = arrays.copy(unit.name)
    planned.input_count = UInt32(unit.inputChannelCounts.count)
    planned.inputs = arrays.copy(unit.inputChannelCounts.map { UInt32($0) })
    planned.output_count = UInt32(unit.outputChannelCounts.count)
    planned.outputs = arrays.copy(unit.outputChannelCounts.map { UInt32($0) })
    planned.value_count = UInt32(unit.parameters.count)
    let values = unit.parameters.map { bl_preset_value(address: $0.address, value: $0.value) }
    planned.values = arrays.copy(values)
    planned.is_bypassed = unit.isBypassed
    planned.spills = unit.spills
    return planned
  }

  private static func planned(_ scene: PlannedScene, _ arrays: CArrays) -> bl_planned_scene {
    let values = scene.values.map {
      bl_scene_value(
        node: UInt32($0.target.unit), address: $0.target.address, value: $0.value)
    }
    return bl_planned_scene(
      name: arrays.copy(scene.name), time: scene.time, value_count: UInt32(values.count),
      values: arrays.copy(values))
  }
}
