import Documents

/// An argument of a command: its declaration, and the function that stores its value in the command.
package struct CommandArgument<C: Command>: Sendable {
  package let info: ArgumentInfo
  /// Parses a text and stores the value in a command.
  let read: @Sendable (_ text: String, inout C) throws -> Void
}

/// The declaration of an argument.
package struct ArgumentInfo: Sendable {
  package var name: String
  package var kind: Kind
  package var isRequired: Bool
  package var help: String
  /// The option on the command line, without `--`; nil for an argument without a label.
  package var label: String?
  /// Whether the command line also accepts the argument without its label.
  package var isLabelOptional = false

  /// The kind of an argument, for checks and completions.
  package enum Kind: Sendable, Equatable {
    case text
    /// A value of several words: `30 %`, `-6 dB`.
    case value
    /// A time of one or two words: `2s`, `500 ms`.
    case time
    /// `gate -> echo`; on the command line in one word or several.
    case chain
    case parameter, unit, component, scene, song
    /// A parameter, or a text or a path of a unit.
    case setting
    /// A possible target of a control: a parameter, a bypass, a scene.
    case target
    /// A MIDI input of the rack, or a unit.
    case midiTarget
    /// The target of a present control.
    case mappedTarget
    /// Inputs, outputs and units with sound, with commas between.
    case sources
    /// An absolute path.
    case path
    /// The absolute path of a rack file, or the name of a rack that comes with Backline.
    case rack
    /// A whole number.
    case count
    /// True or false.
    case flag
    case choice([String])
  }

  /// Checks the text of the argument.
  ///
  /// - Throws: `Refusal` if the text is not of the argument's kind.
  func check(_ text: String) throws(Refusal) {
    switch kind {
    case .path where !text.hasPrefix("/"):
      // The program that carries out the command has another working directory.
      throw Refusal("“\(name)” must be an absolute path such as /home/me/a.yaml, not “\(text)”")
    case .count where Int(text) == nil:
      throw Refusal("“\(name)” must be a whole number, not “\(text)”")
    case .flag where Self.switches[text] == nil:
      throw Refusal("“\(name)” must be true or false, not “\(text)”")
    case .choice(let known) where !known.contains(text):
      throw Refusal(
        "“\(name)” must be \(known.joined(separator: " or ")), not “\(text)”",
        suggestion: nearestWord(to: text, in: known))
    default: break
    }
  }

  fileprivate static let switches = [
    "true": true, "on": true, "yes": true, "1": true, "false": false, "off": false, "no": false,
    "0": false,
  ]
}

extension CommandArgument {
  /// The key path at which a command stores an argument.
  package typealias Path<Value> = WritableKeyPath<C, Value> & Sendable

  static func required(
    _ name: String, _ path: Path<String>, _ kind: ArgumentInfo.Kind, _ help: String,
    label: String? = nil
  ) -> Self {
    required(name, path, kind, help, label: label) { $0 }
  }

  static func required<Value>(
    _ name: String, _ path: Path<Value>, _ kind: ArgumentInfo.Kind, _ help: String,
    label: String? = nil, as parse: @escaping @Sendable (String) throws -> Value
  ) -> Self {
    Self(info: .init(name: name, kind: kind, isRequired: true, help: help, label: label)) {
      $1[keyPath: path] = try parse($0)
    }
  }

  static func optional(
    _ name: String, _ path: Path<String?>, _ kind: ArgumentInfo.Kind, _ help: String
  ) -> Self {
    optional(name, path, kind, help) { $0 }
  }

  static func optional<Value>(
    _ name: String, _ path: Path<Value>, _ kind: ArgumentInfo.Kind, _ help: String,
    as parse: @escaping @Sendable (String) throws -> Value
  ) -> Self {
    Self(info: .init(name: name, kind: kind, isRequired: false, help: help)) {
      $1[keyPath: path] = try parse($0)
    }
  }

  /// Declares an optional argument with a label.
  ///
  /// - Parameter label: the option on the command line; nil for the argument's name, with `-` for `_`.
  static func option(
    _ name: String, _ path: Path<String?>, _ kind: ArgumentInfo.Kind, _ help: String,
    label: String? = nil
  ) -> Self {
    option(name, path, kind, help, label: label) { $0 }
  }

  static func option<Value>(
    _ name: String, _ path: Path<Value>, _ kind: ArgumentInfo.Kind, _ help: String,
    label: String? = nil, as parse: @escaping @Sendable (String) throws -> Value
  ) -> Self {
    let label = label ?? String(name.map { $0 == "_" ? "-" : $0 })
    return Self(info: .init(name: name, kind: kind, isRequired: false, help: help, label: label)) {
      $1[keyPath: path] = try parse($0)
    }
  }

  static func count(_ name: String, _ path: Path<Int?>, _ help: String) -> Self {
    option(name, path, .count, help) { Int($0) }
  }

  /// Declares a flag, which is nil if absent.
  static func flag(_ name: String, _ path: Path<Bool?>, _ help: String) -> Self {
    option(name, path, .flag, help) { ArgumentInfo.switches[$0] }
  }

  /// Returns the same argument, which the command line also accepts without its label.
  func withOptionalLabel() -> Self {
    var info = info
    info.isLabelOptional = true
    return Self(info: info, read: read)
  }
}
