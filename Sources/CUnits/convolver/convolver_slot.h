/* A place for an impulse response in a unit: files come in from the control thread while the sound
 * goes on. The render thread prepares a new file, or another trim of the present one, a little
 * every BL_PARTITION_TICK frames, and crossfades to it when it is ready. Without a file the sound
 * passes unchanged. */
#pragma once

#include "backline/status.h"

#include "convolver/impulse_response.h"

typedef struct bl_convolver_slot {
    bool align;
    /* The control thread's own. */
    bl_impulse_response *response;
    double stretch;     /* how many times as long as in the file */
    double sample_rate; /* Hz; 0 while not allocated */
    uint32_t input_count, output_count;
    bl_swap_slot swap; /* of bl_convolution, whose forms are its engines; NULL: the sound passes */
    /* The render thread's own. */
    bool preparing; /* what is next; else it fades in */
    uint32_t now;   /* frames since the reset */
} bl_convolver_slot;

/* An empty place; `align` leaves out what comes before the sound of a file. [control] */
void bl_convolver_slot_begin(bl_convolver_slot *slot, bool align);

/* Reads another file; the former stays where that fails. [control] */
bl_status bl_convolver_slot_open(bl_convolver_slot *slot, const char *path, char *message,
                                 size_t message_size);
/* Makes the response last so much longer, and sound as much lower: "50 %" to "200 %". [control] */
bl_status bl_convolver_slot_stretch(bl_convolver_slot *slot, const char *text, char *message,
                                    size_t message_size);
/* Forgets the file. [control; not allocated] */
void bl_convolver_slot_close(bl_convolver_slot *slot);

/* Gets ready for so many channels, 1 or 2; false when memory is short. [control; not allocated] */
bool bl_convolver_slot_allocate(bl_convolver_slot *slot, double sample_rate, uint32_t input_count,
                                uint32_t output_count);
void bl_convolver_slot_deallocate(bl_convolver_slot *slot);

/* Prepares the newest file, trimmed like this, and forgets what came in. [render or idle] */
void bl_convolver_slot_reset(bl_convolver_slot *slot, const bl_response_trim *trim) BL_NONBLOCKING;

/* At most `frames` frames that may be processed at once. [render] */
uint32_t bl_convolver_slot_frames(const bl_convolver_slot *slot, uint32_t frames) BL_NONBLOCKING;

/* Convolves so many frames, as wide as allocated; outputs may not lie where inputs do. [render] */
void bl_convolver_slot_process(bl_convolver_slot *slot, const bl_response_trim *trim,
                               const float *const *inputs, float *const *outputs,
                               uint32_t frames) BL_NONBLOCKING;

/* Seconds that the response lasts. [render or idle] */
double bl_convolver_slot_tail(const bl_convolver_slot *slot) BL_NONBLOCKING;
