import Documents
import UnitModel

/// The JSON Schema (draft 2020-12) of rack files, for editors that complete and check as a person types.
package enum RackSchema {
  /// Returns a schema with the names, parameters and presets of these units.
  ///
  /// The schema accepts every rack that the checker accepts. It also accepts errors that only the checker
  /// finds, such as loops, channel counts and the dimension of a value.
  package static func json(catalogue: [UnitFacts]) -> String {
    var schema = Rack.schema
    schema["properties"]["units"]["additionalProperties"] = UnitSchema.unit(catalogue: catalogue)
    return schema.document(title: "Backline rack")
  }
}

extension JSONValue {
  /// Returns the text of a schema for a whole file.
  func document(title: String) -> String {
    guard case .object(let members) = self else { return text() }
    let head: [(String, JSONValue)] = [
      ("$schema", "https://json-schema.org/draft/2020-12/schema"), ("title", .string(title)),
    ]
    return JSONValue.object(head + members).text() + "\n"
  }
}
