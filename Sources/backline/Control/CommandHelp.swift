import RackSession

/// The help of a command on the command line.
struct CommandHelp {
  private let word: String
  private let detail: String
  private let examples: [String]
  private let arguments: [ArgumentInfo]

  init(_ command: any Command.Type) {
    (word, detail, examples) = (
      command.word, command.declaration.detail, command.declaration.examples
    )
    arguments = command.argumentInfos
  }

  /// The usage of the command: `backline ctl ramp <parameter> <value> --over <over>`.
  var usage: String {
    let parts = arguments.map { $0.isRequired ? $0.written : "[\($0.written)]" }
    return (["backline ctl", word] + parts + ["[--rack <rack>]"]).joined(separator: " ")
  }

  var discussion: String {
    let width = arguments.map(\.written.count).max() ?? 0
    let lines = arguments.map { argument in
      let space = String(repeating: " ", count: width - argument.written.count + 2)
      return "  \(argument.written)\(space)\(argument.help.filter { $0 != "`" })"
    }
    return [
      detail.filter { $0 != "`" }, lines.joined(separator: "\n"),
      examples.map { "  backline ctl \($0)" }.joined(separator: "\n"),
    ].filter { !$0.isEmpty }.joined(separator: "\n\n")
  }
}

extension ArgumentInfo {
  fileprivate var written: String {
    let value =
      "<\(String(name.map { $0 == "_" ? "-" : $0 }))>" + (kind.takesSeveralWords ? " ..." : "")
    guard let label else { return value }
    return kind == .flag ? "--\(label)" : "--\(label) <\(name)>"
  }
}
