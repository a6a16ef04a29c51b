import Documents

/// Encoded by the names of its properties; entries of later versions as YAML text.
extension UnitState: Codable {
  private enum CodingKeys: CodingKey {
    case component, version, presetName, presetNumber, parameters, properties, unknownParameters
    case unknownEntries
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      component: try values.decode(ComponentDescription.self, forKey: .component),
      version: try values.decode(UInt32.self, forKey: .version),
      presetName: try values.decodeIfPresent(String.self, forKey: .presetName),
      presetNumber: try values.decodeIfPresent(Int.self, forKey: .presetNumber),
      parameters: try values.decode([String: Float].self, forKey: .parameters),
      properties: try values.decode([String: String].self, forKey: .properties),
      unknownParameters: try values.decode([String: String].self, forKey: .unknownParameters))
    let text = try values.decodeIfPresent(String.self, forKey: .unknownEntries) ?? ""
    let document = YAMLDocument(text.utf8, file: "state", kind: DocumentKind(name: "state"))
    if case .mapping(let pairs) = document.root?.content {
      unknownEntries = pairs.map { UnknownEntry(key: $0.key.value, value: $0.value) }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(component, forKey: .component)
    try values.encode(version, forKey: .version)
    try values.encodeIfPresent(presetName, forKey: .presetName)
    try values.encodeIfPresent(presetNumber, forKey: .presetNumber)
    try values.encode(parameters, forKey: .parameters)
    try values.encode(properties, forKey: .properties)
    try values.encode(unknownParameters, forKey: .unknownParameters)
    if !unknownEntries.isEmpty {
      let entries = YAMLValue.map(unknownEntries.map { ($0.key, $0.value) })
      try values.encode(entries.written, forKey: .unknownEntries)
    }
  }
}
