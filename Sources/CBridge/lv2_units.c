/* The units of LV2 parameters. */
#include "lv2_plug_in.h"
#include "text.h"

static const struct {
    const char *name; /* after LV2_UNITS_PREFIX */
    bl_parameter_unit unit;
    const char *custom;
} units[] = {
    {"bar", BL_UNIT_CUSTOM, "bars"},
    {"beat", BL_UNIT_BEATS, NULL},
    {"bpm", BL_UNIT_BEATS_PER_MINUTE, NULL},
    {"cent", BL_UNIT_CENTS, NULL},
    {"cm", BL_UNIT_CUSTOM, "cm"},
    {"coef", BL_UNIT_GENERIC, NULL},
    {"db", BL_UNIT_DECIBELS, NULL},
    {"degree", BL_UNIT_DEGREES, NULL},
    {"frame", BL_UNIT_SAMPLE_FRAMES, NULL},
    {"hz", BL_UNIT_HERTZ, NULL},
    {"inch", BL_UNIT_CUSTOM, "inches"},
    {"khz", BL_UNIT_CUSTOM, "kHz"},
    {"km", BL_UNIT_CUSTOM, "km"},
    {"m", BL_UNIT_CUSTOM, "m"},
    {"mhz", BL_UNIT_CUSTOM, "MHz"},
    {"midiNote", BL_UNIT_MIDI_NOTE_NUMBER, NULL},
    {"mile", BL_UNIT_CUSTOM, "miles"},
    {"min", BL_UNIT_CUSTOM, "min"},
    {"mm", BL_UNIT_CUSTOM, "mm"},
    {"ms", BL_UNIT_MILLISECONDS, NULL},
    {"oct", BL_UNIT_OCTAVES, NULL},
    {"pc", BL_UNIT_PERCENT, NULL},
    {"s", BL_UNIT_SECONDS, NULL},
    {"semitone12TET", BL_UNIT_SEMITONES, NULL},
};

/* Reads a unit that the plug-in defines, by its symbol or its format for values. */
static void read_own_unit(const bl_lv2_reader *reader, const LilvNode *unit,
                          bl_parameter_info *info) {
    LilvWorld *world = reader->bridge->world;
    const char *symbol = bl_lv2_consume_text(
        reader, lilv_world_get(world, unit, bl_lv2_word(reader, BL_WORD_UNIT_SYMBOL), NULL));
    if (*symbol == 0) {
        symbol = bl_lv2_consume_text(
            reader, lilv_world_get(world, unit, bl_lv2_word(reader, BL_WORD_UNIT_RENDER), NULL));
        const char *number = strchr(symbol, '%');
        symbol = number != NULL ? number + strcspn(number, "dfgi") : "";
        symbol = *symbol != 0 ? symbol + 1 : "";
    }
    symbol += strspn(symbol, " ");
    if (*symbol != 0 && strchr(symbol, '%') == NULL) {
        info->unit = BL_UNIT_CUSTOM;
        info->unit_name = symbol;
    }
}

void bl_lv2_read_unit(const bl_lv2_reader *reader, const LilvNode *node, bl_parameter_info *info) {
    LilvNode *unit = bl_lv2_get(reader, node, BL_WORD_UNIT);
    const char *uri = unit != NULL ? lilv_node_as_string(unit) : "";
    bool is_known = strncmp(uri, LV2_UNITS_PREFIX, strlen(LV2_UNITS_PREFIX)) == 0;
    for (size_t index = 0; index < sizeof units / sizeof *units && is_known; index += 1) {
        if (strcmp(uri + strlen(LV2_UNITS_PREFIX), units[index].name) == 0) {
            info->unit = units[index].unit;
            info->unit_name = units[index].custom;
        }
    }
    if (unit != NULL && !is_known) {
        read_own_unit(reader, unit, info);
    }
    lilv_node_free(unit);
    bool is_note = info->minimum >= 0 && info->maximum <= 127;
    bool is_percent = info->maximum - info->minimum > 1;
    if ((info->unit == BL_UNIT_MIDI_NOTE_NUMBER && !is_note) ||
        (info->unit == BL_UNIT_PERCENT && !is_percent)) {
        info->unit = BL_UNIT_GENERIC;
    }
}
