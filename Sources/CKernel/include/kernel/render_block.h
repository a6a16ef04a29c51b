/* Renders one unit outside any rack, one cycle for each call by its host: like AURenderBlock. */
#ifndef BACKLINE_KERNEL_RENDER_BLOCK_H
#define BACKLINE_KERNEL_RENDER_BLOCK_H

#include "kernel.h"

BL_BEGIN_DECLARATIONS

/* Provides an input bus of the unit for this cycle: fills the memory offered, or replaces the
   pointers by others that stay valid until the end of the cycle. [render] */
typedef bl_status (*bl_pull_input)(void *context, uint32_t flags, const bl_timestamp *timestamp,
                                   uint32_t frames, uint32_t bus, bl_buffers *input) BL_NONBLOCKING;
/* Provides musical time; false if unknown. [render] */
typedef bool (*bl_musical_context_function)(void *context,
                                            bl_musical_context *music) BL_NONBLOCKING;
/* Provides the transport; false if unknown. [render] */
typedef bool (*bl_transport_state_function)(void *context,
                                            bl_transport_state *transport) BL_NONBLOCKING;
/* Receives a complete MIDI message from the unit's output `cable`, system exclusive with its 0xF0
   and 0xF7: after the cycle is rendered, and in order of time for each cable. The bytes last for
   the call. Returns false without room; the message is then counted as lost. [render] */
typedef bool (*bl_midi_output_function)(void *context, int64_t sample_time, uint8_t cable,
                                        uint32_t length, const uint8_t *bytes) BL_NONBLOCKING;

typedef struct bl_render_block bl_render_block;

typedef struct bl_render_block_description {
    bl_node *node;
    const bl_render_configuration *configuration; /* the node's formats */
    /* Enabled busses, one flag for each. Pulling a disabled input returns BL_ERROR_NO_CONNECTION;
       disabled outputs are silent. */
    const bool *inputs_enabled;
    const bool *outputs_enabled;
    bl_musical_context_function musical_context; /* or NULL */
    void *musical_context_context;
    bl_transport_state_function transport_state; /* or NULL */
    void *transport_state_context;
    bl_midi_output_function midi_output; /* or NULL */
    void *midi_output_context;
} bl_render_block_description;

/* Creates a graph of this node and sends it to the kernel. NULL, and a static text in *error, on
   failure. [control, while the kernel renders nothing and no thread sends it commands] */
bl_render_block *bl_render_block_create(bl_kernel *kernel,
                                        const bl_render_block_description *description,
                                        const char **error);
/* Removes the graph. [control, under the same conditions] */
void bl_render_block_destroy(bl_render_block *block);

/* Renders `frames` frames of output bus `bus`, into the host's memory or, where a pointer is null,
   into the block's own, valid until the next cycle. One call for each bus and cycle; calls with the
   same timestamp are one cycle. `pull` is called once in a cycle for each enabled input bus; NULL
   means silence. Returns BL_ERROR_TOO_MANY_FRAMES, BL_ERROR_NO_SUCH_ELEMENT,
   BL_ERROR_FORMAT_NOT_SUPPORTED (a wrong channel count) or an error of `pull`, except
   BL_ERROR_NO_CONNECTION, which means silence. [render] */
bl_status bl_render_block_render(bl_render_block *block, uint32_t flags,
                                 const bl_timestamp *timestamp, uint32_t frames, uint32_t bus,
                                 bl_buffers *output, bl_pull_input pull,
                                 void *pull_context) BL_NONBLOCKING;

BL_END_DECLARATIONS

#endif
