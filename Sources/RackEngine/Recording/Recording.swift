import AsyncSupport
import AudioUnits
import CKernel
import Dispatch
import Glibc
import RackModel
import SoundFiles

/// A recording under way: the ring that the render thread fills, and the queue that writes it into a
/// file.
///
/// Unchecked Sendable: `recorder` has an end for each of the two threads; the queue alone uses the file,
/// the engine alone the variables.
final class Recording: @unchecked Sendable {
  let request: RecordingRequest
  /// The channels of the file, in its order.
  private(set) var channels: [RecordedChannel]
  private var reportedLostFrames = 0
  /// The sample rate, Hz.
  let sampleRate: Double
  let recorder: OpaquePointer

  private let file: RecordingFile
  private let queue = DispatchQueue(label: "backline.recording")
  private var timer: (any DispatchSourceTimer)?
  private var nextSync = DispatchTime.now()
  private let problem = Guarded<(error: any Error, frames: Int)?>(nil)

  /// The longest pause of the disk that the ring bridges, seconds.
  private static let longestPause = 5.0
  private static let interval = DispatchTimeInterval.milliseconds(50)

  /// Creates the file and starts to write.
  ///
  /// - Parameter capacity: the capacity of the ring, frames; nil for 5 s.
  /// - Throws: `RackError` or `SoundFileError`, with no file left behind.
  init(
    _ request: RecordingRequest, of channels: [RecordedChannel], sampleRate: Double,
    capacity: Int? = nil
  ) throws {
    guard channels.count <= Self.maximumChannels else {
      throw RackError("\(channels.count) channels; a recording has \(Self.maximumChannels) at most")
    }
    (self.request, self.channels, self.sampleRate) = (request, channels, sampleRate)
    // The ring is first: if memory is short there must be no file.
    let frames = capacity ?? Int(sampleRate * Self.longestPause)
    guard let recorder = bl_recorder_create(UInt32(channels.count), UInt32(frames)) else {
      throw RackError("\(request.path): memory is short")
    }
    self.recorder = recorder
    do {
      file = try RecordingFile(
        path: request.path, channelCount: channels.count, sampleRate: sampleRate,
        samples: request.samples)
    } catch {
      bl_recorder_destroy(recorder)
      throw error
    }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval)
    timer.setEventHandler { [weak self] in self?.write() }
    timer.activate()
    self.timer = timer
  }

  /// The limit of libsndfile.
  private static let maximumChannels = 1024

  deinit {
    timer?.cancel()
    bl_recorder_destroy(recorder)
  }

  /// Renames a unit in the channels.
  func rename(_ name: String, to new: String) {
    for index in channels.indices {
      if case .unit(name, let bus) = channels[index].place {
        channels[index].place = .unit(new, bus: bus)
      }
    }
  }

  /// The error after which nothing more is written.
  var failure: (any Error)? { problem.withLock { $0?.error } }

  /// The length of the file, seconds.
  var writtenLength: Double {
    problem.withLock { $0.map { Double($0.frames) / sampleRate } } ?? length
  }

  var dropOuts: Int { Int(bl_recorder_drop_outs(recorder)) }
  var lostFrames: Int { Int(bl_recorder_lost_frames(recorder)) }
  /// The length recorded so far, seconds.
  var length: Double { Double(bl_recorder_frames(recorder)) / sampleRate }

  /// Returns a sentence about the drop-outs since the last call; nil if there are none.
  func popDropOuts() -> String? {
    let new = lostFrames - reportedLostFrames
    guard new > 0 else { return nil }
    reportedLostFrames += new
    let milliseconds = (Double(new) / sampleRate * 1000).rounded(.up)
    return "the disk does not keep up: \(request.path) has silence for \(Int(milliseconds)) ms;"
      + " drop-outs so far: \(dropOuts)"
  }

  /// Writes the rest and closes the file.
  ///
  /// - Parameter isLeft: whether no cycle is recorded any more; otherwise the last cycles are left out.
  /// - Throws: `SoundFileError` that names the file; the part that was written can be read.
  func finish(isLeft: Bool) async throws {
    if isLeft { bl_recorder_finish(recorder) }
    await withCheckedContinuation { continuation in
      queue.async {
        self.timer?.cancel()
        self.write()
        self.end()
        continuation.resume()
      }
    }
    if let failure { throw failure }
  }

  /// Removes the file, before any cycle was recorded.
  func discard() {
    queue.sync {
      timer?.cancel()
      end()
      unlink(request.path)
    }
  }

  /// Writes the waiting frames; on the queue.
  private func write() {
    guard failure == nil else { return }
    do {
      var next = bl_recorded()
      while bl_recorder_peek(recorder, &next) {
        if next.lost_frames > 0 {
          try file.writeSilence(frames: Int(next.lost_frames))
        } else {
          try file.write(next.samples, frames: Int(next.frames))
        }
        bl_recorder_advance(recorder, &next)
      }
      guard DispatchTime.now() >= nextSync else { return }
      try file.sync()
      nextSync = .now() + .seconds(1)
    } catch {
      fail(error)
      end()
    }
  }

  /// Closes the file; on the queue.
  private func end() {
    do {
      try file.finish()
    } catch {
      fail(error)
    }
  }

  /// Keeps the first failure; on the queue.
  private func fail(_ failure: any Error) {
    let frames = file.frames
    problem.withLock { $0 = $0 ?? (failure, frames) }
  }
}
