import Documents
import UnitModel

/// The part of the schema that comes from the catalogue: the parameters, presets and properties of each unit.
enum UnitSchema {
  static func unit(catalogue: [UnitFacts]) -> JSONValue {
    let units = catalogue.map { facts -> JSONValue in
      [
        "const": .string(facts.component.description),
        "description": .string("\(facts.name): \(facts.summary)"),
      ]
    }
    let others: [JSONValue] = [
      ["enum": .array(catalogue.map { .string($0.name) }), "description": "A unit by its name."],
      ["pattern": "\\*", "description": "A wildcard that fits one unit."],
      ["pattern": "@[0-9.]+$", "description": "A unit in this version."],
      ["pattern": "\\.unit/?$", "description": "A bundle; a path from the rack file's folder."],
      // One of Apple's tables spells aumf this way.
      ["pattern": "^aufm/"],
    ]
    var schema = Rack.Unit.schema
    schema["properties"]["unit"]["type"] = "string"
    schema["properties"]["unit"]["anyOf"] = .array(units + others)
    schema["allOf"] = .array(catalogue.map(condition))
    return schema
  }

  /// The schema of the process in which a unit is rendered.
  static let process: JSONValue = [
    "type": "string",
    "anyOf": [
      ["const": "own", "description": "A process of its own."],
      ["const": "host", "description": "The process that plays the rack."],
      [
        "pattern": "^\\s*(own|host|group\\s+[A-Za-z0-9_-]+)\\s*$",
        "description": "A process that it shares with others: group NAME.",
      ],
    ],
  ]

  /// Returns the condition that an entry of this unit has these parameters, presets, properties and inputs.
  private static func condition(_ facts: UnitFacts) -> JSONValue {
    let presets = facts.factoryPresets.map { JSONValue.string($0.name) }
    let own: JSONValue = ["description": "A preset that you have saved."]
    let properties = facts.properties.map { property -> (String, JSONValue) in
      let path = property.isPath ? "; a path from the rack file's folder" : ""
      return (
        property.identifier,
        ["type": ["string", "number"], "description": .string(property.name + path)]
      )
    }
    let inputs = facts.inputBusses.count...facts.maximumInputBusCount
    let then: JSONValue = [
      "parameters": parameters(of: facts),
      "preset": ["anyOf": presets.isEmpty ? [own] : [["enum": .array(presets)], own]],
      "properties": ["properties": .object(properties), "additionalProperties": false],
      "inputs": .integer(inputs),
    ]
    return [
      "if": [
        "properties": [
          "unit": ["enum": [.string(facts.component.description), .string(facts.name)]]
        ],
        "required": ["unit"],
      ],
      "then": ["properties": then],
    ]
  }

  /// Returns the schema of key paths, written whole or as maps within maps; those of templates with any bus
  /// before them.
  private static func parameters(of facts: UnitFacts) -> JSONValue {
    var (tree, perBus) = (Group(), Group())
    for info in facts.parameters where info.isStored {
      let path = info.keyPath.split(separator: ".").map(String.init)[...]
      if info.isPerInputBus {
        perBus.add(path, schema: value(of: info))
      } else {
        tree.add(path, schema: value(of: info))
      }
    }
    guard !perBus.members.isEmpty else { return tree.schema(patterns: []) }
    // The valid bus numbers depend on “inputs”.
    let names = facts.inputBusses.map(\.name).filter { $0.allSatisfy(isWordCharacter) }
    let bus = "(" + (["[0-9]+"] + names).joined(separator: "|") + ")"
    var patterns: [(String, JSONValue)] = [("^\(bus)$", perBus.schema(patterns: []))]
    for (path, schema) in perBus.paths {
      let escaped = path.split(separator: ".").joined(separator: "\\.")
      patterns.append(("^\(bus)\\.\(escaped)$", schema))
    }
    return tree.schema(patterns: patterns)
  }

  /// Returns whether a character means itself in a regular expression.
  private static func isWordCharacter(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  /// Returns the schema of a parameter's value. The ways to write a value are checked by the checker.
  private static func value(of info: ParameterInfo) -> JSONValue {
    let minimum = Quantity.format(info.minimum, for: info)
    let maximum = Quantity.format(info.maximum, for: info)
    let usual = Quantity.format(info.defaultValue, for: info)
    var choices: [JSONValue] = [
      [
        "type": "number", "minimum": .number(Double(info.minimum)),
        "maximum": .number(Double(info.maximum)),
      ]
    ]
    if info.unit == .boolean {
      choices.append(.truth)
    } else {
      if !info.valueStrings.isEmpty {
        choices.append(["enum": .array(info.valueStrings.map { .string($0) })])
      }
      choices.append(["type": "string"])
      // A value's name may be a word that YAML 1.1 reads as a truth value.
      if info.valueStrings.contains(where: { ["on", "off", "yes", "no"].contains($0.lowercased()) })
      {
        choices.append(["type": "boolean"])
      }
    }
    return [
      "description": .string("\(info.name), \(minimum) to \(maximum); \(usual) unless given"),
      "anyOf": .array(choices),
    ]
  }

  /// Parameters, grouped by the parts of their key paths.
  private struct Group {
    var members: [(name: String, group: Group)] = []
    var value: JSONValue?

    mutating func add(_ path: ArraySlice<String>, schema: JSONValue) {
      guard let name = path.first else {
        value = schema
        return
      }
      if let index = members.firstIndex(where: { $0.name == name }) {
        members[index].group.add(path.dropFirst(), schema: schema)
      } else {
        var group = Group()
        group.add(path.dropFirst(), schema: schema)
        members.append((name, group))
      }
    }

    /// Every key path in the group, with its schema.
    var paths: [(path: String, schema: JSONValue)] {
      members.flatMap { name, group in
        (group.value.map { [(name, $0)] } ?? [])
          + group.paths.map { ("\(name).\($0.path)", $0.schema) }
      }
    }

    func schema(patterns: [(String, JSONValue)]) -> JSONValue {
      let groups = members.filter { !$0.group.members.isEmpty }
        .map { ($0.name, $0.group.schema(patterns: [])) }
      var result: [(String, JSONValue)] = [
        ("type", "object"), ("properties", .object(paths.map { ($0.path, $0.schema) } + groups)),
        ("additionalProperties", false),
      ]
      if !patterns.isEmpty { result.append(("patternProperties", .object(patterns))) }
      return .object(result)
    }
  }
}
