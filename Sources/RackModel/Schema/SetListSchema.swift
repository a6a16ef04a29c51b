/// The JSON Schema of set lists, for editors that complete and check while one types.
public enum SetListSchema {
  /// A schema (draft 2020-12); it accepts every set list that the checker accepts.
  public static var json: String {
    let schema: JSONValue = [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "Backline set list",
      "type": "object",
      "required": ["setlist", "songs"],
      "additionalProperties": false,
      "properties": [
        "setlist": [
          "type": ["string", "number"],
          "description": "The set list's name, and the JACK client's.",
        ],
        "programs": programs,
        "songs": [
          "type": "object", "description": "Songs by name, in the order of the show.",
          "minProperties": 1,
          "maxProperties": .number(Double(SetListReader.mostSongs)), "additionalProperties": song,
        ],
      ],
    ]
    return schema.text() + "\n"
  }

  private static let programs: JSONValue = [
    "type": "object", "description": "Where program changes come from that choose songs.",
    "additionalProperties": false,
    "properties": [
      "input": [
        "type": ["string", "number"],
        "description": .string(
          "The MIDI input, a rack's own or one besides; \(ProgramInput.usualName) unless given."),
      ],
      "channel": integer(1...16, "All channels unless given."),
      "connect": [
        "description": "JACK ports to connect it to.",
        "anyOf": [["type": "string"], ["type": "array", "items": ["type": "string"]]],
      ],
    ],
  ]

  private static let song: JSONValue = [
    "type": "object", "required": ["rack"], "additionalProperties": false,
    "properties": [
      "rack": [
        "type": ["string", "number"],
        "description": "A rack file, from the set list's folder on, or a rack that ships.",
      ],
      "scene": ["type": ["string", "number"], "description": "The scene that it begins with."],
      "program": integer(1...128, "The MIDI program that chooses it."),
      "bank": [
        "description": "Of the program: controller 0, or 0 and 32 as in 1/2; any unless given.",
        "anyOf": [
          integer(0...127, "What controller 0 says."),
          ["type": "string", "pattern": "^[0-9]+(/[0-9]+)?$"],
        ],
      ],
    ],
    "dependentRequired": ["bank": ["program"]],
  ]

  private static func integer(_ range: ClosedRange<Int>, _ description: String) -> JSONValue {
    [
      "type": "integer", "minimum": .number(Double(range.lowerBound)),
      "maximum": .number(Double(range.upperBound)), "description": .string(description),
    ]
  }
}
