/* A .nam file: a model of an amplifier or a pedal by the Neural Amp Modeler, versions 0.5.0 to 0.7,
   in its full size and, if it has several, in its smallest. [control] */
#pragma once

#include "neural_amp/plan.h"

typedef enum bl_amp_size { BL_AMP_FULL, BL_AMP_LITE, BL_AMP_SIZES } bl_amp_size;

/* A file's metadata for one size; NAN if missing. */
typedef struct bl_amp_facts {
    double loudness;     /* loudness of the output for the standard input, dB */
    double input_level;  /* dBu of a sine that is full scale at the input */
    double output_level; /* the same at the output */
} bl_amp_facts;

typedef struct bl_amp_file {
    double sample_rate; /* Hz */
    bl_amp_plan plans[BL_AMP_SIZES];
    bl_amp_facts facts[BL_AMP_SIZES];
    uint32_t size_count;
} bl_amp_file;

/* Reads a file; NULL, and the reason in `message`, on failure. */
bl_amp_file *bl_amp_file_read(const char *path, char *message, size_t message_size);
void bl_amp_file_close(bl_amp_file *file);
