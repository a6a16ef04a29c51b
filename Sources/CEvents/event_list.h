/* A list of events: those of one unit in a stretch, or of one of the rack's MIDI outputs. Every
   event is inserted by bl_event_list_insert, in this order: by time; at one frame parameters before
   MIDI; then by arrival, but a note's end before the notes of other senders that start there. */
#pragma once

#include "backline/event.h"
#include "backline/midi.h"
#include "events/control.h"
#include "events/midi_cable.h"

typedef struct bl_event_list {
    bl_event *first, *last;
    bl_event *last_parameter;
    bl_event *last_scheduled;
} bl_event_list;

static inline bool bl_event_is_bypass(const bl_event *event) BL_NONBLOCKING {
    return bl_event_is_parameter(event) && event->parameter.address == BL_CONTROL_BYPASS;
}

/* The message of a MIDI event; its port is the event's cable, its frame is 0. [any] */
bl_midi_message bl_event_message(const bl_event *event) BL_NONBLOCKING;

/* Whether the event moves a sustain or sostenuto pedal. [any] */
bool bl_event_is_pedal(const bl_event *event) BL_NONBLOCKING;
/* Whether the event ends a note or releases a pedal that holds notes. [any] */
bool bl_event_ends_note(const bl_event *event) BL_NONBLOCKING;

/* Inserts an event, not before `after`, the last one of the same sender, or NULL. [render] */
void bl_event_list_insert(bl_event_list *list, bl_event *after, bl_event *event) BL_NONBLOCKING;

/* Aborts if the list is not in order, in debug builds and under sanitizers: units rely on the
   order. [render] */
void bl_event_list_check(const bl_event_list *list) BL_NONBLOCKING;
