/* Commands to the render thread, from any thread, and reports from it, to one thread. */
#ifndef BACKLINE_KERNEL_MESSAGE_H
#define BACKLINE_KERNEL_MESSAGE_H

#include <stdbool.h>

#include "events/event_time.h"
#include "graph.h"

BL_BEGIN_DECLARATIONS

typedef enum bl_command_type {
    /* Play this graph from the next cycle on; the former graph is reported retired. */
    BL_COMMAND_SET_GRAPH,
    /* An event for a node, at its sample_time; a past time means now. Events of one time keep the
       order in which they were sent. System exclusive is accepted only from bl_kernel_send_midi,
       which copies its bytes. */
    BL_COMMAND_SCHEDULE,
    /* A parameter's new value, now; ramped over a few milliseconds if it is rampable and an output
       pulls the node. It has room when the schedule is full of events. */
    BL_COMMAND_SET_PARAMETER,
    /* Crossfade to the node's input, or back to its output. */
    BL_COMMAND_SET_BYPASS,
    /* The sample rate from now on; a graph with units for it follows. */
    BL_COMMAND_SET_SAMPLE_RATE,
    /* Report the messages at the rack's MIDI inputs, or no longer. */
    BL_COMMAND_REPORT_MIDI,
    /* Move the controls of a message as if it arrived at a MIDI input of the rack; units do not
       receive it. */
    BL_COMMAND_CONTROL_MIDI,
    /* End all notes: those that are held, and with controllers 64, 120 and 123 all others. */
    BL_COMMAND_PANIC,
    /* Report moves by commands and controls while the transport moves, or no longer. */
    BL_COMMAND_REPORT_MOVES
} bl_command_type;

typedef struct bl_command {
    bl_command_type type;
    /* The node's identifier, for SCHEDULE, SET_PARAMETER and SET_BYPASS; with CONTROL_MIDI, the
       MIDI input. A command for a node that the present graph does not have is counted as lost. */
    uint32_t node;
    union {
        bl_graph *graph;              /* SET_GRAPH; NULL plays silence */
        bl_event event;               /* SCHEDULE: parameter, ramp or MIDI; `next` is not read */
        bl_parameter_event parameter; /* SET_PARAMETER */
        bool bypassed;                /* SET_BYPASS */
        double sample_rate;           /* SET_SAMPLE_RATE, Hz */
        bool reports_midi;            /* REPORT_MIDI */
        bl_midi_event midi;           /* CONTROL_MIDI */
        bool reports_moves;           /* REPORT_MOVES */
    };
} bl_command;

typedef enum bl_report_type {
    BL_REPORT_GRAPH_RETIRED,
    /* The graph's fades are over; the next graph can leave out what faded out. */
    BL_REPORT_FADES_FINISHED,
    /* A unit's latency rose above BL_MAXIMUM_LATENCY; no more than that is compensated. */
    BL_REPORT_LATENCY_EXCEEDED,
    /* A unit started to produce NaN or infinity: it was muted and reset. */
    BL_REPORT_NON_FINITE,
    /* It has done so for a second, in spite of the resets; again after each further second. */
    BL_REPORT_STAYS_NON_FINITE,
    /* A unit's render started to fail: it is silent, or its input plays if it is bypassed. */
    BL_REPORT_RENDER_FAILED,
    /* A unit's process stopped to answer in time: the unit's input plays until it does. */
    BL_REPORT_UNAVAILABLE,
    /* An output stayed above its ceiling and was closed for a second; the unit that made it loud
       has been reset. Again after each further second for which the output stays closed. */
    BL_REPORT_TOO_LOUD,
    /* Events without room, or that their units cannot receive. */
    BL_REPORT_EVENTS_LOST,
    /* Events that were played a cycle or more late, in order, since there were too many at once. */
    BL_REPORT_EVENTS_DELAYED,
    /* A control has recalled a scene, or requests an action of the control side. Each control is
       reported 20 times a second at most. */
    BL_REPORT_CONTROL,
    /* A message at a MIDI input; left out when there is little room. */
    BL_REPORT_MIDI,
    /* A parameter or a bypass is moved in this cycle, but not by a lane. */
    BL_REPORT_MOVE,
    /* No further moves are reported. */
    BL_REPORT_MOVES_END,
    /* A unit's notice of a gesture, or of a value; left out, but for ends, when there is little
       room. */
    BL_REPORT_GESTURE,
    /* A unit's line for the log; of each unit 10 a second at most. */
    BL_REPORT_LOG,
    BL_REPORT_XRUN
} bl_report_type;

typedef struct bl_fault_report {
    uint32_t node;
    uint32_t count; /* times that it started, since its last such report */
} bl_fault_report;

typedef struct bl_loud_report {
    uint32_t output;
    uint32_t node;  /* BL_RACK: the sound came in as loud */
    uint32_t count; /* seconds, since the last such report */
    float peak;     /* of the unit, a magnitude */
} bl_loud_report;

/* Units of a late cycle that are reported: those that took most of it, and those that did not
   answer. */
#define BL_MOST_BLAMED 3

/* A unit's part of a cycle; of those that were not timed in it, the slowest, with all their time.
 */
typedef struct bl_blame {
    uint32_t node;
    float time; /* nanoseconds */
} bl_blame;

/* Late cycles since the last such report; of several, the values of the longest. */
typedef struct bl_xrun_report {
    uint32_t count;
    float delay;      /* microseconds, from the server; the greatest */
    float cycle_time; /* nanoseconds, of the whole graph */
    uint32_t frames;  /* of that cycle */
    uint32_t blamed_count, late_count;
    bl_blame blamed[BL_MOST_BLAMED]; /* the slowest units, slowest first */
    uint32_t late[BL_MOST_BLAMED];   /* remote units that did not answer in time */
} bl_xrun_report;

typedef struct bl_control_report {
    const bl_graph *graph; /* not reported retired yet */
    uint32_t control;      /* its place in the graph's description */
    uint32_t count;        /* since its last report */
    int64_t sample_time;   /* the last time */
} bl_control_report;

typedef struct bl_midi_report {
    uint32_t port; /* of the rack's MIDI inputs */
    bl_midi_event message;
} bl_midi_report;

typedef struct bl_move_report {
    uint32_t node;
    uint32_t lost;             /* reports of this kind before it without room */
    float before;              /* the former goal */
    bl_parameter_event change; /* of a parameter, or of BL_CONTROL_BYPASS */
    int64_t frame;             /* of the transport */
} bl_move_report;

typedef struct bl_gesture_report {
    uint32_t node;
    bl_notice_type type;
    bl_parameter_address address;
    float before, value;
} bl_gesture_report;

typedef struct bl_log_report {
    uint32_t node;
    uint32_t lost; /* lines before it */
    char text[BL_NOTICE_TEXT_CAPACITY];
} bl_log_report;

typedef struct bl_report {
    bl_report_type type;
    union {
        bl_graph *graph;           /* GRAPH_RETIRED, FADES_FINISHED */
        bl_fault_report fault;     /* LATENCY_EXCEEDED to UNAVAILABLE */
        bl_loud_report loud;       /* TOO_LOUD */
        uint64_t events;           /* EVENTS_LOST, EVENTS_DELAYED: since the last such report */
        bl_control_report control; /* CONTROL */
        bl_midi_report midi;       /* MIDI */
        bl_move_report move;       /* MOVE */
        bl_gesture_report gesture; /* GESTURE */
        bl_log_report log;         /* LOG */
        bl_xrun_report xrun;
    };
} bl_report;

BL_END_DECLARATIONS

#endif
