import AudioUnits
import Testing
import UnitModel

/// The structure of parameter trees, and the search for their nodes.
@Suite struct ParameterTreeTests {
  @Test func keyPathsAndAddressesLeadToEachOther() throws {
    let tree = try TestTrees.synthesizer()
    let paths = [
      "osc1.shape", "osc1.width", "osc1.pitch.tune", "osc2.shape", "osc2.width",
      "osc2.pitch.tune", "filter.cutoff", "filter.envelope.attack", "meter", "level",
    ]
    #expect(tree.allParameters.map(\.keyPath) == paths)
    #expect(tree.allParameters.map(\.address) == [100, 101, 102, 200, 201, 202, 1, 2, 4, 3])
    for parameter in tree.allParameters {
      #expect(tree.parameter(atKeyPath: parameter.keyPath) == parameter)
      #expect(tree.parameter(withAddress: parameter.address) == parameter)
    }
    #expect(tree.parameter(atKeyPath: "filter") == nil)
    #expect(tree.parameter(atKeyPath: "attack") == nil)
    #expect(tree.parameter(withAddress: 99) == nil)
  }

  @Test func groupsKnowTheirPlace() throws {
    let tree = try TestTrees.synthesizer()
    #expect(tree.identifier == "" && tree.displayName == "Synthesizer" && tree.parent == nil)
    #expect(
      tree.children.map(\.identifier) == ["osc1", "osc2", "filter", "meter", "level"])
    let envelope = try #require(tree.node(atKeyPath: "filter.envelope") as? ParameterGroup)
    #expect(envelope.displayName == "Envelope")
    #expect(envelope.parent == tree.node(atKeyPath: "filter") as? ParameterGroup)
    #expect(envelope.parent?.parent == tree.root)
    #expect(envelope.children.map(\.keyPath) == ["filter.envelope.attack"])
    #expect(envelope.parent?.allParameters.map(\.identifier) == ["cutoff", "attack"])
  }

  @Test func dependentsAreFoundInTheInstanceFirst() throws {
    let tree = try TestTrees.synthesizer()
    let shape = try #require(tree.parameter(atKeyPath: "osc2.shape"))
    #expect(shape.dependentParameters.map(\.keyPath) == ["osc2.width", "level"])
  }

  @Test func theMostUsefulComeFirst() throws {
    let tree = try TestTrees.synthesizer()
    let three = tree.parametersForOverview(count: 3).map(\.keyPath)
    #expect(three == ["filter.envelope.attack", "filter.cutoff", "osc1.shape"])
    #expect(tree.parametersForOverview(count: 100).map(\.keyPath).last == "meter")
    #expect(tree.parametersForOverview(count: 100).count == 10)
    #expect(tree.parametersForOverview(count: -1).isEmpty)
  }

  @Test func namesAreCutToALength() throws {
    let tree = try ParameterTree(children: [
      .parameter(
        ParameterInfo(
          identifier: "frequency", name: "Ring Frequency", minimum: 0, maximum: 1, defaultValue: 0),
        address: 0)
    ])
    let parameter = try #require(tree.parameter(withAddress: 0))
    #expect(parameter.displayName(withLength: 20) == "Ring Frequency")
    #expect(parameter.displayName(withLength: 8) == "Ring Fre")
    #expect(parameter.displayName(withLength: 5) == "Ring")
    #expect(parameter.displayName(withLength: 0) == "")
  }

  @Test(arguments: [
    ("a", "a", 0, 1, Float(1), "parameter a: the key path is there twice"),
    ("a", "b", 7, 7, 1, "parameter b: address 7 is that of a, too"),
    (
      "a", "b.c", 0, 1, 1,
      "parameter b.c: “b.c” is not an identifier, which has letters, digits and _"
    ),
    ("a", "", 0, 1, 1, "parameter : “” is not an identifier, which has letters, digits and _"),
    ("a", "b", 0, 1, 0, "parameter b: the range 0.0 to 0.0 is empty or not finite"),
    ("a", "b", 0, 1, -1, "parameter b: the range 0.0 to -1.0 is empty or not finite"),
    ("a", "b", 0, 1, .infinity, "parameter b: the range 0.0 to inf is empty or not finite"),
    ("a", "b", 0, 1, 0.25, "parameter b: its default 0.5 lies outside of its range"),
  ]) func whatCannotBeBuiltSaysWhy(
    first: String, second: String, firstAddress: UInt64, secondAddress: UInt64, maximum: Float,
    message: String
  ) throws {
    func info(_ identifier: String, maximum: Float) -> ParameterInfo {
      ParameterInfo(
        identifier: identifier, name: "", minimum: 0, maximum: maximum, defaultValue: 0.5)
    }
    let error = #expect(throws: ParameterTreeError.self) {
      try ParameterTree(children: [
        .parameter(info(first, maximum: 1), address: firstAddress),
        .parameter(info(second, maximum: maximum), address: secondAddress),
      ])
    }
    #expect(error?.description == message)
  }

  /// The parameter table and the tree agree for every unit.
  @Test(arguments: ComponentCatalogue().facts) func unitsBecomeTrees(_ facts: UnitFacts) throws {
    let busCount = facts.canAddInputBusses ? 3 : facts.inputBusses.count
    let tree = ParameterTree(facts, inputBusCount: busCount)
    let references = facts.allParameters(inputBusCount: busCount)
    #expect(tree.allParameters.count == references.count)
    for reference in references {
      let parameter = try #require(tree.parameter(atKeyPath: reference.keyPath))
      #expect(parameter == tree.parameter(withAddress: reference.address))
      #expect(parameter.info == reference.info)
      #expect(parameter.value == reference.info.defaultValue)
      #expect(parameter.dependentParameters.count == reference.info.dependentParameters.count)
    }
    for (path, name) in facts.parameterGroupNames {
      #expect(tree.node(atKeyPath: path)?.displayName == name)
    }
  }
}
