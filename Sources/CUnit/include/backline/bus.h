/* The busses of a unit: where audio enters and leaves it. */
#ifndef BACKLINE_BUS_H
#define BACKLINE_BUS_H

#include <stdint.h>

enum {
    /* The unit works with nothing connected to this bus. Beside an input bus that is not optional,
       such a bus is a sidechain: it controls the sound and is not heard. Channel capabilities do
       not count sidechains; a sidechain has any count from 1 to its default_channel_count, as its
       source has. If all input busses are optional, as a mixer's are, none is a sidechain. */
    BL_BUS_OPTIONAL = 1 << 0
};

/* One input or output bus as the unit declares it. */
typedef struct bl_bus_info {
    /* The bus's name in rack files ("input", "sidechain"); unique among the unit's busses. */
    const char *name;
    /* The channel count unless the host asks for another, 1 to BL_MAXIMUM_CHANNELS; the highest
       count of a sidechain. */
    uint32_t default_channel_count;
    uint32_t flags;
} bl_bus_info;

/* Channel counts that the unit's busses, sidechains left out, can have together. -1: any count, the
   same on both sides if both are -1. -2: any count, independent of the other side. */
typedef struct bl_channel_capability {
    int16_t input;
    int16_t output;
} bl_channel_capability;

/* The formats that the host has chosen before allocate_render_resources. The arrays last as long as
 * that call. */
typedef struct bl_render_configuration {
    double sample_rate;      /* Hz */
    uint32_t maximum_frames; /* the longest cycle, frames */
    uint32_t input_bus_count;
    uint32_t output_bus_count;
    const uint32_t *input_channel_counts;  /* one per bus */
    const uint32_t *output_channel_counts; /* one per bus */
} bl_render_configuration;

#endif
