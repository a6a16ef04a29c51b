/* A JACK2 server inside this process: libjackserver's control interface, cut down to starting and
   stopping one. */
#ifndef BACKLINE_JACK_SERVER_H
#define BACKLINE_JACK_SERVER_H

#include "jack_library.h"

typedef struct bl_jack_server bl_jack_server;

typedef struct bl_jack_server_options {
    const char *name;     /* other clients find it by this */
    const char *driver;   /* "alsa" or "dummy" */
    const char *device;   /* ALSA's name of the sound card; NULL for the driver's own choice */
    bool playback_only;   /* the sound card cannot record */
    uint32_t sample_rate; /* Hz */
    uint32_t period;      /* frames */
    bool realtime;
    int32_t realtime_priority;
} bl_jack_server_options;

/* Starts a server; `library` comes from bl_jack_load_server. NULL with *error set (static text;
   bl_jack_message_take has JACK's own reasons). One at a time in a process. [control] */
bl_jack_server *bl_jack_server_start(const bl_jack_library *library,
                                     const bl_jack_server_options *options, const char **error);

/* Every client of this process must be closed. [control] */
void bl_jack_server_stop(bl_jack_server *server);

#endif
