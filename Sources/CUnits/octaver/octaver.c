/* Octaver: plays each note of a chord an octave higher, an octave lower and two octaves lower. */
#include <string.h>

#include "base/effect.h"
#include "dsp/decibels.h"
#include "octaver/octave_bank.h"

/* The parameters in the order of the bank's voices, followed by the dry sound. */
enum {
    UP = BL_OCTAVE_UP,
    DOWN = BL_OCTAVE_DOWN,
    DOWN_TWO = BL_OCTAVE_DOWN_TWO,
    DRY,
    PARAMETER_COUNT
};

/* The lowest band's decay to -60 dB, seconds. */
#define RINGING 0.07

#define LEVEL(ID, NAME, DEFAULT, RANK)                                                             \
    BL_KNOB(ID, NAME, DECIBELS, LINEAR, BL_FADER_MINIMUM, 12, DEFAULT, RANK)

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [UP] = LEVEL("up", "Octave Up", BL_FADER_MINIMUM, 3),
    [DOWN] = LEVEL("down", "Octave Down", -3, 1),
    [DOWN_TWO] = LEVEL("down_two", "Two Octaves Down", BL_FADER_MINIMUM, 2),
    [DRY] = LEVEL("dry", "Dry", 0, 4),
};

#define PRESET(NAME, up, down, down_two, dry)                                                      \
    BL_PRESET(NAME, {UP, up}, {DOWN, down}, {DOWN_TWO, down_two}, {DRY, dry})

static const bl_factory_preset presets[] = {
    PRESET("Thicker", BL_FADER_MINIMUM, -8, BL_FADER_MINIMUM, -1),
    PRESET("Bass from Guitar", BL_FADER_MINIMUM, 2, BL_FADER_MINIMUM, BL_FADER_MINIMUM),
    PRESET("Twelve Strings", -9, BL_FADER_MINIMUM, BL_FADER_MINIMUM, 0),
    PRESET("Organ", -4, -4, BL_FADER_MINIMUM, -4),
    PRESET("Pipe Organ", -4, -4, -4, -7),
    PRESET("Mandolin", 1, BL_FADER_MINIMUM, BL_FADER_MINIMUM, BL_FADER_MINIMUM),
    PRESET("Earthquake", BL_FADER_MINIMUM, -4, -1, -5),
};

typedef struct octaver_unit {
    bl_unit_base base;
    bl_octave_bank bank;
    bl_octave_state *states; /* one per channel */
} octaver_unit;

static void reset(bl_unit *unit) BL_NONBLOCKING {
    octaver_unit *octaver = (octaver_unit *)unit;
    memset(octaver->states, 0, octaver->base.output_channel_count * sizeof(bl_octave_state));
}

static bl_status prepare(bl_unit *unit) {
    octaver_unit *octaver = (octaver_unit *)unit;
    octaver->states =
        bl_kit_memory(unit, octaver->base.output_channel_count, sizeof(bl_octave_state));
    bl_octave_bank_tune(&octaver->bank, octaver->base.sample_rate);
    return bl_kit_memory_status(unit);
}

static void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                    uint32_t frames) BL_NONBLOCKING {
    octaver_unit *octaver = (octaver_unit *)unit;
    float gains[PARAMETER_COUNT][BL_CHUNK_FRAMES], memory[BL_OCTAVE_VOICES][BL_CHUNK_FRAMES];
    float *const voices[BL_OCTAVE_VOICES] = {memory[0], memory[1], memory[2]};
    for (uint32_t done = 0, count = 0; done < frames; done += count) {
        bl_ramp *ramps = octaver->base.parameters;
        count =
            bl_frames_before_ends(ramps, PARAMETER_COUNT, bl_fewer(frames - done, BL_CHUNK_FRAMES));
        bool heard[BL_OCTAVE_VOICES];
        for (uint32_t voice = 0; voice < BL_OCTAVE_VOICES; voice += 1) {
            heard[voice] =
                bl_ramp_is_moving(&ramps[voice]) || ramps[voice].target > BL_FADER_MINIMUM;
        }
        for (uint32_t index = 0; index < PARAMETER_COUNT; index += 1) {
            bl_ramp_fill(&ramps[index], gains[index], count);
            for (uint32_t frame = 0; frame < count; frame += 1) {
                gains[index][frame] = bl_fader_gain(gains[index][frame]);
            }
        }
        for (uint32_t channel = 0; channel < octaver->base.output_channel_count; channel += 1) {
            const float *from = io->input[channel] + first_frame + done;
            float *to = io->output[channel] + first_frame + done;
            bl_octave_bank_process(&octaver->bank, &octaver->states[channel], from, voices, heard,
                                   count);
            bl_multiply_channel(from, to, count, gains[DRY]);
            for (uint32_t voice = 0; voice < BL_OCTAVE_VOICES; voice += 1) {
                for (uint32_t frame = 0; heard[voice] && frame < count; frame += 1) {
                    to[frame] += gains[voice][frame] * voices[voice][frame];
                }
            }
        }
    }
}

BL_KIT(octaver_unit, .process = process, .prepare = prepare, .reset = reset)

static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    (void)unit;
    return RINGING;
}

const bl_unit_descriptor bl_octaver = {
    BL_EFFECT('o', 'c', 't', 'v'),
    .name = "Octaver",
    BL_TAGS("Pitch", "Guitar"),
    .summary = "Plays each note of a chord an octave higher, an octave lower and two octaves lower",
    BL_FACTORY_PRESETS,
    .tail_time = tail_time,
};
