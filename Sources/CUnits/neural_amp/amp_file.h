/* A .nam file: a model of an amplifier or a pedal by the Neural Amp Modeler, versions 0.5.0 to
   0.7, in its full size and, where it has several, in its smallest. [control] */
#pragma once

#include "neural_amp/plan.h"

typedef enum bl_amp_size { BL_AMP_FULL, BL_AMP_LITE, BL_AMP_SIZES } bl_amp_size;

/* What a file says of one size; NAN where it says nothing. */
typedef struct bl_amp_facts {
    double loudness;     /* dB, of the output for the standard input */
    double input_level;  /* dBu of a sine that is full scale at the input */
    double output_level; /* and at the output */
} bl_amp_facts;

typedef struct bl_amp_file {
    double sample_rate; /* Hz */
    bl_amp_plan plans[BL_AMP_SIZES];
    bl_amp_facts facts[BL_AMP_SIZES];
    uint32_t size_count;
} bl_amp_file;

/* NULL, and the reason in `message`, where a file is not to be used. */
bl_amp_file *bl_amp_file_read(const char *path, char *message, size_t message_size);
void bl_amp_file_close(bl_amp_file *file);
