/* Tries every plug-in of this machine as a unit, each in a process of its own:
   scripts/try-plug-ins.

   try-plug-ins                 all, and the totals
   try-plug-ins IDENTIFIER…     these
   try-plug-ins --time ID       64 in a row beside a bare loop */

#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "confinement/confinement.h"
#include "trial.h"

#define TIME_LIMIT 30 /* seconds */

static const char *const verdicts[] = {"ok", "silent", "NaN", "crash", "hang", "refused"};

/* Plug-ins print what they like; the table goes to standard output. */
static void silence_output(void) {
    if (getenv("TRY_VERBOSE") == NULL) {
        (void)!freopen("/dev/null", "w", stderr);
        (void)!freopen("/dev/null", "w", stdout);
    }
}

/* Drops the rights that a plug-in's process lacks when it plays. */
static void confine(void) {
    static const char *const readable[] = {"/usr/lib", "/usr/share", "/usr/local/lib", NULL};
    bl_confinement confinement = {.readable_paths = readable, .report_descriptor = -1};
    char missing[256];
    (void)bl_confine(&confinement, missing, sizeof missing);
}

typedef void act(bl_bridge *bridge, const char *identifier, bl_trial *trial);

/* Runs `act` in a child process; returns its status from waitpid. */
static int in_child(act *act, bl_bridge *bridge, const char *identifier, bl_trial *trial) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        silence_output();
        confine();
        alarm(TIME_LIMIT);
        act(bridge, identifier, trial);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
}

static void try_plug_in(bl_bridge *bridge, const char *identifier, bl_trial *trial) {
    memset(trial, 0, sizeof *trial);
    int status = in_child(bl_try, bridge, identifier, trial);
    if (WIFSIGNALED(status)) {
        int number = WTERMSIG(status);
        trial->verdict = number == SIGALRM ? BL_TRIAL_HANG : BL_TRIAL_CRASH;
        snprintf(trial->message, sizeof trial->message, "%s while %.60s", strsignal(number),
                 trial->activity);
    } else if (trial->verdict == BL_TRIAL_CRASH) {
        snprintf(trial->message, sizeof trial->message, "ended the process while %.60s",
                 trial->activity);
    }
    if (trial->verdict > BL_TRIAL_FAULT) {
        return;
    }
    in_child(bl_trial_compare, bridge, identifier, trial);
    if (trial->comparison == BL_COMPARISON_DONE && !(trial->difference <= BL_TRIAL_NEAR)) {
        in_child(bl_trial_repeat, bridge, identifier, trial);
    }
}

/* Lists the plug-ins. Scanning opens LADSPA libraries, so a child does it and returns the list by a
 * pipe. */
static char **scan(uint32_t *count) {
    int ends[2];
    char **list = calloc(65536, sizeof *list);
    if (pipe(ends) != 0) {
        return list;
    }
    pid_t child = fork();
    if (child == 0) {
        FILE *to = fdopen(ends[1], "w");
        bl_bridge *bridge = bl_bridge_create();
        silence_output();
        bl_bridge_scan(bridge, NULL);
        for (uint32_t index = 0; index < bl_bridge_count(bridge); index += 1) {
            fprintf(to, "%s\n", bl_bridge_identifier(bridge, index));
        }
        fflush(to);
        _exit(0);
    }
    close(ends[1]);
    FILE *from = fdopen(ends[0], "r");
    char line[1024];
    while (*count < 65536 && fgets(line, sizeof line, from) != NULL) {
        line[strcspn(line, "\n")] = 0;
        list[(*count)++] = strdup(line);
    }
    fclose(from);
    waitpid(child, NULL, 0);
    return list;
}

static void print_totals(uint32_t totals[2][BL_TRIAL_VERDICTS], const uint32_t compared[2],
                         const uint32_t equal[2]) {
    static const char *const formats[] = {"LV2", "LADSPA"};
    printf("\n%-8s", "");
    for (int verdict = 0; verdict < BL_TRIAL_VERDICTS; verdict += 1) {
        printf("%9s", verdicts[verdict]);
    }
    printf("    within 1e-5 of a bare loop that repeats itself\n");
    for (int format = 0; format < 2; format += 1) {
        printf("%-8s", formats[format]);
        for (int verdict = 0; verdict < BL_TRIAL_VERDICTS; verdict += 1) {
            printf("%9u", totals[format][verdict]);
        }
        printf("    %u of %u\n", equal[format], compared[format]);
    }
}

int main(int argument_count, char **arguments) {
    bl_bridge_hide_display();
    bl_bridge *bridge = bl_bridge_create();
    if (argument_count == 3 && strcmp(arguments[1], "--time") == 0) {
        return bl_time_chain(bridge, arguments[2]);
    }
    uint32_t count = 0;
    char **identifiers = argument_count > 1 ? arguments + 1 : scan(&count);
    count = argument_count > 1 ? (uint32_t)argument_count - 1 : count;
    char message[256];
    /* Reads the bundles once, for all children. */
    (void)bl_bridge_describe(bridge, "lv2:urn:none", message, sizeof message);
    bl_trial *trial =
        mmap(NULL, sizeof *trial, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    uint32_t totals[2][BL_TRIAL_VERDICTS] = {0}, compared[2] = {0}, equal[2] = {0};
    for (uint32_t index = 0; index < count; index += 1) {
        int format = strncmp(identifiers[index], "ladspa:", 7) == 0;
        try_plug_in(bridge, identifiers[index], trial);
        totals[format][trial->verdict] += 1;
        bool is_compared = trial->comparison == BL_COMPARISON_DONE;
        bool differs = is_compared && !(trial->difference <= BL_TRIAL_NEAR);
        compared[format] += is_compared;
        equal[format] += is_compared && !differs;
        if (trial->verdict != BL_TRIAL_OK || differs || argument_count > 1) {
            printf("%-8s %s", verdicts[trial->verdict], identifiers[index]);
            if (trial->message[0] != 0) {
                printf(": %s", trial->message);
            }
            if (is_compared) {
                printf(" (%.2g from a bare loop)", trial->difference);
            } else if (trial->comparison == BL_COMPARISON_NOT_REPEATABLE) {
                printf(" (a bare loop does not play the same twice)");
            }
            putchar('\n');
        }
    }
    print_totals(totals, compared, equal);
    return 0;
}
