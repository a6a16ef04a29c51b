import CUnit
import Testing

@Suite struct SegmentTests {
  private struct Piece: Equatable {
    var first: Int
    var count: Int
    var events: [Float] = []
  }

  /// Splits a cycle that starts at frame 1000 of the stream at its events, which are named by their
  /// values.
  private func cut(frames: Int, eventsAt times: [Int]) -> [Piece] {
    var events = times.enumerated().map { index, time in
      var event = bl_event()
      event.sample_time = Int64(time)
      event.parameter.value = Float(index)
      return event
    }
    return events.withUnsafeMutableBufferPointer { events in
      for index in events.indices.dropLast() {
        events[index].next = UnsafePointer(events.baseAddress! + index + 1)
      }
      var timestamp = bl_timestamp(sample_time: 1000)
      var segment = bl_segment_begin(
        &timestamp, UInt32(frames), UnsafePointer(times.isEmpty ? nil : events.baseAddress))
      var pieces: [Piece] = []
      while bl_segment_next(&segment) {
        var piece = Piece(first: Int(segment.first_frame), count: Int(segment.frame_count))
        var event = segment.events
        while event != segment.events_end, let present = event {
          piece.events.append(present.pointee.parameter.value)
          event = present.pointee.next
        }
        pieces.append(piece)
      }
      return pieces
    }
  }

  @Test func aCycleWithoutEventsIsOnePiece() {
    #expect(cut(frames: 64, eventsAt: []) == [Piece(first: 0, count: 64)])
  }

  @Test func eventsBeginTheirPieces() {
    #expect(
      cut(frames: 64, eventsAt: [1010, 1010, 1063]) == [
        Piece(first: 0, count: 10), Piece(first: 10, count: 53, events: [0, 1]),
        Piece(first: 63, count: 1, events: [2]),
      ])
  }

  @Test func lateEventsComeWithTheFirstFrame() {
    #expect(
      cut(frames: 64, eventsAt: [3, 999, 1000, 1020]) == [
        Piece(first: 0, count: 20, events: [0, 1, 2]), Piece(first: 20, count: 44, events: [3]),
      ])
  }

  @Test func laterCyclesEventsAreLeft() {
    #expect(cut(frames: 64, eventsAt: [1064, 2000]) == [Piece(first: 0, count: 64)])
  }

  @Test func oneFrameIsACycleToo() {
    #expect(cut(frames: 1, eventsAt: [1000]) == [Piece(first: 0, count: 1, events: [0])])
  }

  @Test func piecesCoverTheCycle() {
    let times = (0..<40).map { 1000 + ($0 * $0) / 5 }
    let pieces = cut(frames: 256, eventsAt: times)
    #expect(pieces.reduce(0) { $0 + $1.count } == 256)
    #expect(pieces.flatMap(\.events) == times.indices.filter { times[$0] < 1256 }.map(Float.init))
  }
}
