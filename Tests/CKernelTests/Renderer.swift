import CKernel
import Foundation
import Synchronization

/// Plays a kernel with one input and one output, on its own thread or on the caller's.
final class Renderer {
  private let kernel: OpaquePointer
  private let input = UnsafeMutablePointer<Float>.allocate(capacity: longestCycle)
  private let output = UnsafeMutablePointer<Float>.allocate(capacity: longestCycle)
  private let isStopping = Atomic(false)
  private var cycles = 0
  private static let longestCycle = 64

  init(_ kernel: OpaquePointer) {
    self.kernel = kernel
    input.initialize(repeating: 1, count: Self.longestCycle)
    output.initialize(repeating: 0, count: Self.longestCycle)
  }

  deinit {
    input.deallocate()
    output.deallocate()
  }

  /// Renders on a new thread while `body` runs. The thread is a pthread, because ThreadSanitizer
  /// knows the order that pthread_create and pthread_join establish, and not libdispatch's.
  func run(during body: () throws -> Void) throws {
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let renderer = Unmanaged<Renderer>.fromOpaque(context).takeUnretainedValue()
        while !renderer.isStopping.load(ordering: .relaxed) { renderer.renderCycle() }
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
    guard status == 0 else { throw POSIXError(.EAGAIN) }
    defer {
      isStopping.store(true, ordering: .relaxed)
      pthread_join(thread, nil)
    }
    try body()
  }

  func renderCycle() {
    let frames = [1, 17, Self.longestCycle][cycles % 3]
    cycles += 1
    var inputs: UnsafePointer<Float>? = UnsafePointer(input)
    var outputs: UnsafeMutablePointer<Float>? = output
    var cycle = bl_cycle()
    cycle.frames = UInt32(frames)
    withUnsafePointer(to: &inputs) { inputs in
      withUnsafePointer(to: &outputs) { outputs in
        cycle.inputs = inputs
        cycle.outputs = outputs
        bl_kernel_begin_cycle(kernel)
        bl_kernel_render(kernel, &cycle)
      }
    }
  }
}
