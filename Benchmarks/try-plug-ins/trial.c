#include "trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct rig {
    const bl_unit_descriptor *descriptor;
    bl_unit *unit;
    uint32_t frames;
    bl_timestamp time;
    float *noise; /* a cycle, which every input channel hears */
    float *output[BL_MAXIMUM_CHANNELS], *input[BL_MAXIMUM_CHANNELS];
    bl_buffers inputs[64];
    uint64_t seed;
    bool is_audible, has_fault;
    float (*heard)[BL_TRIAL_LENGTH]; /* output 0, from the start; NULL: not kept */
    uint32_t midi_sent;
} rig;

float bl_trial_noise(uint64_t place) {
    place = (place + 1) * 0x9E3779B97F4A7C15;
    place = (place ^ place >> 30) * 0xBF58476D1CE4E5B9;
    place ^= place >> 27;
    return ((float)(place >> 40) / 8388608.0f - 1) * 0.25f;
}

static bl_status send(void *context, int64_t time, uint8_t cable, uint32_t length,
                      const uint8_t *bytes) {
    (void)time, (void)cable, (void)length, (void)bytes;
    ((rig *)context)->midi_sent += 1;
    return BL_OK;
}

static void listen(rig *rig, uint32_t bus, const bl_buffers *output, uint32_t block) {
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        for (uint32_t frame = 0; frame < rig->frames; frame += 1) {
            float sample = output->channels[channel][frame];
            rig->is_audible = rig->is_audible || fabsf(sample) > 1e-7f;
            rig->has_fault = rig->has_fault || !(fabsf(sample) <= 1000);
        }
        if (rig->heard != NULL && bus == 0) {
            memcpy(rig->heard[channel] + (size_t)block * rig->frames, output->channels[channel],
                   rig->frames * sizeof(float));
        }
    }
}

static void render(rig *rig, uint32_t blocks) {
    const bl_unit_descriptor *unit = rig->descriptor;
    for (uint32_t block = 0; block < blocks; block += 1) {
        for (uint32_t frame = 0; frame < rig->frames; frame += 1) {
            rig->noise[frame] = bl_trial_noise(rig->seed++);
        }
        uint8_t key = (uint8_t)(48 + block / 20 % 12);
        bl_event events[2] = {
            {.next = &events[1],
             .sample_time = rig->time.sample_time,
             .type = BL_EVENT_MIDI,
             .midi = {0, 3, {BL_NOTE_OFF, (uint8_t)(key - (block > 0)), 0}}},
            {.sample_time = rig->time.sample_time + 1,
             .type = BL_EVENT_MIDI,
             .midi = {0, 3, {BL_NOTE_ON, key, 100}}},
        };
        bool plays = block % 20 == 0 && (unit->flags & BL_UNIT_MIDI_INPUT) != 0;
        bl_musical_context music = {120, 4, 4, (double)rig->time.sample_time / 24000, 0, 0};
        bl_transport_state transport = {BL_TRANSPORT_MOVING, rig->time.sample_time, 0, 0};
        bl_render_host host = {sizeof host, rig->inputs, rig, NULL, NULL, &music, &transport};
        *(bl_status(**)(void *, int64_t, uint8_t, uint32_t, const uint8_t *)) & host.send_midi =
            send;
        uint32_t count = unit->output_bus_count > 0 ? unit->output_bus_count : 1;
        for (uint32_t bus = 0; bus < count; bus += 1) {
            uint32_t width =
                bus < unit->output_bus_count ? unit->output_busses[bus].default_channel_count : 0;
            bl_buffers output = {width, rig->output};
            bl_status status = unit->render(rig->unit, 0, &rig->time, rig->frames, bus, &output,
                                            plays && bus == 0 ? &events[0] : NULL, &host);
            if (status == BL_OK) {
                listen(rig, bus, &output, block);
            } else {
                rig->has_fault = true;
            }
        }
        rig->time.sample_time += rig->frames;
    }
}

static bl_status allocate(rig *rig, double sample_rate, uint32_t frames) {
    const bl_unit_descriptor *unit = rig->descriptor;
    uint32_t inputs[64], outputs[64];
    for (uint32_t bus = 0; bus < unit->input_bus_count; bus += 1) {
        inputs[bus] = unit->input_busses[bus].default_channel_count;
        rig->inputs[bus] = (bl_buffers){inputs[bus], rig->input};
    }
    for (uint32_t bus = 0; bus < unit->output_bus_count; bus += 1) {
        outputs[bus] = unit->output_busses[bus].default_channel_count;
    }
    bl_render_configuration configuration = {
        sample_rate, frames, unit->input_bus_count, unit->output_bus_count, inputs, outputs};
    rig->frames = frames;
    return unit->allocate_render_resources(rig->unit, &configuration);
}

static void doing(bl_trial *trial, const char *activity) {
    snprintf(trial->activity, sizeof trial->activity, "%s", activity);
}

/* Saves the state and restores it. */
static void restore(rig *rig, bl_trial *trial) {
    const bl_unit_descriptor *unit = rig->descriptor;
    static char reply[BL_MESSAGE_CAPACITY], state[1 << 20], message[256];
    size_t length = 0;
    if (unit->receive_message == NULL) {
        return;
    }
    doing(trial, "saving its state");
    do {
        char place[32];
        snprintf(place, sizeof place, "%zu", length);
        unit->receive_message(rig->unit, "state", place, reply, sizeof reply);
        snprintf(state + length, sizeof state - length, "%s", reply);
        length += strlen(reply);
    } while (*reply != 0 && length < sizeof state - sizeof reply);
    doing(trial, "restoring its state");
    if (length > 0 && unit->set_property(rig->unit, 0, state, message, sizeof message) != BL_OK) {
        snprintf(trial->message, sizeof trial->message, "%s", message);
    }
}

void bl_try(bl_bridge *bridge, const char *identifier, bl_trial *trial) {
    rig rig = {.noise = calloc(8192, sizeof(float))};
    for (uint32_t channel = 0; channel < BL_MAXIMUM_CHANNELS; channel += 1) {
        rig.input[channel] = rig.noise;
        rig.output[channel] = calloc(8192, sizeof(float));
    }
    trial->verdict = BL_TRIAL_REFUSED;
    doing(trial, "describing");
    rig.descriptor = bl_bridge_describe(bridge, identifier, trial->message, sizeof trial->message);
    if (rig.descriptor == NULL) {
        return;
    }
    doing(trial, "opening");
    if (!bl_bridge_open(rig.descriptor, trial->message, sizeof trial->message)) {
        return;
    }
    trial->parameter_count = rig.descriptor->parameter_count;
    trial->preset_count = (uint32_t)rig.descriptor->factory_preset_count;
    doing(trial, "creating");
    rig.unit = rig.descriptor->create(rig.descriptor);
    doing(trial, "allocating");
    bl_status status = rig.unit != NULL ? allocate(&rig, 48000, BL_TRIAL_FRAMES) : BL_OK;
    if (rig.unit == NULL || status != BL_OK) {
        snprintf(trial->message, sizeof trial->message, "allocating: status %d", status);
        return;
    }
    rig.heard = trial->heard;
    doing(trial, "rendering");
    render(&rig, BL_TRIAL_BLOCKS);
    rig.heard = NULL;
    trial->latency = rig.descriptor->latency(rig.unit);
    bool hears = rig.descriptor->output_bus_count > 0;
    trial->verdict = rig.has_fault              ? BL_TRIAL_FAULT
                     : hears && !rig.is_audible ? BL_TRIAL_SILENT
                                                : BL_TRIAL_OK;
    bl_verdict verdict = trial->verdict;
    trial->verdict = BL_TRIAL_CRASH; /* unless it lives through the rest */
    doing(trial, "resetting");
    rig.descriptor->reset(rig.unit);
    render(&rig, 4);
    restore(&rig, trial);
    doing(trial, "rendering with the restored state");
    render(&rig, 4);
    doing(trial, "deallocating");
    rig.descriptor->deallocate_render_resources(rig.unit);
    doing(trial, "allocating at 44.1 kHz");
    if (allocate(&rig, 44100, 64) == BL_OK) {
        doing(trial, "rendering at 44.1 kHz");
        render(&rig, 50);
        doing(trial, "deallocating after 44.1 kHz");
        rig.descriptor->deallocate_render_resources(rig.unit);
    }
    doing(trial, "destroying");
    rig.descriptor->destroy(rig.unit);
    trial->verdict = verdict;
}
