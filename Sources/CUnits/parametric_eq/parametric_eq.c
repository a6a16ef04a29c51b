/* Parametric EQ: eight bands with the response of analogue filters up to the limit of hearing. */
#include "parametric_eq/parametric_eq.h"

#include <string.h>

#include "base/built_in.h"

static const char *const types[] = {"Bell",  "Low Shelf", "High Shelf", "Low Cut",  "High Cut",
                                    "Notch", "Band Pass", "Tilt",       "All Pass", NULL};
static const char *const slopes[] = {"6 dB/oct",  "12 dB/oct", "24 dB/oct",
                                     "36 dB/oct", "48 dB/oct", NULL};
static const char *const placements[] = {"Stereo", "Mid", "Side", "Left", "Right", NULL};

#define GROUP(n)                                                                                   \
    { "band" #n, "Band " #n }
static const bl_parameter_group_info groups[] = {GROUP(1), GROUP(2), GROUP(3), GROUP(4),
                                                 GROUP(5), GROUP(6), GROUP(7), GROUP(8)};

/* The address of a parameter of band n, counted from 1. */
#define AT(n, parameter) (((n)-1) * BL_EQ_BAND_PARAMETERS + BL_EQ_##parameter)

#define BAND(n, hertz)                                                                             \
    [AT(n, ON)] = BL_SWITCH("on", "On", 1, 0, .group = "band" #n),                                 \
           [AT(n, TYPE)] = BL_CHOICE("type", "Type", types, BL_BAND_BELL, 0, .group = "band" #n),  \
           [AT(n, FREQUENCY)] = BL_KNOB("frequency", "Frequency " #n, HERTZ, LOGARITHMIC, 10,      \
                                        22000, hertz, 0, .group = "band" #n),                      \
           [AT(n, GAIN)] =                                                                         \
               BL_KNOB("gain", "Gain " #n, DECIBELS, LINEAR, -24, 24, 0, n, .group = "band" #n),   \
           [AT(n, Q)] = BL_KNOB("q", "Q " #n, GENERIC, LOGARITHMIC, 0.1f, 40, 0.71f, 0,            \
                                .group = "band" #n),                                               \
           [AT(n, SLOPE)] = BL_CHOICE("slope", "Slope", slopes, 1, 0, .group = "band" #n),         \
           [AT(n, PLACEMENT)] = BL_CHOICE("placement", "Placement", placements, BL_EQ_STEREO, 0,   \
                                          .group = "band" #n)

static const bl_parameter_info parameters[BL_EQ_PARAMETER_COUNT] = {
    BAND(1, 40),
    BAND(2, 100),
    BAND(3, 250),
    BAND(4, 630),
    BAND(5, 1600),
    BAND(6, 4000),
    BAND(7, 8000),
    BAND(8, 14000),
    [BL_EQ_OUTPUT] = BL_KNOB("output", "Output", DECIBELS, LINEAR, -24, 24, 0, 9),
};

#define BELL(n, hertz, decibels, width)                                                            \
    {AT(n, FREQUENCY), hertz}, {AT(n, GAIN), decibels}, { AT(n, Q), width }
#define SHELF(n, type, hertz, decibels)                                                            \
    {AT(n, TYPE), type}, {AT(n, FREQUENCY), hertz}, { AT(n, GAIN), decibels }
#define CUT(n, type, hertz, slope)                                                                 \
    {AT(n, TYPE), type}, {AT(n, FREQUENCY), hertz}, { AT(n, SLOPE), slope }
#define OUTPUT(decibels)                                                                           \
    { BL_EQ_OUTPUT, decibels }

static const bl_factory_preset presets[] = {
    BL_PRESET("Vocal Air", CUT(1, BL_BAND_LOW_CUT, 80, 2), BELL(3, 280, -2.5f, 1),
              BELL(6, 3200, 1.5f, 0.8f), SHELF(8, BL_BAND_HIGH_SHELF, 11000, 5), OUTPUT(0)),
    BL_PRESET("Mud Cut", CUT(1, BL_BAND_LOW_CUT, 35, 1), BELL(3, 270, -4, 1.1f),
              BELL(4, 450, -1.5f, 1.4f), OUTPUT(1)),
    BL_PRESET("Acoustic", CUT(1, BL_BAND_LOW_CUT, 70, 1), BELL(2, 180, -3, 1.2f),
              BELL(5, 1900, -1.5f, 1.5f), BELL(6, 5000, 2, 0.9f),
              SHELF(8, BL_BAND_HIGH_SHELF, 10000, 3)),
    BL_PRESET("Bass Tight", CUT(1, BL_BAND_LOW_CUT, 35, 2), BELL(2, 75, 2, 1),
              BELL(3, 220, -4, 1.2f), BELL(5, 900, 2.5f, 1), CUT(8, BL_BAND_HIGH_CUT, 7000, 1),
              OUTPUT(-0.5f)),
    BL_PRESET("Telephone", CUT(1, BL_BAND_LOW_CUT, 400, 3), BELL(5, 1700, 7, 1.4f),
              CUT(8, BL_BAND_HIGH_CUT, 3300, 4), OUTPUT(-1)),
    BL_PRESET("Presence", BELL(3, 350, -1.5f, 0.9f), BELL(6, 3800, 4, 0.8f),
              SHELF(7, BL_BAND_HIGH_SHELF, 9000, 1.5f), OUTPUT(-1)),
    BL_PRESET("Master Tilt", CUT(1, BL_BAND_LOW_CUT, 22, 1), SHELF(4, BL_BAND_TILT, 650, 1.5f),
              {AT(4, Q), 0.35f}, OUTPUT(-0.5f)),
    BL_PRESET("Live Low Cut", CUT(1, BL_BAND_LOW_CUT, 110, 2), BELL(4, 500, -2, 1)),
};

static void reset(bl_unit *unit) BL_NONBLOCKING {
    bl_eq_unit *eq = (bl_eq_unit *)unit;
    eq->grid.passed = 0;
    memset(eq->bands, 0, sizeof eq->bands);
    memset(eq->states, 0, sizeof eq->states);
}

BL_KIT(bl_eq_unit, .process = bl_eq_process, .reset = reset)

static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const bl_unit_base *base = (const bl_unit_base *)unit;
    double tail = 0;
    for (uint32_t band = 0; band < BL_EQ_BANDS; band += 1) {
        bl_band_knobs knobs = bl_eq_knobs(base, band, BL_RAMP_END);
        tail = fmax(tail, bl_band_tail_time(bl_eq_kind(base, band), knobs, base->sample_rate));
    }
    return tail;
}

const bl_unit_descriptor bl_parametric_eq = {
    BL_EFFECT('e', 'q', 'p', 'm'),
    .name = "Parametric EQ",
    BL_TAGS("Tone", "Voice", "Guitar", "Drums", "Mastering"),
    .summary = "Boosts or cuts the sound in eight bands, with the response of analogue filters",
    BL_PARAMETER_GROUPS,
    BL_FACTORY_PRESETS,
    .tail_time = tail_time,
};
