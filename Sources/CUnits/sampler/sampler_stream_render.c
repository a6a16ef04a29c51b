/* The render side of the streams. */
#include "sampler/sampler_stream.h"

void bl_sample_stream_start(bl_sample_stream *stream, const bl_sample *sample) BL_NONBLOCKING {
    atomic_store_explicit(&stream->wanted, sample, memory_order_relaxed);
    bl_frame_ring_restart(&stream->ring);
}

void bl_sample_stream_stop(bl_sample_stream *stream) BL_NONBLOCKING {
    bl_sample_stream_start(stream, NULL);
}

bool bl_sample_stream_advance(bl_sample_stream *stream, const bl_sample *sample, int64_t from,
                              int64_t end) BL_NONBLOCKING {
    uint64_t needed = bl_sample_left_out(sample, end);
    if (needed == 0 || !bl_frame_ring_is_current(&stream->ring)) {
        return needed == 0;
    }
    uint64_t there = bl_frame_ring_there(&stream->ring);
    uint64_t start = stream->ring.generation_start;
    uint64_t taken = bl_frame_ring_read_position(&stream->ring), written = taken + there;
    uint64_t past = start + bl_sample_left_out(sample, from);
    past = past < written ? past : written;
    if (past > taken) {
        bl_frame_ring_set_read(&stream->ring, past);
    }
    return start + needed <= written;
}

void bl_sample_stream_copy(bl_sample_stream *stream, const bl_sample *sample, uint32_t channel,
                           int64_t first, uint32_t count, float *to) BL_NONBLOCKING {
    uint32_t there = 0;
    if (bl_frame_ring_is_current(&stream->ring)) {
        uint64_t place = stream->ring.generation_start + bl_sample_left_out(sample, first);
        uint64_t written = bl_frame_ring_written(&stream->ring);
        uint64_t after = written > place ? written - place : 0;
        there = after < count ? (uint32_t)after : count;
        bl_frame_ring_copy(&stream->ring, channel, place, there, to);
    }
    memset(to + there, 0, (count - there) * sizeof(float));
}
