/* The common parts of the chorus and of the flanger, all but their tables: the sound is read from a
 * delay line at up to eight places, which an oscillator moves to and fro, and added to itself.
 *
 * The including file defines VOICES_COUNT, VOICES_CROSSED and VOICES_LATE, which take from a base's
 * parameters how many voices there are, whether each side subtracts the other side's voices, and
 * whether the input is delayed to the middle of the sweep. Jon Dattorro, "Effect design, part 2:
 * delay-line modulation and chorus", 1997.
 */
#include <math.h>

#include "base/beat_lfo.h"
#include "base/effect.h"
#include "dsp/declick.h"
#include "dsp/equal_power.h"
#include "dsp/glide.h"
#include "dsp/lfo.h"
#include "dsp/moddelay.h"
#include "dsp/one_pole.h"

enum {
    VOICES_RATE,
    VOICES_SYNC,
    VOICES_SHAPE,
    VOICES_DELAY,
    VOICES_DEPTH,
    VOICES_FEEDBACK,
    VOICES_TONE,
    VOICES_SPREAD,
    VOICES_MIX,
    VOICES_COMMON_COUNT
};
enum { VOICES_MOST = 8, VOICES_STRETCH = 64 };

/* The glide of a changed delay or depth: its time constant, seconds, and its top speed, frames per
   frame. */
#define VOICES_GLIDE_TIME 0.05
#define VOICES_FASTEST 0.25
/* The crossfade time of a new waveform, seconds: it bends the pitch. */
#define VOICES_SHAPE_TIME 0.1

/* The parameter rows that both units share. */
#define VOICES_SHARED_ROWS                                                                         \
    [VOICES_SYNC] = BL_CHOICE("sync", "Sync", bl_lfo_sync_names, 0, 4, BL_DEPENDENTS("rate")),     \
    [VOICES_SHAPE] = BL_CHOICE("shape", "Shape", shapes, 0, 9),                                    \
    [VOICES_TONE] =                                                                                \
        BL_KNOB("tone", "Tone", HERTZ, LOGARITHMIC, 200, BL_TONE_OPEN, BL_TONE_OPEN, 7),           \
    [VOICES_SPREAD] = BL_KNOB("spread", "Spread", DEGREES, LINEAR, 0, 180, 90, 8)

/* The start of a preset's row: rate in Hz, delay and depth in milliseconds, mix in percent. */
#define VOICES_SWEEP(rate, delay, depth, mix)                                                      \
    {VOICES_RATE, rate}, {VOICES_DELAY, delay}, {VOICES_DEPTH, depth}, { VOICES_MIX, mix }

static const char *const shapes[] = {"Sine", "Triangle", NULL};

typedef struct voices_unit {
    bl_unit_base base;
    bl_sinc sinc;
    bl_moddelay clock;
    float *lines; /* two per channel: of the voices with feedback, and of the input */
    bl_one_pole tones[BL_MAXIMUM_CHANNELS];
    bl_one_pole_clock tone_clock;
    float tone_scale;
    bl_beat_lfo lfo;
    bl_glide delay, depth;       /* frames */
    bl_ramp shape;               /* share of the triangle */
    bl_ramp voices[VOICES_MOST]; /* gains */
    bl_ramp crossed, late;       /* weights of VOICES_CROSSED and VOICES_LATE, 0 to 1 */
} voices_unit;

static double wanted_frames(const voices_unit *unit, uint32_t index,
                            uint32_t frame) BL_NONBLOCKING {
    double frames = (double)bl_ramp_value(&unit->base.parameters[index], frame) * 0.001 *
                    unit->base.sample_rate;
    double shortest = index == VOICES_DELAY ? BL_MODDELAY_SHORTEST + 1 : 0;
    return frames > shortest ? frames : shortest;
}

/* Moves to the values of the switches, with a fade or at once. */
static void follow_switches(voices_unit *unit, bool fades) BL_NONBLOCKING {
    const bl_unit_base *base = &unit->base;
    struct {
        bl_ramp *ramp;
        float value;
        double time;
    } switches[3 + VOICES_MOST] = {
        {&unit->shape, base->parameters[VOICES_SHAPE].target, VOICES_SHAPE_TIME},
        {&unit->crossed, VOICES_CROSSED(base), BL_DECLICK_TIME},
        {&unit->late, VOICES_LATE(base), BL_DECLICK_TIME},
    };
    for (uint32_t voice = 0; voice < VOICES_MOST; voice += 1) {
        switches[3 + voice].ramp = &unit->voices[voice];
        switches[3 + voice].value = (float)voice < VOICES_COUNT(base) ? 1 : 0;
        switches[3 + voice].time = BL_DECLICK_TIME;
    }
    for (uint32_t index = 0; index < 3 + VOICES_MOST; index += 1) {
        if (fades && switches[index].ramp->target != switches[index].value) {
            bl_ramp_start(switches[index].ramp, switches[index].value,
                          (uint32_t)(switches[index].time * base->sample_rate));
        } else if (!fades) {
            bl_ramp_set(switches[index].ramp, switches[index].value);
        }
    }
}

static void reset(bl_unit *instance) BL_NONBLOCKING {
    voices_unit *unit = (voices_unit *)instance;
    uint32_t channels = unit->base.output_channel_count;
    bl_moddelay_empty(&unit->clock, unit->lines, 2 * channels);
    follow_switches(unit, false);
    unit->delay = (bl_glide){.value = wanted_frames(unit, VOICES_DELAY, 0)};
    unit->depth = (bl_glide){.value = wanted_frames(unit, VOICES_DEPTH, 0)};
    unit->lfo = (bl_beat_lfo){0};
    unit->tone_clock = (bl_one_pole_clock){0};
    for (uint32_t channel = 0; channel < channels; channel += 1) {
        unit->tones[channel] = (bl_one_pole){0};
    }
}

static bl_status prepare(bl_unit *instance) {
    voices_unit *unit = (voices_unit *)instance;
    const bl_parameter_info *table = unit->base.descriptor->parameters;
    double rate = unit->base.sample_rate;
    double longest = (double)(table[VOICES_DELAY].maximum + table[VOICES_DEPTH].maximum) * 0.001;
    bl_moddelay_size(&unit->clock, longest * rate);
    size_t channels = unit->base.output_channel_count;
    unit->lines =
        bl_kit_memory(instance, 2 * channels * bl_moddelay_floats(&unit->clock), sizeof(float));
    bl_sinc_fill(&unit->sinc);
    unit->tone_scale = bl_one_pole_scale(rate);
    return bl_kit_memory_status(instance);
}

static void change(bl_unit *instance, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    bl_kit_apply(instance, event);
    follow_switches((voices_unit *)instance, io != NULL);
}

static void cycle(bl_unit *instance, bl_io *io) BL_NONBLOCKING {
    bl_turns_follow(&((voices_unit *)instance)->lfo.turns, (const bl_unit_base *)instance, io);
}

#include "chorus/voices_render.h"

BL_KIT(voices_unit, .process = process, .change = change, .cycle = cycle, .prepare = prepare,
       .reset = reset)

/* The longest delay, and with feedback its repetitions down to -60 dB. */
static double tail_time(const bl_unit *instance) BL_NONBLOCKING {
    const bl_ramp *parameters = ((const bl_unit_base *)instance)->parameters;
    double feedback = fabs((double)parameters[VOICES_FEEDBACK].target) * 0.01;
    double longest =
        ((double)parameters[VOICES_DELAY].target + (double)parameters[VOICES_DEPTH].target) * 0.001;
    return longest * (1 + (feedback > 0 ? ceil(-3 / log10(feedback)) : 0));
}

/* The other descriptor members. */
#define VOICES_DESCRIPTOR BL_FACTORY_PRESETS, .tail_time = tail_time
