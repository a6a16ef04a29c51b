/* The key under which a unit is found: three four-character codes. */
#ifndef BACKLINE_COMPONENT_H
#define BACKLINE_COMPONENT_H

#include <stdint.h>

/* Four printable ASCII letters or digits, the first in the highest byte; 0 is the wildcard. */
typedef uint32_t bl_four_character_code;

#define BL_FOUR_CHARACTER_CODE(a, b, c, d)                                                         \
    ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))

/* The type: what the unit is for, and so what a host connects to it. */
#define BL_TYPE_EFFECT BL_FOUR_CHARACTER_CODE('a', 'u', 'f', 'x')
#define BL_TYPE_MUSIC_EFFECT BL_FOUR_CHARACTER_CODE('a', 'u', 'm', 'f')
#define BL_TYPE_INSTRUMENT BL_FOUR_CHARACTER_CODE('a', 'u', 'm', 'u')
#define BL_TYPE_GENERATOR BL_FOUR_CHARACTER_CODE('a', 'u', 'g', 'n')
#define BL_TYPE_MIXER BL_FOUR_CHARACTER_CODE('a', 'u', 'm', 'x')
#define BL_TYPE_PANNER BL_FOUR_CHARACTER_CODE('a', 'u', 'p', 'n')
#define BL_TYPE_FORMAT_CONVERTER BL_FOUR_CHARACTER_CODE('a', 'u', 'f', 'c')
#define BL_TYPE_OFFLINE_EFFECT BL_FOUR_CHARACTER_CODE('a', 'u', 'o', 'l')
#define BL_TYPE_MIDI_PROCESSOR BL_FOUR_CHARACTER_CODE('a', 'u', 'm', 'i')

/* Identifies one unit among all; written "aufx/ring/bkln". */
typedef struct bl_component_description {
    bl_four_character_code type;
    bl_four_character_code subtype;
    bl_four_character_code manufacturer;
} bl_component_description;

#endif
