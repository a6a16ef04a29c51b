import BacklineTestSupport
import Foundation
import Testing

extension LivePrograms {
  /// The page on a telephone, by a finger: what scrolls changes nothing, and what means a value moves it.
  @Suite(.serialized) struct PageTouch {
    private static let values = """
      backline.audioUnit.then(({ parameterTree }) =>
        parameterTree.allParameters().filter(({ isWritable }) => isWritable).map(({ value }) => value).join())
      """
    /// The middles of the handles that are there, in the face.
    private static let handles = """
      [...document.querySelectorAll('.handle')].filter((one) => !one.hidden).map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
      })
      """

    /// Over every face, also from its handles and between them: no value moves, and the page scrolls.
    @Test func aSwipeOverAFaceScrolls() async throws {
      try await PageFaces.runAll(width: 390, height: 844) { name, face, page in
        let start = try face.value(Self.values) as? String
        let handles = try face.value(Self.handles) as? [[Double]] ?? []
        for place in handles.spread(2) + [[150, 60]] {
          try page.scroll(to: 0)
          let top = try page.topLeft(of: "iframe.face")
          let (x, y) = (top.x + place[0], top.y + place[1])
          guard (0..<390).contains(x), (160..<740).contains(y) else { continue }
          try await page.swipe(fromX: x, y: y, toX: x + 12, y: y - 90)
          let hasScrolled = try page.value(
            """
            (({ scrollTop, scrollHeight, clientHeight }) =>
              scrollTop > 40 || scrollHeight < clientHeight + 80)(document.querySelector('#view'))
            """)
          #expect(hasScrolled as? Bool == true, "\(name) at \(place)")
        }
        #expect(try face.value(Self.values) as? String == start, "\(name)")
      }
    }

    private static let rack = """
      rack: Page
      inputs: { in: { channels: 2 } }
      outputs: { out: { channels: 2 } }
      units:
        echo: { unit: Delay, parameters: { time: 400 ms, feedback: 40 % } }
      connections: [ in -> echo -> out ]
      scenes: { \((1...12).map { "s\($0): { echo.feedback: \($0) % }" }.joined(separator: ", ")) }
      """

    private func run(_ view: String, body: (BrowserPage, Browser) async throws -> Void) async throws
    {
      try await PageRig.run(Self.rack, view: view, width: 390, height: 600) {
        try await body($0.page, $0.browser)
      }
    }

    private func feedback() throws -> String {
      try Program.run("ctl", "--rack", "Page", "get", "echo.feedback").output
    }

    /// Repeats what a finger does until it has an effect: a browser cancels touches that a busy machine answers late.
    private static func touching(
      _ hasActed: () throws -> Bool, _ touch: () async throws -> Void
    ) async throws {
      for _ in 0..<5 {
        try await touch()
        for _ in 0..<200 {
          if try hasActed() { return }
          try await Task.sleep(for: .milliseconds(10))
        }
      }
      #expect(try hasActed())
    }

    /// A handle moves with a finger that starts sideways, and with one that stays before it goes up.
    @Test func aHandleIsDraggedSidewaysOrAfterAMoment() async throws {
      try await run("unit/echo") { page, browser in
        try await page.wait(forElement: "iframe.face")
        let face = try #require(try await browser.frame(of: "aufx-dely-bkln"))
        try await face.wait("document.querySelector('.handle')?.style.left")
        func place() throws -> [Double] {
          let handle = try #require((try face.value(Self.handles) as? [[Double]])?.first)
          let top = try page.topLeft(of: "iframe.face")
          return [top.x + handle[0], top.y + handle[1]]
        }
        /// The handle's place, once the page around it has stopped moving: a finger on its old one scrolls.
        func restingPlace() async throws -> [Double] {
          try page.scroll(to: 0)
          var last: [Double] = []
          try await eventually("the handle rests") {
            let next = try place()
            defer { last = next }
            if next != last { try await Task.sleep(for: .milliseconds(300)) }
            return next == last
          }
          return last
        }
        func drag(
          _ name: String, over change: Double, _ dx: Double, _ dy: Double,
          after delay: Duration = .zero
        ) async throws {
          func value() throws -> Double {
            let value = try face.value(
              "backline.audioUnit.then(({ parameterTree }) => parameterTree.parameter('\(name)').value)"
            )
            return try #require(value as? Double)
          }
          let start = try value()
          try await Self.touching({ try value() > start + change }) {
            let from = try await restingPlace()
            try await page.swipe(
              fromX: from[0], y: from[1], toX: from[0] + dx, y: from[1] + dy, after: delay)
          }
          #expect(try page.value("document.querySelector('#view').scrollTop") as? Double == 0)
        }
        try await drag("time", over: 0.05, 60, 2)
        try await drag("feedback", over: 5, 2, -40, after: .milliseconds(600))
        try await eventually("the rack has it") { try feedback() != "40 %\n" }
      }
    }

    /// A finger draws a cable from a box to a box, pans on the ground, and zooms with another finger.
    @Test func fingersConnectPanAndZoomTheGraph() async throws {
      try await run("rack") { page, _ in
        try await page.wait(forElement: ".box[data-name=out]")
        try await Self.touching({
          try page.value("document.querySelector(\"[aria-label='audio from in to out']\") !== null")
            as? Bool == true
        }) {
          let source = try page.middle(of: ".box[data-name=in]")
          let target = try page.middle(of: ".box[data-name=out]")
          try await page.swipe(fromX: source.x, y: source.y, toX: target.x, y: target.y)
        }

        func view() throws -> [Double] {
          let text = try page.value("document.querySelector('.graph svg').getAttribute('viewBox')")
          return try #require(text as? String).split(separator: " ").compactMap { Double($0) }
        }
        let graph = try page.topLeft(of: ".graph")
        let start = try view()
        let scrolled = try page.value("document.querySelector('#view').scrollTop") as? Double
        let (x, y) = (graph.x + 20, graph.y + 20)
        try await Self.touching({ try view()[0] < start[0] && view()[1] < start[1] }) {
          try await page.swipe(fromX: x, y: y, toX: x + 40, y: y + 10)
        }
        let panned = try view()
        #expect(panned[2] == start[2])
        func touch(_ type: String, _ points: [[String: Double]]) throws {
          try page.call("Input.dispatchTouchEvent", ["type": type, "touchPoints": points])
        }
        try await Self.touching({ try view()[2] < panned[2] / 2 }) {
          let still = ["x": x, "y": y, "id": 1]
          try touch("touchStart", [still, ["x": x + 40, "y": y, "id": 2]])
          for step in 1...8 {
            try touch("touchMove", [still, ["x": x + 40 + 10 * Double(step), "y": y, "id": 2]])
          }
          try touch("touchEnd", [])
        }
        #expect(try page.value("document.querySelector('#view').scrollTop") as? Double == scrolled)
        try page.click("[aria-label='Show the whole graph']")
        #expect(try view() == start)
      }
    }

    @Test func aBarIsDraggedSidewaysAndScrolledUp() async throws {
      try await run("unit/echo") { page, _ in
        let bar = "[role=slider][aria-label=Feedback]"
        try await page.wait(forElement: bar)
        var place = try page.middle(of: bar)
        // Aslant, as a thumb goes.
        for slant in [-60.0, 0, 60] {
          try await page.swipe(fromX: place.x, y: place.y, toX: place.x + slant, y: place.y - 120)
          place = try page.middle(of: bar)
        }
        #expect(try feedback() == "40 %\n")
        try await page.swipe(fromX: place.x, y: place.y, toX: place.x + 80, y: place.y + 10)
        try await eventually("the bar has moved") { try feedback() != "40 %\n" }
      }
    }

    /// A tap and a press that stays recall a scene; a swipe over the scenes, up or aside, does not.
    @Test func aSwipeOverTheStageRecallsNothing() async throws {
      try await run("stage") { page, _ in
        try await page.wait(forElement: "[data-scene=s12]")
        func isOn(_ scene: String) throws -> Bool {
          try page.value("document.querySelector('[data-scene=\(scene)]').ariaPressed === 'true'")
            as? Bool == true
        }
        for (dx, dy) in [(0.0, -100.0), (5, 100), (90, 10), (-90, 0)] {
          let place = try page.middle(of: "[data-scene=s6]")
          try await page.swipe(fromX: place.x, y: place.y, toX: place.x + dx, y: place.y + dy)
        }
        #expect(try feedback() == "40 %\n")
        for (scene, stays) in [("s2", Duration.zero), ("s4", .milliseconds(400))] {
          let place = try page.middle(of: "[data-scene=\(scene)]")
          try await page.swipe(fromX: place.x, y: place.y, toX: place.x, y: place.y, after: stays)
          try await page.wait(
            "document.querySelector('[data-scene=\(scene)]').ariaPressed === 'true'")
        }
        // A mouse counts as it comes down.
        let place = try page.middle(of: "[data-scene=s6]")
        try page.pointer("mousePressed", place.x, place.y)
        try await page.wait("document.querySelector('[data-scene=s6]').ariaPressed === 'true'")
        try page.pointer("mouseReleased", place.x, place.y)
      }
    }
  }
}

extension [[Double]] {
  /// A few of them, from the whole length.
  fileprivate func spread(_ count: Int) -> Self {
    self.count <= count ? self : (0..<count).map { self[$0 * (self.count - 1) / (count - 1)] }
  }
}
