import BacklineTestSupport
import Foundation

/// A rack with its page, and a browser.
final class PageRig {
  let program: Child
  let browser: Browser
  private let link: String

  struct NoLink: Error, CustomStringConvertible {
    var description: String { "the program has printed no link to its page" }
  }

  init(_ folder: TemporaryFolder, _ server: JackTestServer, rack: String) throws {
    let file = try folder.write("page.yaml", bytes: Array(rack.utf8))
    let output = folder.path("output")
    program = try Child.start(
      [Child.sibling("backline"), "run", file, "--server-name", server.name, "--page"],
      environment: [
        "XDG_DATA_HOME": folder.path("data"), "XDG_RUNTIME_DIR": folder.url.path,
      ], output: output)
    let end = Measurement.now() + 20
    var found: String?
    while found == nil, Measurement.now() < end {
      usleep(50_000)
      let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
      found = text.firstMatch(of: /http:\S+#k=\w+/).map { String($0.0) }
    }
    guard let found else {
      program.end()
      throw NoLink()
    }
    link = found
    browser = try Browser()
  }

  func end() { program.end() }

  /// The page's process.
  var pageProcess: Child {
    let child = ProcessTable.children(of: Int(program.process), named: "backline-page").first
    return Child(process: pid_t(child ?? 0))
  }

  /// A script that reports when the graph is shown, by the page's clock.
  private static let watch = """
    new MutationObserver(() => { if (document.querySelector('.box')) window.usable ??= performance.now(); })
      .observe(document, { childList: true, subtree: true });
    """

  func openFirst() throws -> BrowserPage {
    let page = try browser.open(link)
    try page.call("Page.addScriptToEvaluateOnNewDocument", ["source": Self.watch])
    try page.waitNow("document.querySelector('.box')")
    return page
  }

  /// Opens another page of the same device.
  func open(like page: BrowserPage) throws -> BrowserPage {
    let token = try page.value("localStorage.getItem('backline')") as? String ?? ""
    let other = try browser.open(link)
    try other.waitNow("location.protocol === 'http:' && document.body")
    try other.value(
      "localStorage.setItem('backline', '\(token)'); location.hash = ''; location.reload()")
    try other.waitNow("document.querySelector('.box')")
    return other
  }

  /// Returns the share of a processor that a program uses, percent.
  func share(of child: Child) -> Double {
    let (before, start) = (child.processorTime, Measurement.now())
    sleep(Measurement.amount(5, short: 1))
    return 100 * (child.processorTime - before) / (Measurement.now() - start)
  }
}

extension BrowserPage {
  /// Waits until a JavaScript expression is true.
  func waitNow(_ expression: String) throws {
    let end = Measurement.now() + 30
    while (try? value("Boolean(\(expression))")) as? Bool != true {
      guard Measurement.now() < end else {
        throw Browser.Failure(description: "never: \(expression)")
      }
      usleep(20_000)
    }
  }
}
