#include "neural_amp/lstm.h"

#include <stdlib.h>
#include <string.h>

#include "dsp/chunk.h"
#include "dsp/lanes.h"
#include "neural_amp/activation.h"

enum {
    SOUND_CHANNELS = 2,
    MOST_LAYERS = 8,
    WIDEST = 256,
    ABREAST = 4 * BL_LANES,
    MOST_SETTLING = 24000 /* most frames of silence before the start */
};

/* A layer's gates are consecutive, each `width` wide: input, forget, cell, output. */
typedef struct layer {
    uint32_t inputs;      /* inputs before its own `hidden` */
    const float *weights; /* for each of these, then for 1: 4 × width */
} layer;

struct bl_amp_lstm {
    uint32_t hidden, width; /* its size, and that rounded up to lanes */
    uint32_t layer_count, channel_count, multiple;
    layer layers[MOST_LAYERS];
    const float *head; /* weights of `hidden`, and the bias */
    float *weights;
    float rest;                     /* output for silence */
    float *initial;                 /* initial state of a model: output and cells of each layer */
    float *states;                  /* the same for channels × multiple */
    uint32_t turns[SOUND_CHANNELS]; /* next of `multiple` models */
    float gates[4 * WIDEST];
};

static size_t state_size(const bl_amp_lstm *lstm) BL_NONBLOCKING {
    return (size_t)2 * lstm->width * lstm->layer_count;
}

/* Stores the file's weights [gate × hidden][column], biases and initial state in their places. */
static void lay_out(bl_amp_lstm *lstm, const bl_amp_plan *plan) {
    const float *from = plan->weights;
    float *to = lstm->weights;
    uint32_t hidden = lstm->hidden, width = lstm->width;
    for (uint32_t index = 0; index < lstm->layer_count; index += 1) {
        layer *layer = &lstm->layers[index];
        layer->inputs = index == 0 ? 1 : hidden;
        layer->weights = to;
        uint32_t columns = layer->inputs + hidden;
        for (uint32_t row = 0; row < 4 * hidden; row += 1) {
            uint32_t place = row / hidden * width + row % hidden;
            for (uint32_t column = 0; column < columns; column += 1) {
                to[(size_t)column * 4 * width + place] = from[(size_t)row * columns + column];
            }
            to[(size_t)columns * 4 * width + place] = from[(size_t)4 * hidden * columns + row];
        }
        from += (size_t)4 * hidden * (columns + 1);
        to += (size_t)4 * width * (columns + 1);
        float *state = lstm->initial + (size_t)2 * width * index;
        memcpy(state, from, hidden * sizeof(float));
        memcpy(state + width, from + hidden, hidden * sizeof(float));
        from += 2 * hidden;
    }
    lstm->head = to;
    memcpy(to, from, (hidden + 1) * sizeof(float));
}

/* Adds columns of weights, each times a value, to ABREAST sums. */
BL_INLINE void add_columns(const float *weights, uint32_t stride, const float *values,
                           uint32_t count, bl_lanes sums[4]) BL_NONBLOCKING {
    for (uint32_t column = 0; column < count; column += 1) {
        for (uint32_t part = 0; part < 4; part += 1) {
            sums[part] += values[column] * BL_LANES_AT(weights + part * BL_LANES);
        }
        weights += stride;
    }
}

/* Computes one frame of one layer; `state` is its output and its cells. */
BL_INLINE void step(const layer *layer, uint32_t hidden, uint32_t width, const float *input,
                    float *state, float *gates) BL_NONBLOCKING {
    uint32_t stride = 4 * width;
    const float *bias = layer->weights + (size_t)(layer->inputs + hidden) * stride;
    for (uint32_t first = 0; first < stride; first += ABREAST) {
        bl_lanes sums[4];
        for (uint32_t part = 0; part < 4; part += 1) {
            sums[part] = BL_LANES_AT(bias + first + part * BL_LANES);
        }
        add_columns(layer->weights + first, stride, input, layer->inputs, sums);
        add_columns(layer->weights + first + (size_t)layer->inputs * stride, stride, state, hidden,
                    sums);
        for (uint32_t part = 0; part < 4; part += 1) {
            BL_LANES_AT(gates + first + part * BL_LANES) = sums[part];
        }
    }
    float *cells = state + width;
    bl_amp_activate(gates, 2 * width, BL_AMP_SIGMOID, 0);
    bl_amp_activate(gates + 2 * width, width, BL_AMP_TANH, 0);
    bl_amp_activate(gates + 3 * width, width, BL_AMP_SIGMOID, 0);
    for (uint32_t lane = 0; lane < width; lane += BL_LANES) {
        bl_lanes cell = BL_LANES_AT(gates + width + lane) * BL_LANES_AT(cells + lane) +
                        BL_LANES_AT(gates + lane) * BL_LANES_AT(gates + 2 * width + lane);
        BL_LANES_AT(cells + lane) = BL_LANES_AT(state + lane) = cell;
    }
    bl_amp_activate(state, width, BL_AMP_TANH, 0);
    for (uint32_t lane = 0; lane < width; lane += BL_LANES) {
        BL_LANES_AT(state + lane) *= BL_LANES_AT(gates + 3 * width + lane);
    }
}

static BL_VECTOR_CLONES float run(bl_amp_lstm *lstm, float *state, float input) BL_NONBLOCKING {
    const float *from = &input;
    for (uint32_t index = 0; index < lstm->layer_count; index += 1) {
        step(&lstm->layers[index], lstm->hidden, lstm->width, from, state, lstm->gates);
        from = state;
        state += 2 * lstm->width;
    }
    float sum = lstm->head[lstm->hidden];
    for (uint32_t index = 0; index < lstm->hidden; index += 1) {
        sum += lstm->head[index] * from[index];
    }
    return sum;
}

bl_amp_lstm *bl_amp_lstm_create(const bl_amp_plan *plan, uint32_t multiple, uint32_t channel_count,
                                double model_rate) {
    bl_amp_lstm *lstm = calloc(1, sizeof *lstm);
    if (lstm == NULL) {
        return NULL;
    }
    lstm->hidden = plan->hidden_size;
    lstm->width = (plan->hidden_size + BL_LANES - 1) / BL_LANES * BL_LANES;
    lstm->layer_count = plan->layer_count;
    lstm->channel_count = channel_count;
    lstm->multiple = multiple;
    size_t columns = (size_t)2 * lstm->hidden + 1;
    lstm->weights = calloc(columns * 4 * lstm->width * lstm->layer_count + columns, sizeof(float));
    lstm->initial = calloc(state_size(lstm), sizeof(float));
    lstm->states = calloc(state_size(lstm) * multiple * channel_count, sizeof(float));
    if (lstm->weights == NULL || lstm->initial == NULL || lstm->states == NULL) {
        bl_amp_lstm_destroy(lstm);
        return NULL;
    }
    lay_out(lstm, plan);
    uint32_t settling = bl_fewer((uint32_t)(0.5 * model_rate), MOST_SETTLING);
    for (uint32_t frame = 0; frame < settling; frame += 1) {
        lstm->rest = run(lstm, lstm->initial, 0);
    }
    bl_amp_lstm_reset(lstm);
    return lstm;
}

void bl_amp_lstm_destroy(bl_amp_lstm *lstm) {
    if (lstm != NULL) {
        free(lstm->weights);
        free(lstm->initial);
        free(lstm->states);
        free(lstm);
    }
}

void bl_amp_lstm_reset(bl_amp_lstm *lstm) BL_NONBLOCKING {
    size_t size = state_size(lstm);
    for (uint32_t index = 0; index < lstm->channel_count * lstm->multiple; index += 1) {
        memcpy(lstm->states + index * size, lstm->initial, size * sizeof(float));
    }
    memset(lstm->turns, 0, sizeof lstm->turns);
}

void bl_amp_lstm_process(bl_amp_lstm *lstm, uint32_t channel, const float *input, float *output,
                         uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        uint32_t turn = lstm->turns[channel];
        float *state = lstm->states + (channel * lstm->multiple + turn) * state_size(lstm);
        output[frame] = run(lstm, state, input[frame]) - lstm->rest;
        lstm->turns[channel] = turn + 1 == lstm->multiple ? 0 : turn + 1;
    }
}
