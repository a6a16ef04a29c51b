/* Reads the plan of a model from its part of a .nam file. [control] */
#pragma once

#include "neural_amp/json.h"
#include "neural_amp/plan.h"

/* A reader of a file, which keeps the first fault. */
typedef struct bl_amp_reader {
    const bl_json *json;
    char fault[256];               /* empty: no fault */
    uint32_t weights, next_weight; /* index of the array, and of its next value */
    uint32_t weights_left;
} bl_amp_reader;

/* Sets the fault; returns false. */
__attribute__((format(printf, 2, 3))) bool bl_amp_fail(bl_amp_reader *reader, const char *format,
                                                       ...);

/* Read a number or a boolean of an object, checked; `otherwise` if the key is missing, unless that
   is negative. */
uint32_t bl_amp_whole(bl_amp_reader *reader, uint32_t object, const char *key, uint32_t least,
                      uint32_t most, int64_t otherwise);
bool bl_amp_truth(bl_amp_reader *reader, uint32_t object, const char *key, int otherwise);
/* Checks that an object has only these keys; otherwise sets a fault. */
bool bl_amp_knows(bl_amp_reader *reader, uint32_t object, const char *const *keys);

/* Reads an activation: its name, or an object with its type. */
bl_amp_activation bl_amp_activation_read(bl_amp_reader *reader, uint32_t value, float *slope);

/* Each reads the config of one architecture into an empty plan. */
bool bl_amp_read_wavenet(bl_amp_reader *reader, uint32_t config, bl_amp_plan *plan);
bool bl_amp_read_convnet(bl_amp_reader *reader, uint32_t config, bl_amp_plan *plan);
bool bl_amp_read_linear(bl_amp_reader *reader, uint32_t config, bl_amp_plan *plan);
bool bl_amp_read_lstm(bl_amp_reader *reader, uint32_t config, bl_amp_plan *plan);

/* Reads the next `count` weights into the plan; returns the index of the first. */
uint32_t bl_amp_read_weights(bl_amp_reader *reader, bl_amp_plan *plan, uint64_t count);
/* Adds a step to the plan, whose weights are read in the file's order. */
bool bl_amp_add(bl_amp_reader *reader, bl_amp_plan *plan, bl_amp_step step);
