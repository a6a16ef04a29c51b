import BacklineTestSupport
import CBenchmarks

/// Builds of the same algorithms by Faust, made for this run: Faust's C by clang with everything
/// that the machine has and no regard for rounding.
enum FaustBuild {
  private static let variants = [[], ["-vec", "-vs", "32"], ["-vec", "-lv", "1", "-vs", "64"]]

  static var isPossible: Bool { Child.exists("faust") && Child.exists("clang") }

  /// The builds of Benchmarks/faust/NAME.dsp, scalar and vector; none where there is no such file.
  /// Faust has no convolution and no pitch shifter by FFT, no octaver by phases, no tuner by
  /// differences, no files that change and no loops that are recorded; its vector compiler does not
  /// end within minutes on a ladder at eight times the rate.
  static func build(_ name: String, in folder: TemporaryFolder) -> [OpaquePointer] {
    variants.enumerated().compactMap { index, options in
      let code = folder.path("\(name)-\(index).c")
      let library = folder.path("\(name)-\(index).so")
      let sources = "Benchmarks/faust"
      guard
        (try? Child.run(
          ["faust", "-lang", "c", "-a", "\(sources)/harness.c.in"] + options
            + ["\(sources)/\(name).dsp", "-o", code])) != nil,
        (try? Child.run([
          "clang", "-std=c17", "-w", "-O3", "-march=native", "-ffast-math", "-shared", "-fPIC",
          "-o", library, code, "-lm",
        ])) != nil
      else { return nil }
      return bl_faust_open(library, 48_000)
    }
  }
}
