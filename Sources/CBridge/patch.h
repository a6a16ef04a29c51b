/* A plug-in's parameters and texts that are messages and not ports (LV2 patch): sent as patch:Set,
   and updated when the plug-in sends patch:Set or patch:Put. */
#pragma once

#include "event_port.h"
#include "message_ring.h"

/* The longest text, so that an empty port has room for its message. Bytes */
#define BL_PATCH_LONGEST_TEXT 16384u

struct bl_instance;

/* An instance's message state while it is allocated. */
typedef struct bl_patch {
    bl_message_ring texts;    /* messages, from the control thread to the render thread */
    atomic_bool has_restored; /* a state: set values must be sent again */
    bl_event_port *input;
    bool *is_due;  /* parameters to send at the start of the next cycle */
    bool *is_sent; /* parameters sent to the next run */
    bool has_due, asks;
    uint32_t waiting; /* bytes in `message`, for which the port had no room */
    uint8_t message[BL_MESSAGE_RING_SIZE];
} bl_patch;

/* Allocates memory if the plug-in has a port for messages; false when memory is short. All values
   set so far are due. [control] */
bool bl_patch_prepare(struct bl_instance *instance);
/* Sends all set values again, overriding those of a restored state. [control & allocated] */
void bl_patch_renew(struct bl_instance *instance);
/* Sends the text of a property; false if there is no room. [control & allocated] */
bool bl_patch_send_text(struct bl_instance *instance, uint32_t property);

/* Sends a parameter's value with the next cycle. [idle, or render] */
void bl_patch_set_later(struct bl_instance *instance, uint32_t parameter) BL_NONBLOCKING;
/* Sends a parameter's value; if the port is full, with the next cycle. [render] */
void bl_patch_set(struct bl_instance *instance, uint32_t parameter, uint32_t frame) BL_NONBLOCKING;
/* Sends what is due before a cycle's events; the cycle begins at `frame` of the block. Does nothing
   without messages, like bl_patch_follow. [render, or idle & allocated] */
void bl_patch_send(struct bl_instance *instance, uint32_t frame) BL_NONBLOCKING;
/* Applies the values that the plug-in has sent in a run, except those sent to that run, whose
   reports may be outdated; notifies the host, if not NULL, of them at `time`. [render, or idle &
   allocated] */
void bl_patch_follow(struct bl_instance *instance, const bl_render_host *host,
                     int64_t time) BL_NONBLOCKING;
