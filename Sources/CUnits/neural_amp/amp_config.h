/* Makes the plan of a model from its part of a .nam file. [control] */
#pragma once

#include "neural_amp/json.h"
#include "neural_amp/plan.h"

/* What reads a file: the first fault counts. */
typedef struct bl_amp_reader {
    const bl_json *json;
    char fault[256];               /* empty while there is none */
    uint32_t weights, next_weight; /* the array; the value that comes next */
    uint32_t weights_left;
} bl_amp_reader;

/* Says what is wrong; always false. */
__attribute__((format(printf, 2, 3))) bool bl_amp_fail(bl_amp_reader *reader, const char *format,
                                                       ...);

/* A number or a truth value of an object, checked; `otherwise` where the key is missing and that is
   not negative. */
uint32_t bl_amp_whole(bl_amp_reader *reader, uint32_t object, const char *key, uint32_t least,
                      uint32_t most, int64_t otherwise);
bool bl_amp_truth(bl_amp_reader *reader, uint32_t object, const char *key, int otherwise);
/* Whether an object has no keys but these; a fault where it has. */
bool bl_amp_knows(bl_amp_reader *reader, uint32_t object, const char *const *keys);

/* Reads an activation: its name, or an object with its type. */
bl_amp_activation bl_amp_activation_read(bl_amp_reader *reader, uint32_t value, float *slope);

/* Each reads the config of one architecture into an empty plan. */
bool bl_amp_read_wavenet(bl_amp_reader *reader, uint32_t config, bl_amp_plan *plan);
bool bl_amp_read_convnet(bl_amp_reader *reader, uint32_t config, bl_amp_plan *plan);
bool bl_amp_read_linear(bl_amp_reader *reader, uint32_t config, bl_amp_plan *plan);
bool bl_amp_read_lstm(bl_amp_reader *reader, uint32_t config, bl_amp_plan *plan);

/* Takes the next `count` weights into the plan; the first one's index. */
uint32_t bl_amp_read_weights(bl_amp_reader *reader, bl_amp_plan *plan, uint64_t count);
/* A further step of the plan, whose weights are taken in the file's order. */
bool bl_amp_add(bl_amp_reader *reader, bl_amp_plan *plan, bl_amp_step step);
