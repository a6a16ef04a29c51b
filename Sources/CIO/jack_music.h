/* Where the music stands, as JACK's transport has it. */
#ifndef BACKLINE_JACK_MUSIC_H
#define BACKLINE_JACK_MUSIC_H

#include "backline/musical_context.h"
#include "jack_library.h"

typedef struct bl_jack_music {
    bl_musical_context context;
    bl_transport_state transport;
    uint32_t expected_frame; /* where the transport is if nothing happens to it */
} bl_jack_music;

/* Asks the transport at the beginning of a cycle of `frames` frames. Where no client is timebase
   master there are four quarter notes a bar, `tempo` of them a minute. [render] */
void bl_jack_read_music(bl_jack_music *music, const bl_jack_library *library, jack_client_t *client,
                        uint32_t frames, double tempo) BL_JACK_NONBLOCKING;

#endif
