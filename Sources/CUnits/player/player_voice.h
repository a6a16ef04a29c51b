/* One stream as it sounds: started and stopped without clicks, and ended where its lap ends. */
#pragma once

#include "player/player_stream.h"

typedef struct bl_player_voice {
    bl_sound_stream *stream; /* NULL: silence */
    bool playing;            /* the target; the envelope follows */
    bool ended;              /* played once, and waiting on its first frame */
    bl_ramp envelope;        /* 0 to 1 */
    uint64_t position;       /* frames of the stream played, laps and all */
    uint64_t lap_start;      /* where in these the present lap began ... */
    uint64_t seam;           /* ... and where it ends */
} bl_player_voice;

/* Stands on the first frame of `stream`; nothing fades when it starts there. [render or idle] */
void bl_player_voice_begin(bl_player_voice *voice, bl_sound_stream *stream,
                           bool playing) BL_NONBLOCKING;
/* Starts it where it stands or, with a short fade, stops it there. [render] */
void bl_player_voice_set_playing(bl_player_voice *voice, bool playing) BL_NONBLOCKING;
/* Silent until told otherwise? [render] */
bool bl_player_voice_is_silent(const bl_player_voice *voice) BL_NONBLOCKING;
/* Writes `frames` frames to `channels`[c] + offset, one for each channel of the bus. [render] */
void bl_player_voice_render(bl_player_voice *voice, bool loop, float *const *channels,
                            uint32_t channel_count, uint32_t offset,
                            uint32_t frames) BL_NONBLOCKING;
