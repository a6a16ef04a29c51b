/* Neural Amp: an amplifier or a pedal from a .nam file. */
#include "base/effect.h"
#include "dsp/decibels.h"
#include "dsp/ring.h"
#include "neural_amp/amp_slot.h"
#include "neural_amp/tone.h"

enum {
    INPUT,
    BASS, /* the tone's bands, in its order */
    MIDDLE,
    TREBLE,
    PRESENCE,
    OUTPUT,
    QUALITY,
    CALIBRATE,
    FULL_SCALE,
    MIX,
    LEVEL,
    PARAMETER_COUNT
};

/* The longest delay of the dry sound, frames. */
enum { LONGEST_LATENCY = 2047 };

static const char *const output_names[] = {"As Is", "Loudness", "Calibrated", NULL};
static const char *const quality_names[] = {"Full", "Lite", NULL};

#define TONE(KEY, NAME, RANK)                                                                      \
    BL_KNOB(KEY, NAME, DECIBELS, LINEAR, -12, 12, 0, RANK, .group = "tone")

static const bl_parameter_group_info groups[] = {{"tone", "Tone"}};
static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [INPUT] = BL_KNOB("input", "Input", DECIBELS, LINEAR, -24, 24, 0, 1),
    [BASS] = TONE("bass", "Bass", 2),
    [MIDDLE] = TONE("middle", "Middle", 3),
    [TREBLE] = TONE("treble", "Treble", 4),
    [PRESENCE] = TONE("presence", "Presence", 5),
    [OUTPUT] = BL_CHOICE("output", "Output", output_names, BL_AMP_OUTPUT_LOUDNESS, 0),
    [QUALITY] = BL_CHOICE("quality", "Quality", quality_names, BL_AMP_FULL, 0),
    [CALIBRATE] = BL_OFF_ON("calibrate", "Calibrate Input", 0, 0),
    [FULL_SCALE] =
        BL_SETTING("full_scale", "Full Scale", CUSTOM, LINEAR, 0, 30, 12, 0, .unit_name = "dBu"),
    [MIX] = BL_KNOB("mix", "Mix", PERCENT, LINEAR, 0, 100, 100, 0),
    [LEVEL] = BL_KNOB("level", "Level", DECIBELS, LINEAR, -24, 24, 0, 6),
};

static const bl_factory_preset presets[] = {
    BL_PRESET("As Captured", {OUTPUT, BL_AMP_OUTPUT_AS_IS}),
    BL_PRESET("Same Loudness", {OUTPUT, BL_AMP_OUTPUT_LOUDNESS}),
    BL_PRESET("Calibrated", {OUTPUT, BL_AMP_OUTPUT_CALIBRATED}, {CALIBRATE, 1}),
    BL_PRESET("Cleaner", {INPUT, -9}, {LEVEL, 4}, {TREBLE, 2}),
    BL_PRESET("Hotter", {INPUT, 8}, {LEVEL, -3}),
    BL_PRESET("Tight Rhythm", {INPUT, 3}, {BASS, -3}, {PRESENCE, 3}),
    BL_PRESET("Scooped", {BASS, 3}, {MIDDLE, -6}, {TREBLE, 3}),
    BL_PRESET("Singing Lead", {INPUT, 4}, {MIDDLE, 4}, {TREBLE, -2}, {PRESENCE, 1}),
    BL_PRESET("Bass with Clean Low End", {MIX, 60}, {BASS, -4}, {MIDDLE, 2}),
    BL_PRESET("Light on the Processor", {QUALITY, BL_AMP_LITE}),
};

typedef struct neural_amp_unit {
    bl_unit_base base;
    bl_amp_slot slot;
    bl_amp_tone tone;
    /* The dry sound's delay, by the wet sound's latency: input channels × (mask + 1). */
    bl_ring_clock clock;
    float *rings;
    uint32_t mask;
} neural_amp_unit;

static void destroy(bl_unit *unit) { bl_amp_slot_close(&((neural_amp_unit *)unit)->slot); }

static bl_status set_property(bl_unit *unit, uint32_t index, const char *value, char *message,
                              size_t message_size) {
    return index == 0
               ? bl_amp_slot_open(&((neural_amp_unit *)unit)->slot, value, message, message_size)
               : BL_ERROR_NO_SUCH_ELEMENT;
}

static bl_amp_settings settings(const neural_amp_unit *amp) BL_NONBLOCKING {
    const bl_ramp *values = amp->base.parameters;
    return (bl_amp_settings){
        .size = (bl_amp_size)values[QUALITY].target,
        .output = (bl_amp_output)values[OUTPUT].target,
        .calibrates = values[CALIBRATE].target >= 0.5f,
        .full_scale = values[FULL_SCALE].target,
    };
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    neural_amp_unit *amp = (neural_amp_unit *)unit;
    bl_amp_settings wanted = settings(amp);
    bl_amp_slot_reset(&amp->slot, &wanted);
    bl_amp_tone_reset(&amp->tone);
    bl_ring_empty(&amp->clock);
}

static void finish(bl_unit *unit) { bl_amp_slot_deallocate(&((neural_amp_unit *)unit)->slot); }

static bl_status prepare(bl_unit *unit) {
    neural_amp_unit *amp = (neural_amp_unit *)unit;
    uint32_t channels = amp->base.input_channel_count;
    amp->mask = bl_ring_capacity(LONGEST_LATENCY, BL_AMP_CHUNK) - 1;
    amp->rings = bl_kit_memory(unit, channels * ((size_t)amp->mask + 1), sizeof(float));
    if (amp->rings == NULL || !bl_amp_slot_allocate(&amp->slot, amp->base.sample_rate, channels)) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    bl_amp_tone_tune(&amp->tone, amp->base.sample_rate);
    return BL_OK;
}

/* Applies the input gain, and delays the input by the model's latency for the mix. */
BL_INLINE void take(neural_amp_unit *amp, float *const *input, uint32_t first, uint32_t frames,
                    bl_amp_block wet, bl_amp_block dry) BL_NONBLOCKING {
    float gains[BL_AMP_CHUNK], next[BL_AMP_CHUNK];
    bl_decibels_fill(&amp->base.parameters[INPUT], gains, frames);
    uint32_t late = bl_fewer(bl_amp_slot_latency(&amp->slot), LONGEST_LATENCY);
    uint32_t next_late = bl_fewer(bl_amp_slot_next_latency(&amp->slot), LONGEST_LATENCY);
    for (uint32_t channel = 0; channel < amp->base.input_channel_count; channel += 1) {
        float *ring = amp->rings + channel * ((size_t)amp->mask + 1);
        const float *from = input[channel] + first;
        bl_ring_write(ring, amp->mask, &amp->clock, from, frames);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            wet[channel][frame] = gains[frame] * from[frame];
        }
        bl_ring_read(ring, amp->mask, &amp->clock, late, dry[channel], frames);
        bl_ring_read(ring, amp->mask, &amp->clock, next_late, next, frames);
        bl_amp_slot_fade(&amp->slot, dry[channel], next, frames);
    }
    bl_ring_advance(&amp->clock, frames);
}

/* Mixes linearly: the model's sound is similar to the dry one. */
BL_INLINE void mix(const neural_amp_unit *amp, const float *dry, const float *wet, float *to,
                   uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *values = amp->base.parameters;
    float gains[BL_AMP_CHUNK];
    bl_decibels_fill(&values[LEVEL], gains, frames);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float share = bl_ramp_value(&values[MIX], frame) * 0.01f;
        to[frame] = gains[frame] * ((1 - share) * dry[frame] + share * wet[frame]);
    }
}

static BL_VECTOR_CLONES void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                                     uint32_t frames) BL_NONBLOCKING {
    neural_amp_unit *amp = (neural_amp_unit *)unit;
    uint32_t last_input = amp->base.input_channel_count - 1;
    bl_amp_settings wanted = settings(amp);
    bl_amp_block heard, dry, wet;
    uint32_t count;
    for (uint32_t done = 0; done < frames; done += count) {
        uint32_t first = first_frame + done;
        count = bl_amp_slot_frames(&amp->slot, &wanted, frames - done);
        count = bl_frames_before_ends(amp->base.parameters, PARAMETER_COUNT, count);
        take(amp, io->input, first, count, heard, dry);
        bl_amp_slot_process(&amp->slot, &wanted, heard, wet, count);
        bl_amp_tone_process(&amp->tone, &amp->base.parameters[BASS], wet[0], wet[last_input],
                            count);
        for (uint32_t channel = 0; channel < amp->base.output_channel_count; channel += 1) {
            uint32_t from = bl_fewer(channel, last_input);
            mix(amp, dry[from], wet[from], io->output[channel] + first, count);
        }
        bl_ramps_advance(amp->base.parameters, PARAMETER_COUNT, count);
    }
}

BL_KIT(neural_amp_unit, .process = process, .prepare = prepare, .finish = finish, .reset = reset,
       .destroy = destroy)

static uint32_t latency(const bl_unit *unit) BL_NONBLOCKING {
    return bl_amp_slot_latency(&((const neural_amp_unit *)unit)->slot);
}

static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const neural_amp_unit *amp = (const neural_amp_unit *)unit;
    return bl_amp_slot_reach(&amp->slot) / amp->base.sample_rate;
}

static const bl_channel_capability capabilities[] = {{1, 1}, {1, 2}, {2, 2}};
static const bl_property_info properties[] = {{"file", "Model", BL_PROPERTY_PATH, 0}};

const bl_unit_descriptor bl_neural_amp = {
    BL_EFFECT('n', 'a', 'm', 'p'),
    .name = "Neural Amp",
    BL_TAGS("Amp", "Distortion", "Guitar", "Bass"),
    .summary = "Plays through the amplifier or pedal that a .nam file is a model of",
    BL_CHANNEL_CAPABILITIES,
    BL_PARAMETER_GROUPS,
    BL_FACTORY_PRESETS,
    BL_PROPERTIES,
    .latency = latency,
    .tail_time = tail_time,
};
