import RackModel
import Testing

/// Splitting of lists whose names may contain the separator.
@Suite struct NameListTests {
  @Test(
    arguments: [
      ("a.x b.y", " ", ["a.x", "b.y"]), ("far echo.x a.y", " ", ["far echo.x", "a.y"]),
      ("a far echo.x far.z", " ", ["a", "far echo.x", "far.z"]),
      ("very far echo.x", " ", ["very far echo.x"]), ("none.x a.y", " ", ["none.x", "a.y"]),
      ("a, b, c.2,a", ",", ["a", "b, c.2", "a"]), (" a ,, a", ",", ["a", "a"]), ("", " ", []),
    ] as [(String, Character, [String])])
  func theLongestNameIsMeant(text: String, separator: Character, names: [String]) {
    let pieces = text.split(separator: separator).map(String.init)
    let known = ["a", "far", "far echo", "very far echo", "b, c"]
    #expect(pieces.names(among: known, separator: separator) == names)
  }
}
