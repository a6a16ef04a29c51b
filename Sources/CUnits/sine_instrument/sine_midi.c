/* What notes and controllers do to the sine instrument. */
#include "dsp/exp2.h"
#include "sine_instrument/sine_instrument.h"

/* How long a voice that is cut off takes to fade. Seconds */
#define FADE_TIME 0.004

enum {
    CONTROLLER_MODULATION = 1,
    CONTROLLER_SUSTAIN_PEDAL = 64,
    CONTROLLER_ALL_SOUND_OFF = 120,
    CONTROLLER_RESET_ALL = 121,
    CONTROLLER_ALL_NOTES_OFF = 123 /* and above: the mode messages, which imply it */
};

static uint32_t frames_of(const bl_sine_unit *unit, double seconds) BL_NONBLOCKING {
    uint32_t frames = (uint32_t)(seconds * unit->base.sample_rate + 0.5);
    return frames > 0 ? frames : 1;
}

/* 1 up to 0.9 of half the sample rate, then down to 0 at half of it. `turns` per frame. */
static float heard(float turns) BL_NONBLOCKING {
    float share = (0.5f - turns) * 20.0f;
    share = share < 1 ? share : 1;
    return share > 0 ? share : 0;
}

/* Equal temperament from A4 = 440 Hz, bent by the channel's wheel. */
static void tune(const bl_sine_unit *unit, bl_sine_voice *voice) BL_NONBLOCKING {
    float semitones = (float)(voice->note - 69) + bl_sine_bend(unit, voice->channel);
    double turns = 440.0 * (double)bl_exp2(semitones / 12.0f) / unit->base.sample_rate;
    voice->first = heard((float)turns);
    voice->third = heard(3 * (float)turns);
    turns = turns < 0.5 ? turns : 0.5;
    /* Half of half a turn at most, so that vibrato has room; there the voice is silent. */
    uint32_t increment = (uint32_t)(turns * 0x1p32 + 0.5);
    voice->increment = increment < 0x78000000u ? increment : 0x78000000u;
}

void bl_sine_tune(bl_sine_unit *unit) BL_NONBLOCKING {
    for (uint32_t slot = 0; slot < BL_SINE_SLOTS; slot += 1) {
        tune(unit, &unit->voices[slot]);
    }
}

static bool is_sounding(const bl_sine_voice *voice) BL_NONBLOCKING {
    return voice->stage != BL_STAGE_FREE && voice->stage != BL_STAGE_FADE;
}

/* Lets the voice end from where it is now. One that was never heard just goes. */
static void end_voice(bl_sine_unit *unit, bl_sine_voice *voice, bl_sine_stage stage,
                      double seconds) BL_NONBLOCKING {
    if (voice->stage == BL_STAGE_ATTACK && voice->position == 0 && stage == BL_STAGE_FADE) {
        voice->stage = BL_STAGE_FREE;
        return;
    }
    voice->from = bl_sine_envelope(voice);
    voice->to = 0;
    voice->position = 0;
    voice->length = frames_of(unit, seconds);
    voice->stage = stage;
    voice->order = unit->order++;
}

static void release_voice(bl_sine_unit *unit, bl_sine_voice *voice) BL_NONBLOCKING {
    if (is_sounding(voice) && voice->stage != BL_STAGE_RELEASE) {
        end_voice(unit, voice, BL_STAGE_RELEASE, unit->base.parameters[BL_SINE_RELEASE].target);
    }
}

static void fade_voice(bl_sine_unit *unit, bl_sine_voice *voice) BL_NONBLOCKING {
    if (is_sounding(voice)) {
        end_voice(unit, voice, BL_STAGE_FADE, FADE_TIME);
    }
}

/* Makes room for one more voice: the one released longest ago goes, or the oldest. */
static void keep_polyphony(bl_sine_unit *unit) BL_NONBLOCKING {
    uint32_t sounding = 0;
    bl_sine_voice *victim = NULL;
    for (uint32_t slot = 0; slot < BL_SINE_SLOTS; slot += 1) {
        bl_sine_voice *voice = &unit->voices[slot];
        if (!is_sounding(voice)) {
            continue;
        }
        sounding += 1;
        bool released = voice->stage == BL_STAGE_RELEASE;
        bool victim_released = victim != NULL && victim->stage == BL_STAGE_RELEASE;
        bool same = victim != NULL && released == victim_released;
        if (victim == NULL || (released && !victim_released) ||
            (same && voice->order < victim->order)) {
            victim = voice;
        }
    }
    if (sounding >= BL_SINE_POLYPHONY) {
        fade_voice(unit, victim);
    }
}

/* A free slot, or where there is none the one that has faded furthest. */
static bl_sine_voice *free_slot(bl_sine_unit *unit) BL_NONBLOCKING {
    bl_sine_voice *faintest = NULL;
    for (uint32_t slot = 0; slot < BL_SINE_SLOTS; slot += 1) {
        bl_sine_voice *voice = &unit->voices[slot];
        if (voice->stage == BL_STAGE_FREE) {
            return voice;
        }
        if (voice->stage == BL_STAGE_FADE &&
            (faintest == NULL || bl_sine_envelope(voice) * voice->velocity <
                                     bl_sine_envelope(faintest) * faintest->velocity)) {
            faintest = voice;
        }
    }
    return faintest;
}

static void note_off(bl_sine_unit *unit, uint8_t channel, uint8_t note) BL_NONBLOCKING {
    for (uint32_t slot = 0; slot < BL_SINE_SLOTS; slot += 1) {
        bl_sine_voice *voice = &unit->voices[slot];
        if (voice->key_down && voice->channel == channel && voice->note == note) {
            voice->key_down = false;
            if (!bl_sine_pedal(unit, channel)) {
                release_voice(unit, voice);
            }
        }
    }
}

/* A key struck again takes over from its own voice. */
static void note_on(bl_sine_unit *unit, uint8_t channel, uint8_t note,
                    uint8_t velocity) BL_NONBLOCKING {
    for (uint32_t slot = 0; slot < BL_SINE_SLOTS; slot += 1) {
        bl_sine_voice *voice = &unit->voices[slot];
        if (voice->channel == channel && voice->note == note) {
            voice->key_down = false;
            fade_voice(unit, voice);
        }
    }
    keep_polyphony(unit);
    bl_sine_voice *voice = free_slot(unit);
    if (voice == NULL) {
        return;
    }
    float force = (float)velocity / 127.0f;
    *voice = (bl_sine_voice){
        .stage = BL_STAGE_ATTACK,
        .length = frames_of(unit, unit->base.parameters[BL_SINE_ATTACK].target),
        .to = 1,
        .channel = channel,
        .note = note,
        .key_down = true,
        .order = unit->order++,
        .velocity = force * force,
        .sustain = unit->base.parameters[BL_SINE_SUSTAIN].target * 0.01f,
    };
    bl_sine_begin_expression(unit, voice);
    tune(unit, voice);
}

static void move_pedal(bl_sine_unit *unit, uint8_t channel, bool down) BL_NONBLOCKING {
    unit->channels[channel].pedal = down;
    for (uint32_t slot = 0; slot < BL_SINE_SLOTS && !down; slot += 1) {
        bl_sine_voice *voice = &unit->voices[slot];
        if (!voice->key_down && !bl_sine_pedal(unit, voice->channel)) {
            release_voice(unit, voice);
        }
    }
}

static void bend(bl_sine_unit *unit, uint8_t channel, float bend) BL_NONBLOCKING {
    unit->channels[channel].bend = bend;
    for (uint32_t slot = 0; slot < BL_SINE_SLOTS; slot += 1) {
        uint8_t own = unit->voices[slot].channel;
        if (own == channel || bl_sine_master(unit, own) == channel) {
            tune(unit, &unit->voices[slot]);
        }
    }
}

static void all_off(bl_sine_unit *unit, uint8_t channel, bool at_once) BL_NONBLOCKING {
    for (uint32_t slot = 0; slot < BL_SINE_SLOTS; slot += 1) {
        bl_sine_voice *voice = &unit->voices[slot];
        if (voice->channel != channel && bl_sine_master(unit, voice->channel) != channel) {
            continue;
        }
        voice->key_down = false;
        if (at_once) {
            fade_voice(unit, voice);
        } else if (!bl_sine_pedal(unit, voice->channel)) {
            release_voice(unit, voice);
        }
    }
}

static void control(bl_sine_unit *unit, uint8_t channel, uint8_t controller,
                    uint8_t value) BL_NONBLOCKING {
    if (bl_sine_express(unit, channel, controller, value)) {
        return;
    }
    if (controller == CONTROLLER_MODULATION) {
        unit->channels[channel].wheel = (float)value / 127.0f;
    } else if (controller == CONTROLLER_SUSTAIN_PEDAL) {
        move_pedal(unit, channel, value >= 64);
    } else if (controller == CONTROLLER_RESET_ALL) {
        unit->channels[channel].wheel = 0;
        unit->channels[channel].expression = 1;
        bl_sine_press(unit, channel, 0);
        bend(unit, channel, 0);
        move_pedal(unit, channel, false);
    } else if (controller == CONTROLLER_ALL_SOUND_OFF) {
        all_off(unit, channel, true);
    } else if (controller >= CONTROLLER_ALL_NOTES_OFF) {
        all_off(unit, channel, false);
    }
}

void bl_sine_receive(bl_sine_unit *unit, const bl_midi_event *message) BL_NONBLOCKING {
    const uint8_t *bytes = message->bytes;
    if (message->length == 2 && (bytes[0] & 0xF0) == 0xD0 && bytes[1] < 0x80) {
        bl_sine_press(unit, bytes[0] & 0x0F, bytes[1]);
        return;
    }
    if (message->length != 3 || bytes[1] >= 0x80 || bytes[2] >= 0x80) {
        return;
    }
    uint8_t channel = bytes[0] & 0x0F;
    switch (bytes[0] & 0xF0) {
    case 0x80:
        note_off(unit, channel, bytes[1]);
        break;
    case 0x90:
        if (bytes[2] > 0) {
            note_on(unit, channel, bytes[1], bytes[2]);
        } else {
            note_off(unit, channel, bytes[1]);
        }
        break;
    case 0xB0:
        control(unit, channel, bytes[1], bytes[2]);
        break;
    case 0xE0: {
        int32_t value = (bytes[2] << 7 | bytes[1]) - 8192;
        /* The wheel's top is 8191, and means all of the range as its bottom does. */
        bend(unit, channel, (float)value / (value > 0 ? 8191.0f : 8192.0f));
        break;
    }
    default:
        break;
    }
}
