/* The render function of effects with an oscillator that keeps to the host's beats. */
#ifndef BACKLINE_SYNCED_EFFECT_H
#define BACKLINE_SYNCED_EFFECT_H

#include "base/effect.h"
#include "dsp/beat_lfo.h"

/* Defines `render` for a STRUCTURE with a bl_unit_base `base` and a bl_beat_lfo `lfo`. */
#define BL_SYNCED_EFFECT_RENDER(STRUCTURE, APPLY, PROCESS)                                         \
    static bl_status render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,          \
                            uint32_t frames, uint32_t bus, bl_buffers *output,                     \
                            const bl_event *events, const bl_render_host *host) BL_NONBLOCKING {   \
        STRUCTURE *synced = (STRUCTURE *)unit;                                                     \
        bl_turns_listen(&synced->lfo.turns, host, &synced->base.quarter);                          \
        return bl_effect_render(unit, flags, timestamp, frames, bus, output, events, host, APPLY,  \
                                PROCESS);                                                          \
    }

#endif
