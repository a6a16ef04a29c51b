/// The part of the schema that is about controls and scenes.
enum ControlSchema {
  static let controls: JSONValue = [
    "type": "array", "description": "What of MIDI moves what.",
    "maxItems": .number(Double(ControlResolver.mostControls)),
    "items": [
      "type": "object", "required": ["from", "to"], "additionalProperties": false,
      "properties": [
        "from": [
          "type": "string",
          "description": .string(
            "A MIDI input and what comes in there: \(ControlSource.examples)."),
          "pattern": "^\\s*\\S.*\\s(cc|nrpn|bend|pressure|note|program)(\\s|$)",
        ],
        "to": [
          "type": "string",
          "description":
            "UNIT.PARAMETER, UNIT.bypass, scene NAME, next song, previous song, song NAME, record, panic or tap.",
          "anyOf": [["pattern": "\\."], ["pattern": "^scene\\s"]],
        ],
        "range": [
          "type": "array", "minItems": 2, "maxItems": 2,
          "items": ["type": ["string", "number", "boolean"]],
          "description": "The values at its lowest and its highest; all there are unless given.",
        ],
        "curve": [
          "enum": .array(ControlResolver.curves.keys.sorted().map { .string($0) }),
          "description": "How it travels between them; the parameter's own unless given.",
        ],
        "mode": [
          "enum": .array(ControlMode.allCases.map { .string($0.rawValue) }),
          "description": "absolute, a switch that toggles, or an endless encoder.",
        ],
        "pick_up": RackSchema.boolean,
      ],
    ],
  ]

  static let scenes: JSONValue = [
    "type": "object", "description": "Values that are set at once, by name.",
    "additionalProperties": [
      "type": "object",
      "description": "By UNIT.PARAMETER or UNIT.bypass; over: how long it takes.",
    ],
  ]
}
