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
    #expect(try "\(OSCEndpoint(url: "osc.udp://localhost:7/"))" == "127.0.0.1:7")
    for url in ["", "localhost:7", "osc.tcp://localhost:7/", "osc.udp://localhost/", "http://x:7/"]
    {
      #expect(throws: OSCError.self) { try OSCEndpoint(url: url) }
    }
  }

  @Test func hostsAreToldApart() throws {
    func endpoint(_ host: String) throws -> OSCEndpoint { try OSCEndpoint(host: host, port: 9000) }
    #expect(try endpoint("127.0.0.1").isLoopback && endpoint("127.0.1.1").isLoopback)
    #expect(try endpoint("::1").isLoopback && !endpoint("192.168.1.5").isLoopback)
    #expect(try endpoint("127.0.0.1").isSameHost(as: endpoint("127.0.1.1")))
    #expect(try !endpoint("127.0.0.1").isSameHost(as: endpoint("192.168.1.5")))
    #expect(try !endpoint("192.168.1.6").isSameHost(as: endpoint("192.168.1.5")))
    #expect(try endpoint("127.0.1.1").localEndpoint().isLoopback)
  }
}
