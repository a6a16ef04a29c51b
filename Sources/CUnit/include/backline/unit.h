/* A unit: its descriptor, its life, its render function. All that a unit's author includes.
 *
 * Every function says where it may be called:
 *   [control]    not the render thread; may wait and allocate; the host calls one at a time
 *   [idle]       control, while the host does not render this unit
 *   [allocated]  between allocate_render_resources and deallocate_render_resources
 *   [render]     the render thread, one call at a time; must be BL_NONBLOCKING
 */
#ifndef BACKLINE_UNIT_H
#define BACKLINE_UNIT_H

#include <stddef.h>
#include <stdint.h>

#include "attributes.h"
#include "buffer.h"
#include "bus.h"
#include "component.h"
#include "data.h"
#include "event.h"
#include "host.h"
#include "memory.h"
#include "midi.h"
#include "musical_context.h"
#include "notice.h"
#include "parameter.h"
#include "ramp.h"
#include "segment.h"
#include "status.h"
#include "telemetry.h"
#include "timestamp.h"

/* The ABI version; raised when libraries built for one version cannot run in a host of the
   other. */
#define BL_ABI_VERSION 3

BL_BEGIN_DECLARATIONS

/* An instance; each unit casts it to its own structure. */
typedef struct bl_unit bl_unit;

enum {
    /* The unit can process in place: output pointer = input pointer, channel by channel. */
    BL_UNIT_CAN_PROCESS_IN_PLACE = 1 << 0,
    BL_UNIT_MIDI_INPUT = 1 << 1,
    /* The unit's samples are in its own memory: the host passes null output pointers. */
    BL_UNIT_PROVIDES_OUTPUT = 1 << 2,
    /* The unit calls the host's send_midi. */
    BL_UNIT_MIDI_OUTPUT = 1 << 3,
    /* The unit supports MIDI Polyphonic Expression: one channel per note. */
    BL_UNIT_SUPPORTS_MPE = 1 << 4,
    /* The unit plays without MIDI, as a sequencer does: nothing need be connected to its MIDI
       input. */
    BL_UNIT_MIDI_OPTIONAL = 1 << 5,
    /* The unit follows note expressions; others do not receive them. With BL_UNIT_MIDI_INPUT. */
    BL_UNIT_NOTE_EXPRESSIONS = 1 << 6
};

enum {
    /* The rendering is not in real time: faster or slower, into a file. */
    BL_RENDER_OFFLINE = 1 << 0,
    /* The host waits for the result without a time limit, as it does offline. */
    BL_RENDER_MAY_WAIT = 1 << 1,
    /* The unit is bypassed: its output is not heard in this cycle. */
    BL_RENDER_BYPASSED = 1 << 2
};

/* A unit's static description, read before an instance is created. Constant for the life of the
   library. */
typedef struct bl_unit_descriptor {
    uint32_t abi_version; /* BL_ABI_VERSION */
    uint32_t size;        /* bytes of this structure, to which later hosts may append members */
    bl_component_description component;
    uint32_t version;              /* 0x00MMmmpp, as in 0x00010000 for 1.0.0 */
    const char *name;              /* "Ring Modulator" */
    const char *manufacturer_name; /* "Backline" */
    const char *summary;           /* one line: the unit's effect on the sound */
    const char *const *tags;       /* ended by NULL */
    uint32_t flags;                /* BL_UNIT_… */

    const bl_bus_info *input_busses;
    uint32_t input_bus_count;
    /* The most busses that a host may ask for, above input_bus_count. Busses past the table are
       like its last entry; these and that entry are named by number from 1 on. */
    uint32_t maximum_input_bus_count;
    const bl_bus_info *output_busses;
    uint32_t output_bus_count;
    /* Supported channel counts. NULL and 0: any count, the same on every bus. */
    const bl_channel_capability *channel_capabilities;
    uint32_t channel_capability_count;

    /* MIDI input cables that the unit distinguishes, 1 to 256; 0 for 1. */
    uint32_t virtual_midi_cable_count;
    /* The names of the MIDI outputs, one a cable, ended by NULL; NULL with BL_UNIT_MIDI_OUTPUT
       stands for one output, "midi". */
    const char *const *midi_output_names;

    const bl_parameter_info *parameters;
    uint32_t parameter_count;
    /* Names of the parameters' groups; a group without a name is shown by its identifier. */
    const bl_parameter_group_info *parameter_groups;
    uint32_t parameter_group_count;
    const bl_property_info *properties;
    uint32_t property_count;
    const bl_factory_preset *factory_presets;
    uint32_t factory_preset_count;

    /* A new instance with every parameter at its default, or NULL when memory is short.
       [control] */
    bl_unit *(*create)(const struct bl_unit_descriptor *descriptor);
    /* [control; not allocated] */
    void (*destroy)(bl_unit *unit);

    /* Sets property `index` of the table, also while the unit is rendered. On failure the old value
       stays, and `message` (message_size bytes, ended by 0) has the reason. On success the message,
       which the caller has emptied, has warnings, one a line: the parts of the value that were left
       out, such as regions of an instrument. NULL without properties of text or paths. [control] */
    bl_status (*set_property)(bl_unit *unit, uint32_t index, const char *value, char *message,
                              size_t message_size);
    /* Sets a parameter at once, without a ramp. [idle, or the render thread in a cycle that does
       not render the unit] */
    void (*set_parameter)(bl_unit *unit, bl_parameter_address address, float value) BL_NONBLOCKING;
    /* A parameter's present value, also in the middle of a ramp. [idle or render] */
    float (*parameter_value)(const bl_unit *unit, bl_parameter_address address) BL_NONBLOCKING;

    /* Prepares to render: allocates memory and resets. Fails with BL_ERROR_FORMAT_NOT_SUPPORTED or
       BL_ERROR_OUT_OF_MEMORY; the unit is then not allocated. [control; not allocated] */
    bl_status (*allocate_render_resources)(bl_unit *unit,
                                           const bl_render_configuration *configuration);
    /* [idle & allocated] */
    void (*deallocate_render_resources)(bl_unit *unit);
    /* Clears delay lines, filter states and voices, and keeps the parameters, at their targets; the
       unit then renders as a new instance would. [render, or idle & allocated] */
    void (*reset)(bl_unit *unit) BL_NONBLOCKING;

    /* Renders `frames` frames (1 to maximum_frames) of output bus `bus`. A unit that can process in
       place pulls before it writes. With several output busses, render is called once for each
       connected bus, in order, with the same timestamp; the first call has the cycle's events, the
       others have none. Without output busses it is called once, for bus 0, with no channels. The
       events are in order of time. The result must not depend on the lengths of cycles. [render &
       allocated] */
    bl_status (*render)(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                        uint32_t frames, uint32_t bus, bl_buffers *output, const bl_event *events,
                        const bl_render_host *host) BL_NONBLOCKING;

    /* Waits until the next `frames` frames can be rendered, for units fed by their own thread.
       Hosts call it before the first cycle and, offline, before each. NULL: always ready. [control
       & allocated, between cycles; also at the same time as set_property] */
    void (*wait_until_ready)(bl_unit *unit, uint32_t frames);

    /* The unit's latency, frames, at the present settings. The host asks again after a cycle with
       events, and when the unit notifies it (BL_NOTICE_TIMES_CHANGED). NULL: 0. [render, or idle &
       allocated] */
    uint32_t (*latency)(const bl_unit *unit) BL_NONBLOCKING;
    /* Seconds until the sound falls to about -60 dB after the input ends; INFINITY if it never
       does. NULL: 0. [render, or idle & allocated] */
    double (*tail_time)(const bl_unit *unit) BL_NONBLOCKING;

    const bl_telemetry_info *telemetry; /* BL_MOST_TELEMETRY at most */
    uint32_t telemetry_count;
    /* Copies the present values of the table's entry `index`, up to its capacity, and returns their
       number; 0: nothing to show. Called after render, only while somebody watches: for one entry a
       cycle at most, up to 25 times a second. NULL without telemetry. [render & allocated] */
    uint32_t (*read_telemetry)(const bl_unit *unit, uint32_t index, float *values) BL_NONBLOCKING;

    /* Replies to a message from the unit's own view on the named channel. Both texts are UTF-8,
       ended by 0, BL_MESSAGE_CAPACITY bytes at most; on failure the reply is the reason.
       BL_ERROR_NO_SUCH_ELEMENT for a channel that the unit does not have. NULL: the unit has none.
       [control] */
    bl_status (*receive_message)(bl_unit *unit, const char *channel, const char *message,
                                 char *reply, size_t reply_size);

    /* Analyses the input before the first render of a sound of `input_frames` frames, and returns
       the output's length in `output_frames`; offline effects (BL_TYPE_OFFLINE_EFFECT) only, and
       all of them. May pull the input any number of times, in any order. The parameters keep their
       values from here to the end of the output, which render then yields from sample time 0 on.
       Fails with BL_ERROR_OUT_OF_MEMORY or with the status of pull_input. [control & allocated] */
    bl_status (*preflight)(bl_unit *unit, uint64_t input_frames, const bl_render_host *host,
                           uint64_t *output_frames);

    /* Writes the present data of property `index`, also while the unit is rendered. Writes nothing
       if there are no data, or if they are what load_data set: the host then keeps its copy. On
       failure `message` has the reason. NULL without properties of data. [control] */
    bl_status (*save_data)(bl_unit *unit, uint32_t index, const bl_data_writer *writer,
                           char *message, size_t message_size);
    /* Sets property `index`, of BL_PROPERTY_DATA, to bytes that save_data has written, at any
       sample rate, also by an earlier version of the unit; 0 bytes: to a new instance's state. Also
       while the unit is rendered. On failure the old data stay, and `message` has the reason. The
       host owns the bytes. NULL without such properties. [control] */
    bl_status (*load_data)(bl_unit *unit, uint32_t index, const void *bytes, size_t count,
                           char *message, size_t message_size);

    /* Writes the display name of a key (0 to 127) on a channel (0 to 15), such as "Snare", into
       `name` (`size` bytes, BL_NOTE_NAME_CAPACITY or more; UTF-8, ended by 0), or "" if it has
       none. Hosts ask again after set_property. NULL: no key has a name. [control] */
    void (*note_name)(const bl_unit *unit, uint8_t channel, uint8_t key, char *name, size_t size);

    /* Writes a value's text (`size` bytes, BL_VALUE_TEXT_CAPACITY or more; UTF-8, ended by 0), for
       parameters with BL_PARAMETER_HAS_TEXT, whose values are not written as a number with a unit,
       such as "4:1" or "30 L". NULL without such parameters. [control] */
    void (*value_text)(const bl_unit *unit, bl_parameter_address address, float value, char *text,
                       size_t size);
    /* Parses such a text: any that value_text writes, and other usual spellings. False if it is
       none; hosts then read it as a number with a unit, and limit the value to the range. NULL
       without such parameters. [control] */
    bool (*text_value)(const bl_unit *unit, bl_parameter_address address, const char *text,
                       float *value);
} bl_unit_descriptor;

/* Whether the unit was built for hosts that receive its notices; hosts ask others for their latency
   and tail after every cycle if they have properties. [any thread] */
static inline bool bl_unit_notifies(const bl_unit_descriptor *descriptor) BL_NONBLOCKING {
    return descriptor->size > offsetof(bl_unit_descriptor, value_text);
}

/* The size of a view's message and of its reply, bytes, with the terminating 0. */
#define BL_MESSAGE_CAPACITY 4096

/* The size of a note's name and of a value's text, bytes, with the terminating 0. */
#define BL_NOTE_NAME_CAPACITY 64
#define BL_VALUE_TEXT_CAPACITY 64

/* The highest latency, frames; a higher one counts as this. The delays that compensate for it take
   4 MiB a channel at most. */
#define BL_MAXIMUM_LATENCY (1u << 20)

/* The units of a shared library. */
typedef struct bl_unit_library {
    uint32_t abi_version; /* BL_ABI_VERSION */
    uint32_t unit_count;
    const bl_unit_descriptor *const *units;
} bl_unit_library;

/* The one symbol that a unit library exports; never NULL. [control] */
BL_EXPORT const bl_unit_library *backline_unit_library(void);
#define BL_UNIT_LIBRARY_SYMBOL "backline_unit_library"

/* The library for this host: a unit that was built before members were appended is replaced by a
   copy in which those are zero. Neither is freed. NULL when memory is short. [control] */
const bl_unit_library *bl_unit_library_adapt(const bl_unit_library *library);

/* Sets property `index` of the table to a text, as racks and presets have it: by set_property, or
   for data, decoded, by load_data. Returns their status. [control] */
bl_status bl_set_property(const bl_unit_descriptor *descriptor, bl_unit *unit, uint32_t index,
                          const char *text, char *message, size_t message_size);

/* The number of MIDI output cables of a unit: those with a name, or one. [any] */
static inline uint32_t bl_midi_output_count(const bl_unit_descriptor *descriptor) {
    uint32_t count = 0;
    while (descriptor->midi_output_names != NULL && descriptor->midi_output_names[count] != NULL) {
        count += 1;
    }
    return count > 0 ? count : (descriptor->flags & BL_UNIT_MIDI_OUTPUT) != 0;
}

BL_END_DECLARATIONS

#endif
