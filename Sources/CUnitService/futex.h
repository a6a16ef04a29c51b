/* Waking and waiting between processes.
 *
 * The one place where the render thread enters the operating system: another process can render
 * for it in no other way. It waits until a moment that is settled before, and no longer.
 */
#ifndef BACKLINE_SERVICE_FUTEX_H
#define BACKLINE_SERVICE_FUTEX_H

#include <stdatomic.h>
#include <stdint.h>

#include "backline/attributes.h"

/* CLOCK_MONOTONIC, nanoseconds. [any thread] */
int64_t bl_service_now(void) BL_NONBLOCKING;

/* A moment that never comes. */
#define BL_SERVICE_NEVER INT64_MAX

/* Wakes who sleeps on the word. [any thread] */
void bl_futex_wake(_Atomic uint32_t *word) BL_NONBLOCKING;

/* Sleeps while the word has that value, until it is woken (or not: look again) or the moment has
   come. [any thread] */
void bl_futex_wait(_Atomic uint32_t *word, uint32_t value, int64_t until) BL_NONBLOCKING;

#endif
