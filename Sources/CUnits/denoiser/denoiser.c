/* Denoiser: removes hiss, hum and fan noise from a recording or a microphone. */
#include "denoiser/denoiser.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/built_in.h"

/* The length of windows, seconds: the nearest power of two of frames, 1024 at 48 kHz. */
#define WINDOW 0.0213
/* Bins for one grain of the transform's work. */
enum { BIN_GRAIN = 2 };

static const char *const noises[] = {"Followed", "Learnt", NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [AMOUNT] = BL_KNOB("amount", "Amount", DECIBELS, LINEAR, 0, 40, 12, 1),
    [NOISE] = BL_CHOICE("noise", "Noise", noises, NOISE_FOLLOWED, 2),
    [LEARN] = BL_BUTTON("learn", "Learn", 3),
    [FLOOR] = BL_KNOB("floor", "Floor", DECIBELS, LINEAR, FLOOR_OFF, -40, FLOOR_OFF, 4),
    [SMOOTH] = BL_KNOB("smooth", "Smooth", PERCENT, LINEAR, 0, 100, 60, 5),
    /* Whether a noise was learnt. */
    [LEARNT] = BL_READING("learnt", "Learnt", BOOLEAN, 0, 1, 6),
};

static const bl_factory_preset presets[] = {
    BL_PRESET("Gentle", {AMOUNT, 6}),
    BL_PRESET("Voice", {AMOUNT, 12}),
    BL_PRESET("Noisy Room", {AMOUNT, 20}, {SMOOTH, 70}),
    BL_PRESET("Guitar Amp Hiss", {AMOUNT, 10}, {NOISE, NOISE_LEARNT}, {SMOOTH, 75}),
    BL_PRESET("Old Tape", {AMOUNT, 14}, {NOISE, NOISE_LEARNT}, {FLOOR, -80}, {SMOOTH, 80}),
    BL_PRESET("Rescue", {AMOUNT, 30}, {FLOOR, -75}, {SMOOTH, 85}),
};

/* Restores the loaded print, or none. */
static void go_back(denoiser_unit *denoiser) BL_NONBLOCKING {
    noise_print *learnt = denoiser->learnt;
    const noise_print *origin = denoiser->origin.present.object;
    bool is_loaded = origin->channels > 0;
    size_t size = (size_t)learnt->channels * learnt->bins * sizeof(float);
    denoiser_set_learning(denoiser, true);
    if (is_loaded) {
        memcpy(learnt->powers, origin->powers, size);
    } else {
        memset(learnt->powers, 0, size);
    }
    denoiser->base.parameters[LEARNT].target = is_loaded;
    denoiser->learned_windows = denoiser->learn_windows;
    denoiser_set_learning(denoiser, false);
    atomic_store(&denoiser->saved_version, atomic_load(&denoiser->version));
}

/* The learnt noise survives a change of format, but not a reset. */
static void reset(bl_unit *unit) BL_NONBLOCKING {
    denoiser_unit *denoiser = (denoiser_unit *)unit;
    if (!denoiser->is_prepared) {
        go_back(denoiser);
    }
    denoiser->is_prepared = false;
    for (uint32_t index = 0; index < denoiser->base.output_channel_count; index += 1) {
        denoiser_channel *channel = &denoiser->channels[index];
        bl_stft_reset(&channel->stft);
        noise_tracker_reset(&channel->tracker);
        memset(channel->speech, 0, channel->stft.fft.half * sizeof(float));
        channel->knobs = (denoiser_knobs){0};
    }
    denoiser->now = 0;
    denoiser->valid = 0;
    denoiser->learned_windows = denoiser->learn_windows;
}

/* Allocates the learnt noise, which is kept if the format is the same. */
static bool prepare_learnt(denoiser_unit *denoiser, double rate, uint32_t channels, uint32_t bins) {
    noise_print *former = denoiser->learnt;
    if (former != NULL && denoiser->origin.present.object != NULL && former->sample_rate == rate &&
        former->channels == channels && former->bins == bins) {
        return true;
    }
    noise_print *learnt = noise_print_create(rate, channels, bins);
    if (learnt == NULL || !denoiser_prepare_origin(denoiser, rate, channels, bins)) {
        free(learnt);
        return false;
    }
    free(former);
    denoiser->learnt = learnt;
    go_back(denoiser);
    return true;
}

static bool create(bl_unit *unit) {
    ((denoiser_unit *)unit)->origin.destroy = free;
    return true;
}

static void destroy(bl_unit *unit) { denoiser_free_prints((denoiser_unit *)unit); }

static void finish(bl_unit *unit) {
    denoiser_unit *denoiser = (denoiser_unit *)unit;
    denoiser_set_learning(denoiser, false);
    for (uint32_t index = 0; index < denoiser->base.output_channel_count; index += 1) {
        bl_stft_destroy(&denoiser->channels[index].stft);
    }
}

static bl_status prepare(bl_unit *unit) {
    denoiser_unit *denoiser = (denoiser_unit *)unit;
    double rate = denoiser->base.sample_rate;
    uint32_t length = (uint32_t)exp2(floor(log2(fmax(WINDOW * rate, 128)) + 0.5));
    uint32_t half = length / 2, channels = denoiser->base.output_channel_count;
    size_t floats = 2 * (size_t)length + half + noise_tracker_floats(half);
    size_t bytes = sizeof(denoiser_channel) + floats * sizeof(float);
    denoiser->channels = bl_kit_memory(unit, channels, bytes);
    if (denoiser->channels == NULL) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    if (!prepare_learnt(denoiser, rate, channels, half)) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    float *memory = (float *)(void *)(denoiser->channels + channels);
    for (uint32_t index = 0; index < channels; index += 1) {
        denoiser_channel *channel = &denoiser->channels[index];
        if (!bl_stft_create(&channel->stft, length, BIN_GRAIN)) {
            finish(unit);
            return BL_ERROR_OUT_OF_MEMORY;
        }
        channel->past = memory;
        channel->speech = memory + 2 * (size_t)length;
        channel->learnt = denoiser->learnt->powers + (size_t)index * half;
        noise_tracker_prepare(&channel->tracker, half, channel->stft.hop / rate,
                              channel->speech + half);
        memory += floats;
    }
    denoiser->learn_windows = (uint32_t)(LEARN_TIME * rate / denoiser->channels[0].stft.hop + 0.5);
    denoiser->is_prepared = true;
    return BL_OK;
}

static void change(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    (void)io;
    if (bl_kit_is_press(event, LEARN)) {
        ((denoiser_unit *)unit)->learned_windows = 0;
        denoiser_set_learning((denoiser_unit *)unit, true);
    }
    bl_kit_apply(unit, event);
}

static void cycle(bl_unit *unit, bl_io *io) BL_NONBLOCKING {
    denoiser_unit *denoiser = (denoiser_unit *)unit;
    (void)io;
    if (bl_swap_slot_pop(&denoiser->origin)) {
        bl_swap_slot_swap(&denoiser->origin);
        bl_swap_slot_retire(&denoiser->origin);
        go_back(denoiser);
    }
}

BL_KIT(denoiser_unit, .process = denoiser_process, .change = change, .cycle = cycle,
       .prepare = prepare, .finish = finish, .reset = reset, .create = create, .destroy = destroy)

static uint32_t latency(const bl_unit *unit) BL_NONBLOCKING {
    return bl_stft_latency(&((const denoiser_unit *)unit)->channels[0].stft);
}

/* The tail is the window in progress. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const denoiser_unit *denoiser = (const denoiser_unit *)unit;
    const bl_stft *stft = &denoiser->channels[0].stft;
    return (2 * stft->length + stft->hop) / denoiser->base.sample_rate;
}

static const bl_property_info properties[] = {{"print", "Noise Print", BL_PROPERTY_DATA, 0}};

const bl_unit_descriptor bl_denoiser = {
    BL_EFFECT('d', 'n', 'o', 'i'),
    .name = "Denoiser",
    BL_TAGS("Voice", "Utility", "Mixing", "Guitar"),
    .summary = "Takes steady noise out of a sound: hiss, hum and fans",
    BL_FACTORY_PRESETS,
    .properties = properties,
    .property_count = 1,
    .latency = latency,
    .tail_time = tail_time,
    .save_data = denoiser_save_data,
    .load_data = denoiser_load_data,
};
