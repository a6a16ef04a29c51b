import CIO
import CKernel
import CUnit
import Glibc
import Testing

/// A kernel gets as many helper threads as the system allows.
@Suite struct HelperThreadTests {
  private func withKernel(_ body: (OpaquePointer) throws -> Void) throws {
    var configuration = bl_kernel_configuration()
    configuration.sample_rate = 48_000
    let kernel = try #require(bl_kernel_create(&configuration))
    defer { bl_kernel_destroy(kernel) }
    try body(kernel)
  }

  @Test func theyEndWhenTheyAreStopped() throws {
    try withKernel { kernel in
      for _ in 0..<20 {
        let threads = try #require(bl_helper_threads_start(kernel, 3, nil, nil))
        bl_helper_threads_stop(threads)
      }
    }
  }

  @Test func withoutAnyThereIsNone() throws {
    try withKernel { kernel in
      #expect(bl_helper_threads_start(kernel, 2, { _, _, _, _ in EAGAIN }, nil) == nil)
    }
  }

  /// The second thread is refused; the first helps alone.
  @Test func asManyHelpAsThereCanBe() throws {
    try withKernel { kernel in
      var left: Int32 = 1
      let threads = bl_helper_threads_start(
        kernel, 2,
        { context, thread, start, argument in
          let left = context!.assumingMemoryBound(to: Int32.self)
          guard left.pointee > 0 else { return EAGAIN }
          left.pointee -= 1
          return pthread_create(thread!, nil, unsafeBitCast(start, to: Start.self), argument)
        }, &left)
      #expect(threads != nil && left == 0)
      bl_helper_threads_stop(threads)
    }
  }

  @Test func impossiblePrioritiesAreNotPermitted() {
    #expect(!bl_realtime_is_permitted(1000))
  }
}

private typealias Start = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
