#define _GNU_SOURCE
#include "lookout.h"

#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "futex.h"

/* What render threads may rely on. */
enum { UNAVAILABLE, ASLEEP, AWAKE };

/* Whoever has not waited for so long is none to wait again soon. Nanoseconds */
static const int64_t idle_time = 1000000000;
/* The longest sleep of one who is awake: for waits that nobody could foresee. Nanoseconds */
static const int64_t longest_sleep = 10000000;
/* A wake-up that came just before the sleep is lost: another one so much later. Nanoseconds */
static const int64_t repetition = 50000;

static struct {
    pthread_once_t once;
    pthread_mutex_t mutex; /* over `first` and `thread` */
    bl_service_watch *first;
    _Atomic int thread;      /* as the system numbers threads; 0: there is none */
    _Atomic uint32_t state;  /* a futex */
    _Atomic uint32_t change; /* a futex */
} lookout = {.once = PTHREAD_ONCE_INIT};

/* Whoever holds it must not be held up by the very thread that is to be ended. */
static void make_mutex(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(&lookout.mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

static void lock(void) {
    pthread_once(&lookout.once, make_mutex);
    pthread_mutex_lock(&lookout.mutex);
}

void bl_service_watch_begin(bl_service_watch *watch) {
    atomic_init(&watch->until, BL_SERVICE_NEVER);
    lock();
    watch->next = lookout.first;
    lookout.first = watch;
    pthread_mutex_unlock(&lookout.mutex);
}

void bl_service_watch_end(bl_service_watch *watch) {
    lock();
    bl_service_watch **place = &lookout.first;
    while (*place != NULL && *place != watch) {
        place = &(*place)->next;
    }
    if (*place == watch) {
        *place = watch->next;
    }
    pthread_mutex_unlock(&lookout.mutex);
}

void bl_service_watch_change(void) {
    atomic_fetch_add(&lookout.change, 1);
    bl_futex_wake(&lookout.change);
}

/* Ends the wait if it is over its time; says when to look at it again. */
static int64_t look_at(bl_service_watch *watch, int64_t now) {
    int64_t until = atomic_load(&watch->until);
    if (until <= now) {
        bl_futex_wake(atomic_load_explicit(&watch->word, memory_order_relaxed));
        return now + repetition;
    }
    if (until != BL_SERVICE_NEVER) {
        return until;
    }
    int64_t begun = atomic_load_explicit(&watch->begun, memory_order_relaxed);
    if (now - begun > idle_time) {
        return BL_SERVICE_NEVER;
    }
    /* The next wait begins then at the earliest. */
    int64_t next = begun + atomic_load_explicit(&watch->period, memory_order_relaxed);
    return (next > now ? next : now) + atomic_load_explicit(&watch->patience, memory_order_relaxed);
}

static int64_t look(void) {
    int64_t now = bl_service_now(), due = BL_SERVICE_NEVER;
    lock();
    for (bl_service_watch *watch = lookout.first; watch != NULL; watch = watch->next) {
        int64_t again = look_at(watch, now);
        due = again < due ? again : due;
    }
    pthread_mutex_unlock(&lookout.mutex);
    return due == BL_SERVICE_NEVER || due - now < longest_sleep ? due : now + longest_sleep;
}

static void *look_out(void *context) {
    (void)context;
    atomic_store(&lookout.thread, (int)syscall(SYS_gettid));
    bl_futex_wake((_Atomic uint32_t *)&lookout.thread);
    for (;;) {
        uint32_t change = atomic_load(&lookout.change), state = atomic_load(&lookout.state);
        int64_t due = look();
        if (due != BL_SERVICE_NEVER) {
            bl_futex_wait(&lookout.change, change, due);
        } else if (state == AWAKE) {
            /* And look once more: who began to wait before this relies on us. */
            atomic_compare_exchange_strong(&lookout.state, &state, ASLEEP);
        } else {
            bl_futex_wait(&lookout.state, state, BL_SERVICE_NEVER);
        }
    }
    return NULL;
}

void bl_service_watch_wait(bl_service_watch *watch, _Atomic uint32_t *word, uint32_t value,
                           int64_t now, int64_t until) BL_NONBLOCKING {
    atomic_store_explicit(&watch->word, word, memory_order_relaxed);
    atomic_store_explicit(&watch->begun, now, memory_order_relaxed);
    atomic_store(&watch->until, until);
    uint32_t asleep = ASLEEP;
    bool is_watched = atomic_load(&lookout.state) == AWAKE;
    if (!is_watched && atomic_compare_exchange_strong(&lookout.state, &asleep, AWAKE)) {
        bl_futex_wake(&lookout.state); /* for the next wait */
    }
    bl_futex_wait(word, value, is_watched ? BL_SERVICE_NEVER : until);
    atomic_store(&watch->until, BL_SERVICE_NEVER);
}

static bool place(int thread, int priority, int except_processor) {
    struct sched_param parameters = {.sched_priority = priority};
    cpu_set_t processors;
    CPU_ZERO(&processors);
    for (int processor = 0; processor < CPU_SETSIZE; processor += 1) {
        if (processor != except_processor) {
            CPU_SET(processor, &processors);
        }
    }
    return sched_setaffinity(thread, sizeof processors, &processors) == 0 &&
           sched_setscheduler(thread, SCHED_FIFO, &parameters) == 0;
}

static bool has_thread(void) {
    pthread_t thread;
    if (atomic_load(&lookout.thread) == 0) {
        if (pthread_create(&thread, NULL, look_out, NULL) != 0) {
            return false;
        }
        pthread_detach(thread);
        while (atomic_load(&lookout.thread) == 0) {
            bl_futex_wait((_Atomic uint32_t *)&lookout.thread, 0, BL_SERVICE_NEVER);
        }
    }
    return true;
}

bool bl_service_lookout_start(int priority, int except_processor) {
    static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&starting);
    bool is_there =
        priority > 0 && has_thread() && place(lookout.thread, priority, except_processor);
    uint32_t unavailable = UNAVAILABLE;
    if (is_there) {
        atomic_compare_exchange_strong(&lookout.state, &unavailable, ASLEEP);
    } else {
        atomic_store(&lookout.state, UNAVAILABLE);
    }
    pthread_mutex_unlock(&starting);
    return is_there;
}
