/* The buffers of a plug-in's event ports: MIDI, time and patch messages. Atom sequences, or the
   buffers of the old event extension. */
#pragma once

#include <lv2/atom/atom.h>
#include <lv2/event/event.h>

#include "backline/unit.h"
#include "plug_in.h"
#include "urid.h"

/* A plug-in that uses the old extension is why it is used here. */
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

/* Bytes of events, unless the plug-in asks for more. */
#define BL_EVENT_PORT_SIZE 32768u

typedef struct bl_event_port {
    const bl_plug_in_port *port;
    bool is_old; /* an LV2_Event_Buffer */
    uint32_t capacity;
    uint8_t *memory; /* what the plug-in's port is connected to */
    LV2_Event_Buffer old;
    uint32_t next; /* offset of the next event to send on, in a constant block */
} bl_event_port;

/* Takes its memory from the arena; false when it is short. [control] */
bool bl_event_port_prepare(bl_event_port *self, const bl_plug_in_port *port, bl_arena *arena);
/* What to connect the port to. */
void *bl_event_port_memory(bl_event_port *self);

/* An empty list of events for the plug-in, or room for its own. [render] */
void bl_event_port_clear(bl_event_port *self, const bl_urids *urids) BL_NONBLOCKING;
/* Appends an event; false where it does not fit. [render] */
bool bl_event_port_add(bl_event_port *self, uint32_t frame, uint32_t type, const void *bytes,
                       uint32_t size) BL_NONBLOCKING;
/* The plug-in's event at `next` with a frame before `end`, and `next` moved past it; false where
   there is none. [render] */
bool bl_event_port_next(bl_event_port *self, const bl_urids *urids, uint32_t end, int64_t *frame,
                        uint32_t *type, const uint8_t **bytes, uint32_t *size) BL_NONBLOCKING;
/* The plug-in's MIDI message at `next` with a frame before `end`, and `next` moved past it; false
   where there is none. [render] */
bool bl_event_port_take(bl_event_port *self, const bl_urids *urids, uint32_t end, uint32_t *frame,
                        const uint8_t **bytes, uint32_t *size) BL_NONBLOCKING;

/* Tempo, metre and transport as a time:Position. Returns its size. [render] */
uint32_t bl_write_position(uint8_t bytes[256], const bl_urids *urids,
                           const bl_musical_context *music,
                           const bl_transport_state *transport) BL_NONBLOCKING;
