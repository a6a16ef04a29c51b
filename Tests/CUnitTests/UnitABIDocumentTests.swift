import BacklineTestSupport
import CUnit
import Foundation
import Testing
import UnitValidation

private let repository = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

private let clang = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
  .map { "\($0)/clang" }.first { FileManager.default.isExecutableFile(atPath: $0) }

/// The unit on the page docs/reference/unit-abi.md compiles and behaves as the page says.
@Suite(.enabled(if: clang != nil, "clang is not on the PATH"))
struct UnitABIDocumentTests {
  enum Language: String, CaseIterable {
    case c = "c17"
    case cPlusPlus = "c++17"
  }

  struct Failure: Error { var text: String }

  /// Compiles and loads the page's block of C; the library stays loaded.
  private func load(_ language: Language) throws -> UnsafePointer<bl_unit_library> {
    let page = try String(
      contentsOf: repository.appendingPathComponent("docs/reference/unit-abi.md"), encoding: .utf8)
    let parts = page.components(separatedBy: "\n```c\n")
    try #require(parts.count == 2, "one block of C on the page")
    let code = try #require(parts[1].components(separatedBy: "\n```\n").first) + "\n"

    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("backline-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = folder.appendingPathComponent("warmth.c")
    let binary = folder.appendingPathComponent("warmth.so")
    try Data(code.utf8).write(to: source)

    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(clang))
    process.arguments = [
      "-x", language == .c ? "c" : "c++", "-std=\(language.rawValue)", "-O2", "-Wall", "-Wextra",
      "-Werror", "-Wno-unknown-warning-option", "-Wfunction-effects", "-shared", "-fPIC", "-I",
      repository.appendingPathComponent("Sources/CUnit/include").path, source.path,
      "-o", binary.path, "-lm",
    ]
    let errors = folder.appendingPathComponent("errors.txt")
    try Data().write(to: errors)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(text: try String(contentsOf: errors, encoding: .utf8))
    }

    guard let handle = dlopen(binary.path, RTLD_NOW | RTLD_LOCAL) else {
      throw Failure(text: String(cString: dlerror()))
    }
    let symbol = try #require(dlsym(handle, BL_UNIT_LIBRARY_SYMBOL))
    typealias Entry = @convention(c) () -> UnsafePointer<bl_unit_library>?
    return try #require(unsafeBitCast(symbol, to: Entry.self)())
  }

  private func descriptor(_ language: Language) throws -> UnsafePointer<bl_unit_descriptor> {
    let library = try load(language).pointee
    #expect(library.abi_version == UInt32(BL_ABI_VERSION))
    #expect(library.unit_count == 1)
    let descriptor = try #require(library.units[0])
    #expect(descriptor.pointee.abi_version == UInt32(BL_ABI_VERSION))
    #expect(String(cString: descriptor.pointee.name) == "Warmth")
    return descriptor
  }

  private let noise: [[Float]] = (0..<2).map { channel in
    var state = UInt32(channel + 1)
    return (0..<10_000).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: state)) / Float(1 << 31)
    }
  }

  @Test(arguments: Language.allCases)
  func `is the filter it says it is`(language: Language) throws {
    let host = try UnitHost(descriptor(language), parameters: ["amount": 60])
    let ramp = UnitHost.Event.parameter(host.address("amount"), 100, ramp: 4000, at: 3001)
    let output = host.render(inputs: [noise], frames: 10_000, events: [ramp])
    let coefficient = 1 - exp(-2 * Double.pi * 1500 / 48_000)
    for channel in 0...1 {
      var state = 0.0
      var worst = 0.0
      for frame in 0..<10_000 {
        let sample = Double(noise[channel][frame])
        state += coefficient * (sample - state)
        let blend = 0.6 + 0.4 * Double(min(max(frame - 3001, 0), 4000)) / 4000
        worst = max(worst, abs(Double(output[channel][frame]) - sample - blend * (state - sample)))
      }
      #expect(worst < 2e-6)
    }
    #expect(host.value("amount") == 100)
  }

  @Test(arguments: Language.allCases, Check.all.filter { !$0.needsOwnProcess })
  func `passes every check`(language: Language, check: Check) throws {
    if case .failure(let reason) = check.run(on: Subject(try descriptor(language))) {
      Issue.record("\(check): \(reason)")
    }
  }

  @Test func `refuses different channel counts`() throws {
    let unit = try descriptor(.c)
    let refusal = #expect(throws: UnitHost.Refusal.self) {
      try UnitHost(unit, inputChannels: [1], outputChannels: [2])
    }
    #expect(refusal?.status == bl_status(BL_ERROR_FORMAT_NOT_SUPPORTED))
  }
}
