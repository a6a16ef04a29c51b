/// The readable name of a browser: “Firefox on Android”.
enum BrowserName {
  /// The marks of browsers in the header `User-Agent`, with their names. The first match counts, since most browsers
  /// claim to be others as well.
  private static let browsers = [
    ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
  ]
  private static let systems = [
    ("iPad", "iPad"), ("iPhone", "iPhone"), ("Android", "Android"), ("Windows", "Windows"),
    ("CrOS", "ChromeOS"), ("Macintosh", "Mac"), ("Linux", "Linux"),
  ]

  static func of(userAgent: String?) -> String {
    let name = { (known: [(mark: String, name: String)]) in
      known.first { userAgent?.contains($0.mark) == true }?.name
    }
    let browser = name(browsers) ?? "a browser"
    return name(systems).map { "\(browser) on \($0)" } ?? browser
  }
}
