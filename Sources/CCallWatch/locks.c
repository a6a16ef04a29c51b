#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

#include "backline/attributes.h"
#include "call_watch.h"
#include "render_watch.h"

#if !BL_HAS_FEATURE(address_sanitizer) && !BL_HAS_FEATURE(thread_sanitizer) &&                     \
    !BL_HAS_FEATURE(realtime_sanitizer)

#define WATCHED __attribute__((visibility("default"), used))

/* Calls the C library's function of that name, looked up at the first call. */
#define PASS_ON(type, name, parameters, arguments)                                                 \
    WATCHED type name parameters {                                                                 \
        static type(*next) parameters;                                                             \
        if (next == NULL) {                                                                        \
            next = (type(*) parameters)dlsym(RTLD_NEXT, #name);                                    \
        }                                                                                          \
        bl_render_watch_record(#name);                                                             \
        return next arguments;                                                                     \
    }

PASS_ON(int, pthread_mutex_lock, (pthread_mutex_t * lock), (lock))
PASS_ON(int, pthread_rwlock_rdlock, (pthread_rwlock_t * lock), (lock))
PASS_ON(int, pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock))
PASS_ON(int, pthread_spin_lock, (pthread_spinlock_t * lock), (lock))
PASS_ON(int, pthread_cond_signal, (pthread_cond_t * condition), (condition))
PASS_ON(int, pthread_cond_broadcast, (pthread_cond_t * condition), (condition))
PASS_ON(int, sem_wait, (sem_t * semaphore), (semaphore))

bool bl_call_watch_works(void) {
    return dlsym(RTLD_DEFAULT, "pthread_mutex_lock") == (void *)pthread_mutex_lock &&
           dlsym(RTLD_DEFAULT, "malloc") != dlsym(RTLD_NEXT, "malloc");
}

#else
bool bl_call_watch_works(void) { return false; }
#endif
