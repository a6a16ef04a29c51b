import BacklineTestSupport
import CKernel
import CTestUnits
import Foundation
import Synchronization
import Testing

/// Several threads send commands to a kernel that plays and is destroyed.
struct CommandGateTests {
  private func playing(_ host: KernelHost) throws -> KernelHost {
    host.add(TestUnit.scale.descriptor)
    host.play(try host.lower([KernelHost.cable(nil, 0), KernelHost.cable(0, nil)]))
    return host
  }

  /// Four threads send numbered messages, each on its own cable; the ring of capacity 2 is almost
  /// always full.
  @Test(arguments: [2, 256])
  func everyThreadsMessagesArriveOnceAndInTheirOrder(capacity: Int) throws {
    let host = try playing(KernelHost(ringCapacity: capacity, systemExclusiveCapacity: 8))
    let gate = try #require(bl_command_gate_create())
    defer { bl_command_gate_destroy(gate) }
    bl_command_gate_open(gate, host.kernel)
    let renderer = Renderer(host.kernel)
    renderer.renderCycle()
    let (threads, count) = (4, repetitions(3000))
    try renderer.run {
      let senders = (0..<threads).map { Sender(gate, cable: UInt8(60 * $0), count: count) }
      for sender in senders { try sender.start() }
      for sender in senders { sender.join() }
    }
    for _ in 0..<20 { renderer.renderCycle() }

    let unit = host.units[0]
    #expect(bl_test_event_count(unit) == UInt32(threads * count))
    var next = [UInt8: Int]()
    for index in 0..<bl_test_event_count(unit) {
      let event = bl_test_event(unit, index)
      let isLong = event.type == BL_EVENT_SYSTEM_EXCLUSIVE
      let cable = isLong ? event.system_exclusive.cable : event.midi.cable
      let number = next[cable, default: 0]
      #expect(isLong == (number % 10 == 9))
      if isLong {
        #expect(event.system_exclusive.length == number % 512 + 2)
      } else {
        #expect(Int(event.midi.bytes.1) << 7 | Int(event.midi.bytes.2) == number)
      }
      next[cable, default: 0] += 1
    }
    host.receiveReports()
    #expect(host.count(BL_REPORT_EVENTS_LOST) == 0)
  }

  /// After the gate is shut the kernel may be destroyed, however many threads are sending.
  @Test func afterTheGateIsShutNobodyIsInTheKernel() throws {
    let gate = try #require(bl_command_gate_create())
    defer { bl_command_gate_destroy(gate) }
    let senders = (0..<3).map { Sender(gate, cable: UInt8($0), count: nil) }
    for sender in senders { try sender.start() }
    var rounds = 0
    while rounds < 200 || senders.allSatisfy({ $0.sent == 0 }) {
      rounds += 1
      let host = try playing(KernelHost(ringCapacity: 64, systemExclusiveCapacity: 4))
      bl_command_gate_open(gate, host.kernel)
      for _ in 0..<10 { _ = host.render([[Float](repeating: 0, count: 64)], frames: 64) }
      bl_command_gate_shut(gate)
    }
    for sender in senders { sender.stop() }
    for sender in senders { sender.join() }
    var command = bl_command()
    #expect(bl_command_gate_send(gate, &command) == BL_ERROR_NOT_ALLOCATED)
  }

  @Test func longMessagesGiveTheirMemoryBack() throws {
    let host = try playing(KernelHost(systemExclusiveCapacity: 2))
    let longest = [0xF0] + [UInt8](repeating: 5, count: 8190) + [0xF7]
    for round in 0..<50 {
      // The first message is played; the second waits for a far time, until its graph is retired.
      #expect(bl_kernel_send_midi(host.kernel, 0, 0, 200, UInt32(longest.count), longest) == BL_OK)
      #expect(bl_kernel_send_midi(host.kernel, 0, 1 << 40, 0, 3, [0xF0, 1, 0xF7]) == BL_OK)
      let third = bl_kernel_send_midi(host.kernel, 0, 0, 0, 3, [0xF0, 1, 0xF7])
      #expect(third == BL_ERROR_OUT_OF_MEMORY)
      _ = host.render([[Float](repeating: 0, count: 64)], frames: 64)
      #expect(bl_test_event_count(host.units[0]) == UInt32(round + 1))
      // Play nothing, then the node's graph again.
      var silence = bl_command()
      silence.type = BL_COMMAND_SET_GRAPH
      #expect(bl_kernel_send(host.kernel, &silence))
      host.play(try host.lower([KernelHost.cable(nil, 0), KernelHost.cable(0, nil)]))
      _ = host.render([[Float](repeating: 0, count: 64)], frames: 64)
    }
    let event = bl_test_event(host.units[0], 0)
    #expect(event.system_exclusive.cable == 200 && event.system_exclusive.length == 8192)
  }

  @Test func whatIsNoMessageIsRefused() throws {
    let host = try playing(KernelHost())
    for bytes: [UInt8] in [
      [], [0x90], [0x90, 1], [0xF0, 1], [0x90, 0x80, 1], [1, 2, 3], [0xF7],
    ] {
      let status = bl_kernel_send_midi(host.kernel, 0, 0, 0, UInt32(bytes.count), bytes)
      #expect(status == BL_ERROR_INVALID_PROPERTY_VALUE, "\(bytes)")
    }
    let tooLong = [0xF0] + [UInt8](repeating: 5, count: 8191) + [0xF7]
    #expect(
      bl_kernel_send_midi(host.kernel, 0, 0, 0, UInt32(tooLong.count), tooLong)
        == BL_ERROR_OUT_OF_MEMORY)
  }

  @Test func aCommandForANodeThatIsGoneIsCountedAsLost() throws {
    let host = try playing(KernelHost())
    var command = bl_command()
    command.type = BL_COMMAND_SET_BYPASS
    command.node = 77
    #expect(bl_kernel_send(host.kernel, &command))
    _ = host.render([[Float](repeating: 0, count: 64)], frames: 64)
    #expect(host.reports.first { $0.type == BL_REPORT_EVENTS_LOST }?.events == 1)
  }

  @Test func nowMeansTheNextCycle() throws {
    let host = try playing(KernelHost())
    _ = host.render([[Float](repeating: 1, count: 1000)], frames: 1000)
    host.schedule(0, value: 3, at: Int64.min)
    host.schedule(0, value: 5, at: Int64.min + 20)
    let output = host.render([[Float](repeating: 1, count: 64)], frames: 64)[0]
    let expected = (0..<64).map { Float($0 < 20 ? 3 : 5) }
    #expect(firstDifference(output, expected) == nil)
  }

  @Test func aHundredThousandEventsFindRoomWhereItIsAskedFor() throws {
    let count = 100_000
    let host = try playing(KernelHost(eventCapacity: count, ringCapacity: count))
    for number in 0..<count {
      host.schedule(0, value: Float(number % 1000) / 100, at: Int64(count - 1 - number))
    }
    bl_kernel_begin_cycle_offline(host.kernel)
    let input = [Float](repeating: 1, count: count)
    let output = host.render([input], frames: count, cycles: [1024])[0]
    let expected = (0..<count).map { Float((count - 1 - $0) % 1000) / 100 }
    #expect(firstDifference(output, expected) == nil)
    #expect(host.count(BL_REPORT_EVENTS_LOST) == 0)
  }
}

/// Sends numbered messages from its own thread; every tenth is a system exclusive message.
private final class Sender: @unchecked Sendable {
  // Unchecked because of the pointer: any thread may use a gate. The rest is constant or atomic.
  private let gate: OpaquePointer
  private let cable: UInt8
  private let count: Int?
  private let isStopping = Atomic(false)
  private let arrived = Atomic(0)
  private var thread = pthread_t()

  init(_ gate: OpaquePointer, cable: UInt8, count: Int?) {
    (self.gate, self.cable, self.count) = (gate, cable, count)
  }

  var sent: Int { arrived.load(ordering: .relaxed) }
  func stop() { isStopping.store(true, ordering: .relaxed) }
  func join() { pthread_join(thread, nil) }

  func start() throws {
    let status = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Sender>.fromOpaque(context).takeUnretainedValue().run()
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
    guard status == 0 else { throw POSIXError(.EAGAIN) }
  }

  private func run() {
    for number in 0..<(count ?? .max) {
      let (high, low) = (UInt8(number >> 7 & 127), UInt8(number & 127))
      let bytes: [UInt8] =
        number % 10 == 9
        ? [0xF0] + [UInt8](repeating: 1, count: number % 512) + [0xF7] : [0x90, high, low]
      while !send(bytes) {
        if isStopping.load(ordering: .relaxed) { return }
        sched_yield()
      }
      arrived.add(1, ordering: .relaxed)
    }
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    bl_command_gate_send_midi(gate, 0, Int64.min, cable, UInt32(bytes.count), bytes) == BL_OK
  }
}
