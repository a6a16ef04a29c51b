import Glibc
import Testing

@testable import OSC

struct OSCSocketTests {
  private func socket() throws -> OSCSocket {
    try OSCSocket(at: OSCEndpoint(host: "127.0.0.1", port: 0))
  }

  private func wait(for socket: OSCSocket) -> Bool {
    var poll = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, 10_000) == 1
  }

  @Test func whatIsSentComesAndCanBeAnswered() throws {
    let (one, other) = (try socket(), try socket())
    let place = try #require(other.endpoint)
    #expect(other.receive() == nil)
    #expect(one.send([1, 2, 3, 4], to: place))
    #expect(wait(for: other))
    let (bytes, sender) = try #require(other.receive())
    #expect(bytes == [1, 2, 3, 4] && sender == one.endpoint)
    #expect(other.send([], to: sender))
    #expect(wait(for: one))
    #expect(try #require(one.receive()).bytes.isEmpty)
  }

  /// One peer alone, and a peer that is gone is no end.
  @Test func aSocketWithAPeerHearsNobodyElse() throws {
    var server: OSCSocket? = try socket()
    let place = try #require(server?.endpoint)
    let client = try OSCSocket(with: place)
    let here = try #require(client.endpoint)
    #expect(try socket().send([9], to: here))
    #expect(server?.send([7], to: here) == true)
    #expect(wait(for: client))
    #expect(try #require(client.receive()).bytes == [7])
    #expect(client.receive() == nil)
    server = nil
    client.send([1])
    client.send([2])
    #expect(client.receive() == nil)
    server = try OSCSocket(at: place)
    #expect(client.send([3]) || client.send([3]))
  }

  @Test func aPortThatIsTakenIsRefused() throws {
    let one = try socket()
    let place = try #require(one.endpoint)
    let error = #expect(throws: OSCError.self) { try OSCSocket(at: place) }
    #expect(error?.description == "\(place): Address already in use")
    #expect(throws: OSCError.self) { try OSCEndpoint(host: "no such host", port: 1) }
    #expect(throws: OSCError.self) { try OSCSocket(at: OSCEndpoint(host: "192.0.2.1", port: 0)) }
  }

  @Test func endpointsReadAsPeopleWriteThem() throws {
    let place = try OSCEndpoint(host: "127.0.0.1", port: 9000)
    #expect("\(place)" == "127.0.0.1:9000" && place.port == 9000)
    #expect("\(place.at(port: 258))" == "127.0.0.1:258")
    #expect(try "\(OSCEndpoint(host: "::1", port: 9))" == "[::1]:9")
  }
}
