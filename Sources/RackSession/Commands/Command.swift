import Documents
import RackModel

/// A command: its word, arguments and help for every transport, and its implementation.
///
/// JSON, OSC, the command line, help, completions, the table in docs/reference/commands.md, and the rights of peers
/// are derived from commands. A new command is a type in a file of this folder, and a line in `Commands.all`.
package protocol Command: Sendable {
  /// Creates a command with default arguments.
  init()
  static var declaration: CommandDeclaration { get }
  static var arguments: [CommandArgument<Self>] { get }

  /// Checks the combination of arguments.
  ///
  /// - Throws: `Refusal` if arguments that are valid alone contradict each other.
  func validate() throws(Refusal)
  func lane(in session: isolated RackSession) -> CommandLane
  func access(in session: isolated RackSession) -> Access
  /// Carries the command out.
  ///
  /// - Parameter peer: the sender; nil for the program itself.
  /// - Throws: an error with a readable reason; nothing has changed then.
  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer
}

/// A command's static description.
package struct CommandDeclaration: Sendable {
  package let word: String
  /// The summary for help and documentation: one sentence.
  package let summary: String
  /// Further sentences for help and documentation.
  package let detail: String
  /// Examples: command lines without `backline ctl`.
  package let examples: [String]
  package let lane: CommandLane
  /// The access that a peer needs to send the command.
  package let access: Access
  /// Whether the answer waits for a disk or another process.
  package let isSlow: Bool
  /// Whether the control socket refuses the command when its age is above 1.5 s.
  package let expires: Bool
  /// The form of the command as the target of a rack file's control; nil if no control can call the command.
  package let target: CalledCommand.Form?

  init(
    _ word: String, _ summary: String, detail: String = "", examples: [String] = [],
    lane: CommandLane = .turn, access: Access = .edit, isSlow: Bool? = nil, expires: Bool = false,
    target: CalledCommand.Form? = nil
  ) {
    (self.word, self.summary, self.detail, self.examples) = (word, summary, detail, examples)
    (self.lane, self.access, self.isSlow) = (lane, access, isSlow ?? (lane == .turn))
    (self.expires, self.target) = (expires, target)
  }
}

/// The order in which commands are carried out.
package enum CommandLane: Sendable {
  /// The command is carried out at once, also during a command in turn.
  case gesture
  /// Commands are carried out one after the other.
  case turn
  /// The command is carried out at once, also after the session has ended.
  case question
}

/// The rights of a peer. Each case includes those before.
package enum Access: String, Sendable, Comparable, CaseIterable {
  /// Play the rack as it is.
  case stage
  /// Change the rack.
  case edit
  /// Name files to read, to write or to run.
  case files

  package static func < (a: Access, b: Access) -> Bool { a.rank < b.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension Command {
  package static var arguments: [CommandArgument<Self>] { [] }

  package func validate() throws(Refusal) {}
  package func lane(in session: isolated RackSession) -> CommandLane { Self.declaration.lane }
  package func access(in session: isolated RackSession) -> Access { Self.declaration.access }
}
