/* MIDI cables, a part of a graph: routes of messages. */
#ifndef BACKLINE_EVENTS_MIDI_CABLE_H
#define BACKLINE_EVENTS_MIDI_CABLE_H

#include <stdint.h>

#include "backline/attributes.h"

BL_BEGIN_DECLARATIONS

/* An endpoint's node: the rack, whose "busses" are its ports. */
#define BL_RACK UINT32_MAX

typedef struct bl_endpoint {
    uint32_t node; /* index in the description's nodes, or BL_RACK */
    uint32_t bus;  /* output bus of a source, input bus of a destination; a port with BL_RACK */
} bl_endpoint;

/* Carries MIDI. An endpoint's bus is a cable of the node's MIDI, 0 to 255; with BL_RACK, one of the
   rack's MIDI ports. The sender is rendered before the receiver, and its messages arrive in the
   same cycle, at their frame. A cable can be limited to some channels, and to a range of keys;
   messages without a channel, or without a key, pass. */
typedef struct bl_midi_cable {
    bl_endpoint source;
    bl_endpoint destination;
    uint16_t channels;   /* a bit per channel; 0 for all */
    uint8_t lowest_note; /* used if note_count is above 0 */
    uint8_t note_count;  /* 0 for all notes */
} bl_midi_cable;

/* A message of one of the rack's MIDI inputs or outputs. */
typedef struct bl_midi_message {
    uint32_t port;
    uint32_t frame;  /* frame in the cycle */
    uint32_t length; /* bytes; any number for system exclusive, else 1 to 3 */
    const uint8_t *data;
} bl_midi_message;

BL_END_DECLARATIONS

#endif
