/* The floor for reading libraries: loads those named on the command line, one after the other, and
   asks each for its table. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "backline/unit.h"

int main(int count, char **arguments) {
    for (int index = 1; index < count; index += 1) {
        void *library = dlopen(arguments[index], RTLD_NOW | RTLD_LOCAL);
        void *symbol = library != NULL ? dlsym(library, BL_UNIT_LIBRARY_SYMBOL) : NULL;
        if (symbol == NULL) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        const bl_unit_library *(*entry)(void);
        memcpy(&entry, &symbol, sizeof entry);
        if (entry()->unit_count == 0) {
            return 1;
        }
    }
    return 0;
}
