/* What MIDI messages do to the sampler. */
#include "dsp/declick.h"
#include "sampler/sampler.h"

enum {
    CONTROLLER_BANK = 0,
    CONTROLLER_MODULATION = 1,
    CONTROLLER_VOLUME = 7,
    CONTROLLER_PAN = 10,
    CONTROLLER_EXPRESSION = 11,
    CONTROLLER_RESET_ALL = 121
};

/* Moves a source, in as long as does not click. */
static void move(bl_sampler_unit *unit, uint8_t channel, uint8_t source,
                 float value) BL_NONBLOCKING {
    bl_sampler_channel *own = &unit->channels[channel];
    /* The grid smoothes pitch well enough. */
    double seconds = source == BL_SOURCE_BEND ? 0 : BL_DECLICK_TIME;
    bl_ramp_start(&own->sources[source], value, (uint32_t)(seconds * unit->base.sample_rate));
    own->moving[source / 64] |= (uint64_t)1 << source % 64;
}

static void begin_sources(bl_sampler_unit *unit, uint8_t channel) BL_NONBLOCKING {
    bl_sampler_channel *own = &unit->channels[channel];
    const bl_sampler_instrument *instrument = bl_sampler_instrument_of(unit);
    for (uint32_t source = 0; source < BL_SOURCE_COUNT; source += 1) {
        float value = instrument != NULL && source < BL_KEYS ? instrument->controllers[source] : 0;
        bl_ramp_set(&own->sources[source], value < 0 ? 0 : value);
    }
    bl_ramp_set(&own->sources[CONTROLLER_VOLUME], 127);
    bl_ramp_set(&own->sources[CONTROLLER_EXPRESSION], 127);
    bl_ramp_set(&own->sources[CONTROLLER_PAN], 64);
    own->moving[0] = own->moving[1] = own->moving[2] = 0;
}

void bl_sampler_choose_preset(bl_sampler_unit *unit) BL_NONBLOCKING {
    const bl_ramp *values = unit->base.parameters;
    for (uint32_t channel = 0; channel < BL_MIDI_CHANNELS; channel += 1) {
        bl_sampler_channel *own = &unit->channels[channel];
        own->bank = own->selected_bank = (uint32_t)(values[BL_SAMPLER_BANK].target + 0.5f);
        own->program = (uint32_t)(values[BL_SAMPLER_PROGRAM].target - 0.5f);
    }
}

void bl_sampler_reset_channels(bl_sampler_unit *unit) BL_NONBLOCKING {
    bl_mpe_reset(&unit->mpe);
    for (uint8_t channel = 0; channel < BL_MIDI_CHANNELS; channel += 1) {
        unit->channels[channel] = (bl_sampler_channel){.bank = 0};
        begin_sources(unit, channel);
    }
    bl_sampler_choose_preset(unit);
}

/* What the former instrument set, and neither the new one sets nor anyone has moved, goes back. */
static void begin_controller(bl_sampler_unit *unit, bl_ramp *source,
                             uint8_t controller) BL_NONBLOCKING {
    const bl_sampler_instrument *outgoing = unit->instruments.former;
    float former = outgoing != NULL ? outgoing->controllers[controller] : -1;
    float own = bl_sampler_instrument_of(unit)->controllers[controller];
    if (own >= 0) {
        bl_ramp_set(source, own);
    } else if (former >= 0 && source->target == former) {
        bl_ramp_set(source, 0);
    }
}

void bl_sampler_begin_instrument(bl_sampler_unit *unit) BL_NONBLOCKING {
    unit->last_switch = unit->previous_key = -1;
    for (uint8_t channel = 0; channel < BL_MIDI_CHANNELS; channel += 1) {
        bl_sampler_channel *own = &unit->channels[channel];
        for (uint8_t key = 0; key < BL_KEYS; key += 1) {
            own->struck[key] = NULL;
        }
        for (uint8_t source = 0; source < BL_KEYS; source += 1) {
            bool is_of_channel = source == CONTROLLER_VOLUME || source == CONTROLLER_PAN ||
                                 source == CONTROLLER_EXPRESSION;
            if (!is_of_channel) {
                begin_controller(unit, &own->sources[source], source);
            }
        }
    }
}

/* As the MIDI Association's recommended practice RP-015 has it: volume and pan stay. */
static void reset_controllers(bl_sampler_unit *unit, uint8_t channel) BL_NONBLOCKING {
    move(unit, channel, CONTROLLER_MODULATION, 0);
    move(unit, channel, CONTROLLER_EXPRESSION, 127);
    move(unit, channel, BL_SUSTAIN_PEDAL, 0);
    move(unit, channel, BL_SOSTENUTO_PEDAL, 0);
    move(unit, channel, BL_SOURCE_BEND, 0);
    move(unit, channel, BL_SOURCE_PRESSURE, 0);
    bl_sampler_move_sostenuto(unit, channel, false);
    bl_mpe_reset_controllers(&unit->mpe, channel);
    bl_sampler_release_unheld(unit, channel);
}

static void control(bl_sampler_unit *unit, uint8_t channel, uint8_t controller,
                    uint8_t value) BL_NONBLOCKING {
    bl_sampler_channel *own = &unit->channels[channel];
    if (controller == CONTROLLER_RESET_ALL) {
        reset_controllers(unit, channel);
        return;
    }
    if (controller == CONTROLLER_BANK) {
        own->selected_bank = value;
    }
    bl_mpe_control(&unit->mpe, channel, controller, value);
    if (controller == BL_ALL_SOUND_OFF) {
        bl_sampler_all_off(unit, channel, true);
    } else if (controller >= BL_ALL_NOTES_OFF) {
        bl_sampler_all_off(unit, channel, false);
    } else if (controller < BL_ALL_SOUND_OFF) {
        float from = own->sources[controller].target;
        move(unit, channel, controller, value);
        if (controller == BL_SUSTAIN_PEDAL) {
            unit->mpe.channels[channel].pedal = value >= 64;
            bl_sampler_release_unheld(unit, channel);
        } else if (controller == BL_SOSTENUTO_PEDAL) {
            bl_sampler_move_sostenuto(unit, channel, value >= 64);
        }
        bl_sampler_controller_moved(unit, channel, controller, from);
    }
}

void bl_sampler_receive(bl_sampler_unit *unit, const bl_midi_event *message) BL_NONBLOCKING {
    if (!bl_midi_event_is_whole(message)) {
        return;
    }
    const uint8_t *bytes = message->bytes;
    uint8_t channel = bytes[0] & 0x0F;
    unit->event += 1;
    switch (bytes[0] & 0xF0) {
    case BL_NOTE_OFF:
        bl_sampler_note_off(unit, channel, bytes[1]);
        break;
    case BL_NOTE_ON:
        if (bytes[2] > 0) {
            bl_sampler_note_on(unit, channel, bytes[1], bytes[2]);
        } else {
            bl_sampler_note_off(unit, channel, bytes[1]);
        }
        break;
    case BL_CONTROLLER:
        control(unit, channel, bytes[1], bytes[2]);
        break;
    case BL_PROGRAM:
        unit->channels[channel].bank = unit->channels[channel].selected_bank;
        unit->channels[channel].program = bytes[1];
        break;
    case BL_CHANNEL_PRESSURE:
        move(unit, channel, BL_SOURCE_PRESSURE, bytes[1]);
        break;
    case BL_PITCH_BEND: {
        int32_t value = (bytes[2] << 7 | bytes[1]) - 8192;
        /* The wheel's top is 8191, and means all of the range as its bottom does. */
        float bend = (float)value / (value > 0 ? 8191.0f : 8192.0f);
        unit->mpe.channels[channel].bend = bend;
        move(unit, channel, BL_SOURCE_BEND, bend);
        break;
    }
    default:
        break;
    }
}
