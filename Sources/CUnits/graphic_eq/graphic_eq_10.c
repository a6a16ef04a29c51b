/* Graphic EQ: ten bands an octave apart. */
#define GRAPHIC_EQ_BANDS 10
#define GRAPHIC_EQ_LOWEST 31.25
#define GRAPHIC_EQ_OCTAVES 1.0
#define GRAPHIC_EQ_Q 0.95
#include "graphic_eq/graphic_eq.h"

/* Named by the nominal frequencies of ISO 266; the centres are exact. */
static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    GRAPHIC_EQ_BAND(0, "gain_31", "31.5 Hz"),
    GRAPHIC_EQ_BAND(1, "gain_63", "63 Hz"),
    GRAPHIC_EQ_BAND(2, "gain_125", "125 Hz"),
    GRAPHIC_EQ_BAND(3, "gain_250", "250 Hz"),
    GRAPHIC_EQ_BAND(4, "gain_500", "500 Hz"),
    GRAPHIC_EQ_BAND(5, "gain_1k", "1 kHz"),
    GRAPHIC_EQ_BAND(6, "gain_2k", "2 kHz"),
    GRAPHIC_EQ_BAND(7, "gain_4k", "4 kHz"),
    GRAPHIC_EQ_BAND(8, "gain_8k", "8 kHz"),
    GRAPHIC_EQ_BAND(9, "gain_16k", "16 kHz"),
    GRAPHIC_EQ_OUTPUT_ROW,
};

static const bl_factory_preset presets[] = {
    BL_PRESET("Smile", {0, 4}, {1, 4}, {2, 2}, {4, -2}, {5, -2}, {7, 1.5f}, {8, 4}, {9, 4},
              {OUTPUT, -1}),
    BL_PRESET("Warm", {1, 1}, {2, 2}, {3, 2}, {6, -1}, {7, -2}, {8, -2.5f}, {9, -3},
              {OUTPUT, 0.5f}),
    BL_PRESET("Bass Boost", {0, 5}, {1, 6}, {2, 3}, {3, -1}, {OUTPUT, -1}),
    BL_PRESET("Voice Forward", {0, -9}, {1, -6}, {3, -2}, {5, 1}, {6, 3}, {7, 3}, {8, 1}),
    BL_PRESET("Air", {7, 0.5f}, {8, 2.5f}, {9, 6}, {OUTPUT, -1.5f}),
    BL_PRESET("Small Speaker", {0, -12}, {1, -9}, {2, -3}, {5, 2}, {6, 3}, {7, 2}, {8, -4},
              {9, -12}, {OUTPUT, 1}),
};

const bl_unit_descriptor bl_graphic_eq = {
    BL_EFFECT('e', 'q', 'g', 'r'),
    .name = "Graphic EQ",
    .summary = "Boosts or cuts the sound by ten faders, an octave apart",
    GRAPHIC_EQ_DESCRIPTOR,
};
