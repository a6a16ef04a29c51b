import CTestSupport
import CUnit
import CUnitService
import CUnits
import Testing

/// A unit's process reads its input from another unit's process. The test plays the host and both
/// processes, step by step.
@Suite struct ProcessChainTests {
  private let first: OpaquePointer
  private let second: OpaquePointer

  init() throws {
    let library = try #require(bl_built_in_units()).pointee
    let gain = try #require(
      (0..<Int(library.unit_count)).lazy.compactMap { library.units[$0] }.first {
        String(cString: $0.pointee.name) == "Gain"
      })
    first = try #require(bl_test_peer_create(gain, nil))
    second = try #require(bl_test_peer_create(gain, first))
  }

  private func render(_ peer: OpaquePointer, _ time: Int64, input: Float) -> Float? {
    var output: Float = 0
    return bl_test_peer_render(peer, time, input, &output) == BL_OK ? output : nil
  }

  /// Starts a cycle of both units; returns the sequence numbers of their requests.
  private func begin(_ time: Int64, input: Float) -> (UInt32, UInt32) {
    bl_test_peer_begin(first, time, input, nil)
    bl_test_peer_begin(second, time, input, first)
    return (bl_test_peer_posted(first), bl_test_peer_posted(second))
  }

  private func expectCompleteCycle(_ time: Int64) {
    let (one, other) = begin(time, input: 1)
    #expect(bl_test_peer_source(second) == 1)
    #expect(bl_test_peer_claim(first, one))
    bl_test_peer_answer(first, one, 0.5)
    #expect(bl_test_peer_claim(second, other))
    bl_test_peer_answer(second, other, 0.25)
    #expect(render(first, time, input: 1) == 0.5 && render(second, time, input: 0.5) == 0.25)
  }

  private func end() {
    bl_test_peer_destroy(second)
    bl_test_peer_destroy(first)
  }

  /// The first process is late in an earlier cycle; its late answer does not change the second
  /// process's current cycle.
  @Test func aProcessThatIsHeldUpDoesNotReachTheNextCycle() {
    defer { end() }
    expectCompleteCycle(0)
    let (one, other) = begin(64, input: 2)
    #expect(bl_test_peer_claim(first, one))
    #expect(render(first, 64, input: 2) == nil && render(second, 64, input: 2) == nil)
    // The first process has not answered, so the host sends the second unit's request itself.
    _ = begin(128, input: 3)
    #expect(render(first, 128, input: 3) == nil && render(second, 128, input: 3) == nil)
    let next = bl_test_peer_posted(second)
    #expect(next != other && bl_test_peer_time(second) == 128 && bl_test_peer_input(second) == 3)
    bl_test_peer_answer(first, one, 1)
    #expect(!bl_test_peer_claim(second, other), "the earlier request was withdrawn")
    #expect(bl_test_peer_posted(second) == next && bl_test_peer_input(second) == 3)
    #expect(bl_test_peer_source(second) == 0)
    #expect(bl_test_peer_claim(second, next))
    bl_test_peer_answer(second, next, 3)
    expectCompleteCycle(192)
  }

  /// The second process has claimed an earlier request, which the host must not withdraw.
  @Test func aRequestThatIsBegunIsNotWithdrawn() {
    defer { end() }
    let (one, other) = begin(0, input: 1)
    #expect(bl_test_peer_claim(first, one))
    #expect(render(first, 0, input: 1) == nil && render(second, 0, input: 1) == nil)
    bl_test_peer_answer(first, one, 1)
    #expect(bl_test_peer_claim(second, other))
    _ = begin(64, input: 2)
    #expect(render(second, 64, input: 2) == nil)
    #expect(bl_test_peer_posted(second) == other | 1 && bl_test_peer_time(second) == 0)
    bl_test_peer_answer(second, other, 1)
    let claimed = bl_test_peer_claim(first, bl_test_peer_posted(first))
    #expect(claimed)
    bl_test_peer_answer(first, bl_test_peer_posted(first) & ~1, 1)
    expectCompleteCycle(128)
  }

  /// A process that gets another unit's memory can only read it.
  @Test func theMemoryOfAUnitIsClosedToOtherWriters() {
    defer { end() }
    #expect(!bl_test_peer_is_open_to_writers(first))
  }
}
