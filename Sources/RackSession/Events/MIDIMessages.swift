import RackEngine
import RackModel

/// Received MIDI messages as text.
public struct MIDIMessages: RackEvent {
  public static let name = "midi"

  public struct Message: Codable, Sendable {
    /// The input's name.
    public var port: String
    /// The message: `cc 1 channel 3: 64`.
    public var text: String
  }

  /// The first messages, at most 32.
  public var messages: [Message]
  /// The number of further messages, which are left out.
  public var more: Int

  private static let maximum = 32

  public var lines: [String] {
    messages.map { "\($0.port)  \($0.text)" } + (more > 0 ? ["... \(more) more"] : [])
  }

  package init(_ received: [ReceivedMIDI]) {
    messages = received.prefix(Self.maximum).map {
      Message(port: $0.port, text: MIDIText($0.bytes).description)
    }
    more = max(received.count - Self.maximum, 0)
  }
}
