/* A LADSPA plug-in as a unit, with all metadata of its header. */
#include <math.h>
#include <stdio.h>
#include <strings.h>

#include "bridge_private.h"
#include "instance.h"
#include "ladspa_library.h"
#include "range.h"
#include "text.h"

/* A plug-in's own instance, with the data needed to call it. */
typedef struct ladspa_handle {
    const LADSPA_Descriptor *descriptor;
    LADSPA_Handle handle;
} ladspa_handle;

static void connect_port(void *context, uint32_t port, void *data) {
    const ladspa_handle *self = context;
    self->descriptor->connect_port(self->handle, port, data);
}

static void activate(void *context) {
    const ladspa_handle *self = context;
    if (self->descriptor->activate != NULL) {
        self->descriptor->activate(self->handle);
    }
}

static void run(void *context, uint32_t frames) {
    const ladspa_handle *self = context;
    self->descriptor->run(self->handle, frames);
}

static void deactivate(void *context) {
    const ladspa_handle *self = context;
    if (self->descriptor->deactivate != NULL) {
        self->descriptor->deactivate(self->handle);
    }
}

static bl_status instantiate(bl_instance *self, double sample_rate) {
    ladspa_handle *handle = calloc(1, sizeof *handle);
    if (handle == NULL) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    handle->descriptor = self->plug_in->source;
    handle->handle =
        handle->descriptor->instantiate(handle->descriptor, (unsigned long)(sample_rate + 0.5));
    if (handle->handle == NULL) {
        free(handle);
        return BL_ERROR_FORMAT_NOT_SUPPORTED;
    }
    self->handle = handle;
    self->run = run;
    self->calls = (bl_plug_in_calls){connect_port, activate, deactivate};
    return BL_OK;
}

void bl_ladspa_end(bl_instance *self) {
    ladspa_handle *handle = self->handle;
    if (handle != NULL && handle->descriptor->cleanup != NULL) {
        handle->descriptor->cleanup(handle->handle);
    }
    free(handle);
}

/* Returns the default that a hint stands for, from the bounds as stated (ladspa.h). */
static float default_of(const LADSPA_PortRangeHint *hint, bool *is_scaled) {
    float low = hint->LowerBound, high = hint->UpperBound;
    bool is_logarithmic = LADSPA_IS_HINT_LOGARITHMIC(hint->HintDescriptor) && low > 0 && high > 0;
    float part = 0;
    *is_scaled = LADSPA_IS_HINT_SAMPLE_RATE(hint->HintDescriptor);
    switch (hint->HintDescriptor & LADSPA_HINT_DEFAULT_MASK) {
    case LADSPA_HINT_DEFAULT_MINIMUM: return low;
    case LADSPA_HINT_DEFAULT_MAXIMUM: return high;
    case LADSPA_HINT_DEFAULT_LOW: part = 0.25f; break;
    case LADSPA_HINT_DEFAULT_MIDDLE: part = 0.5f; break;
    case LADSPA_HINT_DEFAULT_HIGH: part = 0.75f; break;
    default:
        *is_scaled = false;
        switch (hint->HintDescriptor & LADSPA_HINT_DEFAULT_MASK) {
        case LADSPA_HINT_DEFAULT_0: return 0;
        case LADSPA_HINT_DEFAULT_1: return 1;
        case LADSPA_HINT_DEFAULT_100: return 100;
        case LADSPA_HINT_DEFAULT_440: return 440;
        default: return NAN;
        }
    }
    return is_logarithmic ? expf(logf(low) * (1 - part) + logf(high) * part)
                          : low * (1 - part) + high * part;
}

static bl_stated_range stated_range(const LADSPA_PortRangeHint *hint) {
    LADSPA_PortRangeHintDescriptor hints = hint->HintDescriptor;
    bl_stated_range range = {
        .minimum = LADSPA_IS_HINT_BOUNDED_BELOW(hints) ? hint->LowerBound : NAN,
        .maximum = LADSPA_IS_HINT_BOUNDED_ABOVE(hints) ? hint->UpperBound : NAN,
        .is_logarithmic = LADSPA_IS_HINT_LOGARITHMIC(hints),
        .is_integer = LADSPA_IS_HINT_INTEGER(hints),
        .is_toggled = LADSPA_IS_HINT_TOGGLED(hints),
        .is_scaled = LADSPA_IS_HINT_SAMPLE_RATE(hints),
    };
    range.default_value = default_of(hint, &range.is_default_scaled);
    return range;
}

static const char *identifier_at(const void *table, uint32_t index) {
    return ((const bl_parameter_info *)table)[index].identifier;
}

/* LADSPA has no units, but many names contain them: "Delay (s)", "Gain [dB]". */
static void read_unit(const char *name, bool is_scaled, bl_parameter_info *info) {
    static const struct {
        const char *text;
        bl_parameter_unit unit;
    } units[] = {{"db", BL_UNIT_DECIBELS},     {"hz", BL_UNIT_HERTZ},
                 {"ms", BL_UNIT_MILLISECONDS}, {"s", BL_UNIT_SECONDS},
                 {"seconds", BL_UNIT_SECONDS}, {"semitones", BL_UNIT_SEMITONES},
                 {"cents", BL_UNIT_CENTS},     {"bpm", BL_UNIT_BEATS_PER_MINUTE}};
    const char *open = strpbrk(name, "([");
    size_t length = open != NULL ? strcspn(open + 1, ")]") : 0;
    for (size_t index = 0; index < sizeof units / sizeof *units && length > 0; index += 1) {
        if (strlen(units[index].text) == length &&
            strncasecmp(open + 1, units[index].text, length) == 0) {
            info->unit = units[index].unit;
        }
    }
    if (info->unit == BL_UNIT_GENERIC && is_scaled) {
        info->unit = BL_UNIT_HERTZ;
    }
}

static void read_control(bl_plug_in *plug_in, const LADSPA_Descriptor *source, uint32_t index) {
    bl_plug_in_port *port = &plug_in->ports[index];
    bl_unit_descriptor *unit = &plug_in->descriptor;
    const char *name = source->PortNames[index];
    port->kind = BL_PORT_CONTROL;
    if (!port->is_input && (strcmp(name, "latency") == 0 || strcmp(name, "_latency") == 0)) {
        port->role = BL_ROLE_LATENCY;
        return;
    }
    bl_parameter_info info = {.unit = BL_UNIT_GENERIC};
    bl_plug_in_parameter parameter = {.port = index, .is_input = port->is_input};
    bl_stated_range stated = stated_range(&source->PortRangeHints[index]);
    bool has_range = bl_range_resolve(&stated, &plug_in->arena, &info, &parameter);
    port->initial = bl_range_to_port(&parameter, info.default_value, BL_BRIDGE_DESCRIBED_RATE);
    if (!has_range && port->is_input) {
        port->role = BL_ROLE_CONSTANT;
        return;
    }
    info.maximum = has_range ? info.maximum : info.minimum + 1;
    if (!stated.is_toggled) {
        read_unit(name, stated.is_scaled, &info);
        if (parameter.is_whole) {
            bl_range_name_whole_numbers(&plug_in->arena, &info);
        }
    }
    info.flags = port->is_input ? info.flags : BL_PARAMETER_READABLE;
    info.identifier =
        bl_text_unique(&plug_in->arena, bl_text_identifier(&plug_in->arena, name, true), "_",
                       identifier_at, unit->parameters, unit->parameter_count);
    info.name = bl_text_line(&plug_in->arena, name, info.identifier);
    port->parameter = unit->parameter_count;
    plug_in->parameters[unit->parameter_count] = parameter;
    ((bl_parameter_info *)unit->parameters)[unit->parameter_count++] = info;
}

static bool read_ports(bl_plug_in *plug_in, const LADSPA_Descriptor *source) {
    bl_unit_descriptor *unit = &plug_in->descriptor;
    uint32_t counts[2] = {0, 0};
    plug_in->port_count = (uint32_t)source->PortCount;
    size_t room = plug_in->port_count + 1;
    plug_in->ports = bl_arena_allocate(&plug_in->arena, room, sizeof *plug_in->ports);
    plug_in->parameters = bl_arena_allocate(&plug_in->arena, room, sizeof *plug_in->parameters);
    unit->parameters = bl_arena_allocate(&plug_in->arena, room, sizeof *unit->parameters);
    for (uint32_t index = 0; index < plug_in->port_count && !plug_in->arena.failed; index += 1) {
        bl_plug_in_port *port = &plug_in->ports[index];
        LADSPA_PortDescriptor kind = source->PortDescriptors[index];
        port->is_input = LADSPA_IS_PORT_INPUT(kind);
        port->parameter = BL_BRIDGE_NO_PARAMETER;
        port->symbol = "";
        if (LADSPA_IS_PORT_AUDIO(kind)) {
            uint32_t number = counts[port->is_input]++;
            port->bus = number / BL_MAXIMUM_CHANNELS;
            port->channel = number % BL_MAXIMUM_CHANNELS;
        } else {
            read_control(plug_in, source, index);
        }
    }
    for (int is_input = 0; is_input < 2; is_input += 1) {
        uint32_t count = (counts[is_input] + BL_MAXIMUM_CHANNELS - 1) / BL_MAXIMUM_CHANNELS;
        bl_bus_info *busses = bl_arena_allocate(&plug_in->arena, count, sizeof *busses);
        const char *name = is_input ? "input" : "output";
        for (uint32_t bus = 0; bus < count && busses != NULL; bus += 1) {
            uint32_t left = counts[is_input] - bus * BL_MAXIMUM_CHANNELS;
            busses[bus] = (bl_bus_info){
                bus == 0 ? name : bl_text_print(&plug_in->arena, "%s_%u", name, bus + 1),
                left < BL_MAXIMUM_CHANNELS ? left : BL_MAXIMUM_CHANNELS, 0};
        }
        *(is_input ? &unit->input_busses : &unit->output_busses) = busses;
        *(is_input ? &unit->input_bus_count : &unit->output_bus_count) = count;
    }
    return !plug_in->arena.failed;
}

static bl_plug_in *describe(bl_bridge *bridge, const LADSPA_Descriptor *source,
                            const char *identifier, const char *path) {
    static const char *const tags[] = {"LADSPA", NULL};
    bl_plug_in *plug_in = calloc(1, sizeof *plug_in);
    if (plug_in == NULL) {
        return NULL;
    }
    bl_arena *arena = &plug_in->arena;
    bl_unit_descriptor *unit = &plug_in->descriptor;
    plug_in->bridge = bridge;
    plug_in->source = source;
    plug_in->instantiate = instantiate;
    plug_in->tail_time = INFINITY;
    unit->name = bl_text_line(arena, source->Name, source->Label);
    unit->manufacturer_name = bl_text_line(arena, source->Maker, "unknown");
    unit->component.manufacturer = bl_text_code(unit->manufacturer_name);
    unit->version = 0x00010000;
    unit->summary = unit->name;
    unit->tags = tags;
    plug_in->facts = (bl_bridge_facts){
        .identifier = bl_text_copy(arena, identifier),
        .bundle = bl_text_print(arena, "%.*s", (int)(strrchr(path, '/') - path), path),
        .library = bl_text_copy(arena, path),
        .plug_in_class = "",
        .license = bl_text_line(arena, source->Copyright, ""),
        .home_page = ""};
    if (source->PortCount > BL_BRIDGE_MOST_PORTS || !read_ports(plug_in, source)) {
        bl_arena_free(arena);
        free(plug_in);
        return NULL;
    }
    bl_plug_in_finish(plug_in);
    return plug_in;
}

bl_plug_in *bl_ladspa_describe(bl_bridge *bridge, const char *identifier, char *message,
                               size_t message_size) {
    char name[256], path[4096];
    const char *text = identifier + strlen("ladspa:"), *slash = strchr(text, '/');
    snprintf(name, sizeof name, "%.*s", slash != NULL ? (int)(slash - text) : 0, text);
    if (slash == NULL || !bl_ladspa_find(name, bridge->ladspa_folder, path, sizeof path)) {
        snprintf(message, message_size, "there is no LADSPA library “%s.so”", name);
        return NULL;
    }
    LADSPA_Descriptor_Function entry = bl_ladspa_open(path, message, message_size);
    if (entry == NULL) {
        return NULL;
    }
    const LADSPA_Descriptor *source = NULL;
    unsigned long index = 0;
    do {
        source = entry(index);
        index += 1;
    } while (source != NULL && (source->Label == NULL || strcmp(source->Label, slash + 1) != 0));
    if (source == NULL) {
        snprintf(message, message_size, "%s has no plug-in “%s”", path, slash + 1);
        return NULL;
    }
    bl_plug_in *plug_in = describe(bridge, source, identifier, path);
    if (plug_in == NULL) {
        snprintf(message, message_size, "it has too many ports, or memory is short");
    }
    return plug_in;
}
