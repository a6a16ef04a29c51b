/* An instrument: samples, and regions that map keys to them. Read on the control thread from an SFZ
   file, a SoundFont or a single sound file, and constant after that. */
#pragma once

#include "backline/arena.h"
#include "backline/attributes.h"

#include "base/swap_slot.h"
#include "sampler/sampler_region.h"
#include "sampler/sampler_remarks.h"
#include "sampler/sampler_stream.h"

enum {
    BL_REGIONS_LARGEST = 65536,
    /* The most regions that a key may start or release, and that a controller may start: the render
       thread checks their gates. */
    BL_REGIONS_OF_KEY = 4096,
    BL_REGIONS_OF_CONTROLLER = 512,
    /* The most regions with open gates that one message checks. */
    BL_REGIONS_OF_MESSAGE = 512,
    BL_SAMPLER_DRUM_BANK = 128, /* the last bank, in SoundFonts */
    BL_SAMPLER_BANKS = 129,
    BL_SAMPLER_PROGRAMS = 128,
    BL_SAMPLER_PRESETS = BL_SAMPLER_BANKS * BL_SAMPLER_PROGRAMS /* the most in a file */
};

/* The conditions of a region that quickly exclude it for a message, in a short list for each
   key. */
typedef struct bl_gate {
    uint32_t place; /* index of the region */
    uint8_t trigger, low_velocity, high_velocity, low_channel, high_channel;
    int8_t low_switch, high_switch; /* keys that select it as the last one struck; -1: any */
} bl_gate;
typedef struct bl_gates {
    const bl_gate *gates;
    uint32_t count;
} bl_gates;

/* A preset: the regions of one sound of the file. */
typedef struct bl_sampler_preset {
    const char *name;
    uint32_t bank, program;
    bl_gates by_key[BL_KEYS];        /* gates of the regions that a key starts or releases */
    bl_gates by_controller[BL_KEYS]; /* gates of the regions that a controller starts */
    bool is_switch[BL_KEYS];         /* the keyswitches */
    int32_t switch_default;          /* or -1 */
} bl_sampler_preset;

/* Another file that the instrument consists of, or that is missing. */
typedef struct bl_part_file {
    const char *path; /* in the arena */
    struct bl_part_file *next;
} bl_part_file;

typedef struct bl_sampler_instrument {
    bl_swapped swapped;
    bl_arena arena;
    uint64_t memory; /* bytes allowed for its samples */
    bl_sample **samples;
    uint32_t sample_count, sample_capacity;
    bl_sample_streams *streams; /* or NULL if all samples are in memory */
    bl_region *regions;
    uint32_t region_count;
    bl_sampler_preset *presets;
    uint32_t preset_count;
    /* The preset index of each bank and program. */
    uint16_t chosen[BL_SAMPLER_BANKS][BL_SAMPLER_PROGRAMS];
    bool has_drums; /* the drum bank has a preset */
    /* Seconds of sound after the last key: the longest release to -60 dB, and the longest sample
       that plays to its end regardless of keys. */
    double release, rest;
    const char *key_names[BL_KEYS]; /* labels in the file, or NULL */
    float controllers[BL_KEYS];     /* 0 to 127, as set by the file; below 0: not set */
    /* The render thread's: the round-robin count of each region. */
    uint32_t *turns;
    bl_remarks remarks; /* parts that were left out */
    bl_part_file *files;
    void *pool; /* memory of a SoundFont's samples */
} bl_sampler_instrument;

/* Reads a file by its suffix: .sfz, .sf2, else a sound file. The samples use at most `memory`
   bytes. NULL on failure; `message` then names the line or the chunk, and the reason. [control] */
bl_sampler_instrument *bl_sampler_instrument_read(const char *path, uint64_t memory, char *message,
                                                  size_t message_size);
void bl_sampler_instrument_destroy(void *object);

/* Functions that read each kind of file into a zeroed instrument; false and a message on failure.
   [control] */
bool bl_sfz_read(bl_sampler_instrument *instrument, const char *path, char *message,
                 size_t message_size);
bool bl_soundfont_read(bl_sampler_instrument *instrument, const char *path, char *message,
                       size_t message_size);

/* Reads the files of the instrument's samples, after its regions; false and a message on failure.
   [control] */
bool bl_sampler_instrument_load(bl_sampler_instrument *instrument, char *message,
                                size_t message_size);

/* For the readers: adds a sample that the instrument then owns; false when memory is short. */
bool bl_sampler_instrument_own(bl_sampler_instrument *instrument, bl_sample *sample);
/* Fills a preset's tables with the regions from `first` on; false when memory is short. */
bool bl_sampler_instrument_index(bl_sampler_instrument *instrument, bl_sampler_preset *preset,
                                 uint32_t first, uint32_t count);
/* Adds a file that the instrument consists of, or that is missing; `path` is not copied. */
void bl_sampler_instrument_note(bl_sampler_instrument *instrument, const char *path);
/* Adds a remark on a part that is left out: the first of a kind is written, the others are
   counted. */
__attribute__((format(printf, 3, 4))) void
bl_sampler_instrument_warn(bl_sampler_instrument *instrument, const char *kind, const char *format,
                           ...);

/* Whether a message on a channel, 1 to 16, may start the region. `triggers`: the message's trigger
   bits; `last_switch`: -1 if no keyswitch was struck yet. [render] */
BL_INLINE bool bl_gate_is_open(const bl_gate *gate, uint32_t triggers, uint32_t channel,
                               uint32_t velocity, int32_t last_switch) BL_NONBLOCKING {
    return (triggers >> gate->trigger & 1) != 0 && velocity >= gate->low_velocity &&
           velocity <= gate->high_velocity && channel >= gate->low_channel &&
           channel <= gate->high_channel &&
           (gate->low_switch < 0 ||
            (last_switch >= gate->low_switch && last_switch <= gate->high_switch));
}

/* The preset of a bank and program. [render] */
BL_INLINE const bl_sampler_preset *
bl_sampler_instrument_preset(const bl_sampler_instrument *instrument, uint32_t bank,
                             uint32_t program) BL_NONBLOCKING {
    return &instrument->presets[instrument->chosen[bank][program]];
}
