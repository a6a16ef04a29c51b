import CLinux
import Foundation

/// Headless Chromium, driven by the DevTools protocol over two pipes: JSON objects, each followed
/// by a zero byte.
package final class Browser {
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
    package init(description: String) { self.description = description }
  }

  private let folder: TemporaryFolder
  /// Chromium's process, which leads a process group with all its helpers.
  private let process: pid_t
  private let requests: Int32
  private let answers: Int32
  private var pending: [UInt8] = []
  private var number = 0
  /// The exceptions and log entries of the pages, except network errors.
  package private(set) var complaints: [String] = []

  /// - Parameter options: further command line options of Chromium.
  package init(_ options: String = "") throws {
    folder = try TemporaryFolder()
    let command = [
      "exec chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage",
      "--remote-debugging-pipe --hide-scrollbars --no-first-run \(options)",
      "--user-data-dir='\(folder.url.path)' about:blank 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null",
    ].joined(separator: " ")
    var (input, output): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard bl_pipe(&input) == 0, bl_pipe(&output) == 0 else {
      throw Failure(description: "no pipes")
    }
    (requests, answers) = (input[1], output[0])
    // Chromium must not inherit descriptors of the tests, which wait for them to close.
    process = "/bin/sh".withCString { shell in
      "-c".withCString { option in
        command.withCString {
          bl_spawn([shell, option, $0, nil], nil, [input[0], output[1], STDERR_FILENO])
        }
      }
    }
    close(input[0])
    close(output[1])
    guard process > 0 else { throw Failure(description: "Chromium cannot be started") }
  }

  /// Stops all of Chromium's processes until `resume`, like a frozen tablet.
  package func suspend() { signal(SIGSTOP) }
  package func resume() { signal(SIGCONT) }

  private func signal(_ number: Int32) { kill(-process, number) }

  deinit {
    kill(-process, SIGKILL)
    waitpid(process, nil, 0)
    close(requests)
    close(answers)
  }

  /// Calls a method and returns its result.
  @discardableResult
  package func call(
    _ method: String, _ parameters: [String: Any] = [:], session: String? = nil
  ) throws -> [String: Any] {
    try send(method, parameters, session: session)
    return try answer(to: method)
  }

  /// Calls a method without waiting for its result.
  package func send(_ method: String, _ parameters: [String: Any], session: String?) throws {
    number += 1
    var message: [String: Any] = ["id": number, "method": method, "params": parameters]
    if let session { message["sessionId"] = session }
    let bytes = Array(try JSONSerialization.data(withJSONObject: message)) + [0]
    guard write(requests, bytes, bytes.count) == bytes.count else {
      throw Failure(description: "Chromium has ended")
    }
  }

  /// Waits for the result of the last call; records events that come before it.
  private func answer(to method: String) throws -> [String: Any] {
    while true {
      let answer = try next()
      if answer["id"] as? Int == number {
        if let error = answer["error"] { throw Failure(description: "\(method): \(error)") }
        return answer["result"] as? [String: Any] ?? [:]
      }
      record(answer)
    }
  }

  private func record(_ event: [String: Any]) {
    let parameters = event["params"] as? [String: Any] ?? [:]
    switch event["method"] as? String {
    case "Runtime.exceptionThrown": complaints.append("\(parameters)")
    case "Log.entryAdded":
      let entry = parameters["entry"] as? [String: Any] ?? [:]
      // A connection refused while no rack runs is not the page's fault.
      if entry["source"] as? String != "network" { complaints.append("\(entry)") }
    default: break
    }
  }

  private func next() throws -> [String: Any] {
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if let end = pending.firstIndex(of: 0) {
        defer { pending.removeFirst(end + 1) }
        let object = try JSONSerialization.jsonObject(with: Data(pending[..<end]))
        return object as? [String: Any] ?? [:]
      }
      var look = pollfd(fd: answers, events: Int16(POLLIN), revents: 0)
      guard poll(&look, 1, 60_000) > 0 else { throw Failure(description: "Chromium is silent") }
      let count = read(answers, &block, block.count)
      guard count > 0 else { throw Failure(description: "Chromium has ended") }
      pending += block[..<count]
    }
  }

  /// Returns the out-of-process iframe whose URL contains a text; nil if none appears within 5 s.
  package func frame(of text: String) async throws -> BrowserPage? {
    for _ in 0..<100 {
      let targets = try call("Target.getTargets")["targetInfos"] as? [[String: Any]] ?? []
      let found = targets.first {
        $0["type"] as? String == "iframe" && ($0["url"] as? String)?.contains(text) == true
      }
      if let target = found?["targetId"] {
        let session = try call(
          "Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"]
        return BrowserPage(self, session as? String ?? "")
      }
      try await Task.sleep(for: .milliseconds(50))
    }
    return nil
  }

  /// Opens a page in a browser context of its own, so that it counts as another device.
  package func open(_ link: String, width: Int = 1440, height: Int = 900) throws -> BrowserPage {
    let context = try call("Target.createBrowserContext")["browserContextId"] as? String ?? ""
    let target = try call(
      "Target.createTarget", ["url": "about:blank", "browserContextId": context])["targetId"]
    let session = try call(
      "Target.attachToTarget", ["targetId": target as Any, "flatten": true])["sessionId"]
    let page = BrowserPage(self, session as? String ?? "")
    for domain in ["Page", "Runtime", "Log"] { try page.call("\(domain).enable") }
    try page.resize(width, height)
    try page.call("Page.navigate", ["url": link])
    return page
  }
}
