/* Functions that a kit's functions may call, and those that a descriptor and kit_render.h call. See
   kit.h. */
#ifndef BACKLINE_KIT_FUNCTIONS_H
#define BACKLINE_KIT_FUNCTIONS_H

#include "kit_unit.h"

BL_BEGIN_DECLARATIONS

/* Linkage of the functions that are called, not inlined: they are rare, or must give the same bits
   whatever processor the caller is compiled for (BL_VECTOR_CLONES). Each file has its own copy,
   unless BL_KIT_SHARED is defined: then one file of the library includes kit_cycle.h for all. */
#if defined(BL_KIT_SHARED)
#define BL_KIT_FUNCTION
#else
#define BL_KIT_FUNCTION static __attribute__((noinline, unused))
#endif

/* Applies a parameter event to its ramp; ignores buttons. [render or idle] */
BL_KIT_FUNCTION void bl_kit_apply(bl_unit *unit, const bl_event *event) BL_NONBLOCKING;
/* The present value of a parameter's ramp. [idle or render] */
BL_KIT_FUNCTION float bl_kit_value(const bl_unit *unit,
                                   bl_parameter_address address) BL_NONBLOCKING;

/* The descriptor's functions (unit.h); bl_kit_create is the body of `create`. */
BL_KIT_FUNCTION bl_unit *bl_kit_create(const bl_kit *kit, const bl_unit_descriptor *descriptor);
BL_KIT_FUNCTION void bl_kit_destroy(bl_unit *unit);
BL_KIT_FUNCTION void bl_kit_set_parameter(bl_unit *unit, bl_parameter_address address,
                                          float value) BL_NONBLOCKING;
BL_KIT_FUNCTION float bl_kit_parameter_value(const bl_unit *unit,
                                             bl_parameter_address address) BL_NONBLOCKING;
BL_KIT_FUNCTION bl_status bl_kit_allocate(bl_unit *unit,
                                          const bl_render_configuration *configuration);
BL_KIT_FUNCTION void bl_kit_deallocate(bl_unit *unit);
BL_KIT_FUNCTION void bl_kit_reset(bl_unit *unit) BL_NONBLOCKING;

/* The parts of render that are not inlined (kit_render.h): checks, input, events, several outputs.
   [render] */
BL_KIT_FUNCTION bl_status bl_kit_refusal(const bl_unit_base *base, uint32_t frames) BL_NONBLOCKING;
BL_KIT_FUNCTION bl_status bl_kit_pull_all(bl_unit_base *base, const bl_render_host *host,
                                          uint32_t flags, const bl_timestamp *timestamp,
                                          uint32_t frames, float *const *output) BL_NONBLOCKING;
BL_KIT_FUNCTION void bl_kit_handle(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING;
BL_KIT_FUNCTION bool bl_kit_has_rendered(bl_unit_base *base, const bl_timestamp *timestamp,
                                         uint32_t frames, uint32_t bus) BL_NONBLOCKING;
BL_KIT_FUNCTION void bl_kit_follow_times(bl_unit *unit, const bl_render_host *host,
                                         int64_t time) BL_NONBLOCKING;
BL_KIT_FUNCTION bl_status bl_kit_answer(const bl_unit_base *base, uint32_t bus,
                                        bl_buffers *output) BL_NONBLOCKING;

/* Allocates `count` zeroed elements of `size` bytes until the unit is deallocated; NULL when memory
   is short. For prepare. [control] */
static inline void *bl_kit_memory(bl_unit *unit, size_t count, size_t size) {
    return bl_arena_allocate(&((bl_unit_base *)unit)->memory, count, size);
}

/* The status that prepare returns once it has asked for all its memory. [control] */
static inline bl_status bl_kit_memory_status(const bl_unit *unit) {
    return ((const bl_unit_base *)unit)->memory.failed ? BL_ERROR_OUT_OF_MEMORY : BL_OK;
}

/* The ramp of an address; NULL for an address that does not exist. [render or idle] */
static inline bl_ramp *bl_kit_ramp(const bl_unit_base *base,
                                   bl_parameter_address address) BL_NONBLOCKING {
    uint32_t count = base->descriptor->parameter_count;
    uint32_t index = BL_PARAMETER_INDEX(address), bus = BL_PARAMETER_INPUT_BUS(address);
    return index < count && bus < base->parameter_bus_count ? &base->parameters[bus * count + index]
                                                            : NULL;
}

/* Advances the ramps of all parameters. [render] */
static inline void bl_kit_advance(bl_unit *unit, uint32_t frames) BL_NONBLOCKING {
    const bl_unit_base *base = (const bl_unit_base *)unit;
    uint32_t count = base->parameter_bus_count * base->descriptor->parameter_count;
    for (uint32_t index = 0; index < count; index += 1) {
        bl_ramp_advance(&base->parameters[index], frames);
    }
}

/* Whether the event presses this button. [render or idle] */
static inline bool bl_kit_is_press(const bl_event *event,
                                   bl_parameter_address address) BL_NONBLOCKING {
    return event->parameter.address == address && event->parameter.value >= 0.5f;
}

BL_END_DECLARATIONS

#if !defined(BL_KIT_SHARED)
#include "kit_cycle.h"
#endif

#endif
