import ArgumentParser
import Documents
import UnitModel

struct New: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a new unit: source, manifest, Makefile and test.",
    discussion: """
      The result is a bundle, NAME.unit, that holds its own source and builds with nothing but a C \
      compiler and make:
        backline new effect Ring
        make -C Ring.unit test
        backline validate ./Ring.unit
        backline play ./Ring.unit
      docs/guide/writing-a-unit.md goes on from there.
      """)

  @Argument(help: "The kind of unit: effect, instrument, generator, music-effect or midi.")
  var kind: UnitTemplate.Kind

  @Argument(help: "Its name: letters, digits, spaces, - and _.")
  var name: String

  @Option(help: "The language of the source: c or c++.")
  var language = UnitTemplate.Language.c

  @Option(help: "Four letters or digits for the unit; without it, taken from the name.")
  var subtype: String?

  @Option(help: "Four letters or digits for the manufacturer.")
  var manufacturer = "Demo"

  @Option(help: "The name of the manufacturer.")
  var manufacturerName = "Example"

  @Flag(help: "With a view of its own, for the page: HTML, CSS and JavaScript.")
  var view = false

  @Option(help: "The folder for the bundle; without it, the current folder.")
  var folder = "."

  func validate() throws {
    guard UnitTemplate.isName(name) else {
      throw ValidationError(
        "“\(name)” is not a name for a unit: write a letter, then up to 39 letters, digits, spaces, - and _"
      )
    }
    guard UnitTemplate.isText(manufacturerName) else {
      throw ValidationError(
        "--manufacturer-name has 1 to 60 characters, without quotes, backslash or line break")
    }
    for (option, code) in [("--subtype", subtype), ("--manufacturer", manufacturer)] {
      guard let code else { continue }
      if FourCharacterCode(code)?.isWildcard != false {
        throw ValidationError(
          "\(option) “\(code)” is not a code: write four ASCII letters or digits")
      }
    }
  }

  func run() throws {
    let template = UnitTemplate(
      kind: kind, language: language, name: name,
      subtype: subtype ?? UnitTemplate.subtype(for: name), manufacturer: manufacturer,
      manufacturerName: manufacturerName, hasView: view)
    let path = try template.make(in: folder)
    print(
      """
      \(path): \(template.component)
      Build it:  make -C \(Self.quoted(path))
      Play it:   backline play \(Self.quoted(path))
      """)
  }

  /// Returns the path, quoted for a shell if necessary.
  private static func quoted(_ path: String) -> String {
    let isOneWord = path.wholeMatch(of: /[\w.\/\-]+/) != nil
    return isOneWord ? path : "'\(path.replacing("'", with: "'\\''"))'"
  }
}

extension UnitTemplate.Kind: ExpressibleByArgument {}
extension UnitTemplate.Language: ExpressibleByArgument {}
