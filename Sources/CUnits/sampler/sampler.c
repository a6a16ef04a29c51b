/* Sampler: plays recorded instruments, SFZ files and SoundFonts. */
/* Declares strdup. */
#define _POSIX_C_SOURCE 200809L

#include "sampler/sampler.h"

#include <stdio.h>
#include <string.h>

#include "base/effect.h"
#include "base/number.h"
#include "dsp/exp2.h"

/* Fade time of the voices of a former instrument, seconds. */
#define FADE_TIME 0.02f

static const bl_parameter_info parameters[BL_SAMPLER_PARAMETER_COUNT] = {
    [BL_SAMPLER_LEVEL] = BL_KNOB("level", "Level", DECIBELS, LINEAR, BL_FADER_MINIMUM, 12, 0, 1),
    /* The bank of all channels; a program change sets its own channel's. */
    [BL_SAMPLER_BANK] = BL_SETTING("bank", "Bank", GENERIC, LINEAR, 0, 128, 0, 0),
    [BL_SAMPLER_PROGRAM] = BL_SETTING("program", "Program", GENERIC, LINEAR, 1, 128, 1, 2),
    [BL_SAMPLER_TUNE] = BL_KNOB("tune", "Tune", CENTS, LINEAR, -1200, 1200, 0, 0),
    /* Read at a note's start. */
    [BL_SAMPLER_VELOCITY] = BL_SETTING("velocity", "Velocity", PERCENT, LINEAR, 0, 100, 100, 6),
    [BL_SAMPLER_ATTACK] = BL_SETTING("attack", "Attack", SECONDS, SQUARED, 0, 5, 0, 4),
    /* Relative to the instrument's own release; read when a note is released. */
    [BL_SAMPLER_RELEASE] = BL_SETTING("release", "Release", PERCENT, LOGARITHMIC, 10, 1000, 100, 5),
    [BL_SAMPLER_HIGH_CUT] = BL_HIGH_CUT_PARAMETER(BL_HIGH_CUT_OFF, 3),
    [BL_SAMPLER_POLYPHONY] =
        BL_SETTING("polyphony", "Polyphony", GENERIC, LINEAR, 1, BL_SAMPLER_VOICES, 64, 0),
    /* Unsupported parts of the file: opcodes, modulators. */
    [BL_SAMPLER_WARNINGS] = BL_READING("warnings", "Warnings", GENERIC, 0, 1000000, 0),
    /* How often the disk was too slow for a voice, which then faded out. */
    [BL_SAMPLER_UNDERRUNS] = BL_READING("underruns", "Underruns", GENERIC, 0, 1000000, 0),
};

static const bl_factory_preset presets[] = {
    BL_PRESET("As Recorded", {BL_SAMPLER_LEVEL, 0}),
    BL_PRESET("Soft Touch", {BL_SAMPLER_VELOCITY, 60}, {BL_SAMPLER_HIGH_CUT, 5000}),
    BL_PRESET("Even Touch", {BL_SAMPLER_VELOCITY, 0}, {BL_SAMPLER_LEVEL, -6}),
    BL_PRESET("Swelling Pad", {BL_SAMPLER_ATTACK, 0.8f}, {BL_SAMPLER_RELEASE, 400},
              {BL_SAMPLER_HIGH_CUT, 6000}),
    BL_PRESET("Bowed", {BL_SAMPLER_ATTACK, 0.15f}, {BL_SAMPLER_RELEASE, 150}),
    BL_PRESET("Tight", {BL_SAMPLER_RELEASE, 25}),
    BL_PRESET("Long Hall Keys", {BL_SAMPLER_RELEASE, 800}, {BL_SAMPLER_POLYPHONY, 128}),
    BL_PRESET("Old Radio", {BL_SAMPLER_HIGH_CUT, 2500}, {BL_SAMPLER_TUNE, -12}),
    BL_PRESET("Octave Down", {BL_SAMPLER_TUNE, -1200}),
    BL_PRESET("One Voice", {BL_SAMPLER_POLYPHONY, 1}),
};

/* Fills the kernel; row r of tap t is for r / BL_SINC_PLACES before frame t + 1. */
static void fill_kernel(bl_sampler_unit *sampler) {
    bl_sinc_fill(&sampler->sinc);
    for (uint32_t tap = 0; tap < BL_SINC_TAPS; tap += 1) {
        for (uint32_t row = 0; row <= BL_SINC_PLACES; row += 1) {
            sampler->kernel[(tap + 1) * BL_SINC_PLACES - row] = sampler->sinc.taps[row][tap];
        }
    }
}

static bool create(bl_unit *unit) {
    bl_sampler_unit *sampler = (bl_sampler_unit *)unit;
    fill_kernel(sampler);
    sampler->memory = (uint64_t)1 << 30;
    sampler->instruments.destroy = bl_sampler_instrument_destroy;
    return true;
}

static void destroy(bl_unit *unit) {
    bl_swap_slot_empty(&((bl_sampler_unit *)unit)->instruments);
    free(((bl_sampler_unit *)unit)->path);
}

/* Loads a file; while the unit plays, it is read here, on the control thread. */
static bl_status load(bl_sampler_unit *sampler, const char *path, uint64_t memory, char *message,
                      size_t message_size) {
    bl_sampler_instrument *instrument =
        bl_sampler_instrument_read(path, memory, message, message_size);
    if (instrument == NULL) {
        return BL_ERROR_INVALID_PROPERTY_VALUE;
    }
    sampler->newest = instrument;
    bl_swap_slot_post(&sampler->instruments, instrument);
    if (sampler->base.sample_rate == 0) {
        bl_swap_slot_finish(&sampler->instruments);
    }
    atomic_store(&sampler->warning_count, instrument->remarks.count);
    bl_remarks_write(&instrument->remarks, message, message_size);
    return BL_OK;
}

/* Sets the memory limit; the present file is read again, within the new limit. */
static bl_status set_memory(bl_sampler_unit *sampler, const char *text, char *message,
                            size_t message_size) {
    double mebibytes;
    const char *end = bl_number_read(text, &mebibytes);
    if (end == NULL || *end != 0 || !(mebibytes >= 1 && mebibytes <= 1 << 20)) {
        snprintf(message, message_size, "%.40s is not between 1 and 1048576 (MiB)", text);
        return BL_ERROR_INVALID_PROPERTY_VALUE;
    }
    uint64_t memory = (uint64_t)(mebibytes * 0x1p20);
    bl_status status = BL_OK;
    if (sampler->path != NULL && memory != sampler->memory) {
        status = load(sampler, sampler->path, memory, message, message_size);
    }
    sampler->memory = status == BL_OK ? memory : sampler->memory;
    return status;
}

static bl_status set_property(bl_unit *unit, uint32_t index, const char *value, char *message,
                              size_t message_size) {
    bl_sampler_unit *sampler = (bl_sampler_unit *)unit;
    if (index == 0) {
        return set_memory(sampler, value, message, message_size);
    }
    if (index != 1) {
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    bl_status status = load(sampler, value, sampler->memory, message, message_size);
    if (status == BL_OK) {
        free(sampler->path);
        sampler->path = strdup(value);
    }
    return status;
}

static void end_voices(bl_sampler_unit *sampler) BL_NONBLOCKING {
    for (uint32_t slot = 0; slot < BL_SAMPLER_SLOTS; slot += 1) {
        bl_sampler_end_voice(&sampler->voices[slot]);
    }
}

static void finish(bl_unit *unit) {
    end_voices((bl_sampler_unit *)unit);
    bl_swap_slot_finish(&((bl_sampler_unit *)unit)->instruments);
}

static void retire_former(bl_sampler_unit *sampler) BL_NONBLOCKING {
    bl_sampler_instrument *former = sampler->instruments.former;
    if (former != NULL && former->streams != NULL) {
        bl_disk_thread_retire(&former->streams->thread);
    }
    bl_swap_slot_retire(&sampler->instruments);
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    bl_sampler_unit *sampler = (bl_sampler_unit *)unit;
    end_voices(sampler);
    retire_former(sampler);
    bl_sampler_instrument *instrument = bl_sampler_instrument_of(sampler);
    for (uint32_t region = 0; instrument != NULL && region < instrument->region_count;
         region += 1) {
        instrument->turns[region] = 0;
    }
    sampler->now = sampler->event = 0;
    sampler->last_switch = sampler->previous_key = -1;
    sampler->cut = (bl_wet_cut){0};
    bl_sampler_reset_channels(sampler);
}

/* A new instrument plays from the next note on; the former one's notes fade out. */
static void cycle(bl_unit *unit, bl_io *io) BL_NONBLOCKING {
    bl_sampler_unit *sampler = (bl_sampler_unit *)unit;
    bl_log_underruns(io, sampler->underruns, &sampler->told_underruns);
    if (!bl_swap_slot_pop(&sampler->instruments)) {
        return;
    }
    bl_swap_slot_swap(&sampler->instruments);
    for (uint32_t slot = 0; slot < BL_SAMPLER_SLOTS; slot += 1) {
        bl_sampler_voice *voice = &sampler->voices[slot];
        if (voice->stage != BL_VOICE_FREE && voice->stage != BL_VOICE_FADE) {
            bl_sampler_fade_voice(sampler, voice, FADE_TIME);
        }
    }
    bl_sampler_begin_instrument(sampler);
}

/* Retires the former instrument once it is silent. */
static void retire_silent(bl_sampler_unit *sampler) BL_NONBLOCKING {
    for (uint32_t slot = 0; slot < BL_SAMPLER_SLOTS; slot += 1) {
        const bl_sampler_voice *voice = &sampler->voices[slot];
        if (voice->stage != BL_VOICE_FREE && voice->instrument == sampler->instruments.former) {
            return;
        }
    }
    retire_former(sampler);
}

static float value(const bl_unit *unit, bl_parameter_address address) BL_NONBLOCKING {
    const bl_sampler_unit *sampler = (const bl_sampler_unit *)unit;
    switch (address) {
    case BL_SAMPLER_WARNINGS: return (float)(int32_t)atomic_load(&sampler->warning_count);
    case BL_SAMPLER_UNDERRUNS: return (float)(int32_t)sampler->underruns;
    default: return bl_kit_value(unit, address);
    }
}

static void change(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    (void)io;
    bl_sampler_unit *sampler = (bl_sampler_unit *)unit;
    bl_kit_apply(unit, event);
    switch (event->parameter.address) {
    case BL_SAMPLER_BANK:
    case BL_SAMPLER_PROGRAM: bl_sampler_choose_preset(sampler); break;
    case BL_SAMPLER_RELEASE: bl_sampler_follow_release(sampler); break;
    }
}

static void midi(bl_unit *unit, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING {
    (void)io;
    bl_sampler_receive((bl_sampler_unit *)unit, message);
}

static void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                    uint32_t frames) BL_NONBLOCKING {
    bl_sampler_unit *sampler = (bl_sampler_unit *)unit;
    bl_sampler_process(sampler, io->output, first_frame, frames);
    if (sampler->instruments.former != NULL) {
        retire_silent(sampler);
    }
}

BL_KIT(bl_sampler_unit, .process = process, .change = change, .midi = midi, .cycle = cycle,
       .finish = finish, .reset = reset, .create = create, .destroy = destroy, .value = value)

static void wait_until_ready(bl_unit *unit, uint32_t frames) {
    (void)frames;
    const bl_swap_slot *slot = &((const bl_sampler_unit *)unit)->instruments;
    const bl_sampler_instrument *instruments[] = {slot->present.object, slot->former};
    for (size_t index = 0; index < sizeof instruments / sizeof instruments[0]; index += 1) {
        if (instruments[index] != NULL && instruments[index]->streams != NULL) {
            bl_sample_streams_wait(instruments[index]->streams);
        }
    }
}

/* The longest release of the instrument, or its longest sample that plays to its end. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const bl_sampler_unit *sampler = (const bl_sampler_unit *)unit;
    const bl_sampler_instrument *instrument = bl_sampler_instrument_of(sampler);
    if (instrument == NULL) {
        return 0;
    }
    float tune = sampler->base.parameters[BL_SAMPLER_TUNE].target;
    double release =
        instrument->release * 0.01 * (double)sampler->base.parameters[BL_SAMPLER_RELEASE].target;
    double rest = instrument->rest * (double)bl_exp2(tune < 0 ? -tune / 1200 : 0);
    return release > rest ? release : rest;
}

/* The presets of a SoundFont, one a line. */
static void write_presets(const bl_sampler_instrument *instrument, char *text, size_t size) {
    size_t used = 0;
    text[0] = 0;
    for (uint32_t index = 0; index < instrument->preset_count; index += 1) {
        const bl_sampler_preset *preset = &instrument->presets[index];
        int length = snprintf(text + used, size - used, "%u %u %s\n", preset->bank,
                              preset->program + 1, preset->name);
        if (length < 0 || used + (size_t)length >= size) {
            text[used] = 0; /* whole lines only */
            return;
        }
        used += (size_t)length;
    }
}

/* Writes the path of file `number` of the instrument's parts; nothing after the last. */
static void write_file(const bl_sampler_instrument *instrument, const char *number, char *text,
                       size_t size) {
    const bl_part_file *file = instrument->files;
    for (long left = strtol(number, NULL, 10); left > 0 && file != NULL; left -= 1) {
        file = file->next;
    }
    snprintf(text, size, "%s", file != NULL ? file->path : "");
}

/* Answers requests: the view's for the presets of a SoundFont or for the remarks on the file, and
   the host's for the files of an instrument, by number. */
static bl_status receive_message(bl_unit *unit, const char *channel, const char *message,
                                 char *reply, size_t reply_size) {
    const bl_sampler_instrument *instrument = ((const bl_sampler_unit *)unit)->newest;
    bool warnings = strcmp(channel, "warnings") == 0, files = strcmp(channel, "files") == 0;
    if (!warnings && !files && strcmp(channel, "presets") != 0) {
        snprintf(reply, reply_size,
                 "the sampler has no channel “%.40s”, but “presets”, “warnings” and “files”",
                 channel);
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    if (instrument == NULL) {
        snprintf(reply, reply_size, "the sampler has no file");
        return BL_ERROR_UNAVAILABLE;
    }
    if (warnings) {
        bl_remarks_write(&instrument->remarks, reply, reply_size);
    } else if (files) {
        write_file(instrument, message, reply, reply_size);
    } else {
        write_presets(instrument, reply, reply_size);
    }
    return BL_OK;
}

static void note_name(const bl_unit *unit, uint8_t channel, uint8_t key, char *name, size_t size) {
    const bl_sampler_instrument *instrument = ((const bl_sampler_unit *)unit)->newest;
    (void)channel;
    const char *label = instrument != NULL ? instrument->key_names[key] : NULL;
    snprintf(name, size, "%s", label != NULL ? label : "");
}

/* Fills in the level of each key, 0 to 1. */
static uint32_t read_telemetry(const bl_unit *unit, uint32_t index, float *values) BL_NONBLOCKING {
    (void)index;
    const bl_sampler_unit *sampler = (const bl_sampler_unit *)unit;
    for (uint32_t key = 0; key < BL_KEYS; key += 1) {
        values[key] = 0;
    }
    for (uint32_t slot = 0; slot < BL_SAMPLER_SLOTS; slot += 1) {
        const bl_sampler_voice *voice = &sampler->voices[slot];
        float level = (float)voice->level * voice->gain;
        if (voice->stage != BL_VOICE_FREE && level > values[voice->key]) {
            values[voice->key] = level;
        }
    }
    return BL_KEYS;
}

static const bl_telemetry_info telemetry[] = {{"notes", "Notes", BL_TELEMETRY_CURVE, BL_KEYS}};
static const bl_bus_info output_busses[] = {{"output", 2, 0}};
static const bl_channel_capability capabilities[] = {{0, 1}, {0, 2}};
/* The memory comes first: a state restores the properties in this order. */
static const bl_property_info properties[] = {{"memory", "Memory", BL_PROPERTY_TEXT, 0},
                                              {"file", "Instrument", BL_PROPERTY_PATH, 1}};

const bl_unit_descriptor bl_sampler = {
    BL_BUILT_IN(BL_TYPE_INSTRUMENT, 's', 'm', 'p', 'l'),
    .name = "Sampler",
    BL_TAGS("Sampler", "Keyboard", "Drums"),
    .summary = "Plays recorded instruments: SFZ files, SoundFonts, single sounds",
    .flags = BL_UNIT_MIDI_INPUT,
    .output_busses = output_busses,
    .output_bus_count = 1,
    BL_CHANNEL_CAPABILITIES,
    BL_PROPERTIES,
    BL_FACTORY_PRESETS,
    BL_TELEMETRY,
    .wait_until_ready = wait_until_ready,
    .tail_time = tail_time,
    .receive_message = receive_message,
    .note_name = note_name,
};
