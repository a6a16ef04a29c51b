/* A slot for an impulse response in a unit: files arrive from the control thread while the sound
   continues. The render thread prepares a new file, or another trim of the present one, a little
   every BL_PARTITION_TICK frames, and crossfades to it when it is ready. Without a file the sound
   passes unchanged. */
#pragma once

#include "backline/status.h"

#include "convolver/impulse_response.h"

typedef struct bl_convolver_slot {
    bool align;
    /* The control thread's fields. */
    bl_impulse_response *response;
    double stretch;     /* length as a multiple of the file's */
    double sample_rate; /* Hz; 0 while not allocated */
    uint32_t input_count, output_count;
    bl_swap_slot swap; /* a bl_convolution; its forms: engines; NULL: dry */
    /* The render thread's fields. */
    bool preparing; /* the next one is being prepared; else it fades in */
    uint32_t now;   /* frames since the reset */
} bl_convolver_slot;

/* Creates an empty slot; `align` removes the silence at a file's start. [control] */
void bl_convolver_slot_begin(bl_convolver_slot *slot, bool align);

/* Reads another file; on failure the old one stays. [control] */
bl_status bl_convolver_slot_open(bl_convolver_slot *slot, const char *path, char *message,
                                 size_t message_size);
/* Stretches the response in time, which lowers its pitch: "50 %" to "200 %". [control] */
bl_status bl_convolver_slot_stretch(bl_convolver_slot *slot, const char *text, char *message,
                                    size_t message_size);
/* Removes the file. [control; not allocated] */
void bl_convolver_slot_close(bl_convolver_slot *slot);

/* Allocates for 1 or 2 channels; false when memory is short. [control; not allocated] */
bool bl_convolver_slot_allocate(bl_convolver_slot *slot, double sample_rate, uint32_t input_count,
                                uint32_t output_count);
void bl_convolver_slot_deallocate(bl_convolver_slot *slot);

/* Prepares the newest file with this trim, and clears the input. [render or idle] */
void bl_convolver_slot_reset(bl_convolver_slot *slot, const bl_response_trim *trim) BL_NONBLOCKING;

/* Frames, up to `frames`, that may be processed at once. [render] */
uint32_t bl_convolver_slot_frames(const bl_convolver_slot *slot, uint32_t frames) BL_NONBLOCKING;

/* Convolves `frames` frames, with the allocated channels; outputs may not overlap inputs.
   [render] */
void bl_convolver_slot_process(bl_convolver_slot *slot, const bl_response_trim *trim,
                               const float *const *inputs, float *const *outputs,
                               uint32_t frames) BL_NONBLOCKING;

/* The length of the response, seconds. [render or idle] */
double bl_convolver_slot_tail(const bl_convolver_slot *slot) BL_NONBLOCKING;
