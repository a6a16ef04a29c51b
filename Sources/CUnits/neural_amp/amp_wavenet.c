/* Reads the config of a WaveNet, with the allowed values of its keys. */
#include "neural_amp/amp_config.h"

#include <math.h>

/* The keys of a layer array. Those not read below are features that must be off. */
static const char *const array_keys[] = {"input_size",
                                         "condition_size",
                                         "head",
                                         "head_size",
                                         "head_bias",
                                         "channels",
                                         "bottleneck",
                                         "kernel_size",
                                         "kernel_sizes",
                                         "dilations",
                                         "activation",
                                         "secondary_activation",
                                         "gated",
                                         "gating_mode",
                                         "layer1x1",
                                         "head1x1",
                                         "groups_input",
                                         "groups_input_mixin",
                                         "conv_pre_film",
                                         "conv_post_film",
                                         "input_mixin_pre_film",
                                         "input_mixin_post_film",
                                         "activation_pre_film",
                                         "activation_post_film",
                                         "layer1x1_post_film",
                                         "head1x1_post_film",
                                         "slimmable",
                                         NULL};
static const char *const films[] = {
    "conv_pre_film",       "conv_post_film",       "input_mixin_pre_film", "input_mixin_post_film",
    "activation_pre_film", "activation_post_film", "layer1x1_post_film",   "head1x1_post_film"};

/* Whether a feature is on, which may be missing, null, false or an object with "active". */
static bool is_active(bl_amp_reader *reader, uint32_t array, const char *key, bool otherwise) {
    uint32_t value = bl_json_member(reader->json, array, key);
    bl_json_type type = value == 0 ? BL_JSON_NULL : bl_json_type_of(reader->json, value);
    switch (type) {
    case BL_JSON_NULL: return otherwise;
    case BL_JSON_FALSE: return false;
    case BL_JSON_OBJECT: return bl_amp_truth(reader, value, "active", true);
    default: return true;
    }
}

/* Features of experiments that no shipped kind of model has. */
static bool is_plain(bl_amp_reader *reader, uint32_t array) {
    for (size_t index = 0; index < sizeof films / sizeof films[0]; index += 1) {
        if (is_active(reader, array, films[index], false)) {
            return bl_amp_fail(reader, "it has FiLM (%s), which Backline does not play",
                               films[index]);
        }
    }
    if (is_active(reader, array, "head1x1", false)) {
        return bl_amp_fail(reader, "it has a head1x1, which Backline does not play");
    }
    if (!is_active(reader, array, "layer1x1", true)) {
        return bl_amp_fail(reader, "it has no layer1x1, without which Backline does not play it");
    }
    uint32_t layer = bl_json_member(reader->json, array, "layer1x1");
    if (bl_amp_whole(reader, array, "groups_input", 1, BL_AMP_MOST_CHANNELS, 1) != 1 ||
        bl_amp_whole(reader, array, "groups_input_mixin", 1, BL_AMP_MOST_CHANNELS, 1) != 1 ||
        (layer != 0 && bl_amp_whole(reader, layer, "groups", 1, BL_AMP_MOST_CHANNELS, 1) != 1)) {
        return bl_amp_fail(reader, "it has groups of channels, which Backline does not play");
    }
    return bl_amp_whole(reader, array, "condition_size", 1, 1, -1) == 1;
}

/* A key's value for layer `index` of `count`: one for all, or an array of one for each. */
static uint32_t of_layer(bl_amp_reader *reader, uint32_t array, const char *key, uint32_t index,
                         uint32_t count) {
    const bl_json *json = reader->json;
    uint32_t value = bl_json_member(json, array, key);
    if (value == 0 || bl_json_type_of(json, value) != BL_JSON_ARRAY) {
        return value;
    }
    if (bl_json_count(json, value) != count) {
        bl_amp_fail(reader, "its %s do not have a value for each layer", key);
        return 0;
    }
    value += 1;
    while (index > 0) {
        value = bl_json_next(json, value);
        index -= 1;
    }
    return value;
}

static uint32_t whole_of(bl_amp_reader *reader, uint32_t value, uint32_t most, const char *name) {
    const bl_json *json = reader->json;
    double number = value != 0 && bl_json_type_of(json, value) == BL_JSON_NUMBER
                        ? bl_json_number(json, value)
                        : 0;
    if (number != floor(number) || number < 1 || number > most) {
        bl_amp_fail(reader, "it has a %s that is no whole number from 1 to %u", name, most);
        return 1;
    }
    return (uint32_t)number;
}

static bool read_gate(bl_amp_reader *reader, uint32_t array, uint32_t index, uint32_t count,
                      bl_amp_step *step) {
    const bl_json *json = reader->json;
    uint32_t mode = of_layer(reader, array, "gating_mode", index, count);
    step->has_gate =
        mode == 0 ? bl_amp_truth(reader, array, "gated", false) : bl_json_is(json, mode, "gated");
    if (mode != 0 && !step->has_gate && !bl_json_is(json, mode, "none")) {
        return bl_amp_fail(reader, "it has a gating_mode that Backline does not know");
    }
    step->gate = BL_AMP_SIGMOID;
    uint32_t second = of_layer(reader, array, "secondary_activation", index, count);
    if (mode != 0 && step->has_gate && second != 0) {
        step->gate = bl_amp_activation_read(reader, second, &step->gate_slope);
    }
    return true;
}

static bool read_layer(bl_amp_reader *reader, uint32_t array, uint32_t index, uint32_t count,
                       bl_amp_plan *plan) {
    bool has_one = bl_json_member(reader->json, array, "kernel_size") != 0;
    uint32_t kernel =
        of_layer(reader, array, has_one ? "kernel_size" : "kernel_sizes", index, count);
    uint32_t channels = bl_amp_whole(reader, array, "channels", 1, BL_AMP_MOST_CHANNELS, -1);
    bl_amp_step step = {.source = BL_AMP_BODY, .is_layer = true, .has_bias = true};
    step.inputs = channels;
    step.outputs = bl_amp_whole(reader, array, "bottleneck", 1, BL_AMP_MOST_CHANNELS, channels);
    step.taps = whole_of(reader, kernel, BL_AMP_LONGEST_KERNEL, "kernel_size");
    step.dilation = whole_of(reader, of_layer(reader, array, "dilations", index, count),
                             BL_AMP_LONGEST_REACH, "dilation");
    step.activation = bl_amp_activation_read(
        reader, of_layer(reader, array, "activation", index, count), &step.slope);
    if (!read_gate(reader, array, index, count, &step)) {
        return false;
    }
    step.outputs *= step.has_gate ? 2 : 1;
    return bl_amp_add(reader, plan, step);
}

/* Reads the head of an array, from the sum of its layers to the output, or to the next array's
   start. */
static bool read_head(bl_amp_reader *reader, uint32_t array, bl_amp_step *head) {
    uint32_t nested = bl_json_member(reader->json, array, "head");
    if (nested == 0 || bl_json_type_of(reader->json, nested) == BL_JSON_NULL) {
        head->outputs = bl_amp_whole(reader, array, "head_size", 1, BL_AMP_MOST_CHANNELS, -1);
        head->taps = head->dilation = 1;
        head->has_bias = bl_amp_truth(reader, array, "head_bias", -1);
        return true;
    }
    static const char *const keys[] = {"out_channels", "kernel_size", "bias", "head_dilation",
                                       NULL};
    head->outputs = bl_amp_whole(reader, nested, "out_channels", 1, BL_AMP_MOST_CHANNELS, -1);
    head->taps = bl_amp_whole(reader, nested, "kernel_size", 1, BL_AMP_LONGEST_KERNEL, -1);
    head->dilation = bl_amp_whole(reader, nested, "head_dilation", 1, BL_AMP_LONGEST_REACH, 1);
    head->has_bias = bl_amp_truth(reader, nested, "bias", -1);
    return bl_amp_knows(reader, nested, keys);
}

/* Reads one array of layers; `channels`: those of its input, then of its output. The sum is as wide
   as that of the layers before. */
static bool read_array(bl_amp_reader *reader, uint32_t array, uint32_t *body, uint32_t *sum,
                       bl_amp_plan *plan) {
    const bl_json *json = reader->json;
    if (!bl_amp_knows(reader, array, array_keys) || !is_plain(reader, array)) {
        return false;
    }
    uint32_t dilations = bl_json_member(json, array, "dilations");
    if (dilations == 0 || bl_json_type_of(json, dilations) != BL_JSON_ARRAY ||
        bl_json_count(json, dilations) == 0) {
        return bl_amp_fail(reader, "its dilations are no array of numbers");
    }
    uint32_t channels = bl_amp_whole(reader, array, "channels", 1, BL_AMP_MOST_CHANNELS, -1);
    bl_amp_step start = {.source = plan->step_count == 0 ? BL_AMP_INPUT : BL_AMP_BODY,
                         .target = BL_AMP_BODY,
                         .inputs = *body,
                         .outputs = channels,
                         .taps = 1,
                         .dilation = 1};
    if (bl_amp_whole(reader, array, "input_size", 1, BL_AMP_MOST_CHANNELS, -1) != *body ||
        !bl_amp_add(reader, plan, start)) {
        return bl_amp_fail(reader, "its layers do not fit together");
    }
    uint32_t count = bl_json_count(json, dilations);
    for (uint32_t index = 0; index < count; index += 1) {
        if (!read_layer(reader, array, index, count, plan)) {
            return false;
        }
    }
    uint32_t width = bl_amp_step_width(&plan->steps[plan->step_count - 1]);
    bl_amp_step head = {.source = BL_AMP_HEAD, .target = BL_AMP_HEAD, .inputs = width};
    if (*sum != 0 && *sum != width) {
        return bl_amp_fail(reader, "its layers do not fit together");
    }
    if (!read_head(reader, array, &head) || !bl_amp_add(reader, plan, head)) {
        return false;
    }
    *body = channels;
    *sum = head.outputs;
    return true;
}

bool bl_amp_read_wavenet(bl_amp_reader *reader, uint32_t config, bl_amp_plan *plan) {
    static const char *const keys[] = {"layers",      "head",          "head_scale",
                                       "in_channels", "condition_dsp", NULL};
    const bl_json *json = reader->json;
    uint32_t layers = bl_json_member(json, config, "layers");
    uint32_t head = bl_json_member(json, config, "head");
    uint32_t condition = bl_json_member(json, config, "condition_dsp");
    if (!bl_amp_knows(reader, config, keys)) {
        return false;
    }
    if (layers == 0 || bl_json_type_of(json, layers) != BL_JSON_ARRAY ||
        bl_json_count(json, layers) == 0) {
        return bl_amp_fail(reader, "it has no layers");
    }
    if (head != 0 && bl_json_type_of(json, head) != BL_JSON_NULL) {
        return bl_amp_fail(reader, "it has a head behind its layers, which Backline does not play");
    }
    if (condition != 0 && bl_json_type_of(json, condition) != BL_JSON_NULL) {
        return bl_amp_fail(reader, "it has a condition_dsp, which Backline does not play");
    }
    uint32_t body = bl_amp_whole(reader, config, "in_channels", 1, 1, 1), sum = 0;
    for (uint32_t array = layers + 1; array < json->values[layers].end;
         array = bl_json_next(json, array)) {
        if (!read_array(reader, array, &body, &sum, plan)) {
            return false;
        }
    }
    if (sum != 1) {
        return bl_amp_fail(reader, "it has %u outputs; a model has one", sum);
    }
    uint32_t scale = bl_amp_read_weights(reader, plan, 1);
    if (reader->fault[0] != 0) {
        return false;
    }
    /* The output's scale is multiplied into the last head. */
    for (uint32_t weight = plan->steps[plan->step_count - 1].first_weight; weight < scale;
         weight += 1) {
        plan->weights[weight] *= plan->weights[scale];
    }
    return true;
}
