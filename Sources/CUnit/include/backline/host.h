/* What a host offers a unit while it renders: input, MIDI output, tempo and transport. */
#ifndef BACKLINE_HOST_H
#define BACKLINE_HOST_H

#include <stdint.h>

#include "attributes.h"
#include "buffer.h"
#include "musical_context.h"
#include "status.h"
#include "timestamp.h"

struct bl_notice;

/* A render call's host. Never null; owned by the host, valid for the render call. */
typedef struct bl_render_host {
    uint32_t size; /* bytes of this structure, to which later versions may append members */

    /* The input busses of this cycle that are ready, so that a unit need not pull them: one entry
       for each bus. `channels` is null for a bus that must be pulled, such as one that nothing
       feeds. The samples may be read only, except where a pointer equals the unit's own output
       pointer of that channel. NULL: every bus must be pulled. */
    const bl_buffers *inputs;

    void *context; /* the first argument of the functions */

    /* Fetches input bus `bus` for this cycle (buffer.h has the rules). `timestamp` and `frames` are
       the cycle's own; a second call in the cycle gives the same samples. Returns BL_OK, or
       BL_ERROR_NO_CONNECTION with silence. [render]

       An offline effect pulls any frames of its input, up to maximum_frames at a time; before the
       first frame and after the last there is silence. The pointers are valid until its next pull,
       and none of its output pointers is offered. Any other status ends the rendering: the effect
       returns it. [render, or in preflight] */
    bl_status (*pull_input)(void *context, uint32_t flags, const bl_timestamp *timestamp,
                            uint32_t frames, uint32_t bus, bl_buffers *input) BL_NONBLOCKING;

    /* Sends a whole MIDI message, its status byte first, from the unit's output `cable`; system
       exclusive with its 0xF0 and 0xF7. `sample_time` lies in this cycle and is not before that of
       the message sent last. The bytes are copied. Returns BL_OK, BL_ERROR_NO_CONNECTION when the
       output is not connected, BL_ERROR_INVALID_PROPERTY_VALUE for bytes that are not one message,
       or BL_ERROR_OUT_OF_MEMORY when this cycle has no more room. [render] */
    bl_status (*send_midi)(void *context, int64_t sample_time, uint8_t cable, uint32_t length,
                           const uint8_t *bytes) BL_NONBLOCKING;

    /* The musical context at the cycle's first frame; null if the host has none. */
    const bl_musical_context *musical_context;
    const bl_transport_state *transport_state;

    /* Counts events that the unit had no room for; the host reports them. NULL: the host does not.
       [render] */
    void (*note_lost)(void *context, uint64_t count) BL_NONBLOCKING;

    /* Receives a notice of the unit; notice.h has the notices, and functions that make them. The
       notice's values are copied. NULL: the host does not listen. [render] */
    void (*notify)(void *context, const struct bl_notice *notice) BL_NONBLOCKING;
} bl_render_host;

#endif
