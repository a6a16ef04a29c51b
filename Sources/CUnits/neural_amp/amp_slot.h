/* The place of a model in the unit: files come in from the control thread while the sound goes on.
 * Another model, or another size of the present one, hears the sound until it has heard as much as
 * it remembers, and then fades in. Without a file the sound passes unchanged. */
#pragma once

#include "backline/ramp.h"
#include "backline/status.h"

#include "neural_amp/model.h"

/* How loud a model is made. */
typedef enum bl_amp_output {
    BL_AMP_OUTPUT_AS_IS,
    BL_AMP_OUTPUT_LOUDNESS,  /* -18 dB for the standard input, by the file's loudness */
    BL_AMP_OUTPUT_CALIBRATED /* as loud as the device was, by the levels in dBu */
} bl_amp_output;

typedef struct bl_amp_settings {
    bl_amp_size size;
    bl_amp_output output;
    bool calibrates;  /* the input, by the file's level in dBu */
    float full_scale; /* dBu of a sine that is full scale at the interface's input */
} bl_amp_settings;

/* Factors. */
typedef struct bl_amp_gains {
    bl_ramp input, output;
} bl_amp_gains;

/* Some frames of each channel. */
typedef float bl_amp_block[BL_AMP_SOUND_CHANNELS][BL_AMP_CHUNK];

typedef struct bl_amp_slot {
    /* The control thread's own. */
    bl_amp_file *file;
    double sample_rate; /* Hz; 0 while not allocated */
    uint32_t channel_count;
    bl_swap_slot swap; /* of bl_amp_model, whose forms are its sizes; NULL: the sound passes */
    /* The render thread's own. */
    bl_amp_gains gains, next_gains;
    uint32_t listening; /* frames that the next only listens before it fades in */
} bl_amp_slot;

/* Reads another file; the former stays where that fails. [control] */
bl_status bl_amp_slot_open(bl_amp_slot *slot, const char *path, char *message, size_t message_size);
/* Forgets the file. [control; not allocated] */
void bl_amp_slot_close(bl_amp_slot *slot);

/* Gets ready for so many channels, 1 or 2; false when memory is short. [control; not allocated] */
bool bl_amp_slot_allocate(bl_amp_slot *slot, double sample_rate, uint32_t channel_count);
void bl_amp_slot_deallocate(bl_amp_slot *slot);

/* Forgets what came in. [render or idle] */
void bl_amp_slot_reset(bl_amp_slot *slot, const bl_amp_settings *settings) BL_NONBLOCKING;
/* Looks for another model or size, and answers how many frames, `frames` at most, may be processed
   at once. [render] */
uint32_t bl_amp_slot_frames(bl_amp_slot *slot, const bl_amp_settings *settings,
                            uint32_t frames) BL_NONBLOCKING;
/* [render] */
void bl_amp_slot_process(bl_amp_slot *slot, const bl_amp_settings *settings, bl_amp_block input,
                         bl_amp_block output, uint32_t frames) BL_NONBLOCKING;

/* Fades what goes beside the model as the model fades: from `sound`, which it changes, to `next`.
   Before the process of the same frames. [render] */
void bl_amp_slot_fade(const bl_amp_slot *slot, float *sound, const float *next,
                      uint32_t frames) BL_NONBLOCKING;
/* The latency of the model that fades in, or of the only one. [render] */
uint32_t bl_amp_slot_next_latency(const bl_amp_slot *slot) BL_NONBLOCKING;

/* Frames by which the sound comes later, and after which it is forgotten. [render or idle] */
uint32_t bl_amp_slot_latency(const bl_amp_slot *slot) BL_NONBLOCKING;
uint32_t bl_amp_slot_reach(const bl_amp_slot *slot) BL_NONBLOCKING;
