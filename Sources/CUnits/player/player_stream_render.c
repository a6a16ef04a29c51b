/* The render side of a stream. */
#include "player/player_stream.h"

static uint32_t in_head(const bl_sound_stream *stream) BL_NONBLOCKING {
    return atomic_load_explicit(&stream->head_filled, memory_order_acquire) - stream->head_taken;
}

/* Skips overdue frames. The ring is checked first: it has frames only after a full head. */
uint32_t bl_sound_stream_available(bl_sound_stream *stream) BL_NONBLOCKING {
    uint64_t late = bl_frame_ring_there(&stream->ring), early = in_head(stream);
    if (stream->owed > 0) {
        uint64_t skipped = stream->owed < early ? stream->owed : early;
        stream->head_taken += (uint32_t)skipped;
        stream->owed -= skipped;
        early -= skipped;
        skipped = stream->owed < late ? stream->owed : late;
        bl_frame_ring_set_read(&stream->ring, bl_frame_ring_read_position(&stream->ring) + skipped);
        stream->owed -= skipped;
        late -= skipped;
    }
    return (uint32_t)(early + late);
}

/* Reads available frames. */
static void take(bl_sound_stream *stream, float *const *channels, uint32_t offset,
                 uint32_t frames) BL_NONBLOCKING {
    uint32_t left = in_head(stream), early = frames < left ? frames : left;
    for (uint32_t channel = 0; early > 0 && channel < stream->channel_count; channel += 1) {
        const float *head = stream->head + (size_t)channel * stream->head_frames;
        memcpy(channels[channel] + offset, head + stream->head_taken, early * sizeof(float));
    }
    stream->head_taken += early;
    bl_frame_ring_read(&stream->ring, channels, offset + early, frames - early);
}

void bl_sound_stream_reset(bl_sound_stream *stream) BL_NONBLOCKING {
    bl_frame_ring_restart(&stream->ring);
    stream->head_taken = 0;
    stream->owed = 0;
    stream->short_of_frames = false;
    bl_ramp_set(&stream->presence, 1);
    bl_ramp_set(&stream->hold_gain, 0);
    memset(stream->last, 0, sizeof stream->last);
}

bool bl_sound_stream_has_failed(const bl_sound_stream *stream) BL_NONBLOCKING {
    return atomic_load_explicit(&stream->failed, memory_order_relaxed);
}

/* Lap k starts on the first frame at or after k × length × host_rate / file_rate. */
uint64_t bl_sound_stream_next_seam(const bl_sound_stream *stream,
                                   uint64_t position) BL_NONBLOCKING {
    uint64_t file_rate = stream->file->sample_rate;
    uint64_t length = stream->file->frame_count * stream->host_rate;
    uint64_t lap = position * file_rate / length + 1;
    return (lap * length + file_rate - 1) / file_rate;
}

/* Fades available frames in, and the last sample before a gap out. */
static void cover(bl_sound_stream *stream, float *const *channels, uint32_t offset, uint32_t frames,
                  bool missing) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < stream->channel_count; channel += 1) {
        float *samples = channels[channel] + offset;
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            float present = missing ? 0 : samples[frame];
            samples[frame] = present * bl_ramp_value(&stream->presence, frame) +
                             stream->hold[channel] * bl_ramp_value(&stream->hold_gain, frame);
        }
    }
    bl_ramp_advance(&stream->presence, frames);
    bl_ramp_advance(&stream->hold_gain, frames);
}

/* Starts a gap: the present sound fades out; later sound fades in. */
static void begin_gap(bl_sound_stream *stream) BL_NONBLOCKING {
    stream->short_of_frames = true;
    stream->underruns += 1;
    memcpy(stream->hold, stream->last, sizeof stream->hold);
    bl_ramp_set(&stream->presence, 0);
    bl_ramp_set(&stream->hold_gain, 1);
    bl_ramp_start(&stream->hold_gain, 0, stream->fade_frames);
}

void bl_sound_stream_read(bl_sound_stream *stream, float *const *channels, uint32_t offset,
                          uint32_t frames) BL_NONBLOCKING {
    uint32_t there = bl_sound_stream_available(stream);
    there = there < frames ? there : frames;
    take(stream, channels, offset, there);
    if (there > 0) {
        if (stream->short_of_frames) {
            stream->short_of_frames = false;
            bl_ramp_start(&stream->presence, 1, stream->fade_frames);
        }
        if (stream->presence.remaining > 0 || stream->hold_gain.remaining > 0) {
            cover(stream, channels, offset, there, false);
        }
        for (uint32_t channel = 0; channel < stream->channel_count; channel += 1) {
            stream->last[channel] = channels[channel][offset + there - 1];
        }
    }
    if (there < frames) {
        stream->owed += frames - there;
        if (!stream->short_of_frames) {
            begin_gap(stream);
        }
        cover(stream, channels, offset + there, frames - there, true);
    }
}
