/// One port of ours, without the client's name, and the full name of the other.
struct JackConnection: Hashable, Sendable {
  var port: String
  var other: String
}
