import UnitModel

/// The JSON Schema of rack files, for editors that complete and check while one types.
public enum RackSchema {
  /// A schema (draft 2020-12) with the names, parameters and presets of these units.
  ///
  /// It accepts every rack that the checker accepts. What only the checker knows, such as loops,
  /// channels and the dimension of a value, it lets pass.
  public static func json(catalogue: [UnitFacts]) -> String {
    let schema: JSONValue = [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "Backline rack",
      "type": "object",
      "required": ["rack"],
      "additionalProperties": false,
      "properties": [
        "rack": [
          "type": ["string", "number"], "description": "The rack's name, and the JACK client's.",
        ],
        "tempo": [
          "type": ["string", "number"],
          "description": "Beats per minute where JACK's transport has no tempo; 120 unless given.",
        ],
        "processes": ProcessSchema.settings,
        "inputs": ports("Where sound and MIDI come in.", usualChannels: 1),
        "outputs": ports("Where sound and MIDI go out.", usualChannels: 2),
        "units": [
          "type": "object", "description": "Name and settings of each unit.",
          "additionalProperties": UnitSchema.unit(catalogue: catalogue),
        ],
        "connections": [
          "type": "array",
          "description":
            "Chains such as mic -> ring -> main; ~> feeds back; channel 2 and notes C3..B4 limit what leaves.",
          "items": ["type": "string", "pattern": "(->|~>)"],
        ],
        "controls": ControlSchema.controls,
        "scenes": ControlSchema.scenes,
        "automation": AutomationSchema.lanes,
      ],
    ]
    return schema.text() + "\n"
  }

  private static func ports(_ description: String, usualChannels: Int) -> JSONValue {
    let wish: JSONValue = ["type": "string", "pattern": ":"]
    return [
      "type": "object", "description": .string(description),
      "additionalProperties": [
        "type": ["object", "null"],
        "additionalProperties": false,
        "properties": [
          "channels": [
            "type": "integer", "minimum": 1,
            "maximum": .number(Double(UnitFacts.maximumChannelCount)),
            "default": .number(Double(usualChannels)),
          ],
          "midi": boolean,
          "connect": [
            "description": "JACK ports to connect to: one, or a list with one for each channel.",
            "anyOf": [
              wish,
              ["type": "array", "items": ["anyOf": [wish, ["type": "array", "items": wish]]]],
            ],
          ],
        ],
      ],
    ]
  }

  /// YAML 1.1 and 1.2 differ in what they take for a truth value; both spellings will do.
  static let boolean: JSONValue = [
    "anyOf": [
      ["type": "boolean"],
      [
        "type": "string",
        "pattern": "^([Tt]rue|[Ff]alse|[Yy]es|[Nn]o|[Oo]n|[Oo]ff|TRUE|FALSE|YES|NO|ON|OFF)$",
      ],
    ]
  ]
}
