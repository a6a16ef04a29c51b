#include "foreign_units/guarded_unit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "foreign_units/crash_report.h"
#include "foreign_units/floating_point.h"

typedef struct guarded {
    bl_unit_descriptor outer; /* the first member: `create` gets it */
    const bl_unit_descriptor *inner;
    _Atomic(const char *) fault; /* see bl_guarded_unit_fault */
    struct guarded *next;
} guarded;

/* The instance that hosts use. */
typedef struct instance {
    guarded *unit;
    bl_unit *inner;
} instance;

typedef struct call {
    uint64_t floating_point;
    bl_activity activity;
} call;

static inline call enter(const guarded *unit, const char *activity) BL_NONBLOCKING {
    return (call){bl_floating_point_state(),
                  bl_set_activity((bl_activity){activity, unit->inner->name})};
}

static inline void leave(guarded *unit, call before) BL_NONBLOCKING {
    bl_activity own = bl_set_activity(before.activity);
    if (bl_floating_point_state() != before.floating_point) {
        bl_set_floating_point_state(before.floating_point);
        atomic_store_explicit(&unit->fault, own.text, memory_order_relaxed);
    }
}

/* Calls a function of the unit, between saving and restoring the floating-point state. */
#define GUARDED(type, self, activity, function, ...)                                               \
    const instance *own = (const instance *)(self);                                                \
    call before = enter(own->unit, activity);                                                      \
    type result = own->unit->inner->function(own->inner __VA_OPT__(, ) __VA_ARGS__);               \
    leave(own->unit, before);                                                                      \
    return result

#define GUARDED_VOID(self, activity, function, ...)                                                \
    const instance *own = (const instance *)(self);                                                \
    call before = enter(own->unit, activity);                                                      \
    own->unit->inner->function(own->inner __VA_OPT__(, ) __VA_ARGS__);                             \
    leave(own->unit, before)

static bl_unit *create(const bl_unit_descriptor *descriptor) {
    guarded *unit = (guarded *)descriptor;
    instance *own = calloc(1, sizeof *own);
    if (own == NULL) {
        return NULL;
    }
    bl_use_signal_stack();
    call before = enter(unit, "making");
    *own = (instance){unit, unit->inner->create(unit->inner)};
    leave(own->unit, before);
    if (own->inner == NULL) {
        free(own);
        return NULL;
    }
    return (bl_unit *)own;
}

static void destroy(bl_unit *self) {
    GUARDED_VOID(self, "destroying", destroy);
    free(self);
}

static bl_status set_property(bl_unit *self, uint32_t index, const char *value, char *message,
                              size_t message_size) {
    bl_use_signal_stack();
    GUARDED(bl_status, self, "setting a property of", set_property, index, value, message,
            message_size);
}

static void set_parameter(bl_unit *self, bl_parameter_address address, float value) BL_NONBLOCKING {
    GUARDED_VOID(self, "setting a parameter of", set_parameter, address, value);
}

static float parameter_value(const bl_unit *self, bl_parameter_address address) BL_NONBLOCKING {
    GUARDED(float, self, "asking a parameter of", parameter_value, address);
}

static bl_status allocate(bl_unit *self, const bl_render_configuration *configuration) {
    bl_use_signal_stack();
    GUARDED(bl_status, self, "allocating the render resources of", allocate_render_resources,
            configuration);
}

static void deallocate(bl_unit *self) {
    GUARDED_VOID(self, "deallocating", deallocate_render_resources);
}

static void reset(bl_unit *self) BL_NONBLOCKING { GUARDED_VOID(self, "resetting", reset); }

static bl_status render(bl_unit *self, uint32_t flags, const bl_timestamp *timestamp,
                        uint32_t frames, uint32_t bus, bl_buffers *output, const bl_event *events,
                        const bl_render_host *host) BL_NONBLOCKING {
    GUARDED(bl_status, self, "rendering", render, flags, timestamp, frames, bus, output, events,
            host);
}

static void wait_until_ready(bl_unit *self, uint32_t frames) {
    GUARDED_VOID(self, "waiting for", wait_until_ready, frames);
}

static uint32_t latency(const bl_unit *self) BL_NONBLOCKING {
    GUARDED(uint32_t, self, "asking the latency of", latency);
}

static double tail_time(const bl_unit *self) BL_NONBLOCKING {
    GUARDED(double, self, "asking the tail of", tail_time);
}

static uint32_t read_telemetry(const bl_unit *self, uint32_t index, float *values) BL_NONBLOCKING {
    GUARDED(uint32_t, self, "reading what is shown of", read_telemetry, index, values);
}

static bl_status receive_message(bl_unit *self, const char *channel, const char *message,
                                 char *reply, size_t reply_size) {
    bl_use_signal_stack();
    GUARDED(bl_status, self, "answering a message to", receive_message, channel, message, reply,
            reply_size);
}

static bl_status preflight(bl_unit *self, uint64_t input_frames, const bl_render_host *host,
                           uint64_t *output_frames) {
    bl_use_signal_stack();
    GUARDED(bl_status, self, "measuring the input of", preflight, input_frames, host,
            output_frames);
}

static bl_status save_data(bl_unit *self, uint32_t index, const bl_data_writer *writer,
                           char *message, size_t message_size) {
    bl_use_signal_stack();
    GUARDED(bl_status, self, "saving data of", save_data, index, writer, message, message_size);
}

static bl_status load_data(bl_unit *self, uint32_t index, const void *bytes, size_t count,
                           char *message, size_t message_size) {
    bl_use_signal_stack();
    GUARDED(bl_status, self, "loading data of", load_data, index, bytes, count, message,
            message_size);
}

static void note_name(const bl_unit *self, uint8_t channel, uint8_t key, char *name, size_t size) {
    bl_use_signal_stack();
    GUARDED_VOID(self, "naming a note of", note_name, channel, key, name, size);
}

static void value_text(const bl_unit *self, bl_parameter_address address, float value, char *text,
                       size_t size) {
    bl_use_signal_stack();
    GUARDED_VOID(self, "asking for a text of", value_text, address, value, text, size);
}

static bool text_value(const bl_unit *self, bl_parameter_address address, const char *text,
                       float *value) {
    bl_use_signal_stack();
    GUARDED(bool, self, "reading a text for", text_value, address, text, value);
}

/* Functions that the unit lacks stay null. */
#define GUARD(member, function) new->outer.member = unit->member ? function : NULL

static guarded *make(const bl_unit_descriptor *unit) {
    guarded *new = calloc(1, sizeof *new);
    if (new != NULL) {
        new->inner = unit;
        new->outer = *unit;
        GUARD(create, create);
        GUARD(destroy, destroy);
        GUARD(set_property, set_property);
        GUARD(set_parameter, set_parameter);
        GUARD(parameter_value, parameter_value);
        GUARD(allocate_render_resources, allocate);
        GUARD(deallocate_render_resources, deallocate);
        GUARD(reset, reset);
        GUARD(render, render);
        GUARD(wait_until_ready, wait_until_ready);
        GUARD(latency, latency);
        GUARD(tail_time, tail_time);
        GUARD(read_telemetry, read_telemetry);
        GUARD(receive_message, receive_message);
        GUARD(preflight, preflight);
        GUARD(save_data, save_data);
        GUARD(load_data, load_data);
        GUARD(note_name, note_name);
        GUARD(value_text, value_text);
        GUARD(text_value, text_value);
    }
    return new;
}

const bl_unit_descriptor *bl_guarded_unit(const bl_unit_descriptor *unit) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static guarded *first;
    pthread_mutex_lock(&lock);
    guarded *known = first;
    while (known != NULL && known->inner != unit && &known->outer != unit) {
        known = known->next;
    }
    if (known == NULL && (known = make(unit)) != NULL) {
        known->next = first;
        first = known;
    }
    pthread_mutex_unlock(&lock);
    return known != NULL ? &known->outer : NULL;
}

const char *bl_guarded_unit_fault(const bl_unit_descriptor *unit) {
    return atomic_load_explicit(&((guarded *)unit)->fault, memory_order_relaxed);
}
