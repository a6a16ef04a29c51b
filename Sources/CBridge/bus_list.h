/* Groups the audio ports of one direction into busses. [control] */
#pragma once

#include "plug_in.h"

typedef struct bl_bus_entry {
    const char *key;  /* ports with the same key share the bus */
    const char *name; /* used unless the bus is the first */
    bool is_optional, is_cv, is_main;
    uint32_t channel_count;
} bl_bus_entry;

typedef struct bl_bus_list {
    bl_bus_entry *entries; /* as many as ports at most */
    uint32_t count;
    bool is_input;
} bl_bus_list;

/* Adds a port's channel to the bus of that key, which is created with its first channel. Sets the
   port's bus and channel. */
void bl_bus_list_add(bl_bus_list *list, bl_plug_in_port *port, bl_bus_entry bus, bl_arena *arena);

/* Writes the descriptor's busses, the main one first; renumbers the ports. Returns the count. */
uint32_t bl_bus_list_finish(bl_bus_list *list, bl_plug_in *plug_in, const bl_bus_info **busses);
