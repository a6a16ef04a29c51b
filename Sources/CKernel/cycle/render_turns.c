/* Renders the turns of a stretch: calls each unit, and checks and measures its output. A turn that
 * needs more is rendered by render_slow.c.
 *
 * Several threads share the work: each takes the next strand. The result does not depend on which
 * thread renders a strand: strands write to memory of their own, and sums keep their order.
 */
#include "cycle/denormals.h"
#include "cycle/kernel_state.h"
#include "cycle/render.h"

/* The highest bit of the kernel's gate: helpers may enter. The other bits count those inside. */
#define OPEN (UINT32_C(1) << 31)

/* Frames between decisions whether to share the work. */
#define DECISION_INTERVAL 4096
/* Nanoseconds that sharing the work must save to start; it continues while it saves half of
   this. */
#define LEAST_SAVING 20000

#if defined(__x86_64__)
#define PAUSE() __builtin_ia32_pause()
#else
#define PAUSE() ((void)0)
#endif

/* Measures a bus; false if a sample is NaN or infinite. A bus has a channel or two: unrolling the
   loop over them costs more than it saves. */
static inline __attribute__((always_inline)) bool
measure(bl_meter *meters, const bl_buffers *output, uint32_t frames) BL_NONBLOCKING {
    bool is_finite = true;
    _Pragma("clang loop unroll(disable) vectorize(disable)") for (uint32_t channel = 0;
                                                                  channel < output->channel_count;
                                                                  channel += 1) {
        is_finite = bl_meter_add(&meters[channel], output->channels[channel], frames) && is_finite;
    }
    return is_finite;
}

BL_VECTOR_CLONES
bool bl_measure(bl_meter *meters, const bl_buffers *output, uint32_t frames) BL_NONBLOCKING {
    return measure(meters, output, frames);
}

BL_VECTOR_CLONES
static void render_turns(bl_worker *worker, uint32_t first, uint32_t end) BL_NONBLOCKING {
    bl_graph *graph = worker->graph;
    const bl_timestamp timestamp = graph->stretch.timestamp;
    uint32_t flags = graph->stretch.flags, frames = graph->stretch.frames;
    for (uint32_t place = first; place < end; place += 1) {
        bl_turn *turn = &graph->turns[place];
        if (!turn->is_plain) {
            bl_render_turn_slow(worker, turn);
            continue;
        }
        bl_status status = turn->render(turn->unit, flags | turn->flags, &timestamp, frames, 0,
                                        &turn->output, NULL, &turn->host);
        if (status != BL_OK || !measure(turn->meters, &turn->output, frames)) {
            bl_replace_output(worker, turn, status);
        }
    }
}

/* The most threads that can render the graph, the caller included. */
static uint32_t most_threads(const bl_kernel *kernel) BL_NONBLOCKING {
    uint32_t threads = kernel->helpers.count + 1, workers = kernel->graph->worker_count;
    return threads < workers ? threads : workers;
}

uint32_t bl_kernel_threads(const bl_kernel *kernel) BL_NONBLOCKING {
    return kernel->graph->shares ? most_threads(kernel) : 1;
}

/* Renders strands until all are taken. A strand waits only for strands that were taken before, at
   most as long as they take. */
static void work(bl_worker *worker) BL_NONBLOCKING {
    bl_graph *graph = worker->graph;
    uint64_t stretch = graph->stretch.number;
    for (;;) {
        uint32_t next = atomic_fetch_add_explicit(&graph->strands_taken, 1, memory_order_relaxed);
        if (next >= graph->strand_count) {
            return;
        }
        bl_strand *strand = &graph->strands[graph->strand_order[next]];
        for (uint32_t index = 0; index < strand->source_count; index += 1) {
            const bl_strand *source = &graph->strands[strand->sources[index]];
            while (atomic_load_explicit(&source->ended, memory_order_acquire) != stretch) {
                PAUSE();
            }
        }
        render_turns(worker, strand->first, strand->end);
        atomic_store_explicit(&strand->ended, stretch, memory_order_release);
    }
}

void bl_kernel_help(bl_kernel *kernel, uint32_t helper) BL_NONBLOCKING {
    uint32_t gate = atomic_load_explicit(&kernel->gate, memory_order_relaxed);
    do {
        if ((gate & OPEN) == 0) {
            return;
        }
    } while (!atomic_compare_exchange_weak_explicit(&kernel->gate, &gate, gate + 1,
                                                    memory_order_acquire, memory_order_relaxed));
    bl_graph *graph = kernel->graph;
    if (helper < graph->worker_count) {
        bl_floating_point_mode mode = bl_flush_denormals();
        work(&graph->workers[helper]);
        bl_restore_floating_point(mode);
    }
    atomic_fetch_sub_explicit(&kernel->gate, 1, memory_order_release);
}

/* Decides, every DECISION_INTERVAL frames, whether the work is shared, and in which order. */
static void decide(bl_kernel *kernel) BL_NONBLOCKING {
    bl_graph *graph = kernel->graph;
    uint32_t threads = most_threads(kernel);
    graph->shares_credit += graph->stretch.frames;
    if (threads > 1 && graph->shares_credit >= DECISION_INTERVAL) {
        graph->shares_credit = 0;
        double saved = (double)bl_order_strands(graph, threads) * kernel->nanoseconds_per_tick;
        graph->shares = saved > (graph->shares ? LEAST_SAVING / 2 : LEAST_SAVING);
    }
    graph->shares = threads > 1 && (graph->shares || graph->always_shares);
}

/* Renders with the helpers that arrive in time. None is in the kernel when this returns: one that
   has entered leaves with the last strand, and a later one does not enter. */
static void render_shared(bl_kernel *kernel) BL_NONBLOCKING {
    bl_graph *graph = kernel->graph;
    atomic_store_explicit(&graph->strands_taken, 0, memory_order_relaxed);
    atomic_store_explicit(&kernel->gate, OPEN, memory_order_release);
    kernel->helpers.wake(kernel->helpers.context, most_threads(kernel) - 1);
    work(&graph->workers[0]);
    atomic_fetch_and_explicit(&kernel->gate, ~OPEN, memory_order_relaxed);
    while (atomic_load_explicit(&kernel->gate, memory_order_acquire) > 0) {
        PAUSE();
    }
}

void bl_kernel_render_turns(bl_kernel *kernel) BL_NONBLOCKING {
    bl_graph *graph = kernel->graph;
    decide(kernel);
    if (graph->shares) {
        render_shared(kernel);
    } else {
        render_turns(&graph->workers[0], 0, graph->turn_count);
    }
}
