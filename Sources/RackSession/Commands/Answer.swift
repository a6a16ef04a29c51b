import RackEngine
import RackModel

/// The answer to a command.
public enum Answer: Sendable, Encodable {
  /// The result, in a few words.
  case done(String)
  /// `revision`: the session's revision that was saved.
  case saved(String, revision: Int)
  /// Of a gesture, with the value that came of it.
  case moved(String, ParameterReading)
  case reading(ParameterReading)
  case listing(RackListing)
  case status(EngineSnapshot)
  case catalogue([CatalogueEntry])
  case picture(DrawnRack)
  case log([LogEntry])
  case text(String)

  private var value: any Encodable {
    switch self {
    case .done(let done), .saved(let done, _): ["done": done]
    case .moved(let done, let reading): Moved(done: done, value: reading)
    case .reading(let reading): reading
    case .listing(let listing): listing
    case .status(let status): status
    case .catalogue(let entries): entries
    case .picture(let drawing): drawing
    case .log(let entries): entries
    case .text(let text): text
    }
  }

  private struct Moved: Encodable {
    var done: String
    var value: ParameterReading
  }

  public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

  /// What was done, in a few words; nil for an answer that is more.
  public var text: String? {
    switch self {
    case .done(let text), .saved(let text, _), .moved(let text, _), .text(let text): text
    case .reading(let reading): reading.text
    case .listing, .status, .catalogue, .picture, .log: nil
    }
  }
}
