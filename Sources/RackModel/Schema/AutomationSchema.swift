/// The part of the schema that is about lanes.
enum AutomationSchema {
  private static let points: JSONValue = [
    "type": "array", "minItems": 1,
    "items": ["type": "string", "pattern": "@"],
    "description": "VALUE @ TIME: 5 kHz @ 2 s, 30 % @ bar 5 beat 2.5.",
  ]

  static let lanes: JSONValue = [
    "type": "object", "maxProperties": .number(Double(LaneResolver.mostLanes)),
    "description": "What follows the transport, by UNIT.PARAMETER or UNIT.bypass.",
    "additionalProperties": [
      "anyOf": [
        points,
        [
          "type": "object", "required": ["points"], "additionalProperties": false,
          "properties": [
            "points": points,
            "curve": [
              "enum": .array(LaneResolver.curves.keys.sorted().map { .string($0) }),
              "description": "How it travels from point to point; linear unless given.",
            ],
          ],
        ],
      ]
    ],
  ]
}
