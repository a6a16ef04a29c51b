#include "bus_list.h"

#include "text.h"

void bl_bus_list_add(bl_bus_list *list, bl_plug_in_port *port, bl_bus_entry bus, bl_arena *arena) {
    uint32_t index = 0;
    while (index < list->count && (strcmp(list->entries[index].key, bus.key) != 0 ||
                                   list->entries[index].channel_count == BL_MAXIMUM_CHANNELS)) {
        index += 1;
    }
    if (index == list->count) {
        bus.key = bl_text_copy(arena, bus.key);
        bus.name = bl_text_copy(arena, bus.name);
        bus.channel_count = 0;
        list->entries[list->count++] = bus;
    }
    list->entries[index].is_main |= bus.is_main;
    /* A bus is optional if all its ports are. */
    list->entries[index].is_optional &= bus.is_optional;
    port->bus = index;
    port->channel = list->entries[index].channel_count++;
}

/* Returns the bus that comes first: the main bus, or the first audio bus that is not optional. */
static uint32_t main_bus(const bl_bus_list *list) {
    for (uint32_t index = 0; index < list->count; index += 1) {
        if (list->entries[index].is_main && !list->entries[index].is_optional) {
            return index;
        }
    }
    for (uint32_t index = 0; index < list->count; index += 1) {
        if (!list->entries[index].is_optional && !list->entries[index].is_cv) {
            return index;
        }
    }
    return 0;
}

static const char *name_at(const void *table, uint32_t index) {
    return ((const bl_bus_info *)table)[index].name;
}

uint32_t bl_bus_list_finish(bl_bus_list *list, bl_plug_in *plug_in, const bl_bus_info **busses) {
    bl_bus_info *infos = bl_arena_allocate(&plug_in->arena, list->count, sizeof *infos);
    if (infos == NULL || list->count == 0) {
        return 0;
    }
    uint32_t first = main_bus(list);
    bool has_sidechain = false;
    for (uint32_t place = 0; place < list->count; place += 1) {
        uint32_t index = place == 0 ? first : place <= first ? place - 1 : place;
        const bl_bus_entry *entry = &list->entries[index];
        const char *name = bl_text_identifier(&plug_in->arena, entry->name, true);
        if (place == 0 && !entry->is_optional && !entry->is_cv) {
            name = list->is_input ? "input" : "output";
        } else if (entry->is_optional && !entry->is_cv && !has_sidechain) {
            name = "sidechain";
            has_sidechain = true;
        }
        infos[place] = (bl_bus_info){
            bl_text_unique(&plug_in->arena, name, "_", name_at, infos, place), entry->channel_count,
            list->is_input && entry->is_optional ? BL_BUS_OPTIONAL : 0};
    }
    for (uint32_t index = 0; index < plug_in->port_count; index += 1) {
        bl_plug_in_port *port = &plug_in->ports[index];
        if (port->kind == BL_PORT_AUDIO && port->is_input == list->is_input) {
            port->bus = port->bus == first ? 0 : port->bus < first ? port->bus + 1 : port->bus;
        }
    }
    *busses = infos;
    return list->count;
}
