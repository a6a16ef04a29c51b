/* Peak and power of a channel, and with the same pass: is every sample finite? */
#ifndef BACKLINE_KERNEL_METER_H
#define BACKLINE_KERNEL_METER_H

#include <stdbool.h>
#include <stdint.h>

#include "backline/attributes.h"

/* One channel since its last report. */
typedef struct bl_meter {
    float peak;
    double sum_of_squares;
    uint32_t frames;
} bl_meter;

/* Adds `frames` frames of each channel to its meter; false, with the meters as they were, when any
   sample is NaN or infinite. [render] */
bool bl_meter_add(bl_meter *meters, float *const *channels, uint32_t channel_count,
                  uint32_t frames) BL_NONBLOCKING;

#endif
