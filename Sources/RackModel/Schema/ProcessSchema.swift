import UnitModel

/// The part of the schema that is about processes.
enum ProcessSchema {
  /// What a unit's `process` can be.
  static let choice: JSONValue = [
    "type": "string", "description": "In which process the unit is rendered.",
    "anyOf": [
      ["const": "own", "description": "In one of its own."],
      ["const": "host", "description": "In the one that plays the rack."],
      [
        "pattern": "^\\s*(own|host|group\\s+[A-Za-z0-9_-]+)\\s*$",
        "description": "In one that it shares with others: group NAME.",
      ],
    ],
  ]

  static let settings: JSONValue = [
    "type": "object",
    "description": "Units in other processes: how they are waited for and placed.",
    "additionalProperties": false,
    "properties": [
      "patience": [
        "description": .string(
          "Their share of a period, all together; \(usualPatience) unless given."),
        "anyOf": [
          ["type": "string"],
          [
            "type": "number", "minimum": .number(Double(patience.minimum)),
            "maximum": .number(Double(patience.maximum)),
          ],
        ],
      ],
      "processor": [
        "description": "Where they run: with the thread that renders the rack, or apart from it.",
        "anyOf": [["enum": ["auto", "same", "other"]], integer(ProcessorChoice.numbers)],
      ],
      "restarts": [
        "description": .string(
          "Restarts within 30 s before one is left; \(usual.restarts) unless given."),
        "allOf": [integer(ProcessSettings.restartRange)],
      ],
    ],
  ]

  private static let usual = ProcessSettings()
  private static let patience = ProcessSettings.patienceRange
  private static let usualPatience = Quantity.format(patience.defaultValue, for: patience)

  private static func integer(_ range: ClosedRange<Int>) -> JSONValue {
    [
      "type": "integer", "minimum": .number(Double(range.lowerBound)),
      "maximum": .number(Double(range.upperBound)),
    ]
  }
}
