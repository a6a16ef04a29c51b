/* A playing stream: started and stopped without clicks, and ended at the end of its lap. */
#pragma once

#include "player/player_stream.h"

typedef struct bl_player_voice {
    bl_sound_stream *stream; /* NULL for silence */
    bool playing;            /* the target; the envelope follows */
    bool ended;              /* played once, now at its first frame */
    bl_ramp envelope;        /* 0 to 1 */
    uint64_t position;       /* frames of the stream played, across laps */
    uint64_t lap_start;      /* start of the present lap in these ... */
    uint64_t seam;           /* ... and its end */
} bl_player_voice;

/* Stops at the first frame of `stream`; a start there needs no fade. [render or idle] */
void bl_player_voice_begin(bl_player_voice *voice, bl_sound_stream *stream,
                           bool playing) BL_NONBLOCKING;
/* Starts it at its position, or stops it there with a short fade. [render] */
void bl_player_voice_set_playing(bl_player_voice *voice, bool playing) BL_NONBLOCKING;
/* Whether it stays silent until it is started. [render] */
bool bl_player_voice_is_silent(const bl_player_voice *voice) BL_NONBLOCKING;
/* Writes `frames` frames to `channels`[c] + offset, one for each channel of the bus. [render] */
void bl_player_voice_render(bl_player_voice *voice, bool loop, float *const *channels,
                            uint32_t channel_count, uint32_t offset,
                            uint32_t frames) BL_NONBLOCKING;
