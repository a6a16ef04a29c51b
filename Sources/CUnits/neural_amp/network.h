/* Computes a plan of convolutions (plan.h), for one or two channels of sound.
 *
 * Eight frames go through side by side, so that each frame is computed by the same sums in the same
 * order however time is cut. Up to BL_AMP_CHUNK frames go from layer to layer at a time. */
#pragma once

#include "backline/attributes.h"
#include "neural_amp/plan.h"

enum {
    BL_AMP_CHUNK = 64,              /* frames */
    BL_AMP_LARGEST_STATE = 1 << 20, /* floats: a reset writes them all, and may be in a cycle */
    BL_AMP_SOUND_CHANNELS = 2
};

typedef struct bl_amp_network bl_amp_network;

/* `multiple`: how many times as fast as the model the sound is; the layers' delays grow with it.
   NULL when memory is short, or would be. [control] */
bl_amp_network *bl_amp_network_create(const bl_amp_plan *plan, uint32_t multiple,
                                      uint32_t channel_count);
void bl_amp_network_destroy(bl_amp_network *network);

/* As after silence that has always lasted. [render or idle] */
void bl_amp_network_reset(bl_amp_network *network) BL_NONBLOCKING;
/* Frames after which an input is forgotten. */
uint32_t bl_amp_network_reach(const bl_amp_network *network) BL_NONBLOCKING;
/* At most `frames` frames that one call of process may have. [render] */
uint32_t bl_amp_network_frames(const bl_amp_network *network, uint32_t channel,
                               uint32_t frames) BL_NONBLOCKING;
/* Output and input may be the same. [render] */
void bl_amp_network_process(bl_amp_network *network, uint32_t channel, const float *input,
                            float *output, uint32_t frames) BL_NONBLOCKING;
