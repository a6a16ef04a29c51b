#include "jack_server.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "jack_message.h"

/* Declared here, since JACK's header for them is under the GPL; unchanged since 2008. */
typedef struct jackctl_server jackctl_server;
typedef struct jackctl_driver jackctl_driver;
typedef struct jackctl_parameter jackctl_parameter;

typedef struct jackctl_list {
    void *data;
    struct jackctl_list *next;
} jackctl_list;

enum { TYPE_INTEGER = 1, TYPE_UNSIGNED, TYPE_CHARACTER, TYPE_STRING, TYPE_BOOLEAN };

typedef union jackctl_value {
    uint32_t ui;
    int32_t i;
    char c;
    char str[128];
    bool b;
} jackctl_value;

typedef void message_function(const char *);

#define CONTROL_FUNCTIONS(X)                                                                       \
    X(const char *, jack_get_version_string, (void))                                               \
    X(void, jack_set_error_function, (message_function *))                                         \
    X(void, jack_set_info_function, (message_function *))                                          \
    X(jackctl_server *, jackctl_server_create,                                                     \
      (bool (*acquire)(const char *), void (*release)(const char *)))                              \
    X(void, jackctl_server_destroy, (jackctl_server *))                                            \
    X(const jackctl_list *, jackctl_server_get_drivers_list, (jackctl_server *))                   \
    X(const jackctl_list *, jackctl_server_get_parameters, (jackctl_server *))                     \
    X(bool, jackctl_server_open, (jackctl_server *, jackctl_driver *))                             \
    X(bool, jackctl_server_start, (jackctl_server *))                                              \
    X(bool, jackctl_server_stop, (jackctl_server *))                                               \
    X(bool, jackctl_server_close, (jackctl_server *))                                              \
    X(const char *, jackctl_driver_get_name, (jackctl_driver *))                                   \
    X(const jackctl_list *, jackctl_driver_get_parameters, (jackctl_driver *))                     \
    X(const char *, jackctl_parameter_get_name, (jackctl_parameter *))                             \
    X(int, jackctl_parameter_get_type, (jackctl_parameter *))                                      \
    X(bool, jackctl_parameter_set_value, (jackctl_parameter *, const jackctl_value *))

struct bl_jack_server {
    jackctl_server *server;
#define FIELD(result, name, arguments) result(*name) arguments;
    CONTROL_FUNCTIONS(FIELD)
#undef FIELD
};

static bool find_functions(bl_jack_server *server, void *handle) {
    bool found = true;
#define FIND(result, name, arguments)                                                              \
    *(void **)(&server->name) = dlsym(handle, #name);                                              \
    found = found && server->name != NULL;
    CONTROL_FUNCTIONS(FIND)
#undef FIND
    return found;
}

/* Sets the parameter of this name, if the list has it. */
static void set(const bl_jack_server *server, const jackctl_list *list, const char *name,
                uint32_t number, const char *text) {
    for (; list != NULL; list = list->next) {
        jackctl_parameter *parameter = list->data;
        if (strcmp(server->jackctl_parameter_get_name(parameter), name) != 0) {
            continue;
        }
        jackctl_value value;
        memset(&value, 0, sizeof value);
        switch (server->jackctl_parameter_get_type(parameter)) {
        case TYPE_STRING: strncpy(value.str, text != NULL ? text : "", sizeof value.str - 1); break;
        case TYPE_BOOLEAN: value.b = number != 0; break;
        default: value.ui = number;
        }
        server->jackctl_parameter_set_value(parameter, &value);
    }
}

static jackctl_driver *find_driver(const bl_jack_server *server, const char *name) {
    const jackctl_list *list = server->jackctl_server_get_drivers_list(server->server);
    for (; list != NULL; list = list->next) {
        if (strcmp(server->jackctl_driver_get_name(list->data), name) == 0) {
            return list->data;
        }
    }
    return NULL;
}

/* Opens and starts the created server. Returns NULL or an error. */
static const char *start(bl_jack_server *server, const bl_jack_server_options *options) {
    const jackctl_list *list = server->jackctl_server_get_parameters(server->server);
    set(server, list, "name", 0, options->name);
    set(server, list, "realtime", options->realtime, NULL);
    set(server, list, "realtime-priority", (uint32_t)options->realtime_priority, NULL);
    jackctl_driver *driver = find_driver(server, options->driver);
    if (driver == NULL) {
        return "this JACK has no such driver";
    }
    list = server->jackctl_driver_get_parameters(driver);
    set(server, list, "rate", options->sample_rate, NULL);
    set(server, list, "period", options->period, NULL);
    if (options->device != NULL) {
        set(server, list, options->playback_only ? "playback" : "device", 0, options->device);
    }
    if (!server->jackctl_server_open(server->server, driver)) {
        return "the driver does not open";
    }
    if (!server->jackctl_server_start(server->server)) {
        server->jackctl_server_close(server->server);
        return "the driver does not start";
    }
    return NULL;
}

/* Fills the table from the library, which stays loaded. Returns NULL or an error. */
static const char *load(bl_jack_server *server) {
    void *handle = dlopen("libjackserver.so.0", RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        return "libjackserver.so.0 cannot be loaded; install libjack-jackd2-0";
    }
    if (!find_functions(server, handle)) {
        return "libjackserver.so.0 has no control interface";
    }
    if (strstr(server->jack_get_version_string(), "PipeWire") != NULL) {
        return "the JACK in use is PipeWire's, which starts no server; start PipeWire itself, or "
               "use "
               "JACK2's libraries";
    }
    bl_jack_message_collect(server->jack_set_error_function, server->jack_set_info_function);
    return NULL;
}

bl_jack_server *bl_jack_server_start(const bl_jack_server_options *options, const char **error) {
    bl_jack_server *server = calloc(1, sizeof *server);
    if (server == NULL) {
        *error = "memory is short";
        return NULL;
    }
    *error = load(server);
    if (*error == NULL) {
        server->server = server->jackctl_server_create(NULL, NULL);
        *error = server->server != NULL ? start(server, options) : "JACK makes no server";
    }
    if (*error != NULL) {
        if (server->server != NULL) {
            server->jackctl_server_destroy(server->server);
        }
        free(server);
        return NULL;
    }
    return server;
}

void bl_jack_server_stop(bl_jack_server *server) {
    server->jackctl_server_stop(server->server);
    server->jackctl_server_close(server->server);
    server->jackctl_server_destroy(server->server);
    free(server);
}
