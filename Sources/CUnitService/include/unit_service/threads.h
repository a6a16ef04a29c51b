/* Places threads on processors, and measures the cost of waking them. */
#ifndef BACKLINE_SERVICE_THREADS_H
#define BACKLINE_SERVICE_THREADS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Sets a thread's real-time priority (SCHED_FIFO; 0: none), which its children do not inherit, and
   its processor (-1: any). Returns 0, or -1 and errno. [control] */
int bl_service_place_thread(pid_t thread, int priority, int processor);

/* Measures the time from one thread's wake-up call until the other runs: the median, in
   nanoseconds, of two threads that wake each other, on the processors `here` and `there`, at a
   SCHED_FIFO priority (0: none). Takes some milliseconds, at most 0.1 s; 0 if it cannot be
   measured. [control] */
uint32_t bl_service_wake_cost(int here, int there, int priority);

/* Starts the wait monitor: a thread that ends waits which have timed out.
 *
 * A wait with a timeout sets its processor's timer and clears it, every cycle; on a virtual machine
 * this can cost more than all the rest (5 µs each way were seen). So render threads sleep without a
 * timer, and the monitor checks them about once a cycle, at a real-time priority, on any processor
 * but one. False if it cannot run (no permission, no other processor): each wait then has a timer,
 * as before the first call. [control] */
bool bl_service_wait_monitor_start(int priority, int except_processor);

#endif
