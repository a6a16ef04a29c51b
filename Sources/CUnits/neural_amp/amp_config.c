#include "neural_amp/amp_config.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool bl_amp_fail(bl_amp_reader *reader, const char *format, ...) {
    if (reader->fault[0] == 0) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(reader->fault, sizeof reader->fault, format, arguments);
        va_end(arguments);
    }
    return false;
}

uint32_t bl_amp_whole(bl_amp_reader *reader, uint32_t object, const char *key, uint32_t least,
                      uint32_t most, int64_t otherwise) {
    uint32_t value = bl_json_member(reader->json, object, key);
    if (value == 0 && otherwise >= 0) {
        return (uint32_t)otherwise;
    }
    bool is_number = value != 0 && bl_json_type_of(reader->json, value) == BL_JSON_NUMBER;
    double number = is_number ? bl_json_number(reader->json, value) : -1;
    if (!is_number || number != floor(number) || number < least || number > most) {
        bl_amp_fail(reader, "its %s is no whole number from %u to %u", key, least, most);
        return least;
    }
    return (uint32_t)number;
}

bool bl_amp_truth(bl_amp_reader *reader, uint32_t object, const char *key, int otherwise) {
    uint32_t value = bl_json_member(reader->json, object, key);
    if (value == 0 && otherwise >= 0) {
        return otherwise != 0;
    }
    bl_json_type type = value == 0 ? BL_JSON_NULL : bl_json_type_of(reader->json, value);
    if (type != BL_JSON_TRUE && type != BL_JSON_FALSE) {
        return bl_amp_fail(reader, "its %s is neither true nor false", key);
    }
    return type == BL_JSON_TRUE;
}

bool bl_amp_knows(bl_amp_reader *reader, uint32_t object, const char *const *keys) {
    const bl_json *json = reader->json;
    if (bl_json_type_of(json, object) != BL_JSON_OBJECT) {
        return bl_amp_fail(reader, "its config is no object");
    }
    for (uint32_t at = object + 1; at < json->values[object].end; at = bl_json_next(json, at + 1)) {
        const char *const *key = keys;
        while (*key != NULL && !bl_json_is(json, at, *key)) {
            key += 1;
        }
        if (*key == NULL) {
            uint32_t length = json->values[at].length < 40 ? json->values[at].length : 40;
            return bl_amp_fail(reader, "its config has “%.*s”, which Backline does not know",
                               (int)length, json->text + json->values[at].start);
        }
    }
    return true;
}

bl_amp_activation bl_amp_activation_read(bl_amp_reader *reader, uint32_t value, float *slope) {
    static const struct {
        const char *name;
        bl_amp_activation activation;
    } known[] = {{"Tanh", BL_AMP_TANH},
                 {"Hardtanh", BL_AMP_HARD_TANH},
                 {"ReLU", BL_AMP_RELU},
                 {"LeakyReLU", BL_AMP_LEAKY_RELU},
                 {"Sigmoid", BL_AMP_SIGMOID},
                 {"SiLU", BL_AMP_SILU},
                 {"Hardswish", BL_AMP_HARD_SWISH},
                 {"Softsign", BL_AMP_SOFT_SIGN}};
    const bl_json *json = reader->json;
    uint32_t type = value;
    *slope = 0.01f;
    if (value != 0 && bl_json_type_of(json, value) == BL_JSON_OBJECT) {
        static const char *const keys[] = {"type", "negative_slope", NULL};
        uint32_t negative = bl_json_member(json, value, "negative_slope");
        type = bl_json_member(json, value, "type");
        if (negative != 0 && bl_json_type_of(json, negative) == BL_JSON_NUMBER) {
            *slope = (float)bl_json_number(json, negative);
        }
        bl_amp_knows(reader, value, keys);
    }
    for (size_t index = 0; type != 0 && index < sizeof known / sizeof known[0]; index += 1) {
        if (bl_json_is(json, type, known[index].name) && isfinite(*slope)) {
            return known[index].activation;
        }
    }
    bl_amp_fail(reader, "it has an activation that Backline does not know");
    return BL_AMP_IDENTITY;
}

uint32_t bl_amp_read_weights(bl_amp_reader *reader, bl_amp_plan *plan, uint64_t count) {
    const bl_json *json = reader->json;
    uint32_t first = plan->weight_count;
    if (count > reader->weights_left) {
        bl_amp_fail(reader, "it has too few weights");
        return first;
    }
    for (uint64_t done = 0; done < count; done += 1) {
        uint32_t value = reader->next_weight;
        bool is_number = bl_json_type_of(json, value) == BL_JSON_NUMBER;
        float weight = is_number ? (float)bl_json_number(json, value) : NAN;
        if (!isfinite(weight)) {
            bl_amp_fail(reader, "its weight %u is no finite number", plan->weight_count);
            return first;
        }
        plan->weights[plan->weight_count] = weight;
        plan->weight_count += 1;
        reader->next_weight = bl_json_next(json, value);
        reader->weights_left -= 1;
    }
    return first;
}

bool bl_amp_add(bl_amp_reader *reader, bl_amp_plan *plan, bl_amp_step step) {
    if (reader->fault[0] != 0) {
        return false;
    }
    if (step.outputs > BL_AMP_MOST_CHANNELS || step.inputs > BL_AMP_MOST_CHANNELS ||
        step.outputs == 0 || step.inputs == 0 || (step.has_gate && step.outputs % 2 != 0)) {
        return bl_amp_fail(reader, "it has a layer of %u and %u channels; %d will do", step.inputs,
                           step.outputs, BL_AMP_MOST_CHANNELS);
    }
    if ((uint64_t)(step.taps - 1) * step.dilation > BL_AMP_LONGEST_REACH) {
        return bl_amp_fail(reader, "it has a layer that looks back too far");
    }
    if (plan->step_count == BL_AMP_MOST_STEPS) {
        return bl_amp_fail(reader, "it has more than %d layers", BL_AMP_MOST_STEPS);
    }
    uint64_t count = (uint64_t)step.outputs * step.inputs * step.taps;
    count += step.has_bias ? step.outputs : 0;
    if (step.is_layer) {
        count += step.outputs + (uint64_t)step.inputs * (bl_amp_step_width(&step) + 1);
    }
    step.first_weight = bl_amp_read_weights(reader, plan, count);
    plan->steps[plan->step_count] = step;
    plan->step_count += 1;
    return reader->fault[0] == 0;
}

void bl_amp_plan_close(bl_amp_plan *plan) {
    free(plan->steps);
    free(plan->weights);
    *plan = (bl_amp_plan){0};
}
