#include "player/player_voice.h"

/* Frames. A resampled file's start rings slightly into its end; when played once, that is faded
   out. */
static const uint32_t end_fade_frames = 64;

void bl_player_voice_begin(bl_player_voice *voice, bl_sound_stream *stream,
                           bool playing) BL_NONBLOCKING {
    voice->stream = stream;
    voice->playing = playing;
    voice->ended = false;
    voice->position = 0;
    voice->lap_start = 0;
    voice->seam = stream != NULL ? bl_sound_stream_next_seam(stream, 0) : 0;
    bl_ramp_set(&voice->envelope, playing ? 1 : 0);
}

bool bl_player_voice_is_silent(const bl_player_voice *voice) BL_NONBLOCKING {
    bool closed = voice->envelope.remaining == 0 && voice->envelope.target == 0;
    return voice->stream == NULL || voice->ended || closed;
}

void bl_player_voice_set_playing(bl_player_voice *voice, bool playing) BL_NONBLOCKING {
    voice->playing = playing;
    /* The file's first frame needs no fade. */
    if (voice->stream == NULL || voice->ended || voice->position == 0 ||
        (bl_player_voice_is_silent(voice) && voice->position == voice->lap_start)) {
        bl_ramp_set(&voice->envelope, playing ? 1 : 0);
    } else {
        bl_ramp_start(&voice->envelope, playing ? 1 : 0, voice->stream->fade_frames);
    }
    voice->ended = false;
}

/* Frames, up to `frames`, in which nothing changes but the envelope. */
static uint32_t next_run(bl_player_voice *voice, bool loop, uint32_t frames) BL_NONBLOCKING {
    bl_ramp *envelope = &voice->envelope;
    uint64_t left = voice->seam - voice->position;
    uint64_t run = frames < left ? frames : left;
    if (!loop && voice->playing && voice->stream->resampler != NULL && envelope->target == 1) {
        if (left <= end_fade_frames) {
            bl_ramp_start(envelope, 0, (uint32_t)left);
        } else if (left - end_fade_frames < run) {
            run = left - end_fade_frames;
        }
    }
    if (envelope->remaining > 0 && envelope->remaining < run) {
        run = envelope->remaining;
    }
    return (uint32_t)run;
}

/* The end of a lap: plays the next, or stops on its first frame. */
static void pass_seam(bl_player_voice *voice, bool loop) BL_NONBLOCKING {
    voice->lap_start = voice->seam;
    voice->seam = bl_sound_stream_next_seam(voice->stream, voice->position);
    if (!loop) {
        voice->ended = true;
        bl_ramp_set(&voice->envelope, voice->playing ? 1 : 0);
    } else if (voice->playing && voice->envelope.target == 0) {
        /* The loop was switched on again while the end was fading. */
        bl_ramp_start(&voice->envelope, 1, voice->stream->fade_frames);
    }
}

static void follow_envelope(bl_player_voice *voice, float *const *channels, uint32_t channel_count,
                            uint32_t offset, uint32_t frames) BL_NONBLOCKING {
    if (voice->envelope.remaining == 0 && voice->envelope.target == 1) {
        return;
    }
    for (uint32_t channel = 0; channel < channel_count; channel += 1) {
        float *samples = channels[channel] + offset;
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            samples[frame] *= bl_ramp_value(&voice->envelope, frame);
        }
    }
    bl_ramp_advance(&voice->envelope, frames);
}

/* Spreads the stream's channels to the bus's: one serves all, those without a source are silent. */
static void spread(uint32_t from, float *const *channels, uint32_t channel_count, uint32_t offset,
                   uint32_t frames) BL_NONBLOCKING {
    for (uint32_t channel = from; channel < channel_count; channel += 1) {
        float *samples = channels[channel] + offset;
        if (from == 1) {
            memcpy(samples, channels[0] + offset, frames * sizeof(float));
        } else {
            memset(samples, 0, frames * sizeof(float));
        }
    }
}

void bl_player_voice_render(bl_player_voice *voice, bool loop, float *const *channels,
                            uint32_t channel_count, uint32_t offset,
                            uint32_t frames) BL_NONBLOCKING {
    while (frames > 0) {
        uint32_t run = frames;
        if (bl_player_voice_is_silent(voice)) {
            spread(0, channels, channel_count, offset, run);
        } else {
            uint32_t stream_channels = voice->stream->channel_count;
            run = next_run(voice, loop, frames);
            bl_sound_stream_read(voice->stream, channels, offset, run);
            follow_envelope(voice, channels, stream_channels, offset, run);
            spread(stream_channels, channels, channel_count, offset, run);
            voice->position += run;
            if (voice->position == voice->seam) {
                pass_seam(voice, loop);
            }
        }
        offset += run;
        frames -= run;
    }
}
