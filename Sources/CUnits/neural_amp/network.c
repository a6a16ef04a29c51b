#include "neural_amp/network.h"

#include <stdlib.h>
#include <string.h>

#include "dsp/chunk.h"
#include "dsp/lanes.h"
#include "neural_amp/activation.h"

enum {
    TILE = 4,           /* outputs computed together */
    GROUPS = 2,         /* times BL_LANES frames */
    ROW = BL_AMP_CHUNK, /* floats of a signal's channel */
    /* Floats after a ring: a copy of its first frames, and room for lanes that start in the
       last. */
    BEHIND = BL_AMP_CHUNK + BL_LANES
};

/* Weights of `outputs` sums over taps and inputs: for each tile of outputs [tap][input][TILE], and
   the biases. */
typedef struct matrix {
    uint32_t inputs, outputs, taps;
    const float *weights, *bias;
} matrix;

typedef struct step {
    bl_amp_step shape;
    matrix convolution, through;
    const float *mix;  /* or NULL */
    uint32_t lookback; /* frames between its first tap and the present */
    uint32_t dilation; /* frames */
    uint32_t ring;     /* frames of the source that are kept, a multiple of BL_AMP_CHUNK; or 0 */
    size_t history;    /* start of these: inputs × (ring + BEHIND) */
} step;

/* The state of one channel of sound. */
typedef struct memory {
    float *history;
    uint32_t *places; /* index of the next frame in each step's ring */
    uint32_t phase;   /* frame count modulo BL_AMP_CHUNK */
    uint32_t silence; /* exact zeros received in a row, frames, up to the reach */
} memory;

/* Signals of one chunk: channels × ROW. */
typedef struct signals {
    float input[ROW];
    float body[BL_AMP_MOST_CHANNELS * ROW];
    float head[BL_AMP_MOST_CHANNELS * ROW];
    float sums[BL_AMP_MOST_CHANNELS * ROW];
    float through[BL_AMP_MOST_CHANNELS * ROW];
} signals;

struct bl_amp_network {
    step *steps;
    uint32_t step_count, channel_count, reach;
    uint32_t head_width; /* channels */
    float *weights;
    size_t history_size; /* floats of one channel */
    float rest;          /* output for silence */
    memory memories[BL_AMP_SOUND_CHANNELS];
    signals signals;
};

static uint32_t round_up(uint32_t count, uint32_t to) { return (count + to - 1) / to * to; }

/* Copies [output][input][tap] into tiles, the last padded with 0. */
static matrix tile(const float *weights, const float *bias, uint32_t outputs, uint32_t inputs,
                   uint32_t taps, float **memory) {
    matrix made = {inputs, outputs, taps, *memory, NULL};
    for (uint32_t first = 0; first < outputs; first += TILE) {
        for (uint32_t tap = 0; tap < taps; tap += 1) {
            for (uint32_t input = 0; input < inputs; input += 1) {
                for (uint32_t output = first; output < first + TILE; output += 1) {
                    size_t from = ((size_t)output * inputs + input) * taps + tap;
                    **memory = output < outputs ? weights[from] : 0;
                    *memory += 1;
                }
            }
        }
    }
    made.bias = *memory;
    for (uint32_t output = 0; output < round_up(outputs, TILE); output += 1) {
        **memory = bias != NULL && output < outputs ? bias[output] : 0;
        *memory += 1;
    }
    return made;
}

/* Floats of a step's tiles. */
static size_t tiled_size(const bl_amp_step *shape) {
    size_t outputs = round_up(shape->outputs, TILE), inputs = round_up(shape->inputs, TILE);
    return outputs * ((size_t)shape->inputs * shape->taps + 2) +
           inputs * (bl_amp_step_width(shape) + 1);
}

/* Creates a step from its shape and the plan's weights. */
static void make_step(step *made, const bl_amp_step *shape, const bl_amp_plan *plan,
                      uint32_t multiple, float **memory) {
    const float *weights = plan->weights + shape->first_weight;
    const float *bias = weights + (size_t)shape->outputs * shape->inputs * shape->taps;
    const float *mix = bias + (shape->has_bias ? shape->outputs : 0);
    const float *through = mix + shape->outputs;
    uint32_t width = bl_amp_step_width(shape);
    made->shape = *shape;
    made->dilation = shape->dilation * multiple;
    made->lookback = (shape->taps - 1) * made->dilation;
    made->convolution = tile(weights, shape->has_bias ? bias : NULL, shape->outputs, shape->inputs,
                             shape->taps, memory);
    if (shape->is_layer) {
        made->mix = *memory;
        for (uint32_t output = 0; output < round_up(shape->outputs, TILE); output += 1) {
            (*memory)[output] = output < shape->outputs ? mix[output] : 0;
        }
        *memory += round_up(shape->outputs, TILE);
        made->through =
            tile(through, through + (size_t)shape->inputs * width, shape->inputs, width, 1, memory);
    }
}

static bool make_steps(bl_amp_network *network, const bl_amp_plan *plan, uint32_t multiple) {
    float *memory = network->weights;
    uint64_t history = 0, reach = 0;
    for (uint32_t index = 0; index < plan->step_count; index += 1) {
        step *made = &network->steps[index];
        make_step(made, &plan->steps[index], plan, multiple, &memory);
        uint64_t lookback =
            (uint64_t)(made->shape.taps - 1) * made->shape.dilation * (uint64_t)multiple;
        uint32_t width = bl_amp_step_width(&made->shape);
        network->head_width = width > network->head_width ? width : network->head_width;
        made->history = (size_t)history;
        if (lookback > BL_AMP_LARGEST_STATE) {
            return false;
        }
        if (lookback > 0) {
            made->ring = round_up(made->lookback + BL_AMP_CHUNK, BL_AMP_CHUNK);
            history += (uint64_t)made->shape.inputs * (made->ring + BEHIND);
        }
        reach += lookback;
    }
    network->history_size = (size_t)history;
    network->reach = (uint32_t)reach + 1;
    return history <= BL_AMP_LARGEST_STATE;
}

static bool make_memory(memory *memory, const bl_amp_network *network) {
    memory->history = calloc(network->history_size + 1, sizeof(float));
    memory->places = calloc(network->step_count, sizeof(uint32_t));
    return memory->history != NULL && memory->places != NULL;
}

bl_amp_network *bl_amp_network_create(const bl_amp_plan *plan, uint32_t multiple,
                                      uint32_t channel_count) {
    bl_amp_network *network = calloc(1, sizeof *network);
    if (network == NULL) {
        return NULL;
    }
    size_t size = 0;
    for (uint32_t index = 0; index < plan->step_count; index += 1) {
        size += tiled_size(&plan->steps[index]);
    }
    network->step_count = plan->step_count;
    network->channel_count = channel_count;
    network->steps = calloc(plan->step_count, sizeof *network->steps);
    network->weights = calloc(size, sizeof(float));
    bool made =
        network->steps != NULL && network->weights != NULL && make_steps(network, plan, multiple);
    for (uint32_t channel = 0; made && channel < channel_count; channel += 1) {
        made = make_memory(&network->memories[channel], network);
    }
    if (!made) {
        bl_amp_network_destroy(network);
        return NULL;
    }
    bl_amp_network_reset(network);
    return network;
}

void bl_amp_network_destroy(bl_amp_network *network) {
    if (network == NULL) {
        return;
    }
    for (uint32_t channel = 0; channel < BL_AMP_SOUND_CHANNELS; channel += 1) {
        free(network->memories[channel].history);
        free(network->memories[channel].places);
    }
    free(network->steps);
    free(network->weights);
    free(network);
}

/* The input of a tile: one row for each input. */
typedef struct rows {
    const float *first;
    uint32_t stride;   /* floats between rows */
    uint32_t place;    /* position of the first tap */
    uint32_t dilation; /* distance of taps */
    uint32_t ring;     /* floats after which the position wraps */
} rows;

/* Computes `count` sums of one tile over `groups` times BL_LANES frames from `frame` on. */
BL_INLINE void sum_up(const matrix *matrix, uint32_t first, uint32_t count, uint32_t groups,
                      const rows *rows, const float *mix, const float *input, float *sums,
                      uint32_t frame) BL_NONBLOCKING {
    bl_lanes totals[TILE][GROUPS];
    for (uint32_t output = 0; output < count; output += 1) {
        for (uint32_t group = 0; group < groups; group += 1) {
            totals[output][group] = (bl_lanes)matrix->bias[first + output];
            if (mix != NULL) {
                totals[output][group] +=
                    mix[first + output] * BL_LANES_AT(input + frame + group * BL_LANES);
            }
        }
    }
    const float *weights = matrix->weights + (size_t)first * matrix->taps * matrix->inputs;
    uint32_t place = rows->place;
    for (uint32_t tap = 0; tap < matrix->taps; tap += 1) {
        const float *at = rows->first + place + frame;
        for (uint32_t row = 0; row < matrix->inputs; row += 1) {
            for (uint32_t group = 0; group < groups; group += 1) {
                bl_lanes values = BL_LANES_AT(at + group * BL_LANES);
                for (uint32_t output = 0; output < count; output += 1) {
                    totals[output][group] += weights[output] * values;
                }
            }
            at += rows->stride;
            weights += TILE;
        }
        place += rows->dilation;
        place -= place >= rows->ring ? rows->ring : 0;
    }
    for (uint32_t output = 0; output < count; output += 1) {
        for (uint32_t group = 0; group < groups; group += 1) {
            BL_LANES_AT(sums + (first + output) * ROW + frame + group * BL_LANES) =
                totals[output][group];
        }
    }
}

/* Computes one tile over all frames, a multiple of BL_LANES. */
BL_INLINE void sum_tile(const matrix *matrix, uint32_t first, uint32_t count, const rows *rows,
                        const float *mix, const float *input, float *sums,
                        uint32_t frames) BL_NONBLOCKING {
    uint32_t frame = 0;
    for (; frame + GROUPS * BL_LANES <= frames; frame += GROUPS * BL_LANES) {
        sum_up(matrix, first, count, GROUPS, rows, mix, input, sums, frame);
    }
    for (; frame < frames; frame += BL_LANES) {
        sum_up(matrix, first, count, 1, rows, mix, input, sums, frame);
    }
}

/* All of a matrix's sums. */
BL_INLINE void multiply(const matrix *matrix, const rows *rows, const float *mix,
                        const float *input, float *sums, uint32_t frames) BL_NONBLOCKING {
    uint32_t first = 0;
    for (; first + TILE <= matrix->outputs; first += TILE) {
        sum_tile(matrix, first, TILE, rows, mix, input, sums, frames);
    }
    switch (matrix->outputs - first) {
    case 3: sum_tile(matrix, first, 3, rows, mix, input, sums, frames); break;
    case 2: sum_tile(matrix, first, 2, rows, mix, input, sums, frames); break;
    case 1: sum_tile(matrix, first, 1, rows, mix, input, sums, frames); break;
    }
}

/* Copies `frames` floats, a multiple of BL_LANES. */
BL_INLINE void copy(float *to, const float *from, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += BL_LANES) {
        BL_LANES_AT(to + frame) = BL_LANES_AT(from + frame);
    }
}

/* Writes a step's source to its ring, and returns its taps' positions. `fills_history`: as if the
   first frame had always been there. */
BL_INLINE rows remember(const step *step, const memory *memory, uint32_t place, const float *source,
                        uint32_t frames, bool fills_history) BL_NONBLOCKING {
    if (step->ring == 0) {
        return (rows){source, ROW, 0, 0, 1};
    }
    float *history = memory->history + step->history;
    uint32_t stride = step->ring + BEHIND;
    for (uint32_t row = 0; row < step->shape.inputs; row += 1) {
        float *to = history + (size_t)row * stride;
        const float *from = source + row * ROW;
        if (fills_history) {
            for (uint32_t frame = 0; frame < stride; frame += 1) {
                to[frame] = from[0];
            }
            continue;
        }
        copy(to + place, from, frames);
        if (place < BL_AMP_CHUNK) {
            copy(to + step->ring + place, from, frames);
        }
    }
    uint32_t back = step->lookback;
    uint32_t first = place >= back ? place - back : place + step->ring - back;
    return (rows){history, stride, first, step->dilation, step->ring};
}

/* Activates and gates the sums. */
BL_INLINE void activate(const step *step, float *sums, uint32_t frames) BL_NONBLOCKING {
    uint32_t width = bl_amp_step_width(&step->shape);
    for (uint32_t row = 0; row < width; row += 1) {
        bl_amp_activate(sums + row * ROW, frames, step->shape.activation, step->shape.slope);
    }
    for (uint32_t row = width; row < step->shape.outputs; row += 1) {
        float *gates = sums + row * ROW, *gated = sums + (row - width) * ROW;
        bl_amp_activate(gates, frames, step->shape.gate, step->shape.gate_slope);
        for (uint32_t frame = 0; frame < frames; frame += BL_LANES) {
            BL_LANES_AT(gated + frame) *= BL_LANES_AT(gates + frame);
        }
    }
}

BL_INLINE void add_rows(float *to, const float *from, uint32_t count,
                        uint32_t frames) BL_NONBLOCKING {
    for (uint32_t row = 0; row < count; row += 1) {
        for (uint32_t frame = 0; frame < frames; frame += BL_LANES) {
            BL_LANES_AT(to + row * ROW + frame) += BL_LANES_AT(from + row * ROW + frame);
        }
    }
}

BL_INLINE float *signal_of(signals *signals, bl_amp_signal which) BL_NONBLOCKING {
    return which == BL_AMP_INPUT  ? signals->input
           : which == BL_AMP_BODY ? signals->body
                                  : signals->head;
}

/* Computes one step over `frames` frames, a multiple of BL_LANES. */
BL_INLINE void compute_step(const step *step, const memory *memory, uint32_t place,
                            signals *signals, uint32_t frames, bool fills_history) BL_NONBLOCKING {
    const bl_amp_step *shape = &step->shape;
    const float *source = signal_of(signals, shape->source);
    rows rows = remember(step, memory, place, source, frames, fills_history);
    multiply(&step->convolution, &rows, step->mix, signals->input, signals->sums, frames);
    activate(step, signals->sums, frames);
    uint32_t width = bl_amp_step_width(shape);
    if (!shape->is_layer) {
        float *target = signal_of(signals, shape->target);
        for (uint32_t row = 0; row < width; row += 1) {
            copy(target + row * ROW, signals->sums + row * ROW, frames);
        }
        return;
    }
    add_rows(signals->head, signals->sums, width, frames);
    rows = (struct rows){signals->sums, ROW, 0, 0, 1};
    multiply(&step->through, &rows, NULL, NULL, signals->through, frames);
    add_rows(signals->body, signals->through, shape->inputs, frames);
}

/* Runs all steps; the output is the first row of the head. */
static BL_VECTOR_CLONES void run(bl_amp_network *network, const memory *memory, uint32_t frames,
                                 bool fills_history) BL_NONBLOCKING {
    signals *signals = &network->signals;
    frames = (frames + BL_LANES - 1) / BL_LANES * BL_LANES;
    for (uint32_t row = 0; row < network->head_width; row += 1) {
        for (uint32_t frame = 0; frame < frames; frame += BL_LANES) {
            BL_LANES_AT(signals->head + row * ROW + frame) = (bl_lanes)0.0f;
        }
    }
    for (uint32_t index = 0; index < network->step_count; index += 1) {
        compute_step(&network->steps[index], memory, memory->places[index], signals, frames,
                     fills_history);
    }
}

void bl_amp_network_reset(bl_amp_network *network) BL_NONBLOCKING {
    memset(network->signals.input, 0, sizeof network->signals.input);
    for (uint32_t channel = 0; channel < network->channel_count; channel += 1) {
        memory *memory = &network->memories[channel];
        memset(memory->places, 0, network->step_count * sizeof(uint32_t));
        memory->phase = 0;
        memory->silence = network->reach;
        run(network, memory, BL_LANES, true);
        network->rest = network->signals.head[0];
    }
}

uint32_t bl_amp_network_reach(const bl_amp_network *network) BL_NONBLOCKING {
    return network->reach;
}

uint32_t bl_amp_network_frames(const bl_amp_network *network, uint32_t channel,
                               uint32_t frames) BL_NONBLOCKING {
    return bl_fewer(frames, BL_AMP_CHUNK - network->memories[channel].phase);
}

/* Counts exact zeros in the input; returns whether these frames have nothing else. */
static bool hear(memory *memory, const float *input, uint32_t frames,
                 uint32_t reach) BL_NONBLOCKING {
    uint32_t silent = 0;
    while (silent < frames && input[frames - 1 - silent] == 0) {
        silent += 1;
    }
    memory->silence = silent < frames ? silent : bl_fewer(memory->silence + silent, reach);
    return silent == frames;
}

void bl_amp_network_process(bl_amp_network *network, uint32_t channel, const float *input,
                            float *output, uint32_t frames) BL_NONBLOCKING {
    memory *memory = &network->memories[channel];
    bool rests = memory->silence == network->reach;
    if (hear(memory, input, frames, network->reach) && rests) {
        /* The whole state is silence and stays the same. */
        memset(output, 0, frames * sizeof(float));
        return;
    }
    float *heard = network->signals.input;
    memcpy(heard, input, frames * sizeof(float));
    for (uint32_t frame = frames; frame % BL_LANES != 0; frame += 1) {
        heard[frame] = 0;
    }
    run(network, memory, frames, false);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        output[frame] = network->signals.head[frame] - network->rest;
    }
    memory->phase = (memory->phase + frames) % BL_AMP_CHUNK;
    for (uint32_t index = 0; index < network->step_count; index += 1) {
        uint32_t ring = network->steps[index].ring;
        uint32_t place = memory->places[index] + frames;
        memory->places[index] = place == ring || ring == 0 ? 0 : place;
    }
}
