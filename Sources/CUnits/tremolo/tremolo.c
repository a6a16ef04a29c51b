/* Tremolo: the level goes up and down, with both sides together or in turn. */
#include "base/built_in.h"
#include "base/effect.h"
#include "dsp/declick.h"
#include "dsp/phase.h"
#include "dsp/sine.h"

enum { PARAMETER_RATE, PARAMETER_DEPTH, PARAMETER_SHAPE, PARAMETER_SPREAD, PARAMETER_COUNT };
typedef enum tremolo_shape { SHAPE_SINE, SHAPE_TRIANGLE, SHAPE_SQUARE, SHAPE_COUNT } tremolo_shape;

/* How long a square's edge takes, so that it does not click. Seconds */
#define EDGE_TIME 0.004f

static const char *const shapes[] = {"sine", "triangle", "square", NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [PARAMETER_RATE] = {"rate", NULL, "Rate", BL_UNIT_HERTZ, 0.1f, 20, 5, BL_CURVE_LOGARITHMIC,
                        BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 1},
    [PARAMETER_DEPTH] = {"depth", NULL, "Depth", BL_UNIT_PERCENT, 0, 100, 50, BL_CURVE_LINEAR,
                         BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 2},
    [PARAMETER_SHAPE] = {"shape", NULL, "Shape", BL_UNIT_INDEXED, SHAPE_SINE, SHAPE_SQUARE,
                         SHAPE_SINE, BL_CURVE_LINEAR, BL_PARAMETER_STEPPED_FLAGS,
                         .value_strings = shapes, .overview_rank = 3},
    [PARAMETER_SPREAD] = {"spread", NULL, "Spread", BL_UNIT_DEGREES, 0, 180, 0, BL_CURVE_LINEAR,
                          BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 4},
};

typedef struct tremolo_unit {
    bl_unit_base base;
    bl_phase phase;
    double phase_scale;
    bl_ramp weights[SHAPE_COUNT]; /* 1 for the shape in force, 0 for the others */
} tremolo_unit;

BL_CREATE(tremolo_unit)

/* The weight of a shape: 1 for the shape that the parameter selects, else 0. */
static float weight_target(const tremolo_unit *tremolo, int shape) BL_NONBLOCKING {
    int chosen = (int)(tremolo->base.parameters[PARAMETER_SHAPE].target + 0.5f);
    return chosen == shape ? 1.0f : 0.0f;
}

static void update_weights(tremolo_unit *tremolo) BL_NONBLOCKING {
    for (int shape = 0; shape < SHAPE_COUNT; shape += 1) {
        bl_ramp_set(&tremolo->weights[shape], weight_target(tremolo, shape));
    }
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    tremolo_unit *tremolo = (tremolo_unit *)unit;
    bl_unit_base_finish_ramps(&tremolo->base);
    tremolo->phase_scale = bl_phase_scale(tremolo->base.sample_rate);
    update_weights(tremolo);
    tremolo->phase = 0;
}

static void set_parameter(bl_unit *unit, bl_parameter_address address, float value) BL_NONBLOCKING {
    bl_unit_base_set_parameter(unit, address, value);
    update_weights((tremolo_unit *)unit);
}

static void apply(bl_unit *unit, const bl_event *event) BL_NONBLOCKING {
    tremolo_unit *tremolo = (tremolo_unit *)unit;
    bl_unit_base_apply(&tremolo->base, event);
    for (int shape = 0; shape < SHAPE_COUNT; shape += 1) {
        bl_declick(&tremolo->weights[shape], weight_target(tremolo, shape),
                   tremolo->base.sample_rate);
    }
}

/* The level that a shape asks for, 0 to 1; 1 at phase 0. `rate` in Hz. */
BL_INLINE float level(tremolo_shape shape, uint32_t phase, float rate) BL_NONBLOCKING {
    if (shape == SHAPE_SINE) {
        return 0.5f + 0.5f * bl_cosine(phase);
    }
    uint32_t distance = (int32_t)phase < 0 ? 0u - phase : phase;
    float falling = (float)(int32_t)(0x40000000u - distance) * 0x1p-30f; /* 1 to -1 and back */
    if (shape == SHAPE_TRIANGLE) {
        return 0.5f + 0.5f * falling;
    }
    /* A clipped triangle, its corners rounded by a cubic. */
    float edge = falling * (1.0f / (2.0f * EDGE_TIME * rate));
    edge = edge < 1.0f ? edge : 1.0f;
    edge = edge > -1.0f ? edge : -1.0f;
    return 0.5f + edge * (0.75f - 0.25f * (edge * edge));
}

/* Adds a shape's level times its weight, for each frame. */
BL_INLINE void add_levels(const tremolo_unit *tremolo, tremolo_shape shape, const uint32_t *phases,
                          const float *rates, float *levels, uint32_t frames) BL_NONBLOCKING {
    bl_ramp weight = tremolo->weights[shape];
    if (!bl_ramp_is_moving(&weight) && weight.target == 0) {
        return;
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        levels[frame] += bl_ramp_value(&weight, frame) * level(shape, phases[frame], rates[frame]);
    }
}

/* What the frames are multiplied by at these phases. */
BL_INLINE void fill_factors(const tremolo_unit *tremolo, const uint32_t *phases, const float *rates,
                            float *factors, uint32_t frames) BL_NONBLOCKING {
    float levels[BL_CHUNK_FRAMES] = {0};
    add_levels(tremolo, SHAPE_SINE, phases, rates, levels, frames);
    add_levels(tremolo, SHAPE_TRIANGLE, phases, rates, levels, frames);
    add_levels(tremolo, SHAPE_SQUARE, phases, rates, levels, frames);
    bl_ramp depth = tremolo->base.parameters[PARAMETER_DEPTH];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        factors[frame] = 1.0f + (bl_ramp_value(&depth, frame) * 0.01f) * (levels[frame] - 1.0f);
    }
}

static BL_VECTOR_CLONES void process(bl_unit *unit, float *const *input, float *const *output,
                                     uint32_t first_frame, uint32_t frames) BL_NONBLOCKING {
    tremolo_unit *tremolo = (tremolo_unit *)unit;
    bl_ramp *ramps = tremolo->base.parameters;
    uint32_t phases[BL_CHUNK_FRAMES];
    float rates[BL_CHUNK_FRAMES];
    float factors[2][BL_CHUNK_FRAMES]; /* of even and of odd channels */
    for (uint32_t done = 0; done < frames; done += BL_CHUNK_FRAMES) {
        uint32_t count = frames - done < BL_CHUNK_FRAMES ? frames - done : BL_CHUNK_FRAMES;
        bl_ramp rate = ramps[PARAMETER_RATE];
        bl_ramp spread = ramps[PARAMETER_SPREAD];
        bl_ramp_fill(&rate, rates, count);
        bl_phase_fill(&tremolo->phase, &ramps[PARAMETER_RATE], tremolo->phase_scale, phases, count);
        fill_factors(tremolo, phases, rates, factors[0], count);
        bool apart = bl_ramp_is_moving(&spread) || spread.target > 0;
        if (apart) {
            for (uint32_t frame = 0; frame < count; frame += 1) {
                float half_turns = bl_ramp_value(&spread, frame) * (0x1p31f / 360.0f);
                phases[frame] += (uint32_t)(int32_t)half_turns << 1;
            }
            fill_factors(tremolo, phases, rates, factors[1], count);
        }
        for (uint32_t channel = 0; channel < tremolo->base.output_channel_count; channel += 1) {
            bl_multiply_channel(input[channel] + first_frame + done,
                                output[channel] + first_frame + done, count,
                                factors[apart ? channel % 2 : 0]);
        }
        for (int shape = 0; shape < SHAPE_COUNT; shape += 1) {
            bl_ramp_advance(&tremolo->weights[shape], count);
        }
        bl_ramp_advance(&ramps[PARAMETER_DEPTH], count);
        bl_ramp_advance(&ramps[PARAMETER_SPREAD], count);
    }
}

BL_EFFECT_RENDER(apply, process)

static const char *const tags[] = {"Modulation", "Guitar", NULL};

const bl_unit_descriptor bl_tremolo = {
    BL_BUILT_IN(BL_TYPE_EFFECT, 't', 'm', 'l', 'o'),
    .name = "Tremolo",
    .summary = "Moves the level up and down, with both sides together or in turn",
    BL_EFFECT_BUSSES,
    .destroy = bl_unit_base_destroy,
    .set_parameter = set_parameter,
    .parameter_value = bl_unit_base_parameter_value,
    .allocate_render_resources = bl_unit_base_allocate_and_reset,
    .deallocate_render_resources = bl_unit_base_deallocate,
};
