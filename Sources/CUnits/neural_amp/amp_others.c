/* The configs of ConvNet, Linear and LSTM. */
#include "neural_amp/amp_config.h"

#include <math.h>

/* Checks the keys that these three share: one channel in, one out. */
static bool is_mono(bl_amp_reader *reader, uint32_t config, const char *const *keys) {
    return bl_amp_knows(reader, config, keys) &&
           bl_amp_whole(reader, config, "in_channels", 1, 1, 1) == 1 &&
           bl_amp_whole(reader, config, "out_channels", 1, 1, 1) == 1 && reader->fault[0] == 0;
}

/* Folds a batch normalisation's mean, variance, weight, bias and epsilon, which are next in the
   file, into the convolution before it. */
static bool fold(bl_amp_reader *reader, bl_amp_plan *plan) {
    bl_amp_step *step = &plan->steps[plan->step_count - 1];
    uint32_t channels = step->outputs, each = step->inputs * step->taps;
    uint32_t first = bl_amp_read_weights(reader, plan, 4 * (uint64_t)channels + 1);
    if (reader->fault[0] != 0) {
        return false;
    }
    float *mean = plan->weights + first;
    const float *variance = mean + channels, *weight = variance + channels,
                *bias = weight + channels;
    float epsilon = bias[channels];
    for (uint32_t channel = 0; channel < channels; channel += 1) {
        float scale = weight[channel] / sqrtf(epsilon + variance[channel]);
        float shift = bias[channel] - scale * mean[channel];
        if (!isfinite(scale) || !isfinite(shift)) {
            return bl_amp_fail(reader, "it has a batch normalisation that is not finite");
        }
        for (uint32_t index = 0; index < each; index += 1) {
            plan->weights[step->first_weight + channel * each + index] *= scale;
        }
        mean[channel] = shift;
    }
    step->has_bias = true;
    return true;
}

bool bl_amp_read_convnet(bl_amp_reader *reader, uint32_t config, bl_amp_plan *plan) {
    static const char *const keys[] = {"channels",    "dilations",    "batchnorm", "activation",
                                       "in_channels", "out_channels", "groups",    NULL};
    const bl_json *json = reader->json;
    uint32_t dilations = bl_json_member(json, config, "dilations");
    bool normalises = bl_amp_truth(reader, config, "batchnorm", -1);
    bl_amp_step step = {.source = BL_AMP_INPUT,
                        .target = BL_AMP_BODY,
                        .inputs = 1,
                        .outputs =
                            bl_amp_whole(reader, config, "channels", 1, BL_AMP_MOST_CHANNELS, -1),
                        .taps = 2,
                        .has_bias = !normalises};
    step.activation =
        bl_amp_activation_read(reader, bl_json_member(json, config, "activation"), &step.slope);
    if (!is_mono(reader, config, keys)) {
        return false;
    }
    if (bl_amp_whole(reader, config, "groups", 1, BL_AMP_MOST_CHANNELS, 1) != 1) {
        return bl_amp_fail(reader, "it has groups of channels, which Backline does not play");
    }
    if (dilations == 0 || bl_json_type_of(json, dilations) != BL_JSON_ARRAY ||
        bl_json_count(json, dilations) == 0) {
        return bl_amp_fail(reader, "its dilations are no array of numbers");
    }
    for (uint32_t at = dilations + 1; at < json->values[dilations].end;
         at = bl_json_next(json, at)) {
        double dilation =
            bl_json_type_of(json, at) == BL_JSON_NUMBER ? bl_json_number(json, at) : 0;
        if (dilation != floor(dilation) || dilation < 1 || dilation > BL_AMP_LONGEST_REACH) {
            return bl_amp_fail(reader, "it has a dilation that is no whole number from 1 to %d",
                               BL_AMP_LONGEST_REACH);
        }
        step.dilation = (uint32_t)dilation;
        if (!bl_amp_add(reader, plan, step) || (normalises && !fold(reader, plan))) {
            return false;
        }
        step.source = BL_AMP_BODY;
        step.inputs = step.outputs;
    }
    return bl_amp_add(reader, plan,
                      (bl_amp_step){.source = BL_AMP_BODY,
                                    .target = BL_AMP_HEAD,
                                    .inputs = step.outputs,
                                    .outputs = 1,
                                    .taps = 1,
                                    .dilation = 1,
                                    .has_bias = true});
}

bool bl_amp_read_linear(bl_amp_reader *reader, uint32_t config, bl_amp_plan *plan) {
    static const char *const keys[] = {"receptive_field", "bias",           "in_channels",
                                       "out_channels",    "implementation", NULL};
    bl_amp_step step = {
        .source = BL_AMP_INPUT,
        .target = BL_AMP_HEAD,
        .inputs = 1,
        .outputs = 1,
        .taps = bl_amp_whole(reader, config, "receptive_field", 1, BL_AMP_LONGEST_KERNEL, -1),
        .dilation = 1,
        .has_bias = bl_amp_truth(reader, config, "bias", -1)};
    if (!is_mono(reader, config, keys) || !bl_amp_add(reader, plan, step)) {
        return false;
    }
    /* The file has the impulse response; a step's last tap is the present. */
    float *taps = plan->weights + plan->steps[0].first_weight;
    for (uint32_t index = 0; index < step.taps / 2; index += 1) {
        float tap = taps[index];
        taps[index] = taps[step.taps - 1 - index];
        taps[step.taps - 1 - index] = tap;
    }
    return true;
}

bool bl_amp_read_lstm(bl_amp_reader *reader, uint32_t config, bl_amp_plan *plan) {
    static const char *const keys[] = {"input_size",  "hidden_size",  "num_layers",
                                       "in_channels", "out_channels", NULL};
    plan->hidden_size = bl_amp_whole(reader, config, "hidden_size", 1, 256, -1);
    plan->layer_count = bl_amp_whole(reader, config, "num_layers", 1, 8, -1);
    if (bl_amp_whole(reader, config, "input_size", 1, 1, -1) != 1 ||
        !is_mono(reader, config, keys)) {
        return false;
    }
    uint64_t hidden = plan->hidden_size;
    for (uint32_t layer = 0; layer < plan->layer_count; layer += 1) {
        uint64_t inputs = layer == 0 ? 1 : hidden;
        bl_amp_read_weights(reader, plan, 4 * hidden * (inputs + hidden + 1) + 2 * hidden);
    }
    bl_amp_read_weights(reader, plan, hidden + 1);
    return reader->fault[0] == 0;
}
