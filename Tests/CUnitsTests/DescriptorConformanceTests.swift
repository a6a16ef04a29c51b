import BacklineTestSupport
import CUnit
import Testing

/// What every unit's tables must keep to.
@Suite struct DescriptorConformanceTests {
  @Test func noTwoUnitsShareAComponentDescription() {
    let descriptions = BuiltInUnit.all.map(\.description)
    #expect(Set(descriptions).count == descriptions.count)
  }

  @Test(arguments: BuiltInUnit.all) func saysWhatItIs(_ unit: BuiltInUnit) {
    let facts = unit.facts
    #expect(facts.abi_version == UInt32(BL_ABI_VERSION))
    #expect(facts.version > 0)
    for part in unit.description.split(separator: "/", omittingEmptySubsequences: false) {
      #expect(part.count == 4)
      #expect(part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) })
    }
    for text in [facts.name, facts.manufacturer_name, facts.summary] {
      let text = text.map { String(cString: $0) } ?? ""
      #expect(!text.isEmpty)
      #expect(!text.contains("\n"))
    }
    #expect(facts.tags != nil && facts.tags[0] != nil)
  }

  @Test(arguments: BuiltInUnit.all) func bussesAreNamedAndSized(_ unit: BuiltInUnit) {
    #expect(unit.facts.output_bus_count >= 1)
    let maximum = unit.facts.maximum_input_bus_count
    #expect(maximum == 0 || maximum >= unit.facts.input_bus_count)
    for busses in [unit.inputBusses, unit.outputBusses] {
      let names = busses.map { String(cString: $0.name) }
      #expect(Set(names).count == names.count)
      #expect(names.allSatisfy { !$0.isEmpty })
      #expect(busses.allSatisfy { 1...UInt32(BL_MAXIMUM_CHANNELS) ~= $0.default_channel_count })
    }
  }

  @Test(arguments: BuiltInUnit.all) func parametersHaveKeyPathsOfTheirOwn(_ unit: BuiltInUnit) {
    let keyPaths = unit.parameters.map(\.keyPath)
    #expect(Set(keyPaths).count == keyPaths.count)
    for keyPath in keyPaths {
      let isAllowed = keyPath.allSatisfy {
        $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".")
      }
      #expect(isAllowed && !keyPath.hasSuffix("."), "\(keyPath)")
    }
  }

  @Test(arguments: BuiltInUnit.all) func dependentParametersExist(_ unit: BuiltInUnit) {
    let keyPaths = Set(unit.parameters.map(\.keyPath))
    for parameter in unit.parameters {
      let dependents = strings(parameter.dependent_parameters)
      #expect(Set(dependents).count == dependents.count, "\(parameter.keyPath)")
      #expect(!dependents.contains(parameter.keyPath))
      #expect(keyPaths.isSuperset(of: dependents), "\(parameter.keyPath)")
    }
  }

  /// 1, 2, 3 ... without a gap, and something to show for every unit that has parameters.
  @Test(arguments: BuiltInUnit.all) func overviewRanksCountUp(_ unit: BuiltInUnit) {
    let ranks = unit.parameters.map(\.overview_rank).filter { $0 > 0 }.sorted()
    #expect(ranks == Array(1...UInt32(max(1, ranks.count))))
    for parameter in unit.parameters where parameter.overview_rank > 0 {
      #expect(parameter.isWritable, "\(parameter.keyPath)")
    }
  }

  @Test(arguments: BuiltInUnit.all) func everyGroupHasAName(_ unit: BuiltInUnit) {
    let groups = (0..<Int(unit.facts.parameter_group_count)).map {
      unit.facts.parameter_groups[$0]
    }
    let named = groups.map { String(cString: $0.key_path) }
    #expect(Set(named).count == named.count)
    #expect(groups.allSatisfy { !String(cString: $0.name).isEmpty })
    let mentioned = unit.parameters.compactMap { $0.group.map { String(cString: $0) } }
    #expect(Set(named) == Set(mentioned))
    #expect(Set(named).isDisjoint(with: unit.parameters.map(\.keyPath)))
  }

  @Test(arguments: BuiltInUnit.all) func customUnitsAreNamed(_ unit: BuiltInUnit) {
    for parameter in unit.parameters {
      #expect(
        (parameter.unit_name != nil) == (parameter.unit == BL_UNIT_CUSTOM), "\(parameter.keyPath)")
    }
  }

  @Test(arguments: BuiltInUnit.all) func parametersHaveSaneRanges(_ unit: BuiltInUnit) {
    for parameter in unit.parameters {
      let identifier = String(cString: parameter.identifier)
      #expect(!String(cString: parameter.name).isEmpty)
      #expect(parameter.minimum < parameter.maximum, "\(identifier)")
      let range = parameter.minimum...max(parameter.minimum, parameter.maximum)
      #expect(range.contains(parameter.default_value), "\(identifier)")
      if parameter.curve == BL_CURVE_LOGARITHMIC {
        #expect(parameter.minimum > 0, "\(identifier)")
      }
      if parameter.unit == BL_UNIT_BOOLEAN {
        #expect(range == 0...1, "\(identifier)")
      }
      if parameter.unit == BL_UNIT_PAN {
        #expect(range == -1...1, "\(identifier)")
      }
      let isPerBus = parameter.flags & UInt32(BL_PARAMETER_PER_INPUT_BUS) != 0
      #expect(!isPerBus || unit.facts.input_bus_count > 0, "\(identifier)")
    }
  }

  @Test(arguments: BuiltInUnit.all) func everyIndexedValueHasAName(_ unit: BuiltInUnit) {
    for parameter in unit.parameters
    where parameter.unit == BL_UNIT_INDEXED || parameter.value_strings != nil {
      let identifier = String(cString: parameter.identifier)
      let names = strings(parameter.value_strings)
      #expect(names.count == Int(parameter.maximum - parameter.minimum) + 1, "\(identifier)")
      #expect(Set(names).count == names.count, "\(identifier)")
      #expect(parameter.flags & UInt32(BL_PARAMETER_RAMPABLE) == 0, "\(identifier)")
    }
  }

  @Test(arguments: BuiltInUnit.all) func presetsKeepToTheRanges(_ unit: BuiltInUnit) {
    let names = unit.factoryPresets.map { String(cString: $0.name) }
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { !$0.isEmpty })
    for preset in unit.factoryPresets {
      for value in (0..<preset.value_count).map({ preset.values[$0] }) {
        let index = Int(value.address & 0xFFFF_FFFF)
        guard unit.parameters.indices.contains(index) else {
          Issue.record("\(String(cString: preset.name)): no parameter \(index)")
          continue
        }
        let parameter = unit.parameters[index]
        #expect(
          parameter.minimum...parameter.maximum ~= value.value,
          "\(String(cString: preset.name)): \(String(cString: parameter.identifier))")
        if parameter.unit == BL_UNIT_INDEXED || parameter.unit == BL_UNIT_BOOLEAN {
          #expect(value.value == value.value.rounded())
        }
      }
    }
  }

  @Test(arguments: BuiltInUnit.all) func parametersStartAtTheirDefaults(_ unit: BuiltInUnit) throws
  {
    let host = try UnitHost(unit.descriptor)
    for parameter in unit.parameters {
      #expect(host.value(String(cString: parameter.identifier)) == parameter.default_value)
    }
  }

  @Test(arguments: BuiltInUnit.all) func parametersKeepWhatTheyAreSetTo(
    _ unit: BuiltInUnit
  ) throws {
    let host = try UnitHost(unit.descriptor)
    for parameter in unit.parameters where parameter.isWritable {
      let identifier = String(cString: parameter.identifier)
      for value in [parameter.minimum, parameter.maximum, parameter.default_value] {
        host.set(identifier, value)
        #expect(host.value(identifier) == value, "\(identifier)")
      }
    }
  }

  @Test(arguments: BuiltInUnit.all) func eventsReachTheirValues(_ unit: BuiltInUnit) throws {
    let host = try UnitHost(unit.descriptor)
    for parameter in unit.parameters where parameter.isWritable {
      let identifier = String(cString: parameter.identifier)
      let event = UnitHost.Event.parameter(
        host.address(identifier), parameter.maximum, ramp: parameter.isRampable ? 100 : 0, at: 20)
      _ = host.render(frames: 200, blockSizes: [64], events: [event], memory: unit.plainMemory)
      #expect(host.value(identifier) == parameter.maximum, "\(identifier)")
    }
  }
}

extension bl_parameter_info {
  fileprivate var keyPath: String {
    (group.map { String(cString: $0) + "." } ?? "") + String(cString: identifier)
  }
}

/// The strings of a list that a null pointer ends.
private func strings(_ list: UnsafePointer<UnsafePointer<CChar>?>?) -> [String] {
  var found: [String] = []
  while let list, let string = list[found.count] { found.append(String(cString: string)) }
  return found
}
