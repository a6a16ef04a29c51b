import CUnit
import UnitModel

extension Check {
  static let telemetryTable = Check(
    listing: "telemetry-table", "names and sizes the arrays that it shows"
  ) { subject, faults in
    let arrays = subject.facts.telemetry
    guard !arrays.isEmpty else { return .notApplicable("it shows no arrays") }
    let maximum = (count: Int(BL_MOST_TELEMETRY), values: Int(BL_TELEMETRY_CAPACITY))
    if arrays.count > maximum.count {
      faults.append("it shows \(arrays.count) arrays; hosts read \(maximum.count) at most")
    }
    faults += repeated(arrays.map(\.identifier)).map { "two arrays are \($0)" }
    for array in arrays {
      if !isIdentifier(array.identifier) {
        faults.append("“\(array.identifier)” is not made of ASCII letters, digits and _")
      }
      if array.name.isEmpty { faults.append("\(array.identifier) has no name") }
      if !(1...maximum.values ~= array.capacity) {
        faults.append(
          "\(array.identifier) has a capacity of \(array.capacity), not 1 to \(maximum.values)")
      }
    }
    return .pass(arrays.map(\.identifier).joined(separator: ", "))
  }

  /// Reads the arrays before any sound and after half a second of it.
  static let telemetry = Check("telemetry", "shows arrays that fit and are finite") { subject in
    let arrays = subject.facts.telemetry
    guard let read = subject.descriptor.pointee.read_telemetry, !arrays.isEmpty else {
      return .notApplicable("it shows no arrays")
    }
    let host = try subject.host(subject.plainFormat())
    var job = subject.job(24_000, in: host.format, blocks: [512]) { _, buffer in
      buffer.fillWithNoise(amplitude: 0.5, seed: 3)
    }
    if subject.facts.hasMIDIInput { job.events = [.midi([0x90, 60, 100], at: 0)] }
    for isFirst in [true, false] {
      if !isFirst { _ = try host.render(job) }
      for (index, array) in arrays.enumerated() {
        // The memory after the capacity belongs to the host.
        let mark: Float = 12_345
        var values = [Float](repeating: mark, count: array.capacity + 64)
        let count = Int(read(host.unit, UInt32(index), &values))
        guard count <= array.capacity, values[array.capacity...].allSatisfy({ $0 == mark }) else {
          throw Fault("\(array.identifier) is longer than its capacity of \(array.capacity)")
        }
        guard values[..<count].allSatisfy(\.isFinite) else {
          throw Fault("\(array.identifier) has NaN or infinity")
        }
      }
    }
    return .pass(arrays.map(\.identifier).joined(separator: ", "))
  }
}
