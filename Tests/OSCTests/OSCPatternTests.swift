import Testing

@testable import OSC

struct OSCPatternTests {
  @Test(arguments: [
    ("/echo/mix", "/echo/mix", true), ("/echo/*", "/echo/mix", true),
    ("/*/mix", "/echo/mix", true), ("/*", "/echo/mix", false), ("/echo/m?x", "/echo/mix", true),
    ("/echo/m?x", "/echo/mx", false), ("/mix/[1-3]/gain", "/mix/2/gain", true),
    ("/mix/[1-3]/gain", "/mix/4/gain", false), ("/mix/[!1-3]/gain", "/mix/4/gain", true),
    ("/{echo,room}/mix", "/room/mix", true), ("/{echo,room}/mix", "/ring/mix", false),
    ("/e*o/*i*", "/echo/mix", true), ("/echo/", "/echo/mix", false), ("/echo/[", "/echo/m", false),
    ("/echo/{mi", "/echo/mi", false), ("/echo/{mix", "/echo/mix", false),
  ])
  func partsAreCompared(pattern: String, address: String, fits: Bool) throws {
    #expect(try OSCPattern(pattern).matches(address) == fits)
  }

  @Test func whatWouldTakeForEverIsRefused() throws {
    let stars = "/" + String(repeating: "*a", count: 30) + "b"
    #expect(throws: OSCError.self) { try OSCPattern(stars) }
    let braces = "/" + String(repeating: "{,,,,,,}", count: 10)
    #expect(throws: OSCError.self) { try OSCPattern(braces) }
    #expect(throws: OSCError.self) { try OSCPattern("/" + String(repeating: "?", count: 255)) }
    let most = "/" + String(repeating: "?", count: 200) + "*a*b"
    #expect(try !OSCPattern(most).matches("/" + String(repeating: "a", count: 4000)))
  }
}
