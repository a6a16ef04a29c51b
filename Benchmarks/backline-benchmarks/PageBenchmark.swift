import BacklineTestSupport
import Foundation

/// Measures the page of a rack of 32 units in headless Chromium.
enum PageBenchmark {
  private static let unitCount = 32
  private static let parameter = "gain1.gain"

  static func run() throws {
    guard Child.exists("chromium") else { throw NoBrowser() }
    let folder = try TemporaryFolder()
    let server = try JackTestServer(period: 64)
    let rig = try PageRig(folder, server, rack: rack)
    defer { rig.end() }
    var table = Table(
      title: "The page, \(unitCount) units, 64 frames", unit: "as each row says",
      reference: "demand")
    func add(_ name: String, _ value: Double, _ demand: Double, _ remark: String = "") {
      table.rows.append(
        Table.Row(name, ours: value, reference: demand, aim: 1, remark: remark))
    }
    let page = try rig.openFirst()
    try load(page, add)
    let idle = rig.share(of: rig.pageProcess)
    let others = [try rig.open(like: page), try rig.open(like: page)]
    try moves(page, others[0], add)
    try frames(page, add)
    add("page process, one page, % of a processor", idle, 4)
    add("page process, three pages, % of a processor", rig.share(of: rig.pageProcess), 6)
    add("page process, private memory, MiB", rig.pageProcess.privateMemory ?? .nan, 40)
    try agreement([page] + others, add)
    for each in [page] + others { try each.show("unit/tone") }
    try frozen(rig, add)
    try loss(rig, page, add)
    try table.show()
  }

  struct NoBrowser: Error, CustomStringConvertible {
    var description: String { "there is no browser; apt install chromium" }
  }

  private typealias Add = (_ name: String, _ value: Double, _ demand: Double, _ remark: String) ->
    Void

  private static var rack: String {
    let names = (1..<unitCount).map { "gain\($0)" }
    return """
      rack: Page
      inputs: { in: { channels: 2 } }
      outputs: { out: { channels: 2 } }
      units: { \(names.map { "\($0): { unit: aufx/gain/bkln }" }.joined(separator: ", ")),
        tone: { unit: aufx/eqpm/bkln } }
      connections: [ in -> \(names.joined(separator: " -> ")) -> tone -> out ]

      """
  }

  private static func number(_ page: BrowserPage, _ expression: String) throws -> Double {
    try page.value(expression) as? Double ?? .nan
  }

  private static func load(_ page: BrowserPage, _ add: Add) throws {
    try page.value("window.isOld = true; location.reload()")
    try page.waitNow(
      "!window.isOld && window.usable && performance.getEntriesByName('first-contentful-paint')[0]")
    add(
      "first paint, ms",
      try number(page, "performance.getEntriesByName('first-contentful-paint')[0].startTime"), 200,
      "")
    add("usable, ms", try number(page, "window.usable"), 500, "the graph is there")
    add(
      "loaded, kB",
      try number(
        page,
        "performance.getEntriesByType('resource').reduce((sum, one) => sum + one.decodedBodySize, 0) / 1000"
      ), 150, "without the views of units")
    add(
      "requests to other places",
      try number(
        page,
        "performance.getEntriesByType('resource').filter((one) => !one.name.startsWith(location.origin)).length"
      ), 1, "")
  }

  /// Measures a knob move on one page: the time until its value is answered, and until another page shows
  /// it.
  private static func moves(_ page: BrowserPage, _ other: BrowserPage, _ add: Add) throws {
    let count = Measurement.amount(200, short: 5)
    try other.value(
      """
      import('/rack.js').then(({ rack }) => {
        window.arrivals = {};
        rack.on('\(parameter)', ({ value }) => { window.arrivals[value] ??= performance.timeOrigin + performance.now(); });
      })
      """)
    let sent = try page.value(
      """
      Promise.all([import('/link.js'), import('/rack.js')]).then(async ([{ link }]) => {
        const sent = [];
        for (let move = 0; move < \(count); move += 1) {
          const value = -(move + 1) / 8, start = performance.now();
          await link.ask('set', { parameter: '\(parameter)', value });
          sent.push([value, performance.timeOrigin + start, performance.now() - start]);
          await new Promise((resolve) => setTimeout(resolve, 30));
        }
        await new Promise((resolve) => setTimeout(resolve, 200));
        return sent;
      })
      """)
    let arrivals = try other.value("window.arrivals") as? [String: Double] ?? [:]
    let moves = (sent as? [[Double]] ?? []).sorted { $0[2] < $1[2] }
    let ways = moves.compactMap { move in
      arrivals["\(move[0] == move[0].rounded() ? "\(Int(move[0]))" : "\(move[0])")"].map {
        $0 - move[1]
      }
    }.sorted()
    guard !moves.isEmpty, ways.count * 10 > moves.count * 9 else {
      throw Table.NoFigure(row: "moves")
    }
    add("a set is answered, p50, ms", moves[moves.count / 2][2], 6, "a period and 5 ms")
    add("a set is answered, p99, ms", moves[moves.count * 99 / 100][2], 16, "")
    add("until another page shows it, p50, ms", ways[ways.count / 2], 30, "")
    add("until another page shows it, p99, ms", ways[ways.count * 99 / 100], 60, "")
  }

  /// Measures the frame rate of the equaliser with its spectrum and a meter.
  private static func frames(_ page: BrowserPage, _ add: Add) throws {
    try page.show("unit/tone")
    try page.waitNow("document.querySelector('iframe.face')")
    let seconds = Measurement.amount(8, short: 1)
    let counts = try page.value(
      """
      new Promise((resolve) => {
        let longest = 0, late = 0, all = 0, before = performance.now();
        const start = before;
        new PerformanceObserver((list) => { for (const one of list.getEntries()) longest = Math.max(longest, one.duration); })
          .observe({ type: 'longtask' });
        requestAnimationFrame(function next(now) {
          all += 1;
          if (now - before > 20) late += 1;
          before = now;
          if (now - start < \(seconds * 1000)) requestAnimationFrame(next); else resolve([all, late, longest]);
        });
      })
      """)
    let figures = counts as? [Double] ?? [.nan, .nan, .nan]
    add("frames over 20 ms, %", 100 * figures[1] / figures[0], 1, "\(Int(figures[0])) frames")
    add("longest task, ms", max(figures[2], 0.001), 50, "0: none of 50 ms")
    try page.show("rack")
  }

  /// Measures the time until three pages that move one knob at random have the same value.
  private static func agreement(_ pages: [BrowserPage], _ add: Add) throws {
    let count = Measurement.amount(2000, short: 20)
    for page in pages {
      try page.value(
        """
        import('/rack.js').then(({ rack }) => {
          window.isDone = false;
          let left = \(count);
          const move = () => {
            for (let once = 0; once < 5; once += 1) rack.set('\(parameter)', -Math.random() * 60);
            left -= 5;
            if (left > 0) setTimeout(move, 15); else window.isDone = true;
          };
          move();
        }); 0
        """)
    }
    for page in pages { try page.waitNow("window.isDone") }
    let start = Measurement.now()
    var values: Set<Double> = [0, 1]
    while values.count > 1, Measurement.now() < start + 5 {
      values = Set(
        try pages.map {
          try number(
            $0, "import('/rack.js').then(({ rack }) => rack.parameters.get('\(parameter)').value)")
        })
    }
    add(
      "three pages agree after, ms", (Measurement.now() - start) * 1000, 200, "\(count) moves each")
  }

  /// Measures the memory that is kept for a browser that is stopped.
  private static func frozen(_ rig: PageRig, _ add: Add) throws {
    let processes = [rig.program, rig.pageProcess]
    let before = processes.compactMap(\.privateMemory).reduce(0, +)
    rig.browser.suspend()
    sleep(Measurement.amount(30, short: 1))
    let after = processes.compactMap(\.privateMemory).reduce(0, +)
    rig.browser.resume()
    add("kept for three frozen pages, MiB", max(after - before, 0.001), 3, "30 s, a spectrum each")
  }

  private static func loss(_ rig: PageRig, _ page: BrowserPage, _ add: Add) throws {
    try page.waitNow("document.getElementById('lost').hidden")
    try page.value(
      """
      import('/rack.js').then(({ rack }) => {
        const now = () => performance.timeOrigin + performance.now();
        rack.on('lost', () => { window.lostTime ??= now(); });
        rack.on('open', () => { window.openTime = now(); });
      })
      """)
    let cut = Date().timeIntervalSince1970 * 1000
    kill(rig.pageProcess.process, SIGSTOP)
    try page.waitNow("window.lostTime")
    add(
      "a page process that hangs is told after, ms", try number(page, "window.lostTime") - cut,
      1500, "")
    kill(rig.pageProcess.process, SIGKILL)
    let killed = Date().timeIntervalSince1970 * 1000
    try page.waitNow("window.openTime")
    add(
      "whole again after, ms", try number(page, "window.openTime") - killed, 1000,
      "")
  }
}
