#include "sampler/sfz_opcodes.h"

#include <stdlib.h>
#include <string.h>

static const char *const triggers[] = {"attack", "release", "first", "legato", "release_key", NULL};
static const char *const loop_modes[] = {"sample",          "no_loop",      "one_shot",
                                         "loop_continuous", "loop_sustain", NULL};
static const char *const off_modes[] = {"fast", "normal", "time", NULL};
static const char *const filters[] = {"lpf_1p", "hpf_1p", "lpf_2p", "hpf_2p",
                                      "bpf_2p", "brf_2p", NULL};
static const char *const curves[] = {"power", "gain", NULL};

#define NUMBER(NAME, MEMBER, LOW, HIGH)                                                            \
    { NAME, BL_OPCODE_NUMBER, offsetof(bl_region, MEMBER), LOW, HIGH, NULL }
#define WHOLE(NAME, MEMBER, LOW, HIGH)                                                             \
    { NAME, BL_OPCODE_WHOLE, offsetof(bl_region, MEMBER), LOW, HIGH, NULL }
#define KEY(NAME, MEMBER)                                                                          \
    { NAME, BL_OPCODE_KEY, offsetof(bl_region, MEMBER), -1, 127, NULL }
#define FRAMES(NAME, MEMBER)                                                                       \
    { NAME, BL_OPCODE_FRAMES, offsetof(bl_region, MEMBER), 0, UINT32_MAX, NULL }
#define CHOICE(NAME, MEMBER, NAMES)                                                                \
    { NAME, BL_OPCODE_CHOICE, offsetof(bl_region, MEMBER), 0, 0, NAMES }
#define CURVE(NAME, MEMBER)                                                                        \
    { NAME, BL_OPCODE_SWITCH, offsetof(bl_region, MEMBER), 0, 0, curves }
#define SPECIAL(NAME, KIND, LOW, HIGH)                                                             \
    { NAME, KIND, 0, LOW, HIGH, NULL }
#define IGNORED(NAME)                                                                              \
    { NAME, BL_OPCODE_IGNORED, 0, 0, 0, NULL }

#define ENVELOPE(PREFIX, MEMBER)                                                                   \
    NUMBER(PREFIX "_start", MEMBER.start, 0, 100), NUMBER(PREFIX "_delay", MEMBER.delay, 0, 100),  \
        NUMBER(PREFIX "_attack", MEMBER.attack, 0, 100),                                           \
        NUMBER(PREFIX "_hold", MEMBER.hold, 0, 100),                                               \
        NUMBER(PREFIX "_decay", MEMBER.decay, 0, 100),                                             \
        NUMBER(PREFIX "_sustain", MEMBER.sustain, 0, 100),                                         \
        NUMBER(PREFIX "_release", MEMBER.release, 0, 100),                                         \
        NUMBER(PREFIX "_vel2delay", MEMBER.delay_by_velocity, -100, 100),                          \
        NUMBER(PREFIX "_vel2attack", MEMBER.attack_by_velocity, -100, 100),                        \
        NUMBER(PREFIX "_vel2hold", MEMBER.hold_by_velocity, -100, 100),                            \
        NUMBER(PREFIX "_vel2decay", MEMBER.decay_by_velocity, -100, 100),                          \
        NUMBER(PREFIX "_vel2sustain", MEMBER.sustain_by_velocity, -100, 100),                      \
        NUMBER(PREFIX "_vel2release", MEMBER.release_by_velocity, -100, 100)
#define LFO(PREFIX, PLACE, DEPTH, MOST)                                                            \
    NUMBER(PREFIX "_delay", lfos[PLACE].delay, 0, 100),                                            \
        NUMBER(PREFIX "_fade", lfos[PLACE].fade, 0, 100),                                          \
        NUMBER(PREFIX "_freq", lfos[PLACE].rate, 0, 100),                                          \
        NUMBER(PREFIX "_depth", lfos[PLACE].DEPTH, -(MOST), MOST)

const bl_opcode bl_opcodes[] = {
    SPECIAL("sample", BL_OPCODE_SAMPLE, 0, 0),
    SPECIAL("key", BL_OPCODE_ALL_KEYS, -1, BL_KEYS),
    {"lokey", BL_OPCODE_KEY, offsetof(bl_region, low_key), -1, BL_KEYS, NULL},
    KEY("hikey", high_key),
    WHOLE("lovel", low_velocity, 0, 127),
    WHOLE("hivel", high_velocity, 0, 127),
    WHOLE("lochan", low_channel, 1, 16),
    WHOLE("hichan", high_channel, 1, 16),
    NUMBER("lorand", low_random, 0, 1),
    NUMBER("hirand", high_random, 0, 1),
    WHOLE("seq_length", sequence_length, 1, 1000),
    WHOLE("seq_position", sequence_position, 1, 1000),
    CHOICE("trigger", trigger, triggers),
    KEY("sw_lokey", switch_low_key),
    KEY("sw_hikey", switch_high_key),
    SPECIAL("sw_last", BL_OPCODE_SWITCH_LAST, 0, 127),
    KEY("sw_lolast", switch_last_low),
    KEY("sw_hilast", switch_last_high),
    KEY("sw_down", switch_down),
    KEY("sw_up", switch_up),
    KEY("sw_previous", switch_previous),
    KEY("sw_default", switch_default),
    WHOLE("group", group, -2147483647, 2147483647),
    WHOLE("polyphony_group", group, -2147483647, 2147483647),
    WHOLE("off_by", off_by, -2147483647, 2147483647),
    WHOLE("offby", off_by, -2147483647, 2147483647),
    CHOICE("off_mode", off_mode, off_modes),
    NUMBER("off_time", off_time, 0, 100),
    WHOLE("polyphony", polyphony, 0, 1000),
    WHOLE("note_polyphony", note_polyphony, 0, 1000),

    NUMBER("delay", delay, 0, 100),
    NUMBER("delay_random", delay_random, 0, 100),
    FRAMES("offset", offset),
    FRAMES("offset_random", offset_random),
    SPECIAL("end", BL_OPCODE_END, -1, UINT32_MAX - 1),
    CHOICE("loop_mode", loop_mode, loop_modes),
    CHOICE("loopmode", loop_mode, loop_modes),
    SPECIAL("loop_start", BL_OPCODE_LOOP_START, 0, UINT32_MAX - 1),
    SPECIAL("loopstart", BL_OPCODE_LOOP_START, 0, UINT32_MAX - 1),
    SPECIAL("loop_end", BL_OPCODE_LOOP_END, 0, UINT32_MAX - 1),
    SPECIAL("loopend", BL_OPCODE_LOOP_END, 0, UINT32_MAX - 1),
    NUMBER("loop_crossfade", loop_crossfade, 0, 10),

    SPECIAL("pitch_keycenter", BL_OPCODE_CENTER_KEY, -1, 127),
    WHOLE("transpose", transpose, -127, 127),
    NUMBER("tune", tune, -9600, 9600),
    NUMBER("pitch", tune, -9600, 9600),
    NUMBER("pitch_keytrack", key_tracking, -1200, 1200),
    NUMBER("pitch_veltrack", velocity_tracking, -9600, 9600),
    NUMBER("pitch_random", random_pitch, 0, 9600),
    NUMBER("bend_up", bend_up, -9600, 9600),
    NUMBER("bendup", bend_up, -9600, 9600),
    NUMBER("bend_down", bend_down, -9600, 9600),
    NUMBER("benddown", bend_down, -9600, 9600),
    ENVELOPE("pitcheg", motions[BL_MOTION_PITCH].envelope),
    NUMBER("pitcheg_depth", motions[BL_MOTION_PITCH].pitch, -12000, 12000),
    NUMBER("pitcheg_vel2depth", motions[BL_MOTION_PITCH].depth_by_velocity, -12000, 12000),
    LFO("pitchlfo", BL_LFO_PITCH, pitch, 9600),

    NUMBER("volume", volume, -144, 48),
    NUMBER("gain", volume, -144, 48),
    NUMBER("global_volume", level_volumes[0], -144, 48),
    NUMBER("master_volume", level_volumes[1], -144, 48),
    NUMBER("group_volume", level_volumes[2], -144, 48),
    NUMBER("amplitude", amplitude, 0, 1000),
    NUMBER("global_amplitude", level_amplitudes[0], 0, 1000),
    NUMBER("master_amplitude", level_amplitudes[1], 0, 1000),
    NUMBER("group_amplitude", level_amplitudes[2], 0, 1000),
    NUMBER("pan", pan, -100, 100),
    NUMBER("amp_veltrack", level_by_velocity, -100, 100),
    NUMBER("amp_keytrack", level_by_key, -96, 12),
    KEY("amp_keycenter", level_center_key),
    NUMBER("amp_random", random_level, 0, 24),
    NUMBER("rt_decay", release_decay, 0, 200),
    KEY("xfin_lokey", fade_in_keys[0]),
    KEY("xfin_hikey", fade_in_keys[1]),
    KEY("xfout_lokey", fade_out_keys[0]),
    KEY("xfout_hikey", fade_out_keys[1]),
    WHOLE("xfin_lovel", fade_in_velocities[0], 0, 127),
    WHOLE("xfin_hivel", fade_in_velocities[1], 0, 127),
    WHOLE("xfout_lovel", fade_out_velocities[0], 0, 127),
    WHOLE("xfout_hivel", fade_out_velocities[1], 0, 127),
    CURVE("xf_keycurve", linear_key_fade),
    CURVE("xf_velcurve", linear_velocity_fade),
    CURVE("xf_cccurve", linear_controller_fade),
    ENVELOPE("ampeg", envelope),
    LFO("amplfo", BL_LFO_VOLUME, volume, 48),

    CHOICE("fil_type", filter, filters),
    CHOICE("filtype", filter, filters),
    NUMBER("cutoff", cutoff, 0, 100000),
    NUMBER("resonance", resonance, 0, 40),
    NUMBER("fil_keytrack", cutoff_by_key, -1200, 1200),
    KEY("fil_keycenter", cutoff_center_key),
    NUMBER("fil_veltrack", cutoff_by_velocity, -12000, 12000),
    ENVELOPE("fileg", motions[BL_MOTION_FILTER].envelope),
    NUMBER("fileg_depth", motions[BL_MOTION_FILTER].cutoff, -12000, 12000),
    NUMBER("fileg_vel2depth", motions[BL_MOTION_FILTER].depth_by_velocity, -12000, 12000),
    LFO("fillfo", BL_LFO_FILTER, cutoff, 12000),

    IGNORED("global_label"),
    IGNORED("master_label"),
    IGNORED("group_label"),
    IGNORED("region_label"),
    IGNORED("sw_label"),
    IGNORED("image"),
};
const size_t bl_opcode_count = sizeof bl_opcodes / sizeof bl_opcodes[0];

#define MODULATION(NAME, TARGET, LIMIT)                                                            \
    { NAME, BL_NUMBERED_MODULATION, false, false, TARGET, LIMIT, -1 }
#define BY_PRESSURE(NAME, TARGET, LIMIT)                                                           \
    { NAME, BL_NUMBERED_MODULATION, false, false, TARGET, LIMIT, BL_SOURCE_PRESSURE }
#define CONDITION(NAME, KIND, HIGH, LIMIT, SOURCE)                                                 \
    { NAME, KIND, HIGH, false, 0, LIMIT, SOURCE }
#define FADE(NAME, OUT, HIGH)                                                                      \
    { NAME, BL_NUMBERED_FADE, HIGH, OUT, 0, 127, -1 }

/* The names without the number; modulations also without "_oncc", "_cc" or "cc". */
static const bl_numbered_opcode numbered[] = {
    CONDITION("locc", BL_NUMBERED_CONDITION, false, 127, -1),
    CONDITION("hicc", BL_NUMBERED_CONDITION, true, 127, -1),
    CONDITION("on_locc", BL_NUMBERED_START, false, 127, -1),
    CONDITION("on_hicc", BL_NUMBERED_START, true, 127, -1),
    CONDITION("start_locc", BL_NUMBERED_START, false, 127, -1),
    CONDITION("start_hicc", BL_NUMBERED_START, true, 127, -1),
    FADE("xfin_locc", false, false),
    FADE("xfin_hicc", false, true),
    FADE("xfout_locc", true, false),
    FADE("xfout_hicc", true, true),
    {"amp_velcurve_", BL_NUMBERED_VELOCITY_LEVEL, false, false, 0, 1, -1},
};
static const bl_numbered_opcode modulations[] = {
    MODULATION("volume", BL_TARGET_VOLUME, 144),
    MODULATION("gain", BL_TARGET_VOLUME, 144),
    MODULATION("amplitude", BL_TARGET_AMPLITUDE, 1000),
    MODULATION("pan", BL_TARGET_PAN, 200),
    MODULATION("tune", BL_TARGET_TUNE, 12000),
    MODULATION("pitch", BL_TARGET_TUNE, 12000),
    MODULATION("cutoff", BL_TARGET_CUTOFF, 12000),
    MODULATION("resonance", BL_TARGET_RESONANCE, 40),
    MODULATION("pitchlfo_depth", BL_TARGET_LFO_DEPTH + BL_LFO_PITCH, 9600),
    MODULATION("fillfo_depth", BL_TARGET_LFO_DEPTH + BL_LFO_FILTER, 12000),
    MODULATION("amplfo_depth", BL_TARGET_LFO_DEPTH + BL_LFO_VOLUME, 48),
    MODULATION("pitchlfo_freq", BL_TARGET_LFO_RATE + BL_LFO_PITCH, 100),
    MODULATION("fillfo_freq", BL_TARGET_LFO_RATE + BL_LFO_FILTER, 100),
    MODULATION("amplfo_freq", BL_TARGET_LFO_RATE + BL_LFO_VOLUME, 100),
    MODULATION("delay", BL_TARGET_DELAY, 100),
    MODULATION("offset", BL_TARGET_OFFSET, 4294967295.0f),
    MODULATION("ampeg_attack", BL_TARGET_ATTACK, 100),
    MODULATION("ampeg_hold", BL_TARGET_HOLD, 100),
    MODULATION("ampeg_decay", BL_TARGET_DECAY, 100),
    MODULATION("ampeg_sustain", BL_TARGET_SUSTAIN, 100),
    MODULATION("ampeg_release", BL_TARGET_RELEASE, 100),
};
static const bl_numbered_opcode by_pressure[] = {
    BY_PRESSURE("cutoff_chanaft", BL_TARGET_CUTOFF, 12000),
    BY_PRESSURE("pitchlfo_depthchanaft", BL_TARGET_LFO_DEPTH + BL_LFO_PITCH, 9600),
    BY_PRESSURE("fillfo_depthchanaft", BL_TARGET_LFO_DEPTH + BL_LFO_FILTER, 12000),
    BY_PRESSURE("amplfo_depthchanaft", BL_TARGET_LFO_DEPTH + BL_LFO_VOLUME, 48),
    CONDITION("lochanaft", BL_NUMBERED_CONDITION, false, 127, BL_SOURCE_PRESSURE),
    CONDITION("hichanaft", BL_NUMBERED_CONDITION, true, 127, BL_SOURCE_PRESSURE),
    CONDITION("lobend", BL_NUMBERED_CONDITION, false, 8192, BL_SOURCE_BEND),
    CONDITION("hibend", BL_NUMBERED_CONDITION, true, 8192, BL_SOURCE_BEND),
};

const bl_opcode *bl_opcode_find(const char *name) {
    for (size_t index = 0; index < bl_opcode_count; index += 1) {
        if (strcmp(bl_opcodes[index].name, name) == 0) {
            return &bl_opcodes[index];
        }
    }
    return NULL;
}

static bool find(const char *name, size_t length, const bl_numbered_opcode *table, size_t count,
                 bl_numbered_opcode *found) {
    for (size_t index = 0; index < count; index += 1) {
        if (strlen(table[index].name) == length && memcmp(table[index].name, name, length) == 0) {
            *found = table[index];
            return true;
        }
    }
    return false;
}
#define FIND(NAME, LENGTH, TABLE, FOUND)                                                           \
    find(NAME, LENGTH, TABLE, sizeof(TABLE) / sizeof(TABLE)[0], FOUND)

bool bl_numbered_opcode_find(const char *name, bl_numbered_opcode *found, uint32_t *number) {
    size_t length = strlen(name);
    if (FIND(name, length, by_pressure, found)) {
        *number = (uint32_t)found->source;
        return true;
    }
    size_t stem = length;
    while (stem > 0 && name[stem - 1] >= '0' && name[stem - 1] <= '9') {
        stem -= 1;
    }
    if (stem == length || length - stem > 3) {
        return false;
    }
    *number = (uint32_t)strtoul(name + stem, NULL, 10);
    if (FIND(name, stem, numbered, found)) {
        return *number < BL_KEYS;
    }
    static const char *const suffixes[] = {"_oncc", "_cc", "cc"};
    for (size_t index = 0; index < sizeof suffixes / sizeof suffixes[0]; index += 1) {
        size_t size = strlen(suffixes[index]);
        if (stem > size && memcmp(name + stem - size, suffixes[index], size) == 0 &&
            FIND(name, stem - size, modulations, found)) {
            return *number < BL_SOURCE_COUNT;
        }
    }
    return false;
}
