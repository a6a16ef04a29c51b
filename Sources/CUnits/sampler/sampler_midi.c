/* The response of the sampler to MIDI messages. */
#include "dsp/declick.h"
#include "sampler/sampler.h"

/* Moves a source, slowly enough not to click. */
static void move(bl_sampler_unit *unit, uint8_t channel, uint8_t source,
                 float value) BL_NONBLOCKING {
    bl_sampler_channel *own = &unit->channels[channel];
    /* The grid smooths pitch sufficiently. */
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
    bl_ramp_set(&own->sources[BL_VOLUME], 127);
    bl_ramp_set(&own->sources[BL_EXPRESSION], 127);
    bl_ramp_set(&own->sources[BL_PAN], 64);
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
    bl_channel_states_reset(&unit->states);
    for (uint8_t channel = 0; channel < BL_MIDI_CHANNELS; channel += 1) {
        unit->channels[channel] = (bl_sampler_channel){.bank = 0};
        begin_sources(unit, channel);
    }
    bl_sampler_choose_preset(unit);
}

/* Resets a controller that the former instrument set, unless the new one sets it or somebody has
   moved it. */
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
            bool is_of_channel = source == BL_VOLUME || source == BL_PAN || source == BL_EXPRESSION;
            if (!is_of_channel) {
                begin_controller(unit, &own->sources[source], source);
            }
        }
    }
}

static void reset_sources(bl_sampler_unit *unit, uint8_t channel) BL_NONBLOCKING {
    uint8_t value;
    for (uint8_t controller = 0; controller < BL_ALL_SOUND_OFF; controller += 1) {
        if (bl_midi_is_reset(controller, &value)) {
            move(unit, channel, controller, value);
        }
    }
    move(unit, channel, BL_SOURCE_BEND, 0);
    move(unit, channel, BL_SOURCE_PRESSURE, 0);
}

static void control(bl_sampler_unit *unit, uint8_t channel, uint8_t controller, uint8_t value,
                    uint32_t changes) BL_NONBLOCKING {
    bl_sampler_channel *own = &unit->channels[channel];
    float from = own->sources[controller].target;
    if (controller == BL_RESET_ALL_CONTROLLERS) {
        reset_sources(unit, channel);
    } else if (controller < BL_ALL_SOUND_OFF) {
        move(unit, channel, controller, value);
    }
    own->selected_bank = controller == BL_BANK ? value : own->selected_bank;
    if ((changes & BL_CHANGED_PEDALS) != 0) {
        bl_sampler_follow_pedals(unit, channel, (changes & BL_CAUGHT_KEYS) != 0);
    }
    if (controller < BL_ALL_SOUND_OFF) {
        bl_sampler_controller_moved(unit, channel, controller, from);
    }
}

void bl_sampler_receive(bl_sampler_unit *unit, const bl_midi_event *message) BL_NONBLOCKING {
    const uint8_t *bytes = message->bytes;
    uint8_t status = bytes[0] & 0xF0, channel = bytes[0] & 0x0F;
    uint32_t changes = bl_channel_states_receive(&unit->states, message);
    unit->event += 1;
    if (bl_midi_is_note_on(message)) {
        bl_sampler_note_on(unit, channel, bytes[1], bytes[2]);
    } else if (bl_midi_is_note_off(message)) {
        bl_sampler_note_off(unit, channel, bytes[1]);
    } else if (bl_midi_is_all_off(message)) {
        for (uint8_t other = 0; other < BL_MIDI_CHANNELS; other += 1) {
            if (bl_channel_concerns(&unit->states, channel, other)) {
                bl_sampler_all_off(unit, other, bytes[1] == BL_ALL_SOUND_OFF);
            }
        }
    } else if (status == BL_CONTROLLER) {
        control(unit, channel, bytes[1], bytes[2], changes);
    } else if (status == BL_PROGRAM) {
        unit->channels[channel].bank = unit->channels[channel].selected_bank;
        unit->channels[channel].program = bytes[1];
    } else if (status == BL_CHANNEL_PRESSURE) {
        move(unit, channel, BL_SOURCE_PRESSURE, bytes[1]);
    } else if (status == BL_PITCH_BEND) {
        move(unit, channel, BL_SOURCE_BEND, unit->states.channels[channel].bend);
    }
}
