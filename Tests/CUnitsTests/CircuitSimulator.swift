import BacklineTestSupport
import Foundation

/// ngspice, the reference of the circuits. Netlists have the nodes `in` and `out`.
enum CircuitSimulator {
  static let program = ["/usr/bin/ngspice", "/usr/local/bin/ngspice"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// What a circuit does to `amplitude` volts of `frequency` Hz that come in within 2 ms, for
  /// `duration` seconds at 500 kHz, in steps of half a microsecond; and what it does to very little,
  /// as factors at `points` frequencies from 30 Hz to 15 kHz.
  static func run(
    _ netlist: String, frequency: Double, amplitude: Double, duration: Double, points: Int
  ) throws -> (sound: [Float], response: [(frequency: Double, gain: Double)]) {
    let folder = try TemporaryFolder()
    let (sound, response) = (folder.path("sound"), folder.path("response"))
    let text = """
      * a circuit
      \(netlist)
      vsmall in driven dc 0 ac 1
      bloud driven 0 v=\(amplitude)*sin(6.283185307179586*\(frequency)*time)
      + *(time<0.002 ? 0.5-0.5*cos(3.141592653589793*time/0.002) : 1)
      .options reltol=1e-5 abstol=1e-14 vntol=1e-8 chgtol=1e-16 gmin=1e-15 temp=27 tnom=27
      .control
      set wr_singlescale
      set numdgt=10
      ac lin \(points) 30 15000
      wrdata \(response) v(out)
      tran 2e-6 \(duration) 0 0.5e-6
      linearize v(out)
      wrdata \(sound) v(out)
      .endc
      .end
      """
    let file = try folder.write("circuit.cir", bytes: Array(text.utf8))
    let process = Process()
    process.executableURL = URL(filePath: program ?? "")
    process.arguments = ["-b", file]
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try process.run()
    process.waitUntilExit()
    return (
      try table(sound).map { Float($0[1]) },
      try table(response).map { ($0[0], hypot($0[1], $0[2])) }
    )
  }

  private static func table(_ path: String) throws -> [[Double]] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
      line.split(separator: " ").compactMap { Double($0) }
    }
  }
}
