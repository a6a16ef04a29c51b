/* Panner: moves a sound between left and right. */
#include <math.h>

#include "base/effect.h"
#include "dsp/declick.h"

enum { PAN, SPREAD, LAW, PARAMETER_COUNT };

/* The pan laws, named by their gain in the middle. */
enum { LAW_3, LAW_2_5, LAW_4_5, LAW_6, LAW_0, LAW_COUNT };

static const char *const laws[] = {"-3 dB", "-2.5 dB", "-4.5 dB", "-6 dB", "0 dB", NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [PAN] = BL_KNOB("pan", "Pan", PAN, LINEAR, -1, 1, 0, 1),
    /* The distance between the sides of a stereo source; below 0 they are swapped. */
    [SPREAD] = BL_KNOB("spread", "Spread", PERCENT, LINEAR, -100, 100, 100, 2),
    [LAW] = BL_CHOICE("law", "Pan Law", laws, LAW_3, 3),
};

static const bl_factory_preset presets[] = {
    BL_PRESET("Hard Left", {PAN, -1}, {SPREAD, 0}),
    BL_PRESET("Hard Right", {PAN, 1}, {SPREAD, 0}),
    BL_PRESET("Second Guitar", {PAN, 0.6f}, {SPREAD, 30}),
    BL_PRESET("Piano from the Hall", {SPREAD, 60}),
    BL_PRESET("Piano from the Stool", {SPREAD, -60}),
    BL_PRESET("Mono", {SPREAD, 0}, {LAW, LAW_6}),
};

typedef struct panner_unit {
    bl_unit_base base;          /* stale: the gains must be computed; also while anything moves */
    bl_ramp weights[LAW_COUNT]; /* 1 for the present law, 0 for the others */
    double gains[2][2];         /* gains of each source into left and right */
} panner_unit;

static float weight_target(const panner_unit *panner, int law) BL_NONBLOCKING {
    return law == (int)(panner->base.parameters[LAW].target + 0.5f) ? 1.0f : 0.0f;
}

static void follow_law(panner_unit *panner, bool at_once) BL_NONBLOCKING {
    for (int law = 0; law < LAW_COUNT; law += 1) {
        bl_switch(&panner->weights[law], weight_target(panner, law), panner->base.sample_rate,
                  at_once);
    }
}

static void reset(bl_unit *unit) BL_NONBLOCKING { follow_law((panner_unit *)unit, true); }

static void change(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    bl_kit_apply(unit, event);
    follow_law((panner_unit *)unit, io == NULL);
}

/* The gain into a side of a source at `place` (0 at the other side, 1 at this side): linear, equal
   power, their geometric mean; -2.5 dB is the power of the sine that has it in the middle. */
static double law_gain(int law, double place) BL_NONBLOCKING {
    double sine = sin(place * 1.57079632679489662);
    switch (law) {
    case LAW_3: return sine;
    case LAW_2_5: return pow(sine, 0.83048202372184059);
    case LAW_4_5: return sqrt(place * sine);
    case LAW_6: return place;
    default: return fmin(1, 2 * place);
    }
}

/* Fills in the gains into left and right of a source at `pan`, at a frame. */
static void fill_gains(const panner_unit *panner, double pan, uint32_t frame,
                       double gains[2]) BL_NONBLOCKING {
    double right = 0.5 + 0.5 * fmax(-1, fmin(1, pan));
    gains[0] = gains[1] = 0;
    for (int law = 0; law < LAW_COUNT; law += 1) {
        double weight = (double)bl_ramp_value(&panner->weights[law], frame);
        if (weight > 0) {
            gains[0] += weight * law_gain(law, 1 - right);
            gains[1] += weight * law_gain(law, right);
        }
    }
}

BL_INLINE bool moves(const panner_unit *panner) BL_NONBLOCKING {
    bool any = bl_ramp_is_moving(&panner->base.parameters[PAN]) ||
               bl_ramp_is_moving(&panner->base.parameters[SPREAD]);
    for (int law = 0; law < LAW_COUNT; law += 1) {
        any = any || bl_ramp_is_moving(&panner->weights[law]);
    }
    return any;
}

/* The gains at a frame. */
static void find_gains(panner_unit *panner, uint32_t frame) BL_NONBLOCKING {
    const bl_ramp *ramps = panner->base.parameters;
    double pan = (double)bl_ramp_value(&ramps[PAN], frame);
    double spread = (double)bl_ramp_value(&ramps[SPREAD], frame) * 0.01;
    bool stereo = panner->base.input_channel_count == 2;
    fill_gains(panner, stereo ? pan - spread : pan, frame, panner->gains[0]);
    if (stereo) {
        fill_gains(panner, pan + spread, frame, panner->gains[1]);
    }
}

/* Renders frames with the same gains; a mono source is the first. */
BL_INLINE void place(const panner_unit *panner, const float *first, const float *second,
                     float *left, float *right, uint32_t frames) BL_NONBLOCKING {
    double a = panner->gains[0][0], b = panner->gains[1][0];
    double c = panner->gains[0][1], d = panner->gains[1][1];
    BL_INDEPENDENT_FRAMES
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        double one = (double)first[frame], other = (double)second[frame];
        left[frame] = (float)(a * one + b * other);
        right[frame] = (float)(c * one + d * other);
    }
}

BL_INLINE void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                       uint32_t frames) BL_NONBLOCKING {
    panner_unit *panner = (panner_unit *)unit;
    bl_ramp *ramps = panner->base.parameters;
    bool moving = panner->base.stale && moves(panner);
    uint32_t count = moving ? 1 : frames;
    for (uint32_t frame = 0; frame < frames; frame += count) {
        if (panner->base.stale) {
            find_gains(panner, frame);
            panner->base.stale = moving;
        }
        uint32_t at = first_frame + frame;
        const float *second = io->input[panner->base.input_channel_count - 1] + at;
        place(panner, io->input[0] + at, second, io->output[0] + at, io->output[1] + at, count);
    }
    if (moving) {
        bl_ramps_advance(ramps, PARAMETER_COUNT, frames);
        bl_ramps_advance(panner->weights, LAW_COUNT, frames);
    }
}

BL_VECTOR_KIT(panner_unit, .process = process, .change = change, .reset = reset)

static const bl_channel_capability capabilities[] = {{1, 2}, {2, 2}};

const bl_unit_descriptor bl_panner = {
    BL_BUILT_IN(BL_TYPE_PANNER, 'p', 'a', 'n', 'r'),
    BL_EFFECT_BUSSES,
    .name = "Panner",
    BL_TAGS("Utility", "Space"),
    .summary = "Places a mono or stereo sound between left and right, by a pan law of your choice",
    BL_CHANNEL_CAPABILITIES,
    BL_FACTORY_PRESETS,
};
