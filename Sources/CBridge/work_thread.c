#include "work_thread.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#include "message_ring.h"

struct bl_work_thread {
    LV2_Worker_Schedule feature;
    LV2_Handle plug_in;
    const LV2_Worker_Interface *interface;
    pthread_t thread;
    bool is_running;
    atomic_bool is_ending;
    sem_t wakes;
    uint32_t scheduled; /* owned by the scheduling thread */
    pthread_mutex_t lock;
    pthread_cond_t has_progressed;
    uint32_t done; /* under the lock */
    bl_message_ring requests, responses;
    uint8_t request[BL_MESSAGE_RING_SIZE], response[BL_MESSAGE_RING_SIZE];
};

/* A non-blocking system call on the render thread; see the bracket in bl_work_thread_deliver. */
static LV2_Worker_Status schedule(LV2_Worker_Schedule_Handle handle, uint32_t size,
                                  const void *data) {
    bl_work_thread *worker = handle;
    if (!worker->is_running) {
        return LV2_WORKER_ERR_UNKNOWN;
    }
    if (!bl_message_ring_write(&worker->requests, data, size)) {
        return LV2_WORKER_ERR_NO_SPACE;
    }
    worker->scheduled += 1;
    sem_post(&worker->wakes);
    return LV2_WORKER_SUCCESS;
}

static LV2_Worker_Status respond(LV2_Worker_Respond_Handle handle, uint32_t size,
                                 const void *data) {
    bl_work_thread *worker = handle;
    return bl_message_ring_write(&worker->responses, data, size) ? LV2_WORKER_SUCCESS
                                                                 : LV2_WORKER_ERR_NO_SPACE;
}

static void *work(void *context) {
    bl_work_thread *worker = context;
    for (;;) {
        while (sem_wait(&worker->wakes) != 0) {
        }
        if (atomic_load(&worker->is_ending)) {
            return NULL;
        }
        uint32_t size = 0;
        if (bl_message_ring_read(&worker->requests, worker->request, &size)) {
            worker->interface->work(worker->plug_in, respond, worker, size,
                                    size > 0 ? worker->request : NULL);
            pthread_mutex_lock(&worker->lock);
            worker->done += 1;
            pthread_cond_signal(&worker->has_progressed);
            pthread_mutex_unlock(&worker->lock);
        }
    }
}

bl_work_thread *bl_work_thread_create(void) {
    bl_work_thread *worker = aligned_alloc(64, (sizeof *worker + 63) / 64 * 64);
    if (worker != NULL) {
        /* Touch all of it: the render thread must not fault. */
        memset(worker, 0, sizeof *worker);
        worker->feature = (LV2_Worker_Schedule){worker, schedule};
        sem_init(&worker->wakes, 0, 0);
        pthread_mutex_init(&worker->lock, NULL);
        pthread_cond_init(&worker->has_progressed, NULL);
    }
    return worker;
}

LV2_Worker_Schedule *bl_work_thread_feature(bl_work_thread *worker) { return &worker->feature; }

bool bl_work_thread_start(bl_work_thread *worker, LV2_Handle plug_in,
                          const LV2_Worker_Interface *interface) {
    worker->plug_in = plug_in;
    worker->interface = interface;
    worker->is_running = pthread_create(&worker->thread, NULL, work, worker) == 0;
    return worker->is_running;
}

void bl_work_thread_stop(bl_work_thread *worker) {
    if (worker != NULL && worker->is_running) {
        atomic_store(&worker->is_ending, true);
        sem_post(&worker->wakes);
        pthread_join(worker->thread, NULL);
        worker->is_running = false;
    }
}

void bl_work_thread_free(bl_work_thread *worker) {
    if (worker != NULL) {
        sem_destroy(&worker->wakes);
        pthread_mutex_destroy(&worker->lock);
        pthread_cond_destroy(&worker->has_progressed);
        free(worker);
    }
}

bool bl_work_thread_is_running(const bl_work_thread *worker) BL_NONBLOCKING {
    return worker->is_running;
}

/* Calls the plug-in's own code, which cannot be verified; and waits for its work if there is no
   deadline. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wfunction-effects"

void bl_work_thread_deliver(bl_work_thread *worker, bool waits) BL_NONBLOCKING {
    BL_ALLOW_WAITING();
    if (waits) {
        pthread_mutex_lock(&worker->lock);
        while (worker->done != worker->scheduled) {
            pthread_cond_wait(&worker->has_progressed, &worker->lock);
        }
        pthread_mutex_unlock(&worker->lock);
    }
    uint32_t size = 0;
    /* Deliver only the current responses: the thread may continue to respond. */
    uint32_t end = atomic_load_explicit(&worker->responses.written, memory_order_acquire);
    while (worker->interface->work_response != NULL &&
           atomic_load_explicit(&worker->responses.read, memory_order_relaxed) != end &&
           bl_message_ring_read(&worker->responses, worker->response, &size)) {
        worker->interface->work_response(worker->plug_in, size, size > 0 ? worker->response : NULL);
    }
    if (worker->interface->end_run != NULL) {
        worker->interface->end_run(worker->plug_in);
    }
    BL_FORBID_WAITING();
}

#pragma clang diagnostic pop
