import Documents
import RackModel

/// A command: its words, arguments and help for every transport, and what it does.
///
/// JSON, OSC, the command line, help, completions, the table in docs/reference/commands.md, and what a page of
/// the stage may ask for come from here. A new command is a type in a file of this folder, and a line in
/// `Commands.all`.
package protocol Command: Sendable {
  /// Creates a command with default arguments.
  init()
  static var declaration: CommandDeclaration { get }
  static var arguments: [CommandArgument<Self>] { get }

  /// - Throws: `Refusal` where arguments that are right alone do not fit together.
  func validate() throws(Refusal)
  func lane(in session: isolated RackSession) -> CommandLane
  func access(in session: isolated RackSession) -> Access
  /// Carries the command out.
  ///
  /// - Parameter peer: who sent it; nil for the program itself.
  /// - Throws: an error with the reason, for people; nothing has changed then.
  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer
}

/// A command's static description.
package struct CommandDeclaration: Sendable {
  package let word: String
  /// One sentence.
  package let summary: String
  /// More for help and documentation: sentences.
  package let detail: String
  /// Command lines without `backline ctl`.
  package let examples: [String]
  package let lane: CommandLane
  /// What a peer must be allowed to do to send it.
  package let access: Access
  /// Whether the answer waits for a disk or another process.
  package let isSlow: Bool
  /// Whether it is refused when it arrives more than 1.5 s late.
  package let expires: Bool
  /// How a control of a rack file names it as its target; nil where none can.
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

/// When a command is carried out.
package enum CommandLane: Sendable {
  /// At once, also while a command in turn is under way: a hand moves something.
  case gesture
  /// One after the other.
  case turn
  /// At once, and also when the rack has ended.
  case question
}

/// What a peer may do; each of them includes those before.
package enum Access: String, Sendable, Comparable, CaseIterable {
  /// Play the rack as it is.
  case stage
  /// Change it.
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
