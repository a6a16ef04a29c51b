/* The sound of the analogue filter, at eight times the rate: a soft clipper, then a ladder of four
 * poles or a state-variable filter.
 *
 * Both by trapezoidal integration with the feedback solved for the frame (Vadim Zavalishin, "The
 * Art of VA Filter Design", 2012). Each has one soft limit, in its resonance: the ladder's feedback
 * is clipped, the other's damping grows with its band-pass. It is computed from the linear solution
 * of the frame (after Stefano D'Angelo and Vesa Välimäki, "Generalized Moog ladder filter: Part
 * II", 2014, without their iteration). */
#include <math.h>
#include <string.h>

#include "analogue_filter/analogue_filter.h"

/* Frames between two computations of the coefficients while a knob moves: few, so that the cutoff
   may move at audio rate. */
enum { GRID = 4 };

/* Duration of the crossfade between two modes, seconds. */
#define MODE_TIME 0.02
/* The limit of the ladder's feedback. */
#define FEEDBACK_LIMIT 3.0
/* The level whose loudness the drive preserves: -12 dBFS. */
#define DRIVE_LEVEL 0.25

static const double mixes[BL_ANALOGUE_MODE_COUNT][BL_ANALOGUE_MIX_COUNT] = {
    [BL_ANALOGUE_LOW_PASS_6] = {1},
    [BL_ANALOGUE_LOW_PASS_12] = {0, 1},
    [BL_ANALOGUE_LOW_PASS_18] = {0, 0, 1},
    [BL_ANALOGUE_LOW_PASS_24] = {0, 0, 0, 1},
    [BL_ANALOGUE_HIGH_PASS] = {0, 0, 0, 0, 0, 0, 1},
    [BL_ANALOGUE_BAND_PASS] = {0, 0, 0, 0, 0, 2, 0},
    [BL_ANALOGUE_NOTCH] = {0, 0, 0, 0, 1, 0, 1},
    [BL_ANALOGUE_PEAK] = {0, 0, 0, 0, 1, 2, 1},
};

/* Computes the coefficients of the grid's next line, except the mix. */
BL_INLINE void tune(const bl_unit_base *base, bl_analogue_coefficients *to) BL_NONBLOCKING {
    const bl_ramp *parameters = base->parameters;
    double cutoff = (double)bl_ramp_value(&parameters[CUTOFF], GRID);
    double resonance = (double)bl_ramp_value(&parameters[RESONANCE], GRID);
    double drive = (double)bl_ramp_value(&parameters[DRIVE], GRID);
    double part = fmin(cutoff / (8 * base->sample_rate), 0.499);
    double g = tan(3.14159265358979324 * part);
    double pole = g / (1 + g);
    double feedback = bl_analogue_feedback(resonance);
    double damping = bl_analogue_damping(resonance);
    double gain = pow(10, drive / 20);
    to->of[BL_ANALOGUE_LADDER_GAIN] = pole;
    to->of[BL_ANALOGUE_LADDER_FEEDBACK] = feedback;
    to->of[BL_ANALOGUE_LADDER_SOLUTION] = 1 / (1 + feedback * (pole * pole * pole * pole));
    to->of[BL_ANALOGUE_LADDER_INPUT] = sqrt(1 + feedback);
    to->of[BL_ANALOGUE_SVF_GAIN] = g;
    to->of[BL_ANALOGUE_SVF_DAMPING] = damping;
    to->of[BL_ANALOGUE_SVF_SOLUTION] = 1 / (1 + g * (g + damping));
    to->of[BL_ANALOGUE_DRIVE_GAIN] = gain;
    to->of[BL_ANALOGUE_DRIVE_LEVEL] = DRIVE_LEVEL / bl_soft_clip(DRIVE_LEVEL * gain);
    to->of[BL_ANALOGUE_DRIVE_SHARE] = fmin(drive, 1);
}

/* Sets the coefficients of the next line, at a line of the grid. */
BL_INLINE void aim(bl_grid_unit *unit) BL_NONBLOCKING {
    bl_analogue_filter *filter = (bl_analogue_filter *)unit;
    const bl_unit_base *base = &unit->base;
    filter->from = filter->to;
    tune(base, &filter->to);
    uint32_t mode = (uint32_t)(base->parameters[MODE].target + 0.5f);
    double step = filter->tuned ? GRID / (MODE_TIME * base->sample_rate) : 2;
    for (uint32_t index = 0; index < BL_ANALOGUE_MIX_COUNT; index += 1) {
        double before = filter->from.of[BL_ANALOGUE_MIX + index];
        filter->to.of[BL_ANALOGUE_MIX + index] =
            fmax(fmin(mixes[mode][index], before + step), before - step);
    }
    if (!filter->tuned) {
        filter->from = filter->to;
        filter->tuned = true;
    }
    filter->moving = memcmp(&filter->from, &filter->to, sizeof filter->from) != 0;
    bool ramps = false;
    for (uint32_t index = 0; index < OUTPUT; index += 1) {
        ramps = ramps || bl_ramp_is_moving(&base->parameters[index]);
    }
    unit->base.stale = filter->moving || ramps;
}

/* Clips both channels with bl_soft_clip. */
BL_INLINE bl_double2 clip(bl_double2 x) BL_NONBLOCKING {
    return (bl_double2){bl_soft_clip(x[0]), bl_soft_clip(x[1])};
}

BL_INLINE bl_double2 drive(bl_analogue_state *state, const double *of,
                           bl_double2 input) BL_NONBLOCKING {
    if (of[BL_ANALOGUE_DRIVE_SHARE] == 0) {
        return input;
    }
    bl_double2 driven = of[BL_ANALOGUE_DRIVE_GAIN] * input;
    bl_double2 clipped = {bl_soft_clipper_tick(&state->clippers[0], driven[0]),
                          bl_soft_clipper_tick(&state->clippers[1], driven[1])};
    clipped = of[BL_ANALOGUE_DRIVE_LEVEL] * clipped;
    return input + of[BL_ANALOGUE_DRIVE_SHARE] * (clipped - input);
}

BL_INLINE bl_double2 ladder(bl_analogue_state *state, const double *of,
                            bl_double2 input) BL_NONBLOCKING {
    double pole = of[BL_ANALOGUE_LADDER_GAIN];
    double rest = 1 - pole;
    double square = pole * pole;
    double feedback = of[BL_ANALOGUE_LADDER_FEEDBACK];
    bl_double2 *charges = state->ladder;
    bl_double2 x = of[BL_ANALOGUE_LADDER_INPUT] * input;
    /* The last pole's output if the feedback were not clipped. */
    bl_double2 old = (rest * pole * square) * charges[0] + (rest * square) * charges[1];
    bl_double2 young = (rest * pole) * charges[2] + rest * charges[3];
    bl_double2 last = of[BL_ANALOGUE_LADDER_SOLUTION] * (square * square * x + (old + young));
    /* Each pole's output for zero input: independent of the clipper's output. */
    bl_double2 free[BL_ANALOGUE_LADDER_COUNT], sum = {0, 0};
    for (int index = 0; index < BL_ANALOGUE_LADDER_COUNT; index += 1) {
        sum = pole * sum + rest * charges[index];
        free[index] = sum;
    }
    x = x - FEEDBACK_LIMIT * clip((feedback / FEEDBACK_LIMIT) * last);
    bl_double2 output = {0, 0};
    double power = 1;
    for (int index = 0; index < BL_ANALOGUE_LADDER_COUNT; index += 1) {
        power *= pole;
        charges[index] = 2 * power * x + (2 * free[index] - charges[index]);
        output = output + of[BL_ANALOGUE_MIX + index] * (power * x + free[index]);
    }
    return output;
}

BL_INLINE bl_double2 state_variable(bl_analogue_state *state, const double *of,
                                    bl_double2 input) BL_NONBLOCKING {
    double g = of[BL_ANALOGUE_SVF_GAIN];
    double k = of[BL_ANALOGUE_SVF_DAMPING];
    double solution = of[BL_ANALOGUE_SVF_SOLUTION];
    bl_double2 band = solution * (state->band + g * (input - state->low));
    input = input - (band - clip(band));
    bl_double2 high = solution * (input - (g + k) * state->band - state->low);
    band = state->band + g * high;
    bl_double2 low = state->low + g * band;
    state->band = band + g * high;
    state->low = low + g * band;
    const double *mix = of + BL_ANALOGUE_MIX + BL_ANALOGUE_LADDER_COUNT;
    return mix[0] * low + (mix[1] * band + mix[2] * high);
}

/* Whether any of `count` mix coefficients from `first` on is not 0. */
BL_INLINE bool has_share(const bl_analogue_filter *filter, int first, int count) BL_NONBLOCKING {
    bool share = false;
    for (int index = first; index < first + count; index += 1) {
        share = share || filter->from.of[index] != 0 || filter->to.of[index] != 0;
    }
    return share;
}

/* Filters two channels' frames at the higher rate, in place. */
BL_INLINE void run_raised(const bl_analogue_filter *filter, bl_analogue_state *state,
                          bl_double2 *samples, uint32_t frames) BL_NONBLOCKING {
    /* A filter that is not heard is cleared, to start from rest. */
    bool uses_ladder = has_share(filter, BL_ANALOGUE_MIX, BL_ANALOGUE_LADDER_COUNT);
    bool uses_other = has_share(filter, BL_ANALOGUE_MIX + BL_ANALOGUE_LADDER_COUNT,
                                BL_ANALOGUE_MIX_COUNT - BL_ANALOGUE_LADDER_COUNT);
    if (!has_share(filter, BL_ANALOGUE_DRIVE_SHARE, 1)) {
        memset(state->clippers, 0, sizeof state->clippers);
    }
    if (!uses_ladder) {
        memset(state->ladder, 0, sizeof state->ladder);
    }
    if (!uses_other) {
        state->band = state->low = (bl_double2){0, 0};
    }
    bl_analogue_coefficients now = filter->to;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        if (filter->moving) {
            double part = (double)(int32_t)(filter->grid.passed + frame + 1) * (1.0 / GRID);
            for (int index = 0; index < BL_ANALOGUE_COEFFICIENTS; index += 1) {
                double from = filter->from.of[index];
                now.of[index] = from + part * (filter->to.of[index] - from);
            }
        }
        for (uint32_t phase = 0; phase < 8; phase += 1) {
            bl_double2 *sample = &samples[8 * frame + phase];
            bl_double2 input = drive(state, now.of, *sample);
            bl_double2 output = {0, 0};
            output = uses_ladder ? ladder(state, now.of, input) : output;
            *sample = uses_other ? output + state_variable(state, now.of, input) : output;
        }
    }
}

BL_INLINE void run(bl_grid_unit *unit, uint32_t pair, bl_double2 *samples,
                   uint32_t frames) BL_NONBLOCKING {
    const bl_analogue_filter *filter = (const bl_analogue_filter *)unit;
    bl_analogue_state *state = &((bl_analogue_filter *)unit)->states[pair];
    bl_double2 raised[8 * BL_GRID_STRETCH];
    bl_allpass8_up(state->up, samples, raised, frames);
    run_raised(filter, state, raised, frames);
    bl_allpass8_down(state->down, raised, samples, frames);
}

BL_VECTOR_CLONES void bl_analogue_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                                          uint32_t frames) BL_NONBLOCKING {
    bl_grid_process(unit, GRID, &((bl_unit_base *)unit)->parameters[OUTPUT], aim, run, io,
                    first_frame, frames);
}
