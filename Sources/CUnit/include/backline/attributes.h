/* Attributes of functions that run on the render thread, and of those that a library exports. */
#ifndef BACKLINE_ATTRIBUTES_H
#define BACKLINE_ATTRIBUTES_H

#include <stdint.h>

#if defined(__has_feature)
#define BL_HAS_FEATURE(feature) __has_feature(feature)
#else
#define BL_HAS_FEATURE(feature) 0
#endif

/* Marks a function (or a pointer to one) that may run on the render thread: it must not allocate,
   lock, block, call the operating system or log. Clang 20 and later verify it. */
#if defined(__clang__) && __has_attribute(nonblocking)
#define BL_NONBLOCKING_EFFECT __attribute__((nonblocking))
#else
#define BL_NONBLOCKING_EFFECT
#endif
#if defined(__cplusplus)
#define BL_NONBLOCKING noexcept BL_NONBLOCKING_EFFECT
#else
#define BL_NONBLOCKING BL_NONBLOCKING_EFFECT
#endif

/* Turns the real-time sanitizer off and on, around the few calls on a render thread that may wait,
   each with a bound and a reason. */
#if BL_HAS_FEATURE(realtime_sanitizer)
#include <sanitizer/rtsan_interface.h>
#define BL_ALLOW_WAITING() __rtsan_disable()
#define BL_FORBID_WAITING() __rtsan_enable()
#else
#define BL_ALLOW_WAITING() ((void)0)
#define BL_FORBID_WAITING() ((void)0)
#endif

/* Compiles a function twice, for recent and for all x86-64 processors; the loader chooses at start.
   Not under sanitizers, whose run time is not ready yet when the loader asks. */
#if defined(__x86_64__) && defined(__linux__) && __has_attribute(target_clones) &&                 \
    !BL_HAS_FEATURE(address_sanitizer) && !BL_HAS_FEATURE(thread_sanitizer) &&                     \
    !BL_HAS_FEATURE(realtime_sanitizer) && !BL_HAS_FEATURE(undefined_behavior_sanitizer)
#define BL_VECTOR_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define BL_VECTOR_CLONES
#endif

/* A function that is always compiled into its caller, and so for the caller's processor: calls with
   and without fused multiply-adds would give different bits for the same frames. */
#define BL_INLINE static inline __attribute__((always_inline))

#if defined(__cplusplus)
#define BL_RESTRICT __restrict
#define BL_EXTERN_C extern "C"
#define BL_BEGIN_DECLARATIONS extern "C" {
#define BL_END_DECLARATIONS }
#else
#define BL_RESTRICT restrict
#define BL_EXTERN_C extern
#define BL_BEGIN_DECLARATIONS
#define BL_END_DECLARATIONS
#endif

/* Marks the entry function of a unit library (see unit.h). */
#define BL_EXPORT BL_EXTERN_C __attribute__((visibility("default")))

#endif
