/* A neural amplifier model as a file describes it: the computations, their order and their weights.
   WaveNet (A. van den Oord and others, 2016; for amplifiers A. Wright, E.-P. Damskägg, L. Juvela
   and V. Välimäki, "Real-time guitar amplifier emulation with deep learning", 2020), ConvNet and
   Linear become steps of one kind; LSTM has its own. [control] */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BL_AMP_MOST_CHANNELS = 64,
    BL_AMP_MOST_STEPS = 256,
    BL_AMP_LONGEST_KERNEL = 16384,   /* taps */
    BL_AMP_LONGEST_REACH = 1 << 20,  /* frames from a step's first tap to its last */
    BL_AMP_MOST_WEIGHTS = 256 * 1024 /* weights of one model; an A1 standard has 13,802 */
};

typedef enum bl_amp_activation {
    BL_AMP_IDENTITY,
    BL_AMP_TANH,
    BL_AMP_HARD_TANH,
    BL_AMP_RELU,
    BL_AMP_LEAKY_RELU,
    BL_AMP_SIGMOID,
    BL_AMP_SILU,
    BL_AMP_HARD_SWISH,
    BL_AMP_SOFT_SIGN
} bl_amp_activation;

/* The signals that steps read and write, each with its channels. */
typedef enum bl_amp_signal {
    BL_AMP_INPUT, /* the model's input, one channel */
    BL_AMP_BODY,  /* from layer to layer */
    BL_AMP_HEAD   /* the sum of the layers' outputs */
} bl_amp_signal;

/* A convolution over time, and what follows it:
 *     z[t] = activation(bias + sum of weights[tap] · source[t - (taps - 1 - tap) · dilation]
 *                            + mix · input[t])
 * With `gate` z has half as many channels, each times the gate of one of the other half. Then
 *     head += z,  body += through · z + through's bias   for a layer of a WaveNet, or
 *     target = z                                         for any other. */
typedef struct bl_amp_step {
    bl_amp_signal source, target;
    uint32_t inputs, outputs, taps, dilation;
    bool is_layer, has_bias, has_gate;
    bl_amp_activation activation, gate;
    float slope, gate_slope; /* slopes of BL_AMP_LEAKY_RELU below 0 */
    uint32_t first_weight;   /* in the order above; outputs × inputs (× taps) each */
} bl_amp_step;

/* Channels of z. */
static inline uint32_t bl_amp_step_width(const bl_amp_step *step) {
    return step->has_gate ? step->outputs / 2 : step->outputs;
}

typedef struct bl_amp_plan {
    bl_amp_step *steps; /* empty for an LSTM */
    uint32_t step_count;
    uint32_t hidden_size, layer_count; /* used by an LSTM */
    float *weights;
    uint32_t weight_count;
} bl_amp_plan;

void bl_amp_plan_close(bl_amp_plan *plan);
