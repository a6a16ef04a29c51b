/* The kit: most of a unit ready-made. A unit's author states what is special about it, a bl_kit,
 * and gets the functions of its descriptor:
 *
 *     typedef struct gain_unit {
 *         bl_unit_base base; // comes first
 *     } gain_unit;
 *
 *     static void process(bl_unit *unit, bl_io *io, uint32_t first_frame, uint32_t frames) ...
 *
 *     static const bl_kit kit = {.size = sizeof(gain_unit), .process = process};
 *     BL_KIT_FUNCTIONS(kit)
 *
 *     static const bl_unit_descriptor descriptor = {..., BL_KIT_MEMBERS};
 *
 * kit_unit.h says what a kit is made of, kit_functions.h what its functions may call. The rules of
 * unit.h that are the same for all units are kept in kit_format.h, kit_life.h and kit_parameters.h
 * (formats, memory, parameters), kit_render.h and kit_cycle.h (null output pointers, pulled input,
 * several output busses, cutting the cycle at events).
 */
#ifndef BACKLINE_KIT_H
#define BACKLINE_KIT_H

#include "kit_render.h"

/* Define `kit_create` and `kit_render` of a unit with this kit. The second is for a cheap unit
   whose process is BL_INLINE and named `process`: it is compiled into render, for recent processors
   and for all. */
#define BL_KIT_FUNCTIONS(KIT) BL_KIT_FUNCTIONS_OF(, KIT, if ((KIT).process)(KIT).process)
#define BL_KIT_VECTOR_FUNCTIONS(KIT) BL_KIT_FUNCTIONS_OF(BL_VECTOR_CLONES, KIT, process)
/* PROCESS is called by name, since without optimization compilers do not inline through pointers.
   The cycle is copied for its events, so that one without events stays in registers. */
#define BL_KIT_FUNCTIONS_OF(ATTRIBUTES, KIT, PROCESS)                                              \
    static bl_unit *kit_create(const bl_unit_descriptor *descriptor) {                             \
        return bl_kit_create(&(KIT), descriptor);                                                  \
    }                                                                                              \
    ATTRIBUTES static bl_status kit_render(                                                        \
        bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp, uint32_t frames,             \
        uint32_t bus, bl_buffers *output, const bl_event *events, const bl_render_host *host)      \
        BL_NONBLOCKING {                                                                           \
        bl_io io;                                                                                  \
        if (!bl_kit_begin(&io, &(KIT), unit, flags, timestamp, frames, bus, output, host)) {       \
            return io.status;                                                                      \
        }                                                                                          \
        if (events != NULL) {                                                                      \
            bl_io cut = io;                                                                        \
            bl_segment segment = bl_segment_begin(timestamp, frames, events);                      \
            while (bl_kit_next(unit, &cut, &segment)) {                                            \
                PROCESS(unit, &cut, segment.first_frame, segment.frame_count);                     \
            }                                                                                      \
            io.status = cut.status;                                                                \
        } else {                                                                                   \
            PROCESS(unit, &io, 0, frames);                                                         \
        }                                                                                          \
        return bl_kit_end(unit, io.status, bus, output, host, io.time);                            \
    }

/* For C: define the kit from its named members, and its functions. */
#define BL_KIT(STRUCTURE, ...)                                                                     \
    static const bl_kit kit = {.size = sizeof(STRUCTURE), __VA_ARGS__};                            \
    BL_KIT_FUNCTIONS(kit)
#define BL_VECTOR_KIT(STRUCTURE, ...)                                                              \
    static const bl_kit kit = {.size = sizeof(STRUCTURE), __VA_ARGS__};                            \
    BL_KIT_VECTOR_FUNCTIONS(kit)

/* The kit's functions as members of a descriptor, by name and in order; SET_PROPERTY may be
   NULL. */
#define BL_KIT_MEMBERS                                                                             \
    .create = kit_create, .destroy = bl_kit_destroy, .set_parameter = bl_kit_set_parameter,        \
    .parameter_value = bl_kit_parameter_value, .allocate_render_resources = bl_kit_allocate,       \
    .deallocate_render_resources = bl_kit_deallocate, .reset = bl_kit_reset, .render = kit_render
#define BL_KIT_MEMBER_LIST(SET_PROPERTY)                                                           \
    kit_create, bl_kit_destroy, SET_PROPERTY, bl_kit_set_parameter, bl_kit_parameter_value,        \
        bl_kit_allocate, bl_kit_deallocate, bl_kit_reset, kit_render

#endif
