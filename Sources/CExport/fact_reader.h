/* Reads a plan written as lines of facts, each a word and its values. A value that is missing or
   malformed sets `failed`, and reads as 0 or empty. [control] */
#ifndef BACKLINE_EXPORT_FACT_READER_H
#define BACKLINE_EXPORT_FACT_READER_H

#include "rack/plan.h"

typedef struct bl_fact_reader {
    bl_arena *arena;
    char *rest; /* rest of the line */
    bool failed;
} bl_fact_reader;

/* Appends a zeroed element to an array, which grows by doubling; NULL when memory is short. */
void *bl_fact_append(bl_fact_reader *reader, void *array_pointer, uint32_t *count, size_t size);
const char *bl_fact_word(bl_fact_reader *reader);
const char *bl_fact_copy(bl_fact_reader *reader, const char *text);
/* The rest of the line, with line breaks for `\n`. */
const char *bl_fact_copy_text(bl_fact_reader *reader);
uint64_t bl_fact_number(bl_fact_reader *reader);
uint32_t bl_fact_count(bl_fact_reader *reader);
double bl_fact_real(bl_fact_reader *reader);
/* Reads an endpoint: a node of the graph, or "rack", and its bus. */
bl_endpoint bl_fact_endpoint(bl_fact_reader *reader);
bl_component_description bl_fact_component(bl_fact_reader *reader);

/* Reads the rest of a line that starts with `word`, about the plan or its last unit or scene;
   false: no such line. */
bool bl_read_plan_line(bl_fact_reader *reader, bl_rack_plan *plan, const char *word);

#endif
