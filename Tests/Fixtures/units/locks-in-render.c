/* expect: render-thread: calls pthread_mutex_lock */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define BEFORE(self, input, output, frames) pthread_mutex_lock(&lock)
#define AFTER(self, input, output, frames) pthread_mutex_unlock(&lock)
#include "plain_unit.h"

UNIT()
