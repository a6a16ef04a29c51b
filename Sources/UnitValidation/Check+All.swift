extension Check {
  /// The checks in order. Each group runs in a process of its own.
  package static let groups: [(name: String, checks: [Check])] = [
    (
      "description",
      [
        functions, component, tags, busses, channelCapabilities, parameterTable, propertyTable,
        presetTable, midiTable, telemetryTable,
      ]
    ),
    ("opening", [opening]),
    ("life", [openingTime, reallocation, manyInstances]),
    ("resources", [resources]),
    ("formats", [formats, sampleRates, refusals]),
    (
      "rendering",
      [
        blockSizes, eventTiming, bounds, inPlace, nullOutput, inputMemory, alignment, unconnected,
        reset, instances,
      ]
    ),
    (
      "parameters",
      [
        parameterValues, parameterExtremes, parameterSweeps, unknownEvents, state, presets,
        propertyValues, data, valueTexts,
      ]
    ),
    ("midi", [midiGarbage, midiOutput, expressions]),
    ("calls of the host", [notices, threads]),
    ("signals", [silence, fullScale, denormals, notFinite]),
    ("time", [latency, tail]),
    ("telemetry", [telemetry]),
    ("render thread", [stack, floatingPoint, renderThread]),
  ]

  public static let all: [Check] = groups.flatMap(\.checks)

  /// The checks without which no other check runs.
  static let foundations: Set<String> = [functions.name, opening.name]

  /// The names of rules that LV2 and LADSPA do not have.
  static let ofUnitsAlone: Set<String> = [
    blockSizes.name, eventTiming.name, reset.name, data.name, notFinite.name, stack.name,
    floatingPoint.name,
  ]

  public static func named(_ name: String) -> Check? { all.first { $0.name == name } }
}
