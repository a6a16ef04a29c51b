/* Graphic EQ 31: thirty-one bands a third of an octave apart. */
#define GRAPHIC_EQ_BANDS 31
#define GRAPHIC_EQ_LOWEST 19.686266
#define GRAPHIC_EQ_OCTAVES (1.0 / 3.0)
#define GRAPHIC_EQ_Q 2.9
#include "graphic_eq/graphic_eq.h"

/* Named by the nominal frequencies of ISO 266; the centres are exact. */
static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    GRAPHIC_EQ_BAND(0, "gain_20", "20 Hz"),       GRAPHIC_EQ_BAND(1, "gain_25", "25 Hz"),
    GRAPHIC_EQ_BAND(2, "gain_31", "31.5 Hz"),     GRAPHIC_EQ_BAND(3, "gain_40", "40 Hz"),
    GRAPHIC_EQ_BAND(4, "gain_50", "50 Hz"),       GRAPHIC_EQ_BAND(5, "gain_63", "63 Hz"),
    GRAPHIC_EQ_BAND(6, "gain_80", "80 Hz"),       GRAPHIC_EQ_BAND(7, "gain_100", "100 Hz"),
    GRAPHIC_EQ_BAND(8, "gain_125", "125 Hz"),     GRAPHIC_EQ_BAND(9, "gain_160", "160 Hz"),
    GRAPHIC_EQ_BAND(10, "gain_200", "200 Hz"),    GRAPHIC_EQ_BAND(11, "gain_250", "250 Hz"),
    GRAPHIC_EQ_BAND(12, "gain_315", "315 Hz"),    GRAPHIC_EQ_BAND(13, "gain_400", "400 Hz"),
    GRAPHIC_EQ_BAND(14, "gain_500", "500 Hz"),    GRAPHIC_EQ_BAND(15, "gain_630", "630 Hz"),
    GRAPHIC_EQ_BAND(16, "gain_800", "800 Hz"),    GRAPHIC_EQ_BAND(17, "gain_1k", "1 kHz"),
    GRAPHIC_EQ_BAND(18, "gain_1k25", "1.25 kHz"), GRAPHIC_EQ_BAND(19, "gain_1k6", "1.6 kHz"),
    GRAPHIC_EQ_BAND(20, "gain_2k", "2 kHz"),      GRAPHIC_EQ_BAND(21, "gain_2k5", "2.5 kHz"),
    GRAPHIC_EQ_BAND(22, "gain_3k15", "3.15 kHz"), GRAPHIC_EQ_BAND(23, "gain_4k", "4 kHz"),
    GRAPHIC_EQ_BAND(24, "gain_5k", "5 kHz"),      GRAPHIC_EQ_BAND(25, "gain_6k3", "6.3 kHz"),
    GRAPHIC_EQ_BAND(26, "gain_8k", "8 kHz"),      GRAPHIC_EQ_BAND(27, "gain_10k", "10 kHz"),
    GRAPHIC_EQ_BAND(28, "gain_12k5", "12.5 kHz"), GRAPHIC_EQ_BAND(29, "gain_16k", "16 kHz"),
    GRAPHIC_EQ_BAND(30, "gain_20k", "20 kHz"),    GRAPHIC_EQ_OUTPUT_ROW,
};

static const bl_factory_preset presets[] = {
    BL_PRESET("Smile", {3, 3}, {4, 4}, {5, 4}, {6, 3}, {14, -2}, {15, -2}, {16, -2}, {25, 2},
              {26, 3}, {27, 4}, {28, 4}, {OUTPUT, -1}),
    BL_PRESET("De-Mud", {10, -2}, {11, -4}, {12, -4}, {13, -2}, {OUTPUT, 1}),
    BL_PRESET("Hum Cut 50 Hz", {4, -12}, {7, -9}, {9, -4}, {10, -4}, {OUTPUT, 1}),
    BL_PRESET("Hum Cut 60 Hz", {5, -12}, {8, -9}, {11, -4}, {OUTPUT, 1}),
    BL_PRESET("Presence", {21, 2}, {22, 3}, {23, 3}, {24, 2}, {OUTPUT, -0.5f}),
    BL_PRESET("Stage Monitor", {0, -12}, {1, -12}, {2, -12}, {3, -9}, {5, -3}, {11, -3}, {12, -2},
              {21, -4}, {22, -3}, {25, -2}, {OUTPUT, 1}),
};

const bl_unit_descriptor bl_graphic_eq_31 = {
    BL_EFFECT('e', 'q', '3', '1'),
    .name = "Graphic EQ 31",
    .summary = "Boosts or cuts the sound by thirty-one faders, a third of an octave apart",
    GRAPHIC_EQ_DESCRIPTOR,
};
