/* Spring reverb: the tank of a guitar amplifier. */
#include "base/effect.h"
#include "dsp/decibels.h"
#include "dsp/declick.h"
#include "dsp/envelope.h"
#include "dsp/equal_power.h"
#include "dsp/svf.h"
#include "spring_reverb/spring_tank.h"

enum { SPRINGS, TENSION, DECAY, CHIRP, DRIP, LOW_CUT, WIDTH, MIX, PARAMETER_COUNT };

/* The round trip of the slackest spring, s; the tautest has half. */
#define SLACK 0.1f
/* The all-passes' coefficient without and with all of the drip. */
#define DRY 0.3f
#define DRIPPING 0.75f
/* Time constant of a changed decay, seconds. */
#define DECAY_TIME 0.05f
/* The springs' level relative to the dry sound, which compensates for the loss above fc. */
#define LEVEL 1.6f

enum { LOW_PASSES = 3 };

static const char *const counts[] = {"1", "2", "3", NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [SPRINGS] = BL_CHOICE("springs", "Springs", counts, 1, 4),
    /* Springs of another tension, chirp or drip replace the present ones, which fall silent. */
    [TENSION] = BL_SETTING("tension", "Tension", PERCENT, LINEAR, 0, 100, 60, 5),
    [DECAY] = BL_SETTING("decay", "Decay", SECONDS, LOGARITHMIC, 0.5f, 6, 2, 2),
    [CHIRP] = BL_SETTING("chirp", "Chirp", HERTZ, LOGARITHMIC, 2000, 6000, 4300, 6),
    [DRIP] = BL_SETTING("drip", "Drip", PERCENT, LINEAR, 0, 100, 60, 3),
    [LOW_CUT] = BL_KNOB("low_cut", "Low Cut", HERTZ, LOGARITHMIC, 20, 1000, 120, 0),
    [WIDTH] = BL_KNOB("width", "Width", PERCENT, LINEAR, 0, 100, 70, 0),
    [MIX] = BL_KNOB("mix", "Mix", PERCENT, LINEAR, 0, 100, 30, 1),
};

#define PRESET(NAME, springs, tension, decay, chirp, drip, mix, ...)                               \
    BL_PRESET(NAME, {SPRINGS, (springs)-1}, {TENSION, tension}, {DECAY, decay}, {CHIRP, chirp},    \
              {DRIP, drip}, {MIX, mix}, __VA_ARGS__)

static const bl_factory_preset presets[] = {
    PRESET("Blackface", 2, 60, 2.2f, 4300, 60, 28, {LOW_CUT, 150}),
    PRESET("Surf Splash", 3, 45, 3, 4800, 90, 45, {LOW_CUT, 200}),
    PRESET("Little Combo", 1, 90, 1.2f, 3500, 40, 25, {LOW_CUT, 200}),
    PRESET("Organ Tank", 3, 50, 3.5f, 5000, 45, 25, {LOW_CUT, 100}),
    PRESET("Dub Snare", 2, 30, 4, 3800, 100, 38, {LOW_CUT, 250}),
    PRESET("Vocal Spring", 3, 70, 2, 5500, 30, 22, {LOW_CUT, 250}),
    PRESET("Screen Door", 1, 0, 1.5f, 2600, 100, 40, {LOW_CUT, 80}),
    PRESET("Cavern", 3, 10, 6, 3200, 55, 45, {LOW_CUT, 90}),
};

typedef struct spring_reverb_unit {
    bl_unit_base base;
    bl_spring_tank tank;
    bl_spring_make make;                 /* the present construction */
    bl_ramp sounding;                    /* 0 when the springs may change, else to 1 */
    bl_ramp spring[BL_SPRINGS];          /* weights, 1 for present springs */
    bl_svf_state low_passes[LOW_PASSES]; /* for left and right */
    bl_svf_state low_cut;
    float pace; /* pace of the loop's filters */
} spring_reverb_unit;

static bl_spring_make wanted(const spring_reverb_unit *unit) BL_NONBLOCKING {
    const bl_ramp *ramps = unit->base.parameters;
    float tension = ramps[TENSION].target * 0.01f;
    float drip = ramps[DRIP].target * 0.01f;
    return (bl_spring_make){
        .chirp = ramps[CHIRP].target,
        .dispersion = DRY + (DRIPPING - DRY) * drip,
        .way = SLACK * bl_exp2(-tension),
    };
}

static bool is_wanted(const spring_reverb_unit *unit) BL_NONBLOCKING {
    bl_spring_make make = wanted(unit);
    return make.chirp == unit->make.chirp && make.dispersion == unit->make.dispersion &&
           make.way == unit->make.way;
}

static void change_springs(spring_reverb_unit *unit) BL_NONBLOCKING {
    double rate = unit->base.sample_rate;
    unit->make = wanted(unit);
    bl_spring_make_up(&unit->tank, &unit->make, rate);
    bl_spring_aim(&unit->tank, &unit->make, unit->base.parameters[DECAY].target, rate);
    bl_spring_arrive(&unit->tank);
    memset(unit->low_passes, 0, sizeof unit->low_passes);
    unit->low_cut = (bl_svf_state){0};
}

static float count_of(const spring_reverb_unit *unit) BL_NONBLOCKING {
    return unit->base.parameters[SPRINGS].target + 1;
}

static void reset(bl_unit *self) BL_NONBLOCKING {
    spring_reverb_unit *unit = (spring_reverb_unit *)self;
    change_springs(unit);
    bl_ramp_set(&unit->sounding, 1);
    for (uint32_t spring = 0; spring < BL_SPRINGS; spring += 1) {
        bl_ramp_set(&unit->spring[spring], (float)(int32_t)spring < count_of(unit) ? 1 : 0);
    }
    unit->pace = bl_envelope_pace(DECAY_TIME * (float)unit->base.sample_rate);
}

static bl_status prepare(bl_unit *self) {
    spring_reverb_unit *unit = (spring_reverb_unit *)self;
    size_t vectors = bl_spring_size(&unit->tank, unit->base.sample_rate);
    unit->tank.stages = bl_kit_memory(self, vectors, sizeof(bl_float4));
    if (unit->tank.stages == NULL) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    unit->tank.loop = unit->tank.stages + (size_t)BL_SPRING_STAGES * (unit->tank.stage_mask + 1);
    return BL_OK;
}

/* Decay and the number of springs change at once. */
static void follow_parameters(spring_reverb_unit *unit) BL_NONBLOCKING {
    double rate = unit->base.sample_rate;
    bl_spring_aim(&unit->tank, &unit->make, unit->base.parameters[DECAY].target, rate);
    for (uint32_t spring = 0; spring < BL_SPRINGS; spring += 1) {
        bl_declick(&unit->spring[spring], (float)(int32_t)spring < count_of(unit) ? 1 : 0, rate);
    }
}

static void change(bl_unit *self, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    (void)io;
    bl_kit_apply(self, event);
    if (((bl_unit_base *)self)->sample_rate > 0) {
        follow_parameters((spring_reverb_unit *)self);
    }
}

/* Changes the construction: the present springs fade out, and the new ones start in silence. */
static void follow_make(spring_reverb_unit *unit) BL_NONBLOCKING {
    if (bl_ramp_is_moving(&unit->sounding)) {
        return;
    }
    if (is_wanted(unit)) {
        bl_declick(&unit->sounding, 1, unit->base.sample_rate);
    } else if (unit->sounding.target == 0) {
        change_springs(unit);
        bl_declick(&unit->sounding, 1, unit->base.sample_rate);
    } else {
        bl_declick(&unit->sounding, 0, unit->base.sample_rate);
    }
}

/* Mixes the springs' ends: left, right, and for the third the middle. */
BL_INLINE void mix_down(const spring_reverb_unit *unit, const bl_float4 *samples, bl_double2 *wet,
                        uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *width = &unit->base.parameters[WIDTH];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float counts[BL_SPRINGS], count = 0;
        for (uint32_t spring = 0; spring < BL_SPRINGS; spring += 1) {
            counts[spring] = bl_ramp_value(&unit->spring[spring], frame);
            count += counts[spring];
        }
        /* A single spring is in the middle, the first of several left. */
        float aside = 0.005f * bl_ramp_value(width, frame);
        float near = bl_sine_of_quarter_turns(0.5f + aside * counts[1]);
        float far = bl_sine_of_quarter_turns(0.5f - aside * counts[1]);
        float gain = LEVEL * bl_ramp_value(&unit->sounding, frame) / sqrtf(count);
        float first = samples[frame][0] * gain, second = samples[frame][1] * counts[1] * gain;
        float third = samples[frame][2] * counts[2] * gain * 0.70710678f;
        wet[frame] = (bl_double2){(double)(near * first + far * second + third),
                                  (double)(far * first + near * second + third)};
    }
}

/* Resonances relative to a Q of 0.7071, for 0.5176, 0.7071 and 1.9319, dB. */
static const float resonances[LOW_PASSES] = {-2.70996f, 0, 8.73048f};

/* Filters the sound: below fc, a Butterworth filter of sixth order; above the low cut, one of
   second. */
BL_INLINE void cut(spring_reverb_unit *unit, bl_double2 *wet, uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *low_cut = &unit->base.parameters[LOW_CUT];
    float period = 1 / (float)unit->base.sample_rate;
    bl_svf_coefficients coefficients;
    for (uint32_t index = 0; index < LOW_PASSES; index += 1) {
        bl_svf_tune(&coefficients, unit->make.chirp * period, resonances[index]);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            wet[frame] = bl_svf_tick(&unit->low_passes[index], &coefficients, wet[frame]).low;
        }
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        if (frame == 0 || bl_ramp_is_moving(low_cut)) {
            bl_svf_tune(&coefficients, bl_ramp_value(low_cut, frame) * period, 0);
        }
        wet[frame] = bl_svf_tick(&unit->low_cut, &coefficients, wet[frame]).high;
    }
}

/* Plays the mean of all channels through the springs; after a change it fades in, too. */
BL_INLINE void ring(spring_reverb_unit *unit, float *const *input, uint32_t first, bl_double2 *wet,
                    uint32_t frames) BL_NONBLOCKING {
    uint32_t channels = unit->base.input_channel_count;
    float sum[BL_CHUNK_FRAMES] = {0};
    bl_float4 samples[BL_CHUNK_FRAMES];
    float share = 1 / (float)(int32_t)channels;
    for (uint32_t channel = 0; channel < channels; channel += 1) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            sum[frame] += share * input[channel][first + frame];
        }
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        sum[frame] *= bl_ramp_value(&unit->sounding, frame);
    }
    for (uint32_t done = 0, count; done < frames; done += count) {
        count = bl_spring_frames(&unit->tank, frames - done);
        bl_spring_run(&unit->tank, unit->pace, sum + done, samples + done, count);
    }
    mix_down(unit, samples, wet, frames);
    cut(unit, wet, frames);
}

BL_VECTOR_CLONES
static void process(bl_unit *self, bl_io *io, uint32_t first_frame,
                    uint32_t frames) BL_NONBLOCKING {
    spring_reverb_unit *unit = (spring_reverb_unit *)self;
    const bl_ramp *mix = &unit->base.parameters[MIX];
    uint32_t inputs = unit->base.input_channel_count;
    uint32_t outputs = unit->base.output_channel_count;
    bl_double2 wet[BL_CHUNK_FRAMES];
    for (uint32_t end = first_frame + frames, count; first_frame < end; first_frame += count) {
        follow_make(unit);
        count = bl_fewer(end - first_frame, BL_CHUNK_FRAMES);
        count = bl_frames_before_end(&unit->sounding, count);
        ring(unit, io->input, first_frame, wet, count);
        /* The first channel comes last: it may be the memory of the only input. */
        for (uint32_t channel = outputs; channel-- > 0;) {
            const float *dry = io->input[bl_fewer(channel, inputs - 1)] + first_frame;
            float *to = io->output[channel] + first_frame;
            for (uint32_t frame = 0; frame < count; frame += 1) {
                bl_shares shares = bl_equal_power(bl_ramp_value(mix, frame));
                double heard = outputs == 1 ? 0.70710678 * (wet[frame][0] + wet[frame][1])
                                            : wet[frame][channel & 1];
                to[frame] = shares.dry * dry[frame] + shares.wet * (float)heard;
            }
        }
        bl_ramps_advance(unit->base.parameters, PARAMETER_COUNT, count);
        bl_ramps_advance(unit->spring, BL_SPRINGS, count);
        bl_ramp_advance(&unit->sounding, count);
    }
}

BL_KIT(spring_reverb_unit, .process = process, .change = change, .prepare = prepare, .reset = reset)

static double tail_time(const bl_unit *self) BL_NONBLOCKING {
    const spring_reverb_unit *unit = (const spring_reverb_unit *)self;
    return bl_spring_tail(&unit->tank, &unit->make, unit->base.sample_rate);
}

static const bl_channel_capability capabilities[] = {{-1, -1}, {1, 2}};

const bl_unit_descriptor bl_spring_reverb = {
    BL_EFFECT('s', 'p', 'r', 'g'),
    .name = "Spring Reverb",
    BL_TAGS("Reverb", "Guitar", "Space"),
    .summary = "Sends the sound along one to three springs, as a guitar amplifier does",
    BL_CHANNEL_CAPABILITIES,
    BL_FACTORY_PRESETS,
    .tail_time = tail_time,
};
