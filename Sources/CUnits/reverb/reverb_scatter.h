/* Rough walls: a hall's first reflections are spread over some 20 ms by all-passes in series (M. R.
   Schroeder, "Natural sounding artificial reverberation", 1962), so that twelve reflections are as
   dense as the tail and have no colour. Each is a rotation, which has no gain while its angle or
   its length moves. */
#pragma once

#include "reverb/reverb_tank.h"

/* Filters each input with its all-passes, into a ring that the reflections are read from. */
BL_INLINE void bl_reverb_scatter(bl_reverb_unit *reverb,
                                 const bl_reverb_stretch *now) BL_NONBLOCKING {
    uint32_t frames = now->frames, mask = reverb->scatter_mask;
    float cosine[BL_REVERB_CHUNK], sine[BL_REVERB_CHUNK];
    bl_reverb_fill_angle(reverb, cosine, sine, frames);
    for (uint32_t channel = 0; channel < now->input_channels; channel += 1) {
        float sound[BL_REVERB_CHUNK];
        bl_hadamard_channel old[BL_REVERB_SCATTERS];
        float *rings = reverb->scatter_rings + (size_t)channel * BL_REVERB_SCATTERS * (mask + 1);
        bl_reverb_read_rings(reverb, now, rings, mask, BL_REVERB_SCATTERS,
                             reverb->geometry.scatters, reverb->next.scatters, old);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            sound[frame] = now->dry[channel][frame];
        }
        for (uint32_t index = 0; index < BL_REVERB_SCATTERS; index += 1) {
            float *BL_RESTRICT kept = old[index];
            for (uint32_t frame = 0; frame < frames; frame += 1) {
                float late = kept[frame], fresh = sound[frame];
                sound[frame] = cosine[frame] * late + sine[frame] * fresh;
                kept[frame] = cosine[frame] * fresh - sine[frame] * late;
            }
        }
        bl_reverb_write_rings(reverb, now, rings, mask, BL_REVERB_SCATTERS, old);
        float from = reverb->geometry.scattered;
        float way = now->fades ? reverb->next.scattered - from : 0;
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            float share = way == 0 ? from : from + way * now->share[frame];
            sound[frame] =
                now->dry[channel][frame] + share * (sound[frame] - now->dry[channel][frame]);
        }
        bl_ring_write(reverb->early_rings + (size_t)channel * (reverb->input_mask + 1),
                      reverb->input_mask, &reverb->clock, sound, frames);
    }
}
