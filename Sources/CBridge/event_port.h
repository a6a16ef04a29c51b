/* The buffers of a plug-in's event ports (MIDI, time and patch messages): atom sequences, or the
   buffers of the old event extension. */
#pragma once

#include <lv2/atom/atom.h>
#include <lv2/event/event.h>

#include "backline/unit.h"
#include "plug_in.h"
#include "urid.h"

/* The old extension is deprecated, but some plug-ins use it. */
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

/* The default capacity of an event buffer, bytes; a plug-in may request more. */
#define BL_EVENT_PORT_SIZE 32768u

typedef struct bl_event_port {
    const bl_plug_in_port *port;
    bool is_old; /* an LV2_Event_Buffer */
    uint32_t capacity;
    uint8_t *memory; /* connected to the plug-in's port */
    LV2_Event_Buffer old;
    uint32_t next; /* offset of the next event to forward, in a constant block */
} bl_event_port;

/* Allocates the buffer from the arena; false when it is full. [control] */
bool bl_event_port_prepare(bl_event_port *self, const bl_plug_in_port *port, bl_arena *arena);
/* Returns the memory to connect the port to. */
void *bl_event_port_memory(bl_event_port *self);

/* Empties the plug-in's input, or makes room for its output. [render] */
void bl_event_port_clear(bl_event_port *self, const bl_urids *urids) BL_NONBLOCKING;
/* Appends an event; false if it does not fit. [render] */
bool bl_event_port_add(bl_event_port *self, uint32_t frame, uint32_t type, const void *bytes,
                       uint32_t size) BL_NONBLOCKING;
/* Reads the plug-in's event at `next` if its frame is before `end`, and moves `next` past it; false
   if there is none. [render] */
bool bl_event_port_next(bl_event_port *self, const bl_urids *urids, uint32_t end, int64_t *frame,
                        uint32_t *type, const uint8_t **bytes, uint32_t *size) BL_NONBLOCKING;
/* Reads the plug-in's MIDI message at `next` if its frame is before `end`, and moves `next` past
   it; false if there is none. [render] */
bool bl_event_port_pop(bl_event_port *self, const bl_urids *urids, uint32_t end, uint32_t *frame,
                       const uint8_t **bytes, uint32_t *size) BL_NONBLOCKING;

/* Writes tempo, metre and transport as a time:Position. Returns its size, bytes. [render] */
uint32_t bl_write_position(uint8_t bytes[256], const bl_urids *urids,
                           const bl_musical_context *music,
                           const bl_transport_state *transport) BL_NONBLOCKING;
