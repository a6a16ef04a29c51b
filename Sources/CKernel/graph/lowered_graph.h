/* A graph in the form that the render thread uses.
 *
 * A slot holds one channel's pointer for this cycle: to a rack input or output (the caller's
 * memory), a buffer of the graph, silence, or a unit's own memory. The channels of a bus have
 * adjacent slots; slots are assigned when the graph is lowered.
 */
#pragma once

#include "backline/arena.h"
#include "cycle/delay_line.h"
#include "cycle/fence.h"
#include "event_plan.h"
#include "graph/node_state.h"
#include "kernel/graph.h"
#include "kernel/telemetry.h"

/* A channel that is recorded from a slot at the end of a stretch. */
typedef struct bl_slot_tap {
    uint32_t slot, channel;
} bl_slot_tap;

/* A channel of a node's output, recorded right after the node has rendered, before its memory is
   reused. */
typedef struct bl_node_tap {
    const struct bl_lowered_node *node; /* NULL ends the list */
    uint32_t slot, channel;
} bl_node_tap;

/* The recorded channels of a graph. */
typedef struct bl_recording_taps {
    bl_recorder *recorder; /* NULL for none */
    uint32_t slot_count;
    bl_slot_tap *slots;
    bl_node_tap *nodes; /* in order of their nodes */
} bl_recording_taps;

/* A cable, as a source of its destination. */
typedef struct bl_lowered_source {
    struct bl_lowered_node *node; /* NULL for a rack input */
    uint32_t bus;                 /* bus of the node, or number of the rack input */
    uint32_t channel_count;
    uint32_t slot;  /* slot of the first of these channels */
    uint32_t flags; /* BL_CABLE_… */
    /* The single channel of the source, and of the destination, from 1; 0 for all. */
    uint32_t channel, destination_channel;
    bl_delay_line *delay; /* for aligned paths or feedback; or NULL */
} bl_lowered_source;

/* An input bus of a node, or an output port of the rack. */
typedef struct bl_lowered_input {
    uint32_t channel_count;
    uint32_t source_count;
    bl_lowered_source *sources;
    uint32_t slot;  /* slot of the first channel, once mixed */
    bool is_mono;   /* all channels share that slot */
    bool is_direct; /* uses the slots of its only source: nothing to mix */
    uint64_t mixed; /* number of the last stretch in which it was mixed */
} bl_lowered_input;

/* An output bus of a node. */
typedef struct bl_lowered_output {
    uint32_t channel_count;
    uint32_t slot;        /* slot of the first channel */
    uint32_t first_meter; /* index in the node's meters */
    bool is_read;
    uint32_t readers; /* readers not rendered yet, while buffers are assigned */
    float **standby;  /* buffers for a unit that provides its output and fails; or NULL */
    float peak;       /* peak measured for the fence [render] */
} bl_lowered_output;

/* The nodes that a node reads from or receives MIDI from, each once. */
typedef struct bl_sources {
    uint32_t count;
    uint32_t *nodes; /* indices of nodes */
} bl_sources;

typedef struct bl_lowered_node {
    bl_node *node;
    struct bl_graph *graph;
    struct bl_turn *turn; /* its rendering turn */
    bl_sources sources;   /* in the order of rendering; without feedback */
    uint32_t input_count; /* the unit's inputs, then one for each modulation */
    bl_lowered_input *inputs;
    bl_lowered_output *outputs;
    bl_modulated *modulated; /* modulated parameters; or NULL */
    /* Buffers offered to the unit, one per input bus: the graph's slots or, if these do not
       suffice, `own_pointers` (channels). `channels` is NULL for a bus that nothing feeds. */
    bl_buffers *offered;
    float ***own_pointers;
    bl_midi_sender sender; /* its MIDI output */
    uint32_t latency;      /* frames from the rack's inputs to this node's outputs */
    uint32_t own_latency;  /* the unit's part of these when the graph was lowered */
    /* The delays of the dry sound by the unit's latency; NULL without latency. If the latency has
       changed since the last graph, `leaving_dry` (or no delay) crossfades to `dry`. */
    bl_delay_line *dry, *leaving_dry;
    bool dry_changes;
    bool keeps_dry;          /* stores the dry sound in every cycle, bypassed or not */
    bool can_be_plain;       /* plain turns are possible in this graph; see bl_turn */
    bool is_muted;           /* the unit is offered muted copies of its inputs [render] */
    bool is_sampled;         /* timed in this cycle, whatever its time; see timing.h [render] */
    const bl_node_tap *taps; /* its taps, followed by those of later nodes; or NULL */

    /* The fields of a remote unit. */
    uint32_t dispatch_place;          /* earliest place: it is dispatched before this node */
    struct bl_lowered_node *follower; /* reads its output without the host; or NULL */
    uint64_t read_outputs;            /* a bit per output bus */
    uint64_t dispatched; /* number of the stretch in which it was last dispatched [render] */
} bl_lowered_node;

/* A remote unit's dispatch before the node at `place`, unless it has been dispatched as the
   follower of another. */
typedef struct bl_dispatch {
    uint32_t place;
    bl_lowered_node *node;
} bl_dispatch;

/* A node's turn in a cycle. This holds all that a plain turn needs: the unit is called, and its
   output checked and measured. Everything else (events, bypass, faults, inputs to be mixed, other
   processes and so on) makes the turn slow: render_slow.c. */
typedef struct bl_turn {
    _Alignas(64) __typeof__(((bl_unit_descriptor *)0)->render) render;
    bl_unit *unit;
    bl_buffers output; /* slots of the first bus */
    bl_meter *meters;
    bool is_plain;
    bool hands_over; /* sends the cycle to its process; another turn renders */
    uint32_t flags;  /* the unit's flags besides the stretch's */
    bl_render_host host;
    bl_lowered_node *lowered;
} bl_turn;

_Static_assert(sizeof(bl_turn) == 128, "a turn is two lines of the cache");

/* A thread that renders the graph: its memory and its results. */
typedef struct bl_worker {
    struct bl_graph *graph;
    float *scratch;   /* one channel from a delay line */
    float *leaving;   /* one channel from a delay line that fades out */
    float **dry;      /* a node's dry sound, as wide as the widest output */
    uint64_t free_at; /* see order_strands.c */
    uint64_t copied_frames;
    bool has_faults; /* a node has faults to report */
    uint64_t events_lost;
} bl_worker;

/* A chain of turns without a fork, rendered by one thread. It waits for the strands that it reads
   from. */
typedef struct bl_strand {
    uint32_t first, end; /* range of its turns */
    uint32_t level;      /* above the levels of its sources */
    uint32_t source_count;
    uint32_t *sources; /* indices of strands */
    /* The render threads' fields. */
    _Atomic uint64_t ended; /* number of the last stretch in which it ended */
    /* Its last measured time, the longest path from its start to the end of all, and its predicted
       end. See order_strands.c. */
    uint64_t ticks, way, ends_at;
    uint64_t source_set; /* a bit per source, with 64 strands at most */
} bl_strand;

/* A stretch: a part of a cycle that is rendered at once. */
typedef struct bl_stretch {
    uint64_t number; /* a counter, used to mix inputs once in each */
    uint32_t flags;  /* BL_RENDER_… */
    uint32_t frames;
    bl_timestamp timestamp;
} bl_stretch;

struct bl_graph {
    bl_arena arena;
    void *context;
    uint32_t maximum_frames;
    uint32_t fade_frames;

    uint32_t slot_count;
    uint32_t buffer_count; /* slots with a buffer of the graph */
    float **slots;
    uint32_t input_channel_count, output_channel_count; /* the first slots, in this order */
    uint32_t silence_slot;
    float *silence;

    uint32_t input_count;
    uint32_t *input_channel_counts;
    uint32_t node_count; /* nodes that an output pulls, in the order of rendering */
    bl_lowered_node *nodes;
    uint32_t turn_count;
    bl_turn *turns; /* in the order of rendering */
    uint32_t worker_count;
    bl_worker *workers;
    uint32_t strand_count; /* 0 with one worker */
    bl_strand *strands;    /* in order of their turns */
    uint32_t *level_order, *time_order;
    const uint32_t *strand_order; /* one of these two, in which threads take the strands [render] */
    uint32_t *strand_of;          /* strand of each node */
    bool always_shares; /* always shares the turns among the workers; see render_turns.c */
    uint32_t dispatch_count;
    bl_dispatch *dispatches; /* in order of place, ended by UINT32_MAX */
    uint32_t idle_count;     /* other nodes, which receive parameters only */
    bl_node **idle_nodes;
    uint32_t known_count; /* all nodes of the description, sorted by identifier */
    bl_node **known;
    uint32_t output_count;
    bl_lowered_input *outputs; /* the rack's output ports */
    uint32_t *output_latencies;
    uint32_t feedback_count; /* sources that are stored at the end of a cycle */
    bl_lowered_source **feedback;
    bl_event_plan plan;
    uint32_t midi_input_count;
    bl_midi_telemetry *midi_inputs; /* [render] */
    struct bl_kernel *kernel;       /* the kernel that plays the graph [render] */
    bl_recording_taps recording;

    bl_stretch stretch;  /* the stretch being rendered [render] */
    uint64_t cycle;      /* the cycle's first stretch, by the kernel's count [render] */
    uint64_t long_ticks; /* ticks of a unit that is always timed; see timing.h [render] */
    const bl_musical_context *offered_context; /* set for all units [render] */
    const bl_transport_state *offered_transport;
    uint32_t next_sampled, sample_credit; /* see node_events.c [render] */
    bool shares;                          /* shares the turns among the workers [render] */
    uint32_t shares_credit;               /* frames since the last decision [render] */
    _Atomic uint32_t strands_taken;       /* number in this stretch [render] */
    int32_t fade_position;                /* below 0 while delay lines of fade-ins are filled */
    int32_t lead_position;                /* the fade_position at which lead-ins start */
    bool has_fades, fades_reported;
    bl_meter *input_meters, *output_meters; /* one per channel */
    bl_fence fence;
    /* The telemetry: the render thread's while it is not published, then the control side's. */
    bl_telemetry telemetry;
    _Atomic bool is_published;
    uint32_t next_published; /* index of the next unit to publish [render] */
    uint32_t publish_credit; /* frames since the last unit [render] */
    struct bl_graph *next_retired;
};

/* Silences the graph's delay lines. [render, or no cycle can run] */
void bl_graph_reset(bl_graph *graph) BL_NONBLOCKING;

/* The node with that identifier, also one that no output pulls; or NULL. [render] */
bl_node *bl_graph_find_node(const bl_graph *graph, uint32_t identifier) BL_NONBLOCKING;

/* The node's entry in the order of rendering; NULL if no output pulls it. */
bl_lowered_node *bl_graph_lowered_node(const bl_graph *graph, const bl_node *node);

/* Crossfades by the graph's fade, starting at position `start`; see bl_crossfade. [render] */
void bl_graph_fade(const bl_graph *graph, float *output, const float *from, const float *to,
                   int32_t start, uint32_t frames) BL_NONBLOCKING;

/* The slot of an input's channel. [any] */
static inline uint32_t bl_input_slot(const bl_lowered_input *input,
                                     uint32_t channel) BL_NONBLOCKING {
    return input->slot + (input->is_mono ? 0 : channel);
}

/* Copies the sound at a watched node's input, and after the node has rendered its output and the
   unit's arrays; `watched` is the node's mask. [render] */
void bl_watch_input(const bl_graph *graph, const bl_lowered_node *lowered,
                    uint32_t watched) BL_NONBLOCKING;
void bl_watch_output(const bl_graph *graph, bl_lowered_node *lowered,
                     uint32_t watched) BL_NONBLOCKING;

/* Writes a source's sound in this stretch to its delay. [render] */
void bl_write_delay(const bl_graph *graph, const bl_lowered_source *source) BL_NONBLOCKING;

/* Mixes the audio of an input that is not direct for this stretch, at most once. [render] */
void bl_mix_input(bl_worker *worker, bl_lowered_input *input) BL_NONBLOCKING;

/* The channel count of an endpoint: as a source, an output bus or a rack input; as a destination,
   an input bus or a rack output. 0 if it does not exist. [control] */
uint32_t bl_graph_channels_of(const bl_graph_description *description, bl_endpoint end,
                              bool is_source);

/* Finds the nodes that outputs pull, in their order, with their cables. Returns NULL or an error.
   [control] */
const char *bl_graph_order_nodes(bl_graph *graph, const bl_graph_description *description);
/* Reorders nodes if there are remote units among them; `order` holds indices into the description,
   as does `sources`, which has one entry for each node of the description. [control] */
void bl_order_remote_nodes(bl_arena *arena, const bl_graph_description *description,
                           const bl_sources *sources, uint32_t *order, uint32_t count);
/* Whether the sources of two graphs are one cable. [any] */
bool bl_is_same_source(const bl_lowered_source *one, const bl_lowered_source *other) BL_NONBLOCKING;
/* Computes latencies and the delays that align parallel paths. False when memory is short.
   [control] */
bool bl_graph_compensate_delays(bl_graph *graph, const bl_graph *previous);
/* Finds the place in the order at which each remote unit is dispatched; call after the delays are
   computed. [control] */
void bl_graph_plan_dispatch(bl_graph *graph);
/* Cuts the graph into strands, if there is more than one worker; with one strand, or units in other
   processes, there is one worker. [control] */
void bl_graph_cut_strands(bl_graph *graph);
/* The slot of the first channel of a rack input. [control] */
uint32_t bl_rack_input_slot(const bl_graph *graph, uint32_t input);
/* Assigns a slot to every cable's channels, and allocates the buffers. [control] */
void bl_graph_assign_buffers(bl_graph *graph);

/* Lowers MIDI cables, controls and lanes, once the nodes are ordered. Returns NULL or an error.
   [control] */
const char *bl_graph_lower_events(bl_graph *graph, const bl_graph_description *description);
/* The node that sends to a cable; NULL for the rack. [control] */
bl_lowered_node *bl_graph_sender(const bl_graph *graph, const bl_lowered_midi_cable *cable);
/* Frames from the rack's inputs to the latest MIDI at a node. [control] */
uint32_t bl_graph_midi_arrival(const bl_graph *graph, const bl_node *node);
/* Finds the slot of each recorded channel, once buffers are assigned; silence for nodes that no
   output pulls. [control] */
void bl_graph_lower_taps(bl_graph *graph, const bl_graph_description *description);
/* [control] */
void bl_graph_lower_fence(bl_graph *graph, const bl_graph_description *description);
/* [control] */
void bl_graph_allocate_telemetry(bl_graph *graph);
/* Lists the turns of a cycle, and allocates the workers; the last step of lowering. [control] */
void bl_graph_list_turns(bl_graph *graph);

/* Any of these flags fades a cable. */
#define BL_CABLE_FADES (BL_CABLE_FADE_IN | BL_CABLE_FADE_OUT | BL_CABLE_LEAD_IN)

/* Whether the input has a single source and passes it unchanged. */
static inline bool bl_lowered_input_is_direct(const bl_lowered_input *input) {
    return input->source_count == 1 && input->sources[0].delay == NULL &&
           input->sources[0].destination_channel == 0 &&
           (input->sources[0].flags & BL_CABLE_FADES) == 0;
}
