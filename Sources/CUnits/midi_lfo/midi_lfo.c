/* MIDI LFO: a slow wave as the values of a MIDI controller. */
#include <math.h>

#include "base/beat_lfo.h"
#include "base/channel_names.h"
#include "base/midi_processor.h"
#include "dsp/lfo_shape.h"

enum {
    CONTROLLER,
    CHANNEL,
    RESOLUTION, /* the parameters up to here set the value */
    SHAPE,
    RATE,
    SYNC,
    DEPTH,
    CENTRE,
    SEED,
    PARAMETER_COUNT
};

/* Controllers with lower seven bits, from 0 on (MIDI 1.0 Detailed Specification, table III); their
   lower bits are the controller this many higher. */
enum { LOWER_BITS = 32 };
/* Values per second: no more messages than a MIDI cable carries. */
#define VALUES_PER_SECOND 750
/* No value has been sent. */
enum { NOTHING = -1 };

static const char *const shapes[] = {BL_LFO_SHAPE_NAMES, NULL};
static const char *const channels[] = {BL_CHANNEL_NAMES, NULL};
static const char *const resolutions[] = {"7 Bits", "14 Bits", NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [CONTROLLER] = BL_SETTING("controller", "Controller", MIDI_CONTROLLER, LINEAR, 0, 119,
                              BL_MODULATION_WHEEL, 6),
    [CHANNEL] = BL_CHOICE("channel", "Channel", channels, 0, 7),
    /* Seven or 14 bits, the latter for controllers 0 to 31, with the 32 above them. */
    [RESOLUTION] = BL_CHOICE("resolution", "Resolution", resolutions, 0, 8),
    [SHAPE] = BL_CHOICE("shape", "Shape", shapes, 0, 2),
    [RATE] = BL_KNOB("rate", "Rate", HERTZ, LOGARITHMIC, 0.01f, 20, 1, 1),
    [SYNC] = BL_CHOICE("sync", "Sync", bl_turns_sync_names, 0, 3, BL_DEPENDENTS("rate")),
    /* The range from the lowest to the highest value; values beyond the ends are clipped. */
    [DEPTH] = BL_KNOB("depth", "Depth", PERCENT, LINEAR, 0, 100, 100, 4),
    [CENTRE] = BL_KNOB("centre", "Centre", PERCENT, LINEAR, 0, 100, 50, 5),
    [SEED] = BL_SETTING("seed", "Seed", GENERIC, LINEAR, 0, 9999, 1, 9),
};

typedef struct midi_lfo {
    bl_unit_base base;
    bl_beat_lfo lfo;
    uint32_t grid;    /* frames between values */
    uint32_t to_next; /* frames until the next value */
    int32_t sent;     /* the last 14-bit value, or NOTHING */
    uint8_t pedal;    /* status byte of a sustain pedal to be released; 0 for none */
} midi_lfo;

static void reset(bl_unit *opaque) BL_NONBLOCKING {
    midi_lfo *unit = (midi_lfo *)opaque;
    unit->lfo = (bl_beat_lfo){0};
    unit->grid = (uint32_t)ceil(unit->base.sample_rate / VALUES_PER_SECOND);
    unit->to_next = 0;
    unit->sent = NOTHING;
    unit->pedal = 0;
}

static void midi(bl_unit *unit, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING {
    (void)unit;
    bl_midi_processor_pass(io, io->now, message);
}

static uint8_t status_of(const midi_lfo *unit) BL_NONBLOCKING {
    return (uint8_t)(BL_CONTROLLER | (uint32_t)unit->base.parameters[CHANNEL].target);
}

static uint8_t number_of(const midi_lfo *unit) BL_NONBLOCKING {
    return (uint8_t)lrintf(unit->base.parameters[CONTROLLER].target);
}

/* Releases a sustain pedal that the wave has left down. */
static void let_go(midi_lfo *unit, const bl_io *io) BL_NONBLOCKING {
    if (unit->pedal != 0) {
        bl_midi_processor_send(io, io->now, unit->pedal, BL_SUSTAIN_PEDAL, 0);
    }
    unit->pedal = 0;
}

static void change(bl_unit *opaque, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    midi_lfo *unit = (midi_lfo *)opaque;
    if (event->parameter.address <= RESOLUTION) {
        bool is_down = number_of(unit) == BL_SUSTAIN_PEDAL && unit->sent >= 64 << 7;
        unit->pedal = is_down ? status_of(unit) : unit->pedal;
        unit->sent = NOTHING;
    }
    bl_kit_apply(opaque, event);
    if (io != NULL) {
        let_go(unit, io);
    }
}

/* Sends a value from 0 to 1, unless it is the last one sent. */
static void send(midi_lfo *unit, const bl_io *io, int64_t time, float value) BL_NONBLOCKING {
    const bl_ramp *ramps = unit->base.parameters;
    uint8_t number = number_of(unit), status = status_of(unit);
    bool is_fine = ramps[RESOLUTION].target >= 0.5f && number < LOWER_BITS;
    int32_t sent = is_fine ? (int32_t)lrintf(value * 16383) : (int32_t)lrintf(value * 127) << 7;
    if (sent == unit->sent) {
        return;
    }
    /* A receiver resets the lower bits to 0 when it receives the upper ones. */
    if (unit->sent == NOTHING || sent >> 7 != unit->sent >> 7) {
        bl_midi_processor_send(io, time, status, number, (uint8_t)(sent >> 7));
    }
    if (is_fine) {
        bl_midi_processor_send(io, time, status, number + LOWER_BITS, (uint8_t)(sent & 127));
    }
    unit->sent = sent;
}

/* The value at a frame of a stretch of turns, 0 to 1. */
static float value_of(const midi_lfo *unit, const bl_turn_stretch *turns,
                      uint32_t frame) BL_NONBLOCKING {
    const bl_ramp *ramps = unit->base.parameters;
    float wave = bl_lfo_shape_value((bl_lfo_shape)(int)ramps[SHAPE].target,
                                    bl_phase_top(turns->phases[frame]),
                                    (uint64_t)ramps[SEED].target, turns->numbers[frame]);
    float depth = bl_ramp_value(&ramps[DEPTH], frame);
    float value = 0.01f * (bl_ramp_value(&ramps[CENTRE], frame) + 0.5f * depth * wave);
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

static void process(bl_unit *opaque, bl_io *io, uint32_t first_frame,
                    uint32_t frames) BL_NONBLOCKING {
    int64_t first = io->time + first_frame, end = first + frames;
    midi_lfo *unit = (midi_lfo *)opaque;
    bl_ramp *ramps = unit->base.parameters;
    bl_turn_stretch turns;
    for (uint32_t count = 0; first < end; first += count) {
        count = bl_fewer((uint32_t)(end - first), BL_CHUNK_FRAMES);
        bl_beat_lfo_turns(&unit->lfo, &ramps[RATE], (uint32_t)ramps[SYNC].target, true,
                          bl_lfo_is_random((bl_lfo_shape)(int)ramps[SHAPE].target),
                          unit->base.sample_rate, (uint32_t)(first - io->time), &turns, count);
        uint32_t frame = unit->to_next;
        for (; frame < count; frame += unit->grid) {
            send(unit, io, first + frame, value_of(unit, &turns, frame));
        }
        unit->to_next = frame - count;
        bl_ramp_advance(&ramps[DEPTH], count);
        bl_ramp_advance(&ramps[CENTRE], count);
    }
}

static void cycle(bl_unit *opaque, bl_io *io) BL_NONBLOCKING {
    midi_lfo *unit = (midi_lfo *)opaque;
    let_go(unit, io);
    bl_turns_follow(&unit->lfo.turns, &unit->base, io);
}

BL_KIT(midi_lfo, .process = process, .change = change, .midi = midi, .cycle = cycle, .reset = reset)

static const bl_factory_preset presets[] = {
    BL_PRESET("Slow Wheel", {RATE, 0.2f}),
    BL_PRESET("Tremolo by Expression", {CONTROLLER, 11}, {RATE, 5}, {DEPTH, 40}, {CENTRE, 80}),
    BL_PRESET("Auto Pan", {CONTROLLER, 10}, {SHAPE, BL_LFO_TRIANGLE}, {SYNC, 13}),
    BL_PRESET("Cutoff in Eighths", {CONTROLLER, 74}, {SHAPE, BL_LFO_SAW_DOWN}, {SYNC, 8}),
    BL_PRESET("Random Cutoff", {CONTROLLER, 74}, {SHAPE, BL_LFO_SAMPLE_AND_HOLD}, {SYNC, 5},
              {DEPTH, 70}),
    BL_PRESET("Drift", {SHAPE, BL_LFO_SMOOTH_RANDOM}, {RATE, 0.3f}, {DEPTH, 30}, {RESOLUTION, 1}),
};

const bl_unit_descriptor bl_midi_lfo = {
    BL_MIDI_SOURCE('l', 'f', 'c', 'c'),
    .name = "MIDI LFO",
    BL_TAGS("MIDI", "Modulation"),
    .summary = "A slow wave, or slow random values, sent as a MIDI controller",
    BL_FACTORY_PRESETS,
    .tail_time = bl_endless_tail_time,
};
