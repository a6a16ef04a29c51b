/* Rotary speaker: a treble horn and a bass drum rotate in front of two microphones. */

#include "base/effect.h"
#include "dsp/decibels.h"
#include "dsp/lfo.h"
#include "dsp/moddelay.h"
#include "dsp/svf.h"

enum {
    SPEED,
    HORN_SLOW,
    HORN_FAST,
    DRUM_SLOW,
    DRUM_FAST,
    ACCELERATION,
    BALANCE,
    DISTANCE,
    ANGLE,
    MIX,
    PARAMETER_COUNT
};

enum { BRAKE, SLOW, FAST };
enum { HORN, DRUM, ROTOR_COUNT };

/* The speed of sound, m/s, in air at 20 °C. */
#define SOUND_SPEED 343.2
#define LONGEST_DISTANCE 3.0
/* The crossover between drum and horn, Hz. */
#define CROSSOVER 800.0f
/* The gain that compensates for sound directed away from the microphones. */
#define MAKE_UP 1.25f

/* The rotors: radius in metres; attenuation from behind; seconds for 63 % of a change of speed up
   and down. After Clifford A. Henricksen, "Unearthing the mysteries of the Leslie cabinet", 1981,
   and Julius O. Smith et al., "Doppler simulation and the Leslie", 2002. */
static const struct {
    double radius;
    float shade;
    double up, down;
} rotors[ROTOR_COUNT] = {[HORN] = {0.19, 0.7f, 0.35, 0.5}, [DRUM] = {0.12, 0.45f, 1.8, 1.4}};

static const char *const speeds[] = {"Brake", "Slow", "Fast", NULL};
static const bl_parameter_group_info groups[] = {{"horn", "Horn"}, {"drum", "Drum"}};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [SPEED] = BL_CHOICE("speed", "Speed", speeds, SLOW, 1),
    [HORN_SLOW] =
        BL_KNOB("slow", "Horn Slow", HERTZ, LOGARITHMIC, 0.1f, 3, 0.8f, 0, .group = "horn"),
    [HORN_FAST] = BL_KNOB("fast", "Horn Fast", HERTZ, LOGARITHMIC, 3, 12, 6.7f, 0, .group = "horn"),
    [DRUM_SLOW] =
        BL_KNOB("slow", "Drum Slow", HERTZ, LOGARITHMIC, 0.1f, 3, 0.7f, 0, .group = "drum"),
    [DRUM_FAST] = BL_KNOB("fast", "Drum Fast", HERTZ, LOGARITHMIC, 3, 12, 5.7f, 0, .group = "drum"),
    [ACCELERATION] = BL_KNOB("acceleration", "Acceleration", RATIO, LOGARITHMIC, 0.25f, 4, 1, 5),
    /* Above 0 the drum is softer, below 0 the horn. */
    [BALANCE] = BL_KNOB("balance", "Balance", DECIBELS, LINEAR, -24, 24, 0, 4),
    /* The distance from the rotors' axis to each microphone. */
    [DISTANCE] = BL_KNOB("distance", "Distance", CUSTOM, LOGARITHMIC, 0.3f, (float)LONGEST_DISTANCE,
                         0.6f, 2, .unit_name = "m"),
    /* The angle between the microphones. */
    [ANGLE] = BL_KNOB("angle", "Angle", DEGREES, LINEAR, 0, 180, 110, 3),
    [MIX] = BL_KNOB("mix", "Mix", PERCENT, LINEAR, 0, 100, 100, 6),
};

#define ROOM(speed, distance, angle, balance)                                                      \
    {SPEED, speed}, {DISTANCE, distance}, {ANGLE, angle}, { BALANCE, balance }

static const bl_factory_preset presets[] = {
    BL_PRESET("Chorale", ROOM(SLOW, 0.6f, 110, 0)),
    BL_PRESET("Tremolo", ROOM(FAST, 0.6f, 110, 0)),
    BL_PRESET("Close and Wide", ROOM(FAST, 0.35f, 180, 0)),
    BL_PRESET("Far and Narrow", ROOM(SLOW, 2, 60, 0)),
    BL_PRESET("Guitar Swirl", ROOM(SLOW, 0.5f, 140, 3), {HORN_SLOW, 1.1f}),
    BL_PRESET("Horn Only", ROOM(FAST, 0.5f, 120, 24)),
    BL_PRESET("Braked", ROOM(BRAKE, 0.6f, 110, 0)),
};

typedef struct rotor {
    bl_phase phase;
    double speed; /* Hz */
} rotor;

typedef struct rotary_unit {
    bl_unit_base base;
    bl_sinc sinc;
    bl_moddelay clock;
    float *lines; /* two per pair of channels: horn and drum */
    double phase_scale;
    rotor rotors[ROTOR_COUNT];
    bl_svf_coefficients crossover;
    bl_svf_state splits[(BL_MAXIMUM_CHANNELS + 1) / 2][2]; /* of pairs of channels */
} rotary_unit;

/* The target speed of a rotor, Hz. */
static double wanted_speed(const rotary_unit *rotary, int which, uint32_t frame) BL_NONBLOCKING {
    const bl_ramp *ramps = rotary->base.parameters;
    uint32_t speed = (uint32_t)(ramps[SPEED].target + 0.5f);
    int first = which == HORN ? HORN_SLOW : DRUM_SLOW;
    return speed == BRAKE ? 0 : (double)bl_ramp_value(&ramps[first + (speed == FAST)], frame);
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    rotary_unit *rotary = (rotary_unit *)unit;
    bl_moddelay_empty(&rotary->clock, rotary->lines, rotary->base.output_channel_count + 1);
    for (int which = 0; which < ROTOR_COUNT; which += 1) {
        rotary->rotors[which] = (rotor){.speed = wanted_speed(rotary, which, 0)};
    }
    memset(rotary->splits, 0, sizeof rotary->splits);
}

static bl_status prepare(bl_unit *unit) {
    rotary_unit *rotary = (rotary_unit *)unit;
    double rate = rotary->base.sample_rate;
    bl_moddelay_size(&rotary->clock, 2 * rotors[HORN].radius / SOUND_SPEED * rate + 64);
    size_t lines = rotary->base.output_channel_count + 1;
    rotary->lines = bl_kit_memory(unit, lines * bl_moddelay_floats(&rotary->clock), sizeof(float));
    bl_sinc_fill(&rotary->sinc);
    rotary->phase_scale = bl_phase_scale(rate);
    bl_svf_tune(&rotary->crossover, CROSSOVER * (float)(1 / rate), 0);
    return bl_kit_memory_status(unit);
}

/* A stretch of frames: the delay and the level of each rotor at each microphone. */
typedef struct stretch {
    uint32_t frames;
    double backs[ROTOR_COUNT][2][BL_CHUNK_FRAMES];
    float gains[ROTOR_COUNT][2][BL_CHUNK_FRAMES];
} stretch;

/* Rotates a rotor: fills in its phase at each frame. Horn and drum turn in opposite directions. */
BL_INLINE void turn(rotary_unit *rotary, int which, uint32_t *phases,
                    uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *ramps = rotary->base.parameters;
    rotor turned = rotary->rotors[which];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        double away = wanted_speed(rotary, which, frame) - turned.speed;
        if (away != 0) {
            double quickness = (double)bl_ramp_value(&ramps[ACCELERATION], frame);
            double time = away > 0 ? rotors[which].up : rotors[which].down;
            turned.speed += away * quickness / (time * rotary->base.sample_rate);
        }
        turned.phase += (bl_phase)(int64_t)(turned.speed * rotary->phase_scale) << 1;
        uint32_t phase = bl_phase_top(turned.phase);
        phases[frame] = which == HORN ? phase : 0u - phase;
    }
    rotary->rotors[which] = turned;
}

/* Computes one rotor's delay and level at both microphones. The delay is that of the path from the
   turning mouth to the microphone, beyond the shortest; the level falls with the path, and behind
   the mouth. */
BL_INLINE void look(const rotary_unit *rotary, int which, const uint32_t *phases,
                    stretch *now) BL_NONBLOCKING {
    const bl_ramp *ramps = rotary->base.parameters;
    double rate = rotary->base.sample_rate, radius = rotors[which].radius;
    for (int side = 0; side < 2; side += 1) {
        for (uint32_t frame = 0; frame < now->frames; frame += 1) {
            float balance = bl_ramp_value(&ramps[BALANCE], frame) * (which == HORN ? 1 : -1);
            float level = MAKE_UP * bl_decibels_to_gain(balance < 0 ? balance : 0);
            double distance = (double)bl_ramp_value(&ramps[DISTANCE], frame);
            float half_angle = bl_ramp_value(&ramps[ANGLE], frame) * 0.5f;
            uint32_t phase = phases[frame];
            uint32_t seen = side == 0 ? bl_lfo_ahead(phase, half_angle)
                                      : 0u - bl_lfo_ahead(0u - phase, half_angle);
            double facing = bl_lfo_sine(seen + 0x40000000u);
            double way = __builtin_elementwise_sqrt(distance * distance + radius * radius -
                                                    2 * distance * radius * facing);
            now->backs[which][side][frame] =
                BL_MODDELAY_SHORTEST + (way - (distance - radius)) * (rate / SOUND_SPEED);
            float shade = 1 - rotors[which].shade * (0.5f - 0.5f * (float)facing);
            now->gains[which][side][frame] = level * shade * (float)(distance / way);
        }
    }
}

/* Adds one rotor's sound at one microphone to `sum`. */
BL_INLINE void hear(const rotary_unit *rotary, const stretch *now, int which, int side,
                    const float *line, float *sum) BL_NONBLOCKING {
    float sound[BL_CHUNK_FRAMES];
    bl_moddelay_read(&rotary->clock, &rotary->sinc, line, now->backs[which][side], sound,
                     now->frames);
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        sum[frame] += now->gains[which][side][frame] * sound[frame];
    }
}

/* Splits the mean of a pair's channels: fourth-order filters after Siegfried Linkwitz and Russ
   Riley, 1976, whose sum is flat. */
BL_INLINE void split(rotary_unit *rotary, uint32_t pair, const float *left, const float *right,
                     float *horn, float *drum, uint32_t frames) BL_NONBLOCKING {
    bl_svf_state *states = rotary->splits[pair];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        double mono = 0.5 * ((double)left[frame] + (double)right[frame]);
        bl_svf_outputs once = bl_svf_tick(&states[0], &rotary->crossover, (bl_double2){mono, mono});
        bl_svf_outputs twice =
            bl_svf_tick(&states[1], &rotary->crossover, (bl_double2){once.low[0], once.high[0]});
        drum[frame] = (float)twice.low[0];
        horn[frame] = (float)twice.high[1];
    }
}

static BL_VECTOR_CLONES void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                                     uint32_t frames) BL_NONBLOCKING {
    rotary_unit *rotary = (rotary_unit *)unit;
    bl_ramp *ramps = rotary->base.parameters;
    uint32_t channels = rotary->base.output_channel_count;
    uint32_t floats = bl_moddelay_floats(&rotary->clock);
    stretch now;
    for (uint32_t done = 0; done < frames; done += now.frames) {
        now.frames = bl_fewer(frames - done, BL_CHUNK_FRAMES);
        for (int which = 0; which < ROTOR_COUNT; which += 1) {
            uint32_t phases[BL_CHUNK_FRAMES];
            turn(rotary, which, phases, now.frames);
            look(rotary, which, phases, &now);
        }
        for (uint32_t first = 0; first < channels; first += 2) {
            uint32_t other = first + 1 < channels ? first + 1 : first;
            float *horn_line = rotary->lines + (size_t)first * floats;
            float *drum_line = horn_line + floats;
            float horn[BL_CHUNK_FRAMES], drum[BL_CHUNK_FRAMES];
            split(rotary, first / 2, io->input[first] + first_frame + done,
                  io->input[other] + first_frame + done, horn, drum, now.frames);
            bl_moddelay_write(&rotary->clock, horn_line, horn, now.frames);
            bl_moddelay_write(&rotary->clock, drum_line, drum, now.frames);
            for (uint32_t channel = first; channel <= other; channel += 1) {
                int side = (int)(channel - first);
                float wet[BL_CHUNK_FRAMES] = {0};
                hear(rotary, &now, HORN, side, horn_line, wet);
                hear(rotary, &now, DRUM, side, drum_line, wet);
                const float *from = io->input[channel] + first_frame + done;
                float *to = io->output[channel] + first_frame + done;
                for (uint32_t frame = 0; frame < now.frames; frame += 1) {
                    float mix = bl_ramp_value(&ramps[MIX], frame) * 0.01f;
                    to[frame] = (1 - mix) * from[frame] + mix * wet[frame];
                }
            }
        }
        for (uint32_t index = 0; index < PARAMETER_COUNT; index += 1) {
            bl_ramp_advance(&ramps[index], now.frames);
        }
        bl_moddelay_advance(&rotary->clock, now.frames);
    }
}

BL_KIT(rotary_unit, .process = process, .prepare = prepare, .reset = reset)

/* The tail: the path across the horn, and the crossover's resonance. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    (void)unit;
    return 2 * rotors[HORN].radius / SOUND_SPEED + 10 / (6.283 * (double)CROSSOVER);
}

const bl_unit_descriptor bl_rotary = {
    BL_EFFECT('r', 'o', 't', 'a'),
    .name = "Rotary Speaker",
    BL_TAGS("Modulation", "Space", "Guitar"),
    .summary = "A horn and a drum that turn before two microphones, as in an organ's cabinet",
    BL_PARAMETER_GROUPS,
    BL_FACTORY_PRESETS,
    .tail_time = tail_time,
};
