import CUnit
import CUnitService
import Glibc
import Testing

/// A host shares memory with a unit's process.
@Suite struct SegmentTests {
  private func shape(frames: UInt32 = 256, busses: UInt32 = 2, channels: UInt32 = 2)
    -> bl_service_shape
  {
    var shape = bl_service_shape()
    (shape.maximum_frames, shape.value_count) = (frames, 10)
    (shape.input_bus_count, shape.output_bus_count) = (busses, busses)
    withUnsafeMutableBytes(of: &shape.input_channel_counts) { counts in
      for bus in counts.bindMemory(to: UInt32.self).indices.prefix(Int(busses)) {
        counts.storeBytes(of: channels, toByteOffset: 4 * bus, as: UInt32.self)
      }
    }
    shape.output_channel_counts = shape.input_channel_counts
    return shape
  }

  @Test func impossibleShapesAreRefused() {
    func isValid(_ shape: bl_service_shape) -> Bool {
      withUnsafePointer(to: shape) { bl_service_shape_is_valid($0) }
    }
    #expect(isValid(shape()))
    #expect(isValid(shape(frames: 1 << 16, busses: 64, channels: 1)))
    #expect(!isValid(shape(frames: 0)) && !isValid(shape(frames: 1 << 16 + 1)))
    #expect(!isValid(shape(channels: 0)))
    #expect(!isValid(shape(channels: UInt32(BL_MAXIMUM_CHANNELS) + 1)))
    var many = shape()
    many.input_bus_count = 65
    #expect(!isValid(many))
    var valueless = shape()
    valueless.value_count = 0
    #expect(!isValid(valueless))
  }

  @Test func bothEndsSeeTheSame() throws {
    var (host, unit) = (bl_service_segment(), bl_service_segment())
    var shape = shape()
    var descriptor: Int32 = -1
    try #require(bl_service_segment_create(&host, &shape, &descriptor))
    defer { close(descriptor) }
    try #require(bl_service_segment_map(&unit, &shape, descriptor, BL_SERVICE_READ_WRITE))
    #expect(host.size == unit.size && host.memory != unit.memory)
    let stride = Int(bl_service_stride(&host))
    #expect(stride >= 256)
    let (out, seen) = (bl_service_output(&unit, 1)!, bl_service_output(&host, 1)!)
    for frame in 0..<256 { out[stride + frame] = Float(frame) }
    #expect((0..<256).allSatisfy { seen[stride + $0] == Float($0) })
    bl_service_segment_unmap(&unit)
    bl_service_segment_unmap(&host)
  }

  /// Memory that is smaller than its stated shape is not mapped.
  @Test func smallerMemoryIsNotMapped() throws {
    var segment = bl_service_segment()
    var (small, large) = (shape(frames: 64), shape(frames: 4096))
    var descriptor: Int32 = -1
    try #require(bl_service_segment_create(&segment, &small, &descriptor))
    defer { close(descriptor) }
    var other = bl_service_segment()
    #expect(!bl_service_segment_map(&other, &large, descriptor, BL_SERVICE_READ_WRITE))
    #expect(ftruncate(descriptor, 1 << 20) == -1 && ftruncate(descriptor, 0) == -1)
    bl_service_segment_unmap(&segment)
  }

  @Test func sealedMemoryIsForReadingAlone() throws {
    var descriptor: Int32 = -1
    let memory = try #require(bl_service_memory_create(4096, &descriptor))
    defer { close(descriptor) }
    memory.storeBytes(of: 7, as: UInt8.self)
    #expect(bl_service_memory_seal(descriptor))
    #expect(bl_service_memory_map(4096, descriptor, BL_SERVICE_READ_WRITE) == nil)
    let read = try #require(bl_service_memory_map(4096, descriptor, BL_SERVICE_READ))
    #expect(read.load(as: UInt8.self) == 7)
    memory.storeBytes(of: 8, as: UInt8.self)
    #expect(read.load(as: UInt8.self) == 8)
    munmap(read, 4096)
    munmap(memory, 4096)
  }
}
