/* Commands to the render thread, from any thread, and its reports, to one thread. */
#ifndef BACKLINE_KERNEL_MESSAGE_H
#define BACKLINE_KERNEL_MESSAGE_H

#include <stdbool.h>

#include "events/event_time.h"
#include "graph.h"

BL_BEGIN_DECLARATIONS

typedef enum bl_command_type {
    /* Plays this graph from the next cycle on; the old graph is reported retired. */
    BL_COMMAND_SET_GRAPH,
    /* Schedules an event for a node, at its sample_time; a past time means now. Events at one time
       keep the order in which they were sent. System exclusive is accepted only from
       bl_kernel_send_midi, which copies its bytes. */
    BL_COMMAND_SCHEDULE,
    /* Sets a parameter now; ramped over a few milliseconds if it is rampable and an output pulls
       the node. It has room even if the schedule is full of events. */
    BL_COMMAND_SET_PARAMETER,
    /* Crossfades to the node's input, or back to its output. */
    BL_COMMAND_SET_BYPASS,
    /* Sets the sample rate; a graph whose units are allocated for it follows. */
    BL_COMMAND_SET_SAMPLE_RATE,
    /* Starts or stops reports of the messages at the rack's MIDI inputs. */
    BL_COMMAND_REPORT_MIDI,
    /* Moves the controls of a message as if it arrived at a MIDI input of the rack; units do not
       receive it. */
    BL_COMMAND_CONTROL_MIDI,
    /* Ends all notes: those that are held, and by controllers 64, 120 and 123 all others. */
    BL_COMMAND_PANIC,
    /* Starts or stops reports of moves by commands and controls while the transport moves. */
    BL_COMMAND_REPORT_MOVES
} bl_command_type;

typedef struct bl_command {
    bl_command_type type;
    /* The node's identifier, for SCHEDULE, SET_PARAMETER and SET_BYPASS; the MIDI input, for
       CONTROL_MIDI. A command for a node that the present graph does not have is counted as
       lost. */
    uint32_t node;
    union {
        bl_graph *graph;              /* SET_GRAPH; NULL plays silence */
        bl_event event;               /* SCHEDULE: parameter, ramp or MIDI; `next` is not read */
        bl_parameter_event parameter; /* SET_PARAMETER */
        bool bypassed;                /* SET_BYPASS */
        double sample_rate;           /* SET_SAMPLE_RATE, Hz */
        bool reports_midi;
        bl_midi_event midi; /* CONTROL_MIDI */
        bool reports_moves;
    };
} bl_command;

typedef enum bl_report_type {
    BL_REPORT_GRAPH_RETIRED,
    /* The graph's fades are over; the next graph can leave out what faded out. */
    BL_REPORT_FADES_FINISHED,
    /* A unit's latency rose above BL_MAXIMUM_LATENCY; only that maximum is compensated. */
    BL_REPORT_LATENCY_EXCEEDED,
    /* A unit started to produce NaN or infinity: it was muted and reset. */
    BL_REPORT_NON_FINITE,
    /* A unit has produced them for a second, despite resets; again after each further second. */
    BL_REPORT_STAYS_NON_FINITE,
    /* A unit's render started to fail: it is silent, or its input plays if it is bypassed. */
    BL_REPORT_RENDER_FAILED,
    /* A unit's process stopped responding in time: the unit's input plays until it does. */
    BL_REPORT_UNAVAILABLE,
    /* An output stayed above its ceiling and was closed for a second; the unit that made it loud
       has been reset. Again after each further second for which the output stays closed. */
    BL_REPORT_TOO_LOUD,
    /* Events were lost: they had no room, or their units do not support them. */
    BL_REPORT_EVENTS_LOST,
    /* Events were played a cycle or more late, in order, since there were too many at once. */
    BL_REPORT_EVENTS_DELAYED,
    /* A control has recalled a scene, or requests an action of the control side. Each control is
       reported 20 times a second at most. */
    BL_REPORT_CONTROL,
    /* A message has arrived at a MIDI input; left out if there is little room. */
    BL_REPORT_MIDI,
    /* A parameter or a bypass is moved in this cycle, but not by a lane. */
    BL_REPORT_MOVE,
    /* No further moves are reported. */
    BL_REPORT_MOVES_END,
    /* A unit's notice of a gesture, or of a value; left out, except ends, if there is little
       room. */
    BL_REPORT_GESTURE,
    /* A unit's log line; at most 10 a second for each unit. */
    BL_REPORT_LOG,
    BL_REPORT_XRUN
} bl_report_type;

typedef struct bl_fault_report {
    uint32_t node;
    uint32_t count; /* occurrences since its last such report */
} bl_fault_report;

typedef struct bl_loud_report {
    uint32_t output;
    uint32_t node;  /* BL_RACK: the input was as loud */
    uint32_t count; /* seconds since the last such report */
    float peak;     /* the unit's peak, a magnitude */
} bl_loud_report;

/* The most units reported for a late cycle: of those that took most of it, and of those that did
   not respond. */
#define BL_MOST_BLAMED 3

/* A unit's share of a cycle. The time of all units that were not timed in it is attributed to the
   slowest of them. */
typedef struct bl_blame {
    uint32_t node;
    float time; /* nanoseconds */
} bl_blame;

/* Late cycles since the last such report, with the values of the longest. */
typedef struct bl_xrun_report {
    uint32_t count;
    float delay;      /* the greatest delay by the JACK server, microseconds */
    float cycle_time; /* the whole graph's time, nanoseconds */
    uint32_t frames;  /* length of that cycle */
    uint32_t blamed_count, late_count;
    bl_blame blamed[BL_MOST_BLAMED]; /* the slowest units, slowest first */
    uint32_t late[BL_MOST_BLAMED];   /* remote units that did not respond in time */
} bl_xrun_report;

typedef struct bl_control_report {
    const bl_graph *graph; /* a graph not yet reported retired */
    uint32_t control;      /* index in the graph's description */
    uint32_t count;        /* presses since its last report */
    int64_t sample_time;   /* time of the last press */
} bl_control_report;

typedef struct bl_midi_report {
    uint32_t port; /* MIDI input of the rack */
    bl_midi_event message;
} bl_midi_report;

typedef struct bl_move_report {
    uint32_t node;
    uint32_t lost;             /* reports of this kind lost before it */
    float before;              /* the old target */
    bl_parameter_event change; /* of a parameter or BL_CONTROL_BYPASS */
    int64_t frame;             /* transport position */
} bl_move_report;

typedef struct bl_gesture_report {
    uint32_t node;
    bl_notice_type type;
    bl_parameter_address address;
    float before, value;
} bl_gesture_report;

typedef struct bl_log_report {
    uint32_t node;
    uint32_t lost; /* lines lost before it */
    char text[BL_NOTICE_TEXT_CAPACITY];
} bl_log_report;

typedef struct bl_report {
    bl_report_type type;
    union {
        bl_graph *graph;       /* GRAPH_RETIRED, FADES_FINISHED */
        bl_fault_report fault; /* LATENCY_EXCEEDED to UNAVAILABLE */
        bl_loud_report loud;   /* TOO_LOUD */
        uint64_t events;       /* EVENTS_LOST, EVENTS_DELAYED: number since the last such report */
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
