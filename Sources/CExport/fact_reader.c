#include "fact_reader.h"

void *bl_fact_append(bl_fact_reader *self, void *array_pointer, uint32_t *count, size_t size) {
    void **array = (void **)array_pointer;
    if ((*count & (*count - 1)) == 0) {
        void *larger = bl_arena_allocate(self->arena, *count > 0 ? 2 * *count : 1, size);
        if (larger == NULL) {
            self->failed = true;
            return NULL;
        }
        if (*count > 0) {
            memcpy(larger, *array, *count * size);
        }
        *array = larger;
    }
    *count += 1;
    return (char *)*array + (*count - 1) * size;
}

const char *bl_fact_word(bl_fact_reader *self) {
    self->rest += strspn(self->rest, " ");
    char *word = self->rest;
    self->rest += strcspn(word, " ");
    if (*self->rest != 0) {
        *self->rest++ = 0;
    }
    self->failed = self->failed || *word == 0;
    return word;
}

const char *bl_fact_copy(bl_fact_reader *self, const char *text) {
    return bl_arena_copy(self->arena, text, strlen(text) + 1, 1);
}

const char *bl_fact_copy_text(bl_fact_reader *self) {
    char *end = self->rest;
    for (const char *from = self->rest; *from != 0; from += 1) {
        bool is_escaped = *from == '\\' && from[1] != 0;
        from += is_escaped;
        *end++ = is_escaped && *from == 'n' ? '\n' : *from;
    }
    *end = 0;
    return bl_fact_copy(self, self->rest);
}

uint64_t bl_fact_number(bl_fact_reader *self) {
    char *end = NULL;
    const char *word = bl_fact_word(self);
    uint64_t number = strtoull(word, &end, 10);
    self->failed = self->failed || *end != 0;
    return number;
}

uint32_t bl_fact_count(bl_fact_reader *self) {
    uint64_t number = bl_fact_number(self);
    self->failed = self->failed || number > UINT32_MAX;
    return (uint32_t)number;
}

double bl_fact_real(bl_fact_reader *self) {
    char *end = NULL;
    const char *word = bl_fact_word(self);
    double real = strtod(word, &end);
    self->failed = self->failed || *end != 0;
    return real;
}

bl_endpoint bl_fact_endpoint(bl_fact_reader *self) {
    const char *word = bl_fact_word(self);
    char *end = NULL;
    bool is_rack = strcmp(word, "rack") == 0;
    uint32_t node = is_rack ? BL_RACK : (uint32_t)strtoul(word, &end, 10);
    self->failed = self->failed || (!is_rack && *end != 0);
    return (bl_endpoint){node, bl_fact_count(self)};
}

bl_component_description bl_fact_component(bl_fact_reader *self) {
    const unsigned char *text = (const unsigned char *)bl_fact_word(self);
    uint32_t codes[3] = {0};
    /* Codes of a rack's own unit need not be readable; the unit is found by its index. */
    if (strlen((const char *)text) != 14) {
        return (bl_component_description){0, 0, 0};
    }
    for (uint32_t index = 0; index < 3; index += 1) {
        const unsigned char *code = text + 5 * index;
        codes[index] = BL_FOUR_CHARACTER_CODE(code[0], code[1], code[2], code[3]);
    }
    return (bl_component_description){codes[0], codes[1], codes[2]};
}
