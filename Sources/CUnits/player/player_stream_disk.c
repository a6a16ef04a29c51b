/* The disk side of a stream. */
#include "player/player_stream.h"

/* Milliseconds between two checks: half the length of the head, a quarter of the ring. */
enum { REST = 250 };

/* Mixes the file's channels down to the stream's, in place. */
static void fold(const bl_sound_stream *stream, float *samples, uint32_t frames) {
    uint32_t from = stream->file->channel_count;
    uint32_t to = stream->channel_count;
    if (from == to) {
        return;
    }
    float share = 1.0f / (float)(int32_t)from;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        const float *source = samples + (size_t)frame * from;
        float *target = samples + (size_t)frame * to;
        if (to == 1) {
            float sum = 0;
            for (uint32_t channel = 0; channel < from; channel += 1) {
                sum += source[channel];
            }
            target[0] = sum * share;
        } else {
            for (uint32_t channel = 0; channel < to; channel += 1) {
                target[channel] = source[channel];
            }
        }
    }
}

/* Resamples the file's next frames; at most BL_SOUND_CHUNK, perhaps none yet. The converter sees
   one endless signal, including seams, and its first output frame is at its first input frame. */
static uint32_t resample(bl_sound_stream *stream) {
    if (stream->input_position == stream->input_count) {
        bl_sound_file_read(stream->file, stream->input, BL_SOUND_CHUNK);
        fold(stream, stream->input, BL_SOUND_CHUNK);
        stream->input_position = 0;
        stream->input_count = BL_SOUND_CHUNK;
    }
    SRC_DATA work = {
        .data_in = stream->input + (size_t)stream->input_position * stream->channel_count,
        .data_out = stream->produced,
        .input_frames = stream->input_count - stream->input_position,
        .output_frames = BL_SOUND_CHUNK,
        .src_ratio = stream->ratio,
    };
    if (src_process(stream->resampler, &work) != 0) {
        atomic_store_explicit(&stream->failed, true, memory_order_relaxed);
        return 0;
    }
    stream->input_position += (uint32_t)work.input_frames_used;
    return (uint32_t)work.output_frames_gen;
}

/* Stores the stream's start in the head, skips it when it is produced again after a reset, and
   writes the rest to the ring. */
static void keep(bl_sound_stream *stream, uint32_t frames) {
    uint32_t channels = stream->channel_count, most = stream->head_frames - stream->begun;
    uint32_t early = frames < most ? frames : most, end = stream->begun + early;
    uint32_t filled = atomic_load_explicit(&stream->head_filled, memory_order_relaxed);
    for (uint32_t frame = filled; frame < end; frame += 1) {
        const float *samples = stream->produced + (size_t)(frame - stream->begun) * channels;
        for (uint32_t channel = 0; channel < channels; channel += 1) {
            stream->head[(size_t)channel * stream->head_frames + frame] = samples[channel];
        }
    }
    if (end > filled) {
        atomic_store_explicit(&stream->head_filled, end, memory_order_release);
    }
    stream->begun = end;
    bl_frame_ring_write(&stream->ring, stream->produced + (size_t)early * channels, frames - early);
}

/* Adds up to BL_SOUND_CHUNK frames to the head or the ring, which must have room. */
static void produce(bl_sound_stream *stream) {
    uint32_t frames = BL_SOUND_CHUNK;
    if (stream->resampler != NULL) {
        frames = resample(stream);
    } else {
        bl_sound_file_read(stream->file, stream->produced, frames);
        fold(stream, stream->produced, frames);
    }
    keep(stream, frames);
}

static void follow_reset(bl_sound_stream *stream) {
    uint32_t generation;
    if (!bl_frame_ring_is_restarted(&stream->ring, &generation)) {
        return;
    }
    bl_sound_file_seek(stream->file, 0);
    stream->begun = 0;
    stream->input_position = stream->input_count;
    if (stream->resampler != NULL) {
        src_reset(stream->resampler);
    }
    bl_frame_ring_begin(&stream->ring, generation);
}

int32_t bl_sound_stream_read_ahead(void *context) {
    bl_sound_stream *stream = context;
    follow_reset(stream);
    if (bl_frame_ring_room(&stream->ring) < BL_SOUND_CHUNK) {
        return REST;
    }
    produce(stream);
    return bl_sound_stream_has_failed(stream) ? BL_DISK_NEVER : BL_DISK_AT_ONCE;
}
