import Documents
import UnitModel

extension KeyType where Value == Double {
  /// Returns the type of a percentage, with its value as a share of 1. The default is not written.
  static func percentage(_ info: ParameterInfo) -> KeyType {
    KeyType(
      schema: [
        "anyOf": [
          ["type": "string"],
          [
            "type": "number", "minimum": .number(Double(info.minimum)),
            "maximum": .number(Double(info.maximum)),
          ],
        ]
      ],
      read: { value, key, diagnostics in
        diagnostics.text(value, of: key).flatMap { text in
          diagnostics.value(of: text) { text throws(Refusal) in
            Double(try Quantity.parse(text, for: info)) / 100
          }
        }
      },
      write: { share in
        let percents = Float(share * 100)
        return percents == info.defaultValue ? nil : .text(Quantity.format(percents, for: info))
      })
  }
}

extension KeyType where Value == Located<[[String]]> {
  /// The type of the JACK ports of each channel: a text, or a list of texts and of lists of texts.
  static var connect: KeyType {
    let port: JSONValue = ["type": "string", "pattern": ":"]
    return KeyType(
      schema: [
        "anyOf": [
          port,
          ["type": "array", "items": ["anyOf": [port, ["type": "array", "items": port]]]],
        ]
      ],
      read: { value, key, diagnostics in
        guard case .sequence(let channels) = value.content else {
          return diagnostics.text(value, of: key).map { Located([[$0.value]], at: value.position) }
        }
        let ports = channels.map { channel in
          guard case .sequence(let ports) = channel.content else {
            return diagnostics.text(channel, of: key).map { [$0.value] } ?? []
          }
          return ports.compactMap { diagnostics.text($0, of: key)?.value }
        }
        return Located(ports, at: value.position)
      },
      write: { channels in
        let words = channels.value.map { ports in
          ports.count == 1 ? YAMLValue.text(ports[0]) : .list(ports.map(YAMLValue.text))
        }
        return channels.value.count == 1 && channels.value[0].count == 1 ? words[0] : .list(words)
      })
  }
}

extension KeyType where Value == [Located<String>] {
  static var rangeForm: String {
    "“range” must be a list of two values such as [5 Hz, 80 Hz]"
  }

  /// The type of the values at both ends of a control.
  static var range: KeyType {
    KeyType(
      schema: [
        "type": "array", "minItems": 2, "maxItems": 2,
        "items": ["type": ["string", "number", "boolean"]],
      ],
      read: { value, key, diagnostics in
        guard case .sequence(let values) = value.content, values.count == 2 else {
          diagnostics.error(value.position, rangeForm)
          return nil
        }
        let ends = values.compactMap { diagnostics.text($0, of: key) }
        return ends.count == 2 ? ends : nil
      },
      write: { .list($0.map { .text($0.value) }) })
  }

  /// The type of a list of parameters.
  static var paths: KeyType {
    list("of parameters such as - ring.frequency", of: ["type": "string", "pattern": "\\."])
  }

  /// The type of a list of files and folders.
  static var files: KeyType {
    list("of files and folders such as - kits/Aasimonster", of: ["type": "string", "minLength": 1])
  }

  private static func list(_ description: String, of item: JSONValue) -> KeyType {
    KeyType(
      schema: ["type": "array", "items": item],
      read: { value, key, diagnostics in
        diagnostics.items(value, of: key, description)?
          .compactMap { diagnostics.text($0, of: key) }
      },
      write: { $0.isEmpty ? nil : .list($0.map { .text($0.value) }) })
  }

  /// The type of the points of a lane, at least one.
  static var points: KeyType {
    KeyType(
      schema: ["type": "array", "minItems": 1, "items": ["type": "string", "pattern": "@"]],
      read: { value, _, diagnostics in
        guard case .sequence(let values) = value.content else {
          diagnostics.error(
            value.position,
            "a lane is a list of points such as [200 Hz @ 0 s, 5 kHz @ 2 s], not \(value.kind)")
          return nil
        }
        if values.isEmpty {
          diagnostics.error(
            value.position,
            "the list has no points; a lane has one at least, as in [200 Hz @ 0 s]")
        }
        return values.compactMap { diagnostics.text($0, of: "a point") }
      },
      write: { $0.isEmpty ? nil : .list($0.map { .text($0.value) }) })
  }
}

extension KeyType where Value == [Rack.Chain] {
  static var connections: KeyType {
    KeyType(
      schema: ["type": "array", "items": ["type": "string", "pattern": "(->|~>)"]],
      read: { value, key, diagnostics in
        diagnostics.items(value, of: key, "of chains such as - mic -> ring -> main")?
          .compactMap { Rack.Chain($0, diagnostics: diagnostics) }
      },
      write: { $0.isEmpty ? nil : .list($0.map { .text($0.text) }) },
      update: { node, former, chains in
        var node = node
        let items = node.items
        node.items = zip(chains, EntryMatching.chains(of: chains, in: former)).map { chain, index in
          guard let index else { return .text(chain.text) }
          if former[index].text == chain.text { return items[index] }
          return items[index].saying(chain.text(like: items[index]))
        }
        return node
      })
  }
}

/// An entry of a list with the source that moves a parameter, and the target.
protocol ListedEntry: KeyedEntry {
  init(at position: SourcePosition)
  var source: Located<String>? { get }
  var target: Located<String>? { get }
}

extension KeyType {
  /// Returns the type of a list of maps such as `example`, with at most `most` entries.
  fileprivate static func list<Entry: ListedEntry>(
    like example: String, maximum: Int
  ) -> KeyType where Value == [Entry] {
    KeyType(
      schema: [
        "type": "array", "maxItems": .number(Double(maximum)), "items": Entry.schema,
      ],
      read: { value, key, diagnostics in
        diagnostics.items(value, of: key, "of maps such as - \(example)")?.map { value in
          var entry = Entry(at: value.position)
          if case .mapping(let pairs) = value.content {
            diagnostics.read(pairs, into: &entry, at: value.position)
          } else {
            diagnostics.error(
              value.position, "\(Entry.title) is a map such as \(example), not \(value.kind)")
          }
          return entry
        }
      },
      write: { $0.isEmpty ? nil : .list($0.map(\.tree)) },
      update: { node, former, entries in
        var node = node
        let items = node.items
        let indices = EntryMatching.entries(entries, in: former).ascending
        node.items = zip(entries, indices).map { entry, index in
          guard let index else { return entry.tree }
          var item = items[index]
          item.update(from: former[index], to: entry)
          return item
        }
        return node
      })
  }
}

extension KeyType where Value == [Rack.Control] {
  static var controls: KeyType {
    .list(like: "{ from: keys cc 1, to: ring.frequency }", maximum: PlannedControl.maximumControls)
  }
}

extension KeyType where Value == [Rack.Modulation] {
  static var modulations: KeyType {
    .list(
      like: "{ from: lfo, to: filter.cutoff, depth: 30 % }",
      maximum: PlannedModulation.maximumModulations)
  }
}

extension KeyType where Value == [Rack.Scene] {
  static var scenes: KeyType {
    let scenes: KeyType = .named()
    return KeyType(
      schema: scenes.schema(),
      read: { value, key, diagnostics in
        let entries = scenes.read(value, key, diagnostics)
        for pair in value.pairs {
          guard case .mapping = pair.value.content,
            !pair.value.pairs.contains(where: { $0.key.value != "over" })
          else { continue }
          diagnostics.warning(
            pair.key.position, "the scene “\(pair.key.value)” sets nothing")
        }
        return entries
      }, write: scenes.write, update: scenes.update)
  }
}

extension KeyType where Value == [Rack.Lane] {
  static var automation: KeyType {
    let lanes: KeyType = .named()
    return KeyType(
      schema: lanes.schema().with("maxProperties", .number(Double(PlannedLane.maximumLanes))),
      read: { lanes.read($0, $1, $2)?.filter { !$0.points.isEmpty } }, write: lanes.write,
      update: lanes.update)
  }
}
