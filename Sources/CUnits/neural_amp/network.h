/* Computes a plan of convolutions (plan.h), for one or two channels of sound.
 *
 * Eight frames are processed side by side, each by the same sums in the same order for any cycle
 * lengths. Up to BL_AMP_CHUNK frames pass from layer to layer at a time.
 */
#pragma once

#include "backline/attributes.h"
#include "neural_amp/plan.h"

enum {
    BL_AMP_CHUNK = 64,              /* frames */
    BL_AMP_LARGEST_STATE = 1 << 20, /* floats: a reset, possibly in a cycle, writes them all */
    BL_AMP_SOUND_CHANNELS = 2
};

typedef struct bl_amp_network bl_amp_network;

/* Creates a network. `multiple`: the sound's rate over the model's; the layers' delays grow with
   it. NULL when memory is short, or would be. [control] */
bl_amp_network *bl_amp_network_create(const bl_amp_plan *plan, uint32_t multiple,
                                      uint32_t channel_count);
void bl_amp_network_destroy(bl_amp_network *network);

/* Resets to the state after endless silence. [render or idle] */
void bl_amp_network_reset(bl_amp_network *network) BL_NONBLOCKING;
/* Frames after which an input has no more effect. */
uint32_t bl_amp_network_reach(const bl_amp_network *network) BL_NONBLOCKING;
/* Frames, up to `frames`, for one call of process. [render] */
uint32_t bl_amp_network_frames(const bl_amp_network *network, uint32_t channel,
                               uint32_t frames) BL_NONBLOCKING;
/* Processes frames; output and input may be the same. [render] */
void bl_amp_network_process(bl_amp_network *network, uint32_t channel, const float *input,
                            float *output, uint32_t frames) BL_NONBLOCKING;
