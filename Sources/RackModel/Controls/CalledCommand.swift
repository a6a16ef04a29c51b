/// A command that a control of a rack file calls, such as `next song` or `next file amp`.
public struct CalledCommand: Sendable, Equatable {
  public var form: Form
  /// The words behind those of the form; empty where it takes none.
  public var name: String

  /// How a control's target names a command.
  public struct Form: Sendable, Equatable {
    /// `next file`
    public var text: String
    /// The command's word: `next-file`.
    public var word: String
    /// Of the command, whatever the target says.
    public var arguments: [String: String]
    public var rest: Rest

    /// What stands behind the words.
    public enum Rest: Sendable, Equatable {
      case nothing
      /// A name, which is the argument of this name.
      case name(argument: String)
      /// A unit with a file, or a file of a unit.
      case file(argument: String)
    }

    public init(
      _ text: String, calls word: String, _ arguments: [String: String] = [:], rest: Rest = .nothing
    ) {
      (self.text, self.word, self.arguments, self.rest) = (text, word, arguments, rest)
    }

    /// `next file UNIT`, for messages and completion.
    var pattern: String {
      switch rest {
      case .nothing: text
      case .name: "\(text) NAME"
      case .file: "\(text) UNIT"
      }
    }
  }

  /// As a control's target is written; nil for another target.
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

  /// The file that it names; nil for what names none.
  var file: String? { if case .file = form.rest { name } else { nil } }

  /// The same command on another file.
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
