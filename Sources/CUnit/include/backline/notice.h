/* Notices from a unit to its host while it renders, besides sound and MIDI: the unit has set one of
   its parameters, its latency or its tail has changed, or it has a line for the log. */
#ifndef BACKLINE_NOTICE_H
#define BACKLINE_NOTICE_H

#include <stddef.h>
#include <stdint.h>

#include "attributes.h"
#include "host.h"
#include "parameter.h"

BL_BEGIN_DECLARATIONS

typedef enum bl_notice_type {
    /* A person starts to move the parameter through the unit, such as by keys that it records. All
       values that the unit sets until the end of the gesture are one step to undo. */
    BL_NOTICE_GESTURE_BEGIN,
    /* The unit has set the parameter to the value. */
    BL_NOTICE_PARAMETER,
    BL_NOTICE_GESTURE_END,
    /* `latency` or `tail_time` returns another value from now on. */
    BL_NOTICE_TIMES_CHANGED,
    /* A line for the log: rare, and never once a cycle. */
    BL_NOTICE_LOG
} bl_notice_type;

/* The size of a log line, bytes, with the terminating 0; longer ones are cut. */
#define BL_NOTICE_TEXT_CAPACITY 96

typedef struct bl_notice {
    bl_notice_type type;
    int64_t sample_time;          /* a time in this cycle */
    bl_parameter_address address; /* GESTURE_… and PARAMETER: a writable parameter */
    float value;                  /* PARAMETER: within the parameter's range */
    const char *text;             /* LOG: UTF-8, ended by 0; copied */
} bl_notice;

/* Notifies the host, if it listens. [render] */
static inline void bl_notify(const bl_render_host *host, const bl_notice *notice) BL_NONBLOCKING {
    if (host->size > offsetof(bl_render_host, notify) && host->notify) {
        host->notify(host->context, notice);
    }
}

/* Notifies, as one gesture, that the unit has set the parameter. [render] */
static inline void bl_notify_gesture(const bl_render_host *host, int64_t sample_time,
                                     bl_parameter_address address, float value) BL_NONBLOCKING {
    bl_notice notice = {BL_NOTICE_GESTURE_BEGIN, sample_time, address, value, NULL};
    bl_notify(host, &notice);
    notice.type = BL_NOTICE_PARAMETER;
    bl_notify(host, &notice);
    notice.type = BL_NOTICE_GESTURE_END;
    bl_notify(host, &notice);
}

/* [render] */
static inline void bl_notify_times(const bl_render_host *host, int64_t sample_time) BL_NONBLOCKING {
    bl_notice notice = {BL_NOTICE_TIMES_CHANGED, sample_time, 0, 0, NULL};
    bl_notify(host, &notice);
}

/* [render] */
static inline void bl_notify_log(const bl_render_host *host, int64_t sample_time,
                                 const char *text) BL_NONBLOCKING {
    bl_notice notice = {BL_NOTICE_LOG, sample_time, 0, 0, text};
    bl_notify(host, &notice);
}

BL_END_DECLARATIONS

#endif
