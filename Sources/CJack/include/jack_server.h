/* A JACK2 server in this process, using the control interface of libjackserver, which is loaded at
   run time. Clients are opened by libjack as usual, even in this process: libjackserver has no
   functions for metadata. */
#ifndef BACKLINE_JACK_SERVER_H
#define BACKLINE_JACK_SERVER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct bl_jack_server bl_jack_server;

typedef struct bl_jack_server_options {
    const char *name;
    const char *driver;   /* "alsa" or "dummy" */
    const char *device;   /* ALSA's name of the sound card; NULL for the driver's own choice */
    bool playback_only;   /* the sound card cannot record */
    uint32_t sample_rate; /* Hz */
    uint32_t period;      /* frames */
    bool realtime;
    int32_t realtime_priority;
} bl_jack_server_options;

/* Starts a server. NULL with *error set (a permanent text; bl_jack_message_pop has JACK's own
   reasons). One at a time in a process. [control] */
bl_jack_server *bl_jack_server_start(const bl_jack_server_options *options, const char **error);

/* Stops the server; every client of this process must be closed. [control] */
void bl_jack_server_stop(bl_jack_server *server);

#endif
