/* JACK's transport: reads position, tempo and beat, and writes them where this client is timebase
 * master. */
#ifndef BACKLINE_JACK_TRANSPORT_H
#define BACKLINE_JACK_TRANSPORT_H

#include "backline/musical_context.h"
#include "jack_library.h"

typedef struct bl_jack_transport {
    bl_musical_context context;
    bl_transport_state transport;
    uint32_t expected_frame; /* where the transport is if nothing happens to it */

    /* Our own count, where nobody else's goes before it: a new tempo goes on from the beat that is,
       and after a jump the beats are counted from the beginning. */
    double tempo; /* beats per minute; 0 before the first cycle */
    uint32_t anchor_frame;
    double anchor_beat;
    bool is_requested;    /* JACK has asked for the position since the last read */
    bool follows_another; /* what was read last came from another timebase master */
} bl_jack_transport;

/* Asks the transport at the beginning of a cycle of `frames` frames. Where no other client is
   timebase master there are four quarter notes a bar, `tempo` of them a minute; `is_master`: are
   we? [render] */
void bl_jack_read_transport(bl_jack_transport *music, const bl_jack_library *library,
                            jack_client_t *client, uint32_t frames, double tempo,
                            bool is_master) BL_JACK_NONBLOCKING;

/* Fills in bar, beat and tick at a position's frame, by our own count. [render] */
void bl_jack_write_beats(bl_jack_transport *music, jack_position_t *position) BL_JACK_NONBLOCKING;

#endif
