/// Text in Turtle, the language of LV2 bundles' descriptions.
enum Turtle {
  static let prefixes = """
    @prefix atom: <http://lv2plug.in/ns/ext/atom#> .
    @prefix doap: <http://usefulinc.com/ns/doap#> .
    @prefix foaf: <http://xmlns.com/foaf/0.1/> .
    @prefix log: <http://lv2plug.in/ns/ext/log#> .
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
    @prefix midi: <http://lv2plug.in/ns/ext/midi#> .
    @prefix patch: <http://lv2plug.in/ns/ext/patch#> .
    @prefix pg: <http://lv2plug.in/ns/ext/port-groups#> .
    @prefix pprops: <http://lv2plug.in/ns/ext/port-props#> .
    @prefix pset: <http://lv2plug.in/ns/ext/presets#> .
    @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix state: <http://lv2plug.in/ns/ext/state#> .
    @prefix time: <http://lv2plug.in/ns/ext/time#> .
    @prefix units: <http://lv2plug.in/ns/extensions/units#> .
    @prefix urid: <http://lv2plug.in/ns/ext/urid#> .
    @prefix work: <http://lv2plug.in/ns/ext/worker#> .

    """

  /// Returns a subject with its predicates.
  static func statement(_ subject: String, _ predicates: [String]) -> String {
    "\n\(subject)\n    \(predicates.joined(separator: " ;\n    ")) .\n"
  }

  /// Returns predicates without a subject, on separate lines.
  static func node(_ predicates: [String]) -> String {
    "[\n        \(predicates.joined(separator: " ;\n        ")) ]"
  }

  static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Returns a decimal number, from which readers get the same bits.
  static func number(_ value: Float) -> String { "\(value)" }

  /// Returns a part of a URI; characters that are not plain are percent-encoded.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      isPlain(Character(scalar))
        ? String(scalar)
        : scalar.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
          .joined()
    }.joined()
  }

  /// Whether a character is an ASCII letter, a digit, `-` or `_`.
  static func isPlain(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "-_".contains(character))
  }
}
