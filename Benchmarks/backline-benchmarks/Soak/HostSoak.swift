import BacklineTestSupport
import Foundation

/// A hundred programs are killed while eight processes play for each of them.
enum HostSoak {
  private static let hosts = 100

  static func run() throws {
    let folder = try TemporaryFolder()
    let rack = try folder.write("rack.yaml", bytes: Array(SoakStage.gainRow.utf8))
    let before = sharedMemory()
    var left = 0
    var longest = 0.0
    for _ in 0..<hosts {
      let host = try Child.start([
        Child.sibling("backline"), "render", rack, "--out", "out=\(folder.path("out.wav"))",
        "--length", "100000s", "--force",
      ])
      var processes: Set<Int> = []
      for _ in 0..<1000 where processes.count < 8 {
        usleep(5000)
        processes = ProcessTable.children(of: Int(host.process), named: "backline-unit")
      }
      usleep(.random(in: 0..<100_000))
      kill(host.process, SIGKILL)
      host.wait()
      let killed = Measurement.now()
      while processes.contains(where: ProcessTable.runs), Measurement.now() < killed + 5 {
        usleep(500)
      }
      longest = max(longest, Measurement.now() - killed)
      left += processes.count(where: ProcessTable.runs) + (processes.count < 8 ? 8 : 0)
    }
    var table = Table(title: "\(hosts) killed hosts", unit: "count", reference: "beside")
    table.rows.append(
      .init(
        "processes left behind", ours: Double(left), reference: nil, ratio: Double(left), aim: 0,
        remark: "the last of eight was gone after \(Table.number(longest * 1000)) ms at the most"))
    let remains = Double(sharedMemory().subtracting(before).count)
    table.rows.append(
      .init("files in shared memory", ours: remains, reference: nil, ratio: remains, aim: 0))
    try table.show()
  }

  private static func sharedMemory() -> Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")) ?? [])
  }
}
