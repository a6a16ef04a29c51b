#define _GNU_SOURCE
#include "unit_service/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The largest segment, room for 64 busses of 32 channels in cycles of 8192 frames. Bytes */
static const size_t most_bytes = (size_t)1 << 28;

static uint32_t channels_of(const uint32_t *counts, uint32_t bus_count) {
    uint32_t sum = 0;
    for (uint32_t bus = 0; bus < bus_count; bus += 1) {
        sum += counts[bus];
    }
    return sum;
}

static bool counts_are_valid(const uint32_t *counts, uint32_t bus_count) {
    for (uint32_t bus = 0; bus < bus_count && bus < BL_SERVICE_MAXIMUM_BUSSES; bus += 1) {
        if (counts[bus] == 0 || counts[bus] > BL_MAXIMUM_CHANNELS) {
            return false;
        }
    }
    return bus_count <= BL_SERVICE_MAXIMUM_BUSSES;
}

bool bl_service_shape_is_valid(const bl_service_shape *shape) {
    return shape->maximum_frames > 0 && shape->maximum_frames <= 1 << 16 &&
           shape->value_count > 0 && shape->value_count <= 1 << 22 &&
           shape->telemetry_capacity <= BL_TELEMETRY_CAPACITY &&
           counts_are_valid(shape->input_channel_counts, shape->input_bus_count) &&
           counts_are_valid(shape->output_channel_counts, shape->output_bus_count);
}

/* Reserves the next part of the memory, on a cache line of its own. */
static void *reserve(bl_service_segment *segment, size_t count, size_t size) {
    size_t place = segment->size;
    segment->size += (count * size + 63) & ~(size_t)63;
    return segment->memory == NULL ? NULL : (uint8_t *)segment->memory + place;
}

static void lay_out(bl_service_segment *segment) {
    const bl_service_shape *shape = &segment->shape;
    uint32_t stride = bl_service_stride(segment);
    segment->size = 0;
    segment->words = reserve(segment, 1, sizeof *segment->words);
    segment->request = reserve(segment, 1, sizeof *segment->request);
    segment->answer = reserve(segment, 1, sizeof *segment->answer);
    segment->values = reserve(segment, shape->value_count, sizeof *segment->values);
    segment->settings = reserve(segment, shape->value_count, sizeof *segment->settings);
    segment->events = reserve(segment, BL_SERVICE_EVENT_CAPACITY, sizeof *segment->events);
    segment->bytes = reserve(segment, BL_SERVICE_BYTE_CAPACITY, 1);
    segment->midi = reserve(segment, BL_SERVICE_MIDI_CAPACITY, sizeof *segment->midi);
    segment->midi_bytes = reserve(segment, BL_SERVICE_BYTE_CAPACITY, 1);
    segment->notices = reserve(segment, BL_SERVICE_NOTICE_CAPACITY, sizeof *segment->notices);
    segment->telemetry = reserve(segment, shape->telemetry_capacity, sizeof(float));
    size_t inputs = channels_of(shape->input_channel_counts, shape->input_bus_count);
    size_t outputs = channels_of(shape->output_channel_counts, shape->output_bus_count);
    segment->inputs = reserve(segment, inputs * stride, sizeof(float));
    segment->outputs = reserve(segment, outputs * stride, sizeof(float));
}

uint32_t bl_service_stride(const bl_service_segment *segment) BL_NONBLOCKING {
    return (segment->shape.maximum_frames + 15) & ~15u;
}

static float *channels_from(const bl_service_segment *segment, float *first, const uint32_t *counts,
                            uint32_t bus) BL_NONBLOCKING {
    size_t before = 0;
    for (uint32_t earlier = 0; earlier < bus; earlier += 1) {
        before += counts[earlier];
    }
    return first + before * bl_service_stride(segment);
}

float *bl_service_input(const bl_service_segment *segment, uint32_t bus) BL_NONBLOCKING {
    return channels_from(segment, segment->inputs, segment->shape.input_channel_counts, bus);
}

float *bl_service_output(const bl_service_segment *segment, uint32_t bus) BL_NONBLOCKING {
    return channels_from(segment, segment->outputs, segment->shape.output_channel_counts, bus);
}

void *bl_service_memory_map(size_t size, int descriptor, bl_service_access access) {
    struct stat facts;
    if (fstat(descriptor, &facts) != 0) {
        return NULL;
    }
    if ((uintmax_t)facts.st_size < size) {
        errno = EINVAL;
        return NULL;
    }
    int protection = access == BL_SERVICE_READ ? PROT_READ : PROT_READ | PROT_WRITE;
    void *memory = mmap(NULL, size, protection, MAP_SHARED | MAP_POPULATE, descriptor, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Creates memory of fixed size: if a unit shortened it, the host would die of SIGBUS. */
void *bl_service_memory_create(size_t size, int *descriptor) {
    *descriptor = memfd_create("backline-unit", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*descriptor < 0) {
        return NULL;
    }
    int seals = F_SEAL_SHRINK | F_SEAL_GROW;
    void *memory = NULL;
    if (ftruncate(*descriptor, (off_t)size) == 0 && fcntl(*descriptor, F_ADD_SEALS, seals) == 0) {
        memory = bl_service_memory_map(size, *descriptor, BL_SERVICE_READ_WRITE);
    }
    if (memory == NULL) {
        int reason = errno;
        close(*descriptor);
        *descriptor = -1;
        errno = reason;
    }
    return memory;
}

bool bl_service_memory_seal(int descriptor) {
    return fcntl(descriptor, F_ADD_SEALS, F_SEAL_FUTURE_WRITE | F_SEAL_SEAL) == 0;
}

static bool measure(bl_service_segment *segment, const bl_service_shape *shape) {
    *segment = (bl_service_segment){.shape = *shape};
    if (!bl_service_shape_is_valid(shape)) {
        errno = EINVAL;
        return false;
    }
    lay_out(segment);
    if (segment->size > most_bytes) {
        errno = ENOMEM;
        return false;
    }
    return true;
}

bool bl_service_segment_create(bl_service_segment *segment, const bl_service_shape *shape,
                               int *descriptor) {
    *descriptor = -1;
    if (!measure(segment, shape)) {
        return false;
    }
    segment->memory = bl_service_memory_create(segment->size, descriptor);
    if (segment->memory == NULL) {
        return false;
    }
    lay_out(segment);
    atomic_store(&segment->words->posted, BL_SERVICE_CLAIMED);
    return true;
}

bool bl_service_segment_map(bl_service_segment *segment, const bl_service_shape *shape,
                            int descriptor, bl_service_access access) {
    if (!measure(segment, shape)) {
        return false;
    }
    segment->memory = bl_service_memory_map(segment->size, descriptor, access);
    if (segment->memory == NULL) {
        return false;
    }
    lay_out(segment);
    return true;
}

void bl_service_segment_unmap(bl_service_segment *segment) {
    if (segment->memory != NULL) {
        munmap(segment->memory, segment->size);
    }
    *segment = (bl_service_segment){0};
}
