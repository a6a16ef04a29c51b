/* The denoiser's data: the learnt or loaded noise print. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "denoiser/denoiser.h"

/* How often a save checks whether the learning has ended, every 10 ms. */
#define ATTEMPTS 150

void denoiser_free_prints(denoiser_unit *denoiser) {
    bl_swap_slot_empty(&denoiser->origin);
    free(denoiser->loaded);
    free(denoiser->learnt);
}

/* The loaded print in a format; without channels if there is none. NULL when memory is short. */
static noise_print *origin_of(const denoiser_unit *denoiser, double rate, uint32_t channels,
                              uint32_t bins) {
    return denoiser->loaded != NULL ? noise_print_convert(denoiser->loaded, rate, channels, bins)
                                    : noise_print_create(rate, 0, 0);
}

bool denoiser_prepare_origin(denoiser_unit *denoiser, double rate, uint32_t channels,
                             uint32_t bins) {
    noise_print *origin = origin_of(denoiser, rate, channels, bins);
    if (origin != NULL) {
        bl_swap_slot_post(&denoiser->origin, origin);
        bl_swap_slot_finish(&denoiser->origin);
    }
    return origin != NULL;
}

bl_status denoiser_load_data(bl_unit *unit, uint32_t index, const void *bytes, size_t count,
                             char *message, size_t message_size) {
    denoiser_unit *denoiser = (denoiser_unit *)unit;
    (void)index;
    noise_print *loaded = count > 0 ? noise_print_load(bytes, count, message, message_size) : NULL;
    if (count > 0 && loaded == NULL) {
        return BL_ERROR_INVALID_PROPERTY_VALUE;
    }
    noise_print *former = denoiser->loaded;
    denoiser->loaded = loaded;
    bool is_allocated = denoiser->base.sample_rate > 0;
    const noise_print *learnt = denoiser->learnt;
    noise_print *origin =
        is_allocated ? origin_of(denoiser, learnt->sample_rate, learnt->channels, learnt->bins)
                     : NULL;
    if (is_allocated && origin == NULL) {
        free(loaded);
        denoiser->loaded = former;
        snprintf(message, message_size, "memory is short");
        return BL_ERROR_OUT_OF_MEMORY;
    }
    free(former);
    if (is_allocated) {
        bl_swap_slot_post(&denoiser->origin, origin);
    } else {
        bl_swap_slot_empty(&denoiser->origin); /* the next allocation converts it again */
    }
    return BL_OK;
}

/* A copy of the learnt noise; NULL while it changes, or when memory is short. */
static noise_print *copy(const denoiser_unit *denoiser, uint32_t version) {
    const noise_print *learnt = denoiser->learnt;
    noise_print *print =
        version % 2 == 0 ? noise_print_create(learnt->sample_rate, learnt->channels, learnt->bins)
                         : NULL;
    if (print == NULL) {
        return NULL;
    }
    size_t count = (size_t)learnt->channels * learnt->bins;
    memcpy(print->powers, learnt->powers, count * sizeof(float));
    atomic_thread_fence(memory_order_acquire);
    if (atomic_load(&denoiser->version) != version) {
        free(print);
        return NULL;
    }
    return print;
}

bl_status denoiser_save_data(bl_unit *unit, uint32_t index, const bl_data_writer *writer,
                             char *message, size_t message_size) {
    denoiser_unit *denoiser = (denoiser_unit *)unit;
    (void)index;
    /* Loaded data replace the learnt noise. */
    bool is_loading =
        denoiser->origin.present.object == NULL || atomic_load(&denoiser->origin.pending) != NULL;
    if (is_loading) {
        return BL_OK;
    }
    uint32_t version = 0;
    noise_print *print = NULL;
    for (int attempt = 0; print == NULL && attempt < ATTEMPTS; attempt += 1) {
        version = atomic_load_explicit(&denoiser->version, memory_order_acquire);
        bool is_known = version == atomic_load(&denoiser->saved_version) ||
                        denoiser->learnt == NULL || denoiser->base.parameters[LEARNT].target <= 0;
        if (version % 2 == 0 && is_known) {
            return BL_OK;
        }
        print = copy(denoiser, version);
        if (print == NULL) {
            nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
        }
    }
    if (print == NULL) {
        snprintf(message, message_size, "the noise is being learnt; save it again in a second");
        return BL_ERROR_UNAVAILABLE;
    }
    bl_status status = noise_print_save(print, writer);
    if (status == BL_OK) {
        atomic_store(&denoiser->saved_version, version);
    }
    free(print);
    return status;
}
