import Foundation

/// A page in the browser, with simulated pointer, touch and keyboard input.
package final class BrowserPage {
  private let browser: Browser
  private let session: String

  init(_ browser: Browser, _ session: String) { (self.browser, self.session) = (browser, session) }

  @discardableResult
  package func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    try browser.call(method, parameters, session: session)
  }

  /// Returns the value of a JavaScript expression.
  @discardableResult
  package func value(_ expression: String) throws -> Any? {
    let answer = try call(
      "Runtime.evaluate",
      ["expression": expression, "awaitPromise": true, "returnByValue": true])
    if let exception = answer["exceptionDetails"] {
      throw Browser.Failure(description: "\(expression): \(exception)")
    }
    return (answer["result"] as? [String: Any])?["value"]
  }

  package func text(_ selector: String) throws -> String? {
    try value("document.querySelector(\(quoted(selector)))?.textContent") as? String
  }

  /// Waits until a JavaScript expression is true.
  package func wait(
    _ expression: String, within seconds: Double = 60
  ) async throws {
    let end = ContinuousClock.now + .seconds(seconds)
    while (try? value("Boolean(\(expression))")) as? Bool != true {
      guard .now < end else {
        let body = try value("document.body.innerText") as? String ?? ""
        throw Browser.Failure(description: "never: \(expression); the page says: \(body)")
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  package func wait(forElement selector: String) async throws {
    try await wait("document.querySelector(\(quoted(selector)))")
  }

  package func show(_ view: String) throws { try value("location.hash = \(quoted("#/\(view)"))") }

  package func resize(_ width: Int, _ height: Int) throws {
    try call(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600])
  }

  /// Returns the centre of an element.
  package func middle(of selector: String) throws -> (x: Double, y: Double) {
    let point = try value(
      """
      (() => { const e = document.querySelector(\(quoted(selector))); e.scrollIntoView({ block: 'center' });
      const b = e.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; })()
      """)
    guard let point = point as? [Double] else {
      throw Browser.Failure(description: "no \(selector)")
    }
    return (point[0], point[1])
  }

  package func pointer(_ type: String, _ x: Double, _ y: Double) throws {
    try call(
      "Input.dispatchMouseEvent",
      [
        "type": type, "x": x, "y": y, "button": "left", "clickCount": 1,
        "buttons": type == "mouseReleased" ? 0 : 1,
      ])
  }

  package func click(_ selector: String) throws {
    let (x, y) = try middle(of: selector)
    try pointer("mousePressed", x, y)
    try pointer("mouseReleased", x, y)
  }

  /// Drags from the centre of an element, in steps as a hand does.
  package func drag(_ selector: String, toX x: Double, y: Double) throws {
    let start = try middle(of: selector)
    try pointer("mousePressed", start.x, start.y)
    for step in 1...10 {
      let share = Double(step) / 10
      try pointer(
        "mouseMoved", start.x + (x - start.x) * share, start.y + (y - start.y) * share)
    }
    try pointer("mouseReleased", x, y)
  }

  /// Returns the upper left corner of an element.
  package func topLeft(of selector: String) throws -> (x: Double, y: Double) {
    let point = try value(
      "(({ x, y }) => [x, y])(document.querySelector(\(quoted(selector))).getBoundingClientRect())")
    guard let point = point as? [Double] else {
      throw Browser.Failure(description: "no \(selector)")
    }
    return (point[0], point[1])
  }

  /// Moves a finger over the page, in steps as a hand does. The finger first rests for `delay`.
  package func swipe(
    fromX startX: Double, y startY: Double, toX x: Double, y: Double, after delay: Duration = .zero
  ) async throws {
    func touch(_ type: String, _ points: [[String: Double]]) throws {
      try call("Input.dispatchTouchEvent", ["type": type, "touchPoints": points])
    }
    // Do not wait for the answer: on a busy machine the finger would rest too long.
    try browser.send(
      "Input.dispatchTouchEvent",
      ["type": "touchStart", "touchPoints": [["x": startX, "y": startY]]], session: session)
    if delay > .zero { try await Task.sleep(for: delay) }
    for step in 1...10 where (x, y) != (startX, startY) {
      let share = Double(step) / 10
      let point = ["x": startX + (x - startX) * share, "y": startY + (y - startY) * share]
      try touch("touchMove", [point])
      try await Task.sleep(for: .milliseconds(16))
    }
    try touch("touchEnd", [])
  }

  /// Scrolls the view to an offset, CSS pixels.
  package func scroll(to offset: Double) throws {
    try value("document.querySelector('#view').scrollTop = \(offset)")
  }

  /// Presses a key: `Tab`, `ArrowUp`, `z`.
  ///
  /// - Parameter modifiers: 1 for Alt, 8 for Shift.
  package func press(
    _ key: String, code: String? = nil, isHeld: Bool = false, modifiers: Int = 0
  ) throws {
    let codes = [
      "Tab": 9, "Enter": 13, "Delete": 46, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
      "Home": 36,
    ]
    var parameters: [String: Any] = ["key": key, "code": code ?? key, "modifiers": modifiers]
    if let number = codes[key] { parameters["windowsVirtualKeyCode"] = number }
    if key == "Enter" { parameters["text"] = "\r" }
    try call("Input.dispatchKeyEvent", parameters.merging(["type": "keyDown"]) { $1 })
    if !isHeld { try lift(key, code: code) }
  }

  package func lift(_ key: String, code: String? = nil) throws {
    try call("Input.dispatchKeyEvent", ["type": "keyUp", "key": key, "code": code ?? key])
  }

  /// Types into the element with the focus.
  package func type(_ text: String) throws { try call("Input.insertText", ["text": text]) }

  package func screenshot(to path: String) throws {
    let answer = try call("Page.captureScreenshot", ["format": "png"])
    guard let data = (answer["data"] as? String).flatMap({ Data(base64Encoded: $0) }) else {
      throw Browser.Failure(description: "no picture")
    }
    try data.write(to: URL(fileURLWithPath: path))
  }

  private func quoted(_ text: String) -> String {
    let data = try? JSONEncoder().encode(text)
    return data.map { String(decoding: $0, as: UTF8.self) } ?? "''"
  }
}
