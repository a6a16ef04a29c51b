import CKernel
import Documents
import RackModel
import SoundFiles

/// Hands the kernel one block after another of the inputs, and takes the outputs.
final class OfflineCycle {
  /// Every channel of every output port, in order; `capacity` frames each.
  private(set) var outputs: [UnsafeMutablePointer<Float>] = []

  private var inputs: [UnsafeMutablePointer<Float>] = []
  private let sources: [(file: SoundFileReader?, channels: Range<Int>)]
  private var messages: ArraySlice<OfflineJob.Message>
  private let sampleRate: Double
  private let music: OfflineMusic
  private var capacity = 0

  init(
    plan: Plan, inputs: [SoundFileReader?], messages: [OfflineJob.Message], tempo: Double,
    format: RenderFormat, sink: MIDISink
  ) {
    self.sink = sink
    var first = 0
    sources = zip(plan.inputs, inputs).map { port, file in
      defer { first += port.channelCount }
      return (file, first..<first + port.channelCount)
    }
    inputCount = first
    self.messages = messages.sorted { $0.time < $1.time }[...]
    sampleRate = format.sampleRate
    music = OfflineMusic(tempo: tempo, sampleRate: format.sampleRate)
    outputCount = plan.outputs.reduce(0) { $0 + $1.channelCount }
  }

  /// Where MIDI goes that comes out.
  private let sink: MIDISink
  private var start = 0

  private let inputCount: Int
  private let outputCount: Int

  deinit { for pointer in inputs + outputs { pointer.deallocate() } }

  /// Plays `frames` frames from frame `start`; past `end` the inputs are silent.
  func play(_ kernel: OpaquePointer, from start: Int, frames: Int, upTo end: Int) throws {
    reserve(frames)
    self.start = start
    let there = max(0, min(frames, end - start))
    for source in sources {
      let channels = inputs[source.channels]
      try source.file?.read(into: channels, frames: there)
      let silent = source.file == nil ? 0 : there
      for channel in channels { (channel + silent).update(repeating: 0, count: frames - silent) }
    }
    let due = takeMessages(before: start + frames)
    let bytes = due.flatMap(\.bytes)
    let inputPointers: [UnsafePointer<Float>?] = inputs.map { UnsafePointer($0) }
    let outputPointers: [UnsafeMutablePointer<Float>?] = outputs
    bytes.withUnsafeBufferPointer { bytes in
      var offset = 0
      let list = due.map { message in
        let frame = Int(clamping: message.time * sampleRate) - start
        defer { offset += message.bytes.count }
        return bl_midi_message(
          port: UInt32(message.port), frame: UInt32(max(frame, 0)),
          length: UInt32(message.bytes.count), data: bytes.baseAddress.map { $0 + offset })
      }
      list.withUnsafeBufferPointer { list in
        inputPointers.withUnsafeBufferPointer { inputs in
          outputPointers.withUnsafeBufferPointer { outputs in
            music.play(from: start) { context, transport in
              var cycle = bl_cycle()
              cycle.flags = UInt32(BL_RENDER_OFFLINE)
              cycle.frames = UInt32(frames)
              cycle.inputs = inputs.baseAddress
              cycle.outputs = outputs.baseAddress
              cycle.midi_count = UInt32(list.count)
              cycle.midi = list.baseAddress
              cycle.midi_context = Unmanaged.passUnretained(self).toOpaque()
              cycle.send_midi = { context, message in
                guard let context, let message = message?.pointee else { return false }
                Unmanaged<OfflineCycle>.fromOpaque(context).takeUnretainedValue().take(message)
                return true
              }
              cycle.musical_context = context
              cycle.transport_state = transport
              bl_kernel_begin_cycle(kernel)
              bl_kernel_render(kernel, &cycle)
            }
          }
        }
      }
    }
  }

  private func take(_ message: bl_midi_message) {
    let bytes = Array(UnsafeBufferPointer(start: message.data, count: Int(message.length)))
    sink.take(.init(port: Int(message.port), frame: start + Int(message.frame), bytes: bytes))
  }

  private func takeMessages(before end: Int) -> [OfflineJob.Message] {
    let due = messages.prefix { Int(clamping: $0.time * sampleRate) < end }
    messages = messages.dropFirst(due.count)
    return due.filter { !$0.bytes.isEmpty }
  }

  private func reserve(_ frames: Int) {
    guard frames > capacity else { return }
    for pointer in inputs + outputs { pointer.deallocate() }
    inputs = (0..<inputCount).map { _ in .allocate(capacity: frames) }
    outputs = (0..<outputCount).map { _ in .allocate(capacity: frames) }
    capacity = frames
  }
}
