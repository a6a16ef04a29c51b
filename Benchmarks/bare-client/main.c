/* The floor for a JACK client: one gain over two channels, and nothing else. Runs until SIGTERM.
   `bare-client SERVER xruns` prints once a second how many xruns the server has had since the
   client's start. */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "jack_library.h"

typedef struct client {
    const bl_jack_library *library;
    jack_port_t *inputs[2], *outputs[2];
    volatile float gain;
} client;

static int process(jack_nframes_t frames, void *context) {
    client *own = context;
    float gain = own->gain;
    for (int channel = 0; channel < 2; channel += 1) {
        const float *input = own->library->jack_port_get_buffer(own->inputs[channel], frames);
        float *output = own->library->jack_port_get_buffer(own->outputs[channel], frames);
        for (jack_nframes_t frame = 0; frame < frames; frame += 1) {
            output[frame] = input[frame] * gain;
        }
    }
    return 0;
}

static _Atomic unsigned xruns;

static int count_xrun(void *context) {
    (void)context;
    xruns += 1;
    return 0;
}

int main(int argument_count, char **arguments) {
    const char *error = NULL;
    client own = {.library = bl_jack_load_client(&error), .gain = 0.5f};
    if (own.library == NULL || argument_count < 2) {
        fprintf(stderr, "usage: %s SERVER [xruns]\n", arguments[0]);
        return EXIT_FAILURE;
    }
    jack_status_t status;
    jack_client_t *jack = bl_jack_open(own.library, "bare", arguments[1], &status);
    if (jack == NULL) {
        return EXIT_FAILURE;
    }
    static const char *const inputs[] = {"in_1", "in_2"}, *const outputs[] = {"out_1", "out_2"};
    for (int channel = 0; channel < 2; channel += 1) {
        own.inputs[channel] = own.library->jack_port_register(
            jack, inputs[channel], JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput, 0);
        own.outputs[channel] = own.library->jack_port_register(
            jack, outputs[channel], JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput, 0);
    }
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    own.library->jack_set_process_callback(jack, process, &own);
    own.library->jack_set_xrun_callback(jack, count_xrun, NULL);
    if (own.library->jack_activate(jack) != 0) {
        return EXIT_FAILURE;
    }
    int caught;
    if (argument_count == 2) {
        sigwait(&signals, &caught);
    }
    const struct timespec second = {1, 0};
    while (argument_count > 2 && sigtimedwait(&signals, NULL, &second) != SIGTERM) {
        printf("xruns so far: %u\n", xruns);
        fflush(stdout);
    }
    own.library->jack_client_close(jack);
    return EXIT_SUCCESS;
}
