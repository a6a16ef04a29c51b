/* A plug-in's parameters and texts that are messages and not ports (LV2 patch): sent as patch:Set,
   and followed where the plug-in says by patch:Set or patch:Put what they are. */
#pragma once

#include "event_port.h"
#include "message_ring.h"

/* Bytes of the longest text, so that an empty port has room for its message. */
#define BL_PATCH_LONGEST_TEXT 16384u

struct bl_instance;

/* What an instance keeps for its messages while it is allocated. */
typedef struct bl_patch {
    bl_message_ring texts;    /* messages, from the control thread to the render thread */
    atomic_bool has_restored; /* a state: values that were set are due again */
    bl_event_port *input;
    bool *is_due;  /* parameters to be sent at the start of the next cycle */
    bool *is_sent; /* parameters that the next run is told */
    bool has_due, asks;
    uint32_t waiting; /* bytes in `message`, for which the port had no room */
    uint8_t message[BL_MESSAGE_RING_SIZE];
} bl_patch;

/* Takes memory where the plug-in has a port for messages; false when it is short. What was set so
   far is due. [control] */
bool bl_patch_prepare(struct bl_instance *instance);
/* Has all that was set sent again, over what a state has brought. [control & allocated] */
void bl_patch_renew(struct bl_instance *instance);
/* Sends the text of a property; false where there is no room. [control & allocated] */
bool bl_patch_send_text(struct bl_instance *instance, uint32_t property);

/* Sends a parameter's value with the next cycle. [idle, or render] */
void bl_patch_set_later(struct bl_instance *instance, uint32_t parameter) BL_NONBLOCKING;
/* Sends a parameter's value; where the port is full, with the next cycle. [render] */
void bl_patch_set(struct bl_instance *instance, uint32_t parameter, uint32_t frame) BL_NONBLOCKING;
/* Sends what is due, before the events of a cycle, which begins at `frame` of the block; nothing
   without messages, like the next. [render, or idle & allocated] */
void bl_patch_send(struct bl_instance *instance, uint32_t frame) BL_NONBLOCKING;
/* Takes the values that the plug-in has sent in a run, except those that the run was told: it may
   have said them before; notifies the host, or NULL, of them at `time`. [render, or idle &
   allocated] */
void bl_patch_follow(struct bl_instance *instance, const bl_render_host *host,
                     int64_t time) BL_NONBLOCKING;
