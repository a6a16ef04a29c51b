/* Where the music stands in a stretch of a cycle. */
#ifndef BACKLINE_KERNEL_MUSIC_H
#define BACKLINE_KERNEL_MUSIC_H

#include "kernel/kernel.h"

typedef struct bl_music {
    bl_musical_context context;
    bl_transport_state transport;
} bl_music;

/* Works out where the music stands `offset` frames into the cycle; the beats move with the
   transport alone. Leaves out what the cycle does not know of. [render] */
void bl_music_at(bl_music *music, const bl_cycle *cycle, uint32_t offset,
                 double sample_rate) BL_NONBLOCKING;

#endif
