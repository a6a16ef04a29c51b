import Documents
import UnitModel

/// The JSON Schema (draft 2020-12) of rack files, for editors that complete and check while one types.
package enum RackSchema {
  /// A schema with the names, parameters and presets of these units.
  ///
  /// It accepts every rack that the checker accepts. Errors that only the checker finds, such as loops,
  /// channel counts and the dimension of a value, it accepts, too.
  package static func json(catalogue: [UnitFacts]) -> String {
    var schema = Rack.schema
    schema["properties"]["units"]["additionalProperties"] = UnitSchema.unit(catalogue: catalogue)
    return schema.document(title: "Backline rack")
  }
}

extension JSONValue {
  /// The text of a schema of a whole file.
  func document(title: String) -> String {
    guard case .object(let members) = self else { return text() }
    let head: [(String, JSONValue)] = [
      ("$schema", "https://json-schema.org/draft/2020-12/schema"), ("title", .string(title)),
    ]
    return JSONValue.object(head + members).text() + "\n"
  }
}
