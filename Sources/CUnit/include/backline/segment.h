/* Cuts a cycle at its events, so that a unit's inner loop sees no events.
 *
 *     bl_segment segment = bl_segment_begin(timestamp, frames, events);
 *     while (bl_segment_next(&segment)) {
 *         for (const bl_event *event = segment.events; event != segment.events_end;
 *              event = event->next)
 *             apply(unit, event);
 *         process(unit, segment.first_frame, segment.frame_count);
 *     }
 */
#ifndef BACKLINE_SEGMENT_H
#define BACKLINE_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attributes.h"
#include "event.h"
#include "timestamp.h"

/* A run of frames without an event between them, and the events due at its first frame. */
typedef struct bl_segment {
    uint32_t first_frame;       /* offset in the cycle */
    uint32_t frame_count;       /* 1 or more, once bl_segment_next has returned true */
    const bl_event *events;     /* the events to apply, from this ... */
    const bl_event *events_end; /* ... up to but excluding this one */
    int64_t cycle_time;
    uint32_t cycle_frames;
} bl_segment;

/* Starts a cycle; bl_segment_next then advances to its first segment. [render] */
BL_INLINE bl_segment bl_segment_begin(const bl_timestamp *timestamp, uint32_t frames,
                                      const bl_event *events) BL_NONBLOCKING {
    bl_segment segment = {0, 0, events, events, timestamp->sample_time, frames};
    return segment;
}

/* Advances to the next segment; false when the cycle is over. [render] */
BL_INLINE bool bl_segment_next(bl_segment *segment) BL_NONBLOCKING {
    segment->first_frame += segment->frame_count;
    if (segment->first_frame >= segment->cycle_frames) {
        return false;
    }
    int64_t now = segment->cycle_time + segment->first_frame;
    const bl_event *event = segment->events_end;
    segment->events = event;
    while (event != NULL && event->sample_time <= now) {
        event = event->next;
    }
    segment->events_end = event;
    uint32_t end = segment->cycle_frames;
    if (event != NULL && event->sample_time - segment->cycle_time < (int64_t)end) {
        end = (uint32_t)(event->sample_time - segment->cycle_time);
    }
    segment->frame_count = end - segment->first_frame;
    return true;
}

#endif
