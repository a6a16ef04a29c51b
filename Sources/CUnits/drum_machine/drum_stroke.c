/* The response of the drum machine to keys. */
#include "drum_machine/drum_machine.h"
#include "dsp/envelope.h"
#include "dsp/random_value.h"

/* Fade time of a stroke whose voice is struck again or whose hat closes, seconds. */
#define FADE_TIME 0.004
#define CHOKE_TIME 0.02

/* The highest frequency of an oscillator, as a part of the sample rate. */
#define HIGHEST 0.45

enum { FIRST_KEY = 35, LAST_KEY = 82 };

/* Voices by the keys of General MIDI's percussion map, plus 1; 0 for none. */
static const uint8_t voices_of_keys[LAST_KEY - FIRST_KEY + 1] = {
    [35 - FIRST_KEY] = 1 + BL_DRUM_KICK,    [36 - FIRST_KEY] = 1 + BL_DRUM_KICK,
    [37 - FIRST_KEY] = 1 + BL_DRUM_RIM,     [38 - FIRST_KEY] = 1 + BL_DRUM_SNARE,
    [39 - FIRST_KEY] = 1 + BL_DRUM_CLAP,    [40 - FIRST_KEY] = 1 + BL_DRUM_SNARE,
    [41 - FIRST_KEY] = 1 + BL_DRUM_LOW_TOM, [42 - FIRST_KEY] = 1 + BL_DRUM_CLOSED_HAT,
    [43 - FIRST_KEY] = 1 + BL_DRUM_LOW_TOM, [44 - FIRST_KEY] = 1 + BL_DRUM_CLOSED_HAT,
    [45 - FIRST_KEY] = 1 + BL_DRUM_MID_TOM, [46 - FIRST_KEY] = 1 + BL_DRUM_OPEN_HAT,
    [47 - FIRST_KEY] = 1 + BL_DRUM_MID_TOM, [48 - FIRST_KEY] = 1 + BL_DRUM_HIGH_TOM,
    [49 - FIRST_KEY] = 1 + BL_DRUM_CRASH,   [50 - FIRST_KEY] = 1 + BL_DRUM_HIGH_TOM,
    [51 - FIRST_KEY] = 1 + BL_DRUM_RIDE,    [52 - FIRST_KEY] = 1 + BL_DRUM_CRASH,
    [53 - FIRST_KEY] = 1 + BL_DRUM_RIDE,    [55 - FIRST_KEY] = 1 + BL_DRUM_CRASH,
    [56 - FIRST_KEY] = 1 + BL_DRUM_COWBELL, [57 - FIRST_KEY] = 1 + BL_DRUM_CRASH,
    [59 - FIRST_KEY] = 1 + BL_DRUM_RIDE,    [70 - FIRST_KEY] = 1 + BL_DRUM_SHAKER,
    [75 - FIRST_KEY] = 1 + BL_DRUM_CLAVES,  [82 - FIRST_KEY] = 1 + BL_DRUM_SHAKER,
};

uint32_t bl_drum_voice_of(uint8_t key) BL_NONBLOCKING {
    if (key < FIRST_KEY || key > LAST_KEY || voices_of_keys[key - FIRST_KEY] == 0) {
        return BL_DRUM_VOICES;
    }
    return voices_of_keys[key - FIRST_KEY] - 1u;
}

static uint32_t frames_of(const bl_drum_unit *unit, double seconds) BL_NONBLOCKING {
    return (uint32_t)(seconds * unit->base.sample_rate + 0.5);
}

/* The decay per frame of an envelope that falls by 60 dB within `seconds`. */
static double pace_of(const bl_drum_unit *unit, float seconds) BL_NONBLOCKING {
    return (double)bl_envelope_pace(seconds * (float)unit->base.sample_rate / 6.90775528f);
}

static void fade(bl_drum_unit *unit, uint32_t voice, double seconds) BL_NONBLOCKING {
    bl_drum_voice *faded = &unit->voices[voice];
    bl_drum_stroke *stroke = &faded->strokes[faded->present];
    uint32_t frames = frames_of(unit, seconds);
    if (stroke->remaining > frames) {
        stroke->remaining = frames;
        bl_ramp_start(&stroke->gain, 0, frames);
    }
}

/* Time in which a layer falls by 60 dB at a voice's `decay`, seconds. */
static float decay_of(const bl_drum_layer_design *layer, float decay) BL_NONBLOCKING {
    return layer->longest > 0 && layer->longest < decay ? layer->longest : decay;
}

/* Starts a layer; `brightness` is the tone, -1 to 1. */
static void begin_layer(const bl_drum_unit *unit, bl_drum_layer *layer,
                        const bl_drum_layer_design *design, float decay,
                        float brightness) BL_NONBLOCKING {
    float cut = bl_exp2(design->shift * brightness) / (float)unit->base.sample_rate;
    *layer = (bl_drum_layer){
        .design = design,
        .level = design->level * bl_decibels_to_gain(design->tone * brightness),
        .envelope = 1,
        .pace = pace_of(unit, decay_of(design, decay)),
        .bursts = design->bursts,
    };
    bl_svf_tune(&layer->low_cut, design->low_cut * cut, design->resonance);
    bl_svf_tune(&layer->high_cut, design->high_cut * cut, design->resonance);
}

static void begin_oscillators(const bl_drum_unit *unit, bl_drum_stroke *stroke,
                              float tune) BL_NONBLOCKING {
    const bl_drum_design *design = stroke->design;
    double factor = (double)bl_exp2(tune / 12.0f) / unit->base.sample_rate;
    for (uint32_t index = 0; index < BL_DRUM_OSCILLATORS; index += 1) {
        double turns = (double)design->frequencies[index] * factor;
        stroke->increments[index] = 0x1p64 * (turns < HIGHEST ? turns : HIGHEST);
    }
    stroke->sweep = (double)design->sweep;
    if (design->sweep > 0) {
        stroke->sweep_pace =
            (double)bl_envelope_pace(design->sweep_time * (float)unit->base.sample_rate);
    }
}

static void strike(bl_drum_unit *unit, uint32_t voice, uint8_t velocity) BL_NONBLOCKING {
    fade(unit, voice, FADE_TIME);
    bl_drum_voice *struck = &unit->voices[voice];
    struck->present = (struck->present + 1) % BL_DRUM_STROKES;
    float decay = bl_drum_ramp(unit, voice, BL_DRUM_DECAY)->target;
    float brightness = bl_drum_ramp(unit, voice, BL_DRUM_TONE)->target * 0.02f - 1.0f;
    uint32_t model = (uint32_t)bl_drum_ramp(unit, voice, BL_DRUM_MODEL)->target;
    const bl_drum_design *design = &bl_drum_designs[voice][model];
    bl_drum_stroke *stroke = &struck->strokes[struck->present];
    *stroke = (bl_drum_stroke){
        .design = design,
        .attack = frames_of(unit, (double)design->attack),
        .burst = frames_of(unit, BL_DRUM_BURST),
        .noise = (uint32_t)bl_mix_bits((uint64_t)voice << 32 | struck->struck++),
    };
    float force = (float)velocity / 127.0f;
    bl_ramp_set(&stroke->gain, force * force);
    begin_oscillators(unit, stroke, bl_drum_ramp(unit, voice, BL_DRUM_TUNE)->target);
    for (uint32_t index = 0; index < BL_DRUM_LAYERS; index += 1) {
        const bl_drum_layer_design *layer = &design->layers[index];
        if (layer->source != BL_DRUM_NOTHING) {
            begin_layer(unit, &stroke->layers[index], layer, decay, brightness);
        }
    }
    stroke->remaining = frames_of(unit, (double)design->attack + (double)decay * BL_DRUM_LIFE);
}

static void all_sound_off(bl_drum_unit *unit) BL_NONBLOCKING {
    for (uint32_t voice = 0; voice < BL_DRUM_VOICES; voice += 1) {
        fade(unit, voice, FADE_TIME);
    }
}

void bl_drum_receive(bl_drum_unit *unit, const bl_midi_event *message) BL_NONBLOCKING {
    if (!bl_midi_event_is_whole(message)) {
        return;
    }
    uint8_t status = message->bytes[0] & 0xF0;
    if (bl_midi_is_note_on(message)) {
        uint32_t voice = bl_drum_voice_of(message->bytes[1]);
        if (voice == BL_DRUM_CLOSED_HAT) {
            fade(unit, BL_DRUM_OPEN_HAT, CHOKE_TIME);
        }
        if (voice != BL_DRUM_VOICES) {
            strike(unit, voice, message->bytes[2]);
        }
    } else if (status == BL_CONTROLLER && message->bytes[1] == BL_ALL_SOUND_OFF) {
        all_sound_off(unit);
    }
}
