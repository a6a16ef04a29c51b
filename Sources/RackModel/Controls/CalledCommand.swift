/// A command that a control of a rack file calls, such as `next song` or `next file amp`.
public struct CalledCommand: Sendable, Equatable {
  public var form: Form
  /// The words after those of the form; empty where the form takes none.
  public var name: String

  /// How a control's target names a command.
  public struct Form: Sendable, Equatable {
    /// The words in a rack file: `next file`.
    public var text: String
    /// The name of the command: `next-file`.
    public var word: String
    /// The arguments that the form always gives.
    public var arguments: [String: String]
    public var rest: Rest

    /// What follows the form's words.
    public enum Rest: Sendable, Equatable {
      case nothing
      /// A name, given to the command as `argument`.
      case name(argument: String)
      /// A unit with a file, or a unit's file property.
      case file(argument: String)
    }

    public init(
      _ text: String, calls word: String, _ arguments: [String: String] = [:], rest: Rest = .nothing
    ) {
      (self.text, self.word, self.arguments, self.rest) = (text, word, arguments, rest)
    }

    /// The form with a placeholder, for messages and completion: `next file UNIT`.
    var pattern: String {
      switch rest {
      case .nothing: text
      case .name: "\(text) NAME"
      case .file: "\(text) UNIT"
      }
    }
  }

  /// Reads a control's target; nil if it matches no form.
  package init?(written target: String, in forms: [Form]) {
    for form in forms {
      if form.rest == .nothing, target == form.text {
        self.init(form: form, name: "")
        return
      }
      if form.rest != .nothing, target.hasPrefix("\(form.text) "),
        target.count > form.text.count + 1
      {
        self.init(form: form, name: String(target.dropFirst(form.text.count + 1)))
        return
      }
    }
    return nil
  }

  private init(form: Form, name: String) { (self.form, self.name) = (form, name) }

  /// The unit or file property whose file changes; nil for a command without a file.
  var file: String? { if case .file = form.rest { name } else { nil } }

  /// Returns the same command for another unit or file property.
  func onFile(_ name: String) -> CalledCommand { CalledCommand(form: form, name: name) }

  /// The command's arguments, by name.
  public var arguments: [String: String] {
    switch form.rest {
    case .nothing: form.arguments
    case .name(let argument), .file(let argument): form.arguments.merging([argument: name]) { $1 }
    }
  }
}

extension CalledCommand: CustomStringConvertible {
  public var description: String { form.rest == .nothing ? form.text : "\(form.text) \(name)" }
}
