import RackEngine
import RackModel

/// The answer to a command.
public enum Answer: Sendable, Encodable {
  /// A description of the result, in a few words.
  case done(String)
  /// A description, and the session's revision that was saved.
  case saved(String, revision: Int)
  /// A description of a gesture, and the resulting value.
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

  /// The description, text or value; nil for an answer that is no single text.
  public var text: String? {
    switch self {
    case .done(let text), .saved(let text, _), .moved(let text, _), .text(let text): text
    case .reading(let reading): reading.text
    case .listing, .status, .catalogue, .picture, .log: nil
    }
  }
}
