/* Loads libjack at run time: building needs only JACK's headers; the system's libjack is JACK2's or
   PipeWire's. */
#ifndef BACKLINE_JACK_LIBRARY_H
#define BACKLINE_JACK_LIBRARY_H

#include <jack/jack.h>
#include <jack/metadata.h>
#include <jack/midiport.h>
#include <jack/statistics.h>
#include <jack/thread.h>
#include <jack/transport.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__) && __has_attribute(nonblocking)
#define BL_JACK_NONBLOCKING __attribute__((nonblocking))
#else
#define BL_JACK_NONBLOCKING
#endif

/* The functions that JACK's documentation allows in the process callback. */
#define BL_JACK_RENDER_FUNCTIONS(X)                                                                \
    X(jack_port_get_buffer)                                                                        \
    X(jack_last_frame_time)                                                                        \
    X(jack_midi_get_event_count)                                                                   \
    X(jack_midi_event_get)                                                                         \
    X(jack_midi_clear_buffer)                                                                      \
    X(jack_midi_event_write)                                                                       \
    X(jack_transport_query)

#define BL_JACK_CONTROL_FUNCTIONS(X)                                                               \
    X(jack_activate)                                                                               \
    X(jack_client_close)                                                                           \
    X(jack_client_create_thread)                                                                   \
    X(jack_client_name_size)                                                                       \
    X(jack_client_open)                                                                            \
    X(jack_client_real_time_priority)                                                              \
    X(jack_connect)                                                                                \
    X(jack_cpu_load)                                                                               \
    X(jack_deactivate)                                                                             \
    X(jack_disconnect)                                                                             \
    X(jack_free)                                                                                   \
    X(jack_free_description)                                                                       \
    X(jack_frame_time)                                                                             \
    X(jack_get_buffer_size)                                                                        \
    X(jack_get_client_name)                                                                        \
    X(jack_get_ports)                                                                              \
    X(jack_get_properties)                                                                         \
    X(jack_get_sample_rate)                                                                        \
    X(jack_get_version_string)                                                                     \
    X(jack_get_xrun_delayed_usecs)                                                                 \
    X(jack_is_realtime)                                                                            \
    X(jack_on_info_shutdown)                                                                       \
    X(jack_on_shutdown)                                                                            \
    X(jack_port_by_id)                                                                             \
    X(jack_port_by_name)                                                                           \
    X(jack_port_connected)                                                                         \
    X(jack_port_flags)                                                                             \
    X(jack_port_get_all_connections)                                                               \
    X(jack_port_get_latency_range)                                                                 \
    X(jack_port_is_mine)                                                                           \
    X(jack_port_name)                                                                              \
    X(jack_port_name_size)                                                                         \
    X(jack_port_register)                                                                          \
    X(jack_port_set_latency_range)                                                                 \
    X(jack_port_type)                                                                              \
    X(jack_port_unregister)                                                                        \
    X(jack_port_uuid)                                                                              \
    X(jack_recompute_total_latencies)                                                              \
    X(jack_remove_properties)                                                                      \
    X(jack_set_buffer_size_callback)                                                               \
    X(jack_set_error_function)                                                                     \
    X(jack_set_freewheel)                                                                          \
    X(jack_set_freewheel_callback)                                                                 \
    X(jack_set_info_function)                                                                      \
    X(jack_set_latency_callback)                                                                   \
    X(jack_set_port_connect_callback)                                                              \
    X(jack_set_port_registration_callback)                                                         \
    X(jack_set_port_rename_callback)                                                               \
    X(jack_set_process_callback)                                                                   \
    X(jack_set_property)                                                                           \
    X(jack_set_sample_rate_callback)                                                               \
    X(jack_set_thread_creator)                                                                     \
    X(jack_set_timebase_callback)                                                                  \
    X(jack_set_xrun_callback)                                                                      \
    X(jack_transport_locate)                                                                       \
    X(jack_transport_start)                                                                        \
    X(jack_transport_stop)

/* libjack's functions by their own names: library->jack_connect(client, from, to). */
typedef struct bl_jack_library {
#define BL_JACK_FIELD(name) __typeof__(&name) BL_JACK_NONBLOCKING name;
    BL_JACK_RENDER_FUNCTIONS(BL_JACK_FIELD)
#undef BL_JACK_FIELD
#define BL_JACK_FIELD(name) __typeof__(&name) name;
    BL_JACK_CONTROL_FUNCTIONS(BL_JACK_FIELD)
#undef BL_JACK_FIELD
} bl_jack_library;

/* Loads libjack.so.0, the client library, once; NULL, and a static text in *error, if it or a
   function is missing. [control, any thread] */
const bl_jack_library *bl_jack_load_client(const char **error);

/* Whether this is PipeWire's libjack, which connects only to PipeWire. [control] */
bool bl_jack_is_pipewire(const bl_jack_library *library);

/* Calls jack_client_open without variable arguments; never starts a server. NULL is the default
   server. [control] */
jack_client_t *bl_jack_open(const bl_jack_library *library, const char *name, const char *server,
                            jack_status_t *status);

#endif
