/* URIDs: numbers for URIs, the same in the whole process. */
#pragma once

#include <stdint.h>

#include <lv2/urid/urid.h>

/* The URIDs that the bridge itself uses. */
typedef struct bl_urids {
    uint32_t atom_float, atom_double, atom_int, atom_long, atom_bool;
    uint32_t atom_string, atom_path, atom_urid;
    uint32_t atom_sequence, atom_chunk, atom_object, atom_blank;
    uint32_t patch_get, patch_set, patch_put, patch_body, patch_property, patch_value;
    uint32_t midi_event;
    uint32_t time_position, time_bar, time_bar_beat, time_beat, time_beat_unit, time_beats_per_bar,
        time_beats_per_minute, time_frame, time_speed;
    uint32_t minimum_block, maximum_block, nominal_block, sequence_size, sample_rate;
    uint32_t log_error, log_warning;
} bl_urids;

/* Returns the number of a URI, assigning one if necessary; 0 when there is no room. Known URIs,
   which should be all that a plug-in requests while it renders, take no lock. [any] */
uint32_t bl_urid_of(const char *uri);
/* Returns a number's URI; NULL for an unknown number. [any] */
const char *bl_urid_text(uint32_t urid);

/* Returns the bridge's own URIDs. [control] */
const bl_urids *bl_urids_known(void);
LV2_URID_Map *bl_urid_map(void);
LV2_URID_Unmap *bl_urid_unmap(void);
