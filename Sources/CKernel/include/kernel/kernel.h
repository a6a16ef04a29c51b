/* The kernel: plays one graph, a cycle for each call. */
#ifndef BACKLINE_KERNEL_H
#define BACKLINE_KERNEL_H

#include "message.h"

BL_BEGIN_DECLARATIONS

typedef struct bl_kernel bl_kernel;

typedef struct bl_kernel_configuration {
    double sample_rate;                 /* Hz */
    uint32_t event_capacity;            /* scheduled events, 80 bytes each; 0 for 8192 */
    uint32_t command_capacity;          /* waiting commands; 0 for 4096 */
    uint32_t report_capacity;           /* waiting reports; 0 for 4096 */
    uint32_t system_exclusive_capacity; /* pending messages; 0 for 16 */
} bl_kernel_configuration;

/* The input and output of one cycle. */
typedef struct bl_cycle {
    uint32_t flags;             /* BL_RENDER_… */
    uint32_t frames;            /* any number of frames */
    const float *const *inputs; /* every channel of every audio input port, in order */
    float *const *outputs;      /* every channel of every output port; no overlap with the inputs */
    uint32_t midi_count;
    const bl_midi_message *midi; /* in order of time */
    /* The messages as events, instead: in order of time, with the rack's inputs as MIDI cables;
       others are skipped. Their bytes must last for the cycle. */
    const bl_event *events;
    /* The function called with each message for the rack's MIDI outputs, in order of time for each;
       the bytes last for the call. It returns false without room. NULL drops all messages.
       [render] */
    bool (*send_midi)(void *context, const bl_midi_message *message) BL_NONBLOCKING;
    void *midi_context;
    /* The musical context at the first frame, with a tempo above 0; NULL if unknown.
       frames_to_next_beat is not read. */
    const bl_musical_context *musical_context;
    const bl_transport_state *transport_state;
} bl_cycle;

/* Creates a kernel; NULL when memory is short. [control] */
bl_kernel *bl_kernel_create(const bl_kernel_configuration *configuration);

/* Destroys the kernel, its graph and those that wait in its rings, but no nodes or units. [control,
   once no cycle can run] */
void bl_kernel_destroy(bl_kernel *kernel);

/* Sends a command; false when the ring is full. Commands from one thread arrive in order. [any
   thread] */
bool bl_kernel_send(bl_kernel *kernel, const bl_command *command) BL_NONBLOCKING;

/* Schedules a complete MIDI message, status byte first, for the node with that identifier; the
   bytes are copied. BL_ERROR_INVALID_PROPERTY_VALUE for bytes that are not one message,
   BL_ERROR_OUT_OF_MEMORY when there is no room or the message is longer than
   BL_SYSTEM_EXCLUSIVE_MAXIMUM_LENGTH. [any thread] */
bl_status bl_kernel_send_midi(bl_kernel *kernel, uint32_t node, int64_t sample_time, uint8_t cable,
                              uint32_t length, const uint8_t *bytes) BL_NONBLOCKING;

/* Pops the next report; false when there is none. [control, one thread at a time] */
bool bl_kernel_receive(bl_kernel *kernel, bl_report *report);

/* Waiting commands and reports. [control] */
uint32_t bl_kernel_commands_waiting(const bl_kernel *kernel);
uint32_t bl_kernel_reports_waiting(const bl_kernel *kernel);

/* The number of commands sent so far; wraps. [any thread] */
uint32_t bl_kernel_commands_sent(const bl_kernel *kernel) BL_NONBLOCKING;
/* Whether the commands up to this count have taken effect on the nodes. [any thread] */
bool bl_kernel_has_done(const bl_kernel *kernel, uint32_t sent) BL_NONBLOCKING;

/* Executes waiting commands, 1024 at most, including a new graph; returns the present graph's
   context (NULL without a graph). [render] */
void *bl_kernel_begin_cycle(bl_kernel *kernel) BL_NONBLOCKING;
/* Executes all waiting commands, without a limit: there is no deadline. [render] */
void *bl_kernel_begin_cycle_offline(bl_kernel *kernel) BL_NONBLOCKING;

/* Plays one cycle of the present graph; without a graph the caller writes silence. [render] */
void bl_kernel_render(bl_kernel *kernel, const bl_cycle *cycle) BL_NONBLOCKING;

/* Threads that help to render; see bl_graph_description. */
typedef struct bl_helpers {
    uint32_t count;
    /* Wakes so many helpers, which then call bl_kernel_help. [render] */
    void (*wake)(void *context, uint32_t count) BL_NONBLOCKING;
    void *context;
} bl_helpers;

/* Sets the helpers for rendering; a count of 0 for none. [control, while no cycle runs] */
void bl_kernel_set_helpers(bl_kernel *kernel, const bl_helpers *helpers);

/* Renders a part of the present cycle, if there is one. `helper`: 1 to the helpers' count,
   different for each thread. [a helper's thread, with the render thread's priority, until the
   helpers are set again] */
void bl_kernel_help(bl_kernel *kernel, uint32_t helper) BL_NONBLOCKING;

/* Ends the notes of one of the rack's MIDI inputs, whose sender was disconnected or whose port was
   replaced. [render, before the cycle's bl_kernel_render] */
void bl_kernel_end_notes(bl_kernel *kernel, uint32_t port) BL_NONBLOCKING;

/* Skips `frames` frames in which nothing is played; silence is recorded. [render] */
void bl_kernel_skip(bl_kernel *kernel, uint32_t frames) BL_NONBLOCKING;

/* Reports that the last cycle was late, by `delay` microseconds. [render] */
void bl_kernel_report_xrun(bl_kernel *kernel, float delay) BL_NONBLOCKING;

/* Frames rendered so far. [render] */
int64_t bl_kernel_sample_time(const bl_kernel *kernel) BL_NONBLOCKING;

/* Sets the time of the next cycle, also after its commands; earlier events, and events due now, are
   then played at once. [render] */
void bl_kernel_set_sample_time(bl_kernel *kernel, int64_t sample_time) BL_NONBLOCKING;

BL_END_DECLARATIONS

#endif
