/// What a person calls a browser: “Firefox on Android”.
enum BrowserName {
  /// What the header `User-Agent` has, by the name; the first that is found counts, since most browsers claim
  /// to be others, too.
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
