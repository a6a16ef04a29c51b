/* A slot for a model in the unit: files arrive from the control thread while the sound continues.
   Another model, or another size of the present one, receives the sound for as long as it
   remembers, and then fades in. Without a file the sound passes unchanged. */
#pragma once

#include "backline/ramp.h"
#include "backline/status.h"

#include "neural_amp/model.h"

/* The normalization of a model's level. */
typedef enum bl_amp_output {
    BL_AMP_OUTPUT_AS_IS,
    BL_AMP_OUTPUT_LOUDNESS,  /* -18 dB for the standard input, by the file's loudness */
    BL_AMP_OUTPUT_CALIBRATED /* the device's level, by the levels in dBu */
} bl_amp_output;

typedef struct bl_amp_settings {
    bl_amp_size size;
    bl_amp_output output;
    bool calibrates;  /* scales the input by the file's level in dBu */
    float full_scale; /* dBu of a sine that is full scale at the interface's input */
} bl_amp_settings;

/* Gain factors. */
typedef struct bl_amp_gains {
    bl_ramp input, output;
} bl_amp_gains;

/* A few frames of each channel. */
typedef float bl_amp_block[BL_AMP_SOUND_CHANNELS][BL_AMP_CHUNK];

typedef struct bl_amp_slot {
    /* The control thread's fields. */
    bl_amp_file *file;
    double sample_rate; /* Hz; 0 while not allocated */
    uint32_t channel_count;
    bl_swap_slot swap; /* slot of bl_amp_model, whose forms are its sizes; NULL: passes the sound */
    /* The render thread's fields. */
    bl_amp_gains gains, next_gains;
    uint32_t listening; /* frames that the next model receives before it fades in */
} bl_amp_slot;

/* Reads another file; on failure the old one stays. [control] */
bl_status bl_amp_slot_open(bl_amp_slot *slot, const char *path, char *message, size_t message_size);
/* Removes the file. [control; not allocated] */
void bl_amp_slot_close(bl_amp_slot *slot);

/* Allocates for 1 or 2 channels; false when memory is short. [control; not allocated] */
bool bl_amp_slot_allocate(bl_amp_slot *slot, double sample_rate, uint32_t channel_count);
void bl_amp_slot_deallocate(bl_amp_slot *slot);

/* Clears the state. [render or idle] */
void bl_amp_slot_reset(bl_amp_slot *slot, const bl_amp_settings *settings) BL_NONBLOCKING;
/* Checks for another model or size, and returns the number of frames, `frames` at most, that may be
   processed at once. [render] */
uint32_t bl_amp_slot_frames(bl_amp_slot *slot, const bl_amp_settings *settings,
                            uint32_t frames) BL_NONBLOCKING;
/* [render] */
void bl_amp_slot_process(bl_amp_slot *slot, const bl_amp_settings *settings, bl_amp_block input,
                         bl_amp_block output, uint32_t frames) BL_NONBLOCKING;

/* Fades a parallel sound together with the model: from `sound`, which it changes, to `next`. Call
   it before the process of the same frames. [render] */
void bl_amp_slot_fade(const bl_amp_slot *slot, float *sound, const float *next,
                      uint32_t frames) BL_NONBLOCKING;
/* The latency of the model that fades in, or of the only one. [render] */
uint32_t bl_amp_slot_next_latency(const bl_amp_slot *slot) BL_NONBLOCKING;

/* The latency, and the time after which the input has no more effect, frames. [render or idle] */
uint32_t bl_amp_slot_latency(const bl_amp_slot *slot) BL_NONBLOCKING;
uint32_t bl_amp_slot_reach(const bl_amp_slot *slot) BL_NONBLOCKING;
