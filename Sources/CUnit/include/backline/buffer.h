/* The buffers that hosts and units exchange.
 *
 * Samples are 32-bit floats, full scale ±1, one pointer a channel (never interleaved). Pointers
 * are aligned to four bytes and no more: a cycle may begin in the middle of a host's buffer.
 *
 * Output: the host's pointers say where to write. The unit replaces a null pointer by one to
 * memory of its own, which stays valid until the next cycle; until then the host may write into it
 * (to fade, to mute).
 *
 * Input: the unit offers pull_input non-null pointers (its output pointers will do, once none is
 * null). The host fills that memory or replaces the pointers with its own, valid until the next
 * cycle. After the pull the unit may only read the memory, except where the pointer equals its own
 * output pointer.
 */
#ifndef BACKLINE_BUFFER_H
#define BACKLINE_BUFFER_H

#include <stdint.h>

/* The most channels that one bus can have. */
#define BL_MAXIMUM_CHANNELS 32

/* One bus's audio for one cycle: channels × frames. */
typedef struct bl_buffers {
    uint32_t channel_count;
    float **channels;
} bl_buffers;

#endif
