/* The wait monitor; see threads.h. */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "link_private.h"
#include "unit_service/threads.h"

/* Whether render threads may sleep without a timer, which they may only while it is awake. */
enum { UNAVAILABLE, ASLEEP, AWAKE };

/* The idle time after which a link is not expected to wait soon. Nanoseconds */
static const int64_t idle_time = 1000000000;
/* The longest sleep while awake, for unexpected waits. Nanoseconds */
static const int64_t longest_sleep = 10000000;
/* The time to the next wake-up, in case one came just before the sleep and was lost. Nanoseconds */
static const int64_t repetition = 50000;

static struct {
    pthread_once_t once;
    pthread_mutex_t mutex; /* over `first` and `thread` */
    bl_service_wait *first;
    _Atomic int thread;      /* the system's thread identifier; 0: none */
    _Atomic uint32_t state;  /* a futex */
    _Atomic uint32_t change; /* a futex */
} monitor = {.once = PTHREAD_ONCE_INIT};

/* Uses priority inheritance: the monitor must not wait for a low-priority thread. */
static void make_mutex(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(&monitor.mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

static void lock(void) {
    pthread_once(&monitor.once, make_mutex);
    pthread_mutex_lock(&monitor.mutex);
}

void bl_service_wait_add(bl_service_wait *wait) {
    atomic_init(&wait->until, BL_SERVICE_NEVER);
    lock();
    wait->next = monitor.first;
    monitor.first = wait;
    pthread_mutex_unlock(&monitor.mutex);
}

void bl_service_wait_remove(bl_service_wait *wait) {
    lock();
    bl_service_wait **place = &monitor.first;
    while (*place != NULL && *place != wait) {
        place = &(*place)->next;
    }
    if (*place == wait) {
        *place = wait->next;
    }
    pthread_mutex_unlock(&monitor.mutex);
}

void bl_service_wait_changed(void) {
    atomic_fetch_add(&monitor.change, 1);
    bl_futex_wake(&monitor.change);
}

/* Ends the wait if it has timed out; returns the time of the next check. */
static int64_t check(bl_service_wait *wait, int64_t now) {
    int64_t until = atomic_load(&wait->until);
    if (until <= now) {
        bl_futex_wake(atomic_load_explicit(&wait->word, memory_order_relaxed));
        return now + repetition;
    }
    if (until != BL_SERVICE_NEVER) {
        return until;
    }
    int64_t started = atomic_load_explicit(&wait->started, memory_order_relaxed);
    if (now - started > idle_time) {
        return BL_SERVICE_NEVER;
    }
    /* Compute the earliest start of the next wait. */
    int64_t next = started + atomic_load_explicit(&wait->period, memory_order_relaxed);
    return (next > now ? next : now) + atomic_load_explicit(&wait->timeout, memory_order_relaxed);
}

static int64_t check_all(void) {
    int64_t now = bl_service_now(), due = BL_SERVICE_NEVER;
    lock();
    for (bl_service_wait *wait = monitor.first; wait != NULL; wait = wait->next) {
        int64_t again = check(wait, now);
        due = again < due ? again : due;
    }
    pthread_mutex_unlock(&monitor.mutex);
    return due == BL_SERVICE_NEVER || due - now < longest_sleep ? due : now + longest_sleep;
}

static void *run(void *context) {
    (void)context;
    atomic_store(&monitor.thread, (int)syscall(SYS_gettid));
    bl_futex_wake((_Atomic uint32_t *)&monitor.thread);
    for (;;) {
        uint32_t change = atomic_load(&monitor.change), state = atomic_load(&monitor.state);
        int64_t due = check_all();
        if (due != BL_SERVICE_NEVER) {
            bl_futex_wait(&monitor.change, change, due);
        } else if (state == AWAKE) {
            /* Check once more: a wait that started before this has no timer. */
            atomic_compare_exchange_strong(&monitor.state, &state, ASLEEP);
        } else {
            bl_futex_wait(&monitor.state, state, BL_SERVICE_NEVER);
        }
    }
    return NULL;
}

void bl_service_wait_for(bl_service_wait *wait, _Atomic uint32_t *word, uint32_t value, int64_t now,
                         int64_t until) BL_NONBLOCKING {
    atomic_store_explicit(&wait->word, word, memory_order_relaxed);
    int64_t last = atomic_exchange_explicit(&wait->started, now, memory_order_relaxed);
    atomic_store(&wait->until, until);
    uint32_t asleep = ASLEEP;
    /* The monitor does not expect a wait after idle time. */
    bool is_monitored = atomic_load(&monitor.state) == AWAKE && now - last <= idle_time;
    if (!is_monitored && atomic_compare_exchange_strong(&monitor.state, &asleep, AWAKE)) {
        bl_futex_wake(&monitor.state); /* for the next wait */
    }
    bl_futex_wait(word, value, is_monitored ? BL_SERVICE_NEVER : until);
    atomic_store(&wait->until, BL_SERVICE_NEVER);
}

static bool place_monitor(int thread, int priority, int except_processor) {
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
    if (atomic_load(&monitor.thread) == 0) {
        if (pthread_create(&thread, NULL, run, NULL) != 0) {
            return false;
        }
        pthread_detach(thread);
        while (atomic_load(&monitor.thread) == 0) {
            bl_futex_wait((_Atomic uint32_t *)&monitor.thread, 0, BL_SERVICE_NEVER);
        }
    }
    return true;
}

bool bl_service_wait_monitor_start(int priority, int except_processor) {
    static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&starting);
    bool is_there =
        priority > 0 && has_thread() && place_monitor(monitor.thread, priority, except_processor);
    uint32_t unavailable = UNAVAILABLE;
    if (is_there) {
        atomic_compare_exchange_strong(&monitor.state, &unavailable, ASLEEP);
    } else {
        atomic_store(&monitor.state, UNAVAILABLE);
    }
    pthread_mutex_unlock(&starting);
    return is_there;
}
