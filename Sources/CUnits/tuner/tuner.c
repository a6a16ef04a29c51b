/* Tuner: shows which note is played and its deviation. */
#include <math.h>
#include <string.h>

#include "base/effect.h"
#include "dsp/declick.h"
#include "dsp/pitch_tracker.h"

enum {
    REFERENCE,
    TUNING,
    CAPO,
    REACTION,
    THRESHOLD,
    MUTE,
    NOTE,
    CENTS,
    FREQUENCY,
    CONFIDENCE,
    PARAMETER_COUNT
};

static const char *const reactions[] = {"Fast", "Steady", NULL};
static const char *const tunings[] = {"Chromatic", "Guitar",  "Guitar Drop D", "Bass", "Bass 5",
                                      "Bass 6",    "Ukulele", "Violin",        NULL};
enum { TUNING_COUNT = 8, STRINGS = 6 };

/* The open strings as MIDI notes, ended by 0. */
static const uint8_t strings[TUNING_COUNT][STRINGS + 1] = {
    {0},
    {40, 45, 50, 55, 59, 64},
    {38, 45, 50, 55, 59, 64},
    {28, 33, 38, 43},
    {23, 28, 33, 38, 43},
    {23, 28, 33, 38, 43, 48},
    {60, 64, 67, 69},
    {55, 62, 69, 76},
};

#define READ_ONLY(identifier, name, unit, minimum, maximum)                                        \
    { identifier, NULL, name, unit, minimum, maximum, 0, BL_CURVE_LINEAR, BL_PARAMETER_READABLE }

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [REFERENCE] = BL_SETTING("reference", "Reference A4", HERTZ, LINEAR, 400, 480, 440, 2),
    [TUNING] = BL_CHOICE("tuning", "Tuning", tunings, 0, 3),
    [CAPO] = BL_SETTING("capo", "Capo", SEMITONES, LINEAR, -12, 12, 0, 0),
    [REACTION] = BL_CHOICE("reaction", "Reaction", reactions, 1, 4),
    [THRESHOLD] = BL_SETTING("threshold", "Threshold", DECIBELS, LINEAR, -90, 0, -60, 0),
    [MUTE] = BL_OFF_ON("mute", "Mute", 0, 1),
    /* The results; all 0 while there is no tone. */
    [NOTE] = READ_ONLY("note", "Note", BL_UNIT_MIDI_NOTE_NUMBER, 0, 127),
    [CENTS] = READ_ONLY("cents", "Cents", BL_UNIT_CENTS, -1200, 1200),
    [FREQUENCY] = READ_ONLY("frequency", "Frequency", BL_UNIT_HERTZ, 0, 5000),
    [CONFIDENCE] = READ_ONLY("confidence", "Confidence", BL_UNIT_PERCENT, 0, 100),
};

static const bl_factory_preset presets[] = {
    BL_PRESET("Guitar", {TUNING, 1}),
    BL_PRESET("Guitar, Silent", {TUNING, 1}, {MUTE, 1}),
    BL_PRESET("Guitar in Drop D", {TUNING, 2}),
    BL_PRESET("Bass", {TUNING, 3}),
    BL_PRESET("Five-String Bass", {TUNING, 4}),
    BL_PRESET("Ukulele", {TUNING, 6}),
    BL_PRESET("Violin at 442 Hz", {TUNING, 7}, {REFERENCE, 442}),
};

typedef struct tuner_unit {
    bl_unit_base base;
    bl_pitch_tracker tracker;
    uint32_t results_seen;
    double semitones;        /* MIDI note with its fraction, at a reference of 440 Hz; 0: none */
    uint32_t steady_results; /* results since the pointer jumped */
    uint32_t misses;         /* results without a tone since the last one */
    float confidence;
    bl_ramp open; /* 0 while muted, else 1 */
} tuner_unit;

/* The part of its way that the pointer moves with each result, fast and steady. It starts with all
   of it on every new note, and falls to these after a few results. */
static const double follow[2] = {0.6, 0.12};
/* The difference of another note, semitones. */
#define LEAP 0.5
/* Results without a tone after which none is shown: half a second. */
#define LONGEST_PAUSE 20

static float open_target(const tuner_unit *tuner) BL_NONBLOCKING {
    return 1 - tuner->base.parameters[MUTE].target;
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    tuner_unit *tuner = (tuner_unit *)unit;
    bl_pitch_tracker_reset(&tuner->tracker, tuner->base.sample_rate);
    tuner->results_seen = 0;
    tuner->semitones = 0;
    tuner->steady_results = 0;
    tuner->misses = 0;
    tuner->confidence = 0;
    bl_ramp_set(&tuner->open, open_target(tuner));
}

static void change(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    tuner_unit *tuner = (tuner_unit *)unit;
    bl_kit_apply(unit, event);
    bl_switch(&tuner->open, open_target(tuner), tuner->base.sample_rate, io == NULL);
}

/* Moves the pointer by a result. */
static void follow_pitch(tuner_unit *tuner, const bl_pitch *pitch) BL_NONBLOCKING {
    const bl_ramp *ramps = tuner->base.parameters;
    if (pitch->frequency <= 0 || pitch->level < ramps[THRESHOLD].target) {
        tuner->misses += 1;
        if (tuner->misses > LONGEST_PAUSE) {
            tuner->semitones = 0;
            tuner->confidence = 0;
        }
        return;
    }
    double heard = 69 + 12 * log2((double)pitch->frequency / 440);
    double way = heard - tuner->semitones;
    tuner->steady_results = fabs(way) > LEAP ? 0 : tuner->steady_results + 1;
    double part = follow[(int)(ramps[REACTION].target + 0.5f)];
    tuner->semitones += way * fmax(part, 1 / (1 + 0.5 * tuner->steady_results));
    tuner->confidence = 100 * pitch->clarity;
    tuner->misses = 0;
}

/* The note of the tuning nearest to `semitones`. */
static int nearest_note(const tuner_unit *tuner, double semitones) BL_NONBLOCKING {
    const uint8_t *open = strings[(int)(tuner->base.parameters[TUNING].target + 0.5f)];
    int capo = (int)lrintf(tuner->base.parameters[CAPO].target);
    int best = (int)rint(semitones);
    double distance = 1000;
    for (; *open != 0; open += 1) {
        if (fabs(*open + capo - semitones) < distance) {
            distance = fabs(*open + capo - semitones);
            best = *open + capo;
        }
    }
    return best;
}

static float value(const bl_unit *unit, bl_parameter_address address) BL_NONBLOCKING {
    const tuner_unit *tuner = (const tuner_unit *)unit;
    if (address < NOTE) {
        return bl_kit_value(unit, address);
    }
    if (tuner->semitones == 0 || address >= PARAMETER_COUNT) {
        return 0;
    }
    double reference = (double)tuner->base.parameters[REFERENCE].target;
    double semitones = tuner->semitones - 12 * log2(reference / 440);
    int note = nearest_note(tuner, semitones);
    switch (address) {
    case NOTE: return (float)note;
    case CENTS: return (float)(100 * (semitones - note));
    case FREQUENCY: return (float)(440 * exp2((tuner->semitones - 69) / 12));
    default: return tuner->confidence;
    }
}

/* Analyses the mean of all channels, and passes or mutes the sound. */
static BL_VECTOR_CLONES void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                                     uint32_t frames) BL_NONBLOCKING {
    tuner_unit *tuner = (tuner_unit *)unit;
    uint32_t channels = tuner->base.output_channel_count;
    for (uint32_t done = 0; done < frames; done += BL_CHUNK_FRAMES) {
        uint32_t count = frames - done < BL_CHUNK_FRAMES ? frames - done : BL_CHUNK_FRAMES;
        float sum[BL_CHUNK_FRAMES] = {0};
        float open[BL_CHUNK_FRAMES];
        for (uint32_t channel = 0; channel < channels; channel += 1) {
            const float *from = io->input[channel] + first_frame + done;
            for (uint32_t frame = 0; frame < count; frame += 1) {
                sum[frame] += from[frame] / (float)channels;
            }
        }
        bl_pitch_tracker_listen(&tuner->tracker, sum, count);
        if (tuner->tracker.results != tuner->results_seen) {
            tuner->results_seen = tuner->tracker.results;
            follow_pitch(tuner, &tuner->tracker.result);
        }
        bl_ramp_fill(&tuner->open, open, count);
        for (uint32_t channel = 0; channel < channels; channel += 1) {
            bl_multiply_channel(io->input[channel] + first_frame + done,
                                io->output[channel] + first_frame + done, count, open);
        }
    }
}

BL_KIT(tuner_unit, .process = process, .change = change, .reset = reset, .value = value)

const bl_unit_descriptor bl_tuner = {
    BL_EFFECT('t', 'u', 'n', 'r'),
    .name = "Tuner",
    BL_TAGS("Pitch", "Utility", "Guitar"),
    .summary = "Says which note is played and how many cents off it is; can mute meanwhile",
    BL_FACTORY_PRESETS,
};
