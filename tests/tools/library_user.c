/* Owns simulations of two designs, by dlopen and linked, in threads and one after the other, as a C program does.
 *
 *     library_user LIBADDER LIBRING FOLDER      prints "all good", or what is not */
#define _POSIX_C_SOURCE 200809L

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adder.h"

static int failures = 0;

#define CHECK(condition)                                                                          \
    do {                                                                                          \
        if (!(condition)) {                                                                       \
            ++failures;                                                                           \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);               \
        }                                                                                         \
    } while (0)

struct text {
    char bytes[4000];
    size_t size;
};

static void append(void* user, const char* more, size_t length) {
    struct text* text = user;
    if (length > sizeof text->bytes - 1 - text->size) length = sizeof text->bytes - 1 - text->size;
    memcpy(text->bytes + text->size, more, length);
    text->size += length;
    text->bytes[text->size] = 0;
}

static const sme_library* opened(const char* path) {
    void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    sme_library_function* function;
    void* symbol = dlsym(handle, SME_LIBRARY_FUNCTION);
    memcpy(&function, &symbol, sizeof function);
    CHECK(function(SME_SIMULATION_VERSION + 1) == NULL);
    CHECK(function(0) == NULL);
    return function(SME_SIMULATION_VERSION);
}

static sme_simulation* made(const sme_library* library, const sme_option* options, size_t count, struct text* said) {
    const sme_sinks sinks = {said, append, append};
    sme_simulation* simulation = NULL;
    char why[200] = "";
    if (library->table->create(library->model, options, count, said ? &sinks : NULL, &simulation, why, sizeof why) != SME_OK) {
        fprintf(stderr, "%s\n", why);
        exit(1);
    }
    return simulation;
}

static int count_names(void* user, const char* path, const sme_value* value) {
    int* count = user;
    CHECK(strlen(path) > 0 && strlen(value->type) > 0 && value->bytes > 0);
    return ++*count == 1000;
}

static void values(const sme_library* adder) {
    const sme_simulation_table* sme = adder->table;
    struct text said = {"", 0};
    sme_simulation* s = made(adder, NULL, 0, &said);
    int names = 0;
    CHECK(sme->list(s, count_names, &names) == SME_OK && names == 4);

    uint32_t a, b, sum;
    CHECK(sme->find(s, "q.a", &a) == SME_OK && sme->find(s, "q.b", &b) == SME_OK && sme->find(s, "r.sum", &sum) == SME_OK);
    sme_value shape;
    CHECK(sme->describe(s, a, &shape, sizeof shape) == SME_OK && strcmp(shape.type, "u16") == 0 && shape.kind == SME_UNSIGNED
          && shape.width == 16 && shape.bytes == 2 && (shape.flags & SME_INPUT) && (shape.flags & SME_SETTABLE));
    CHECK(!(shape.flags & SME_VARIABLE) && (shape.flags & SME_PLANE) && strstr(shape.file, "adder.sme") && shape.line == 13);
    const char* driver = NULL;
    CHECK(sme->driver(s, sum, &driver) == SME_OK && strcmp(driver, "it") == 0);
    CHECK(sme->driver(s, a, &driver) == SME_OK && strcmp(driver, "") == 0);
    const uint16_t two = 2, forty = 40;
    uint32_t got = 0, ended = 9;
    CHECK(sme->set(s, a, &two, sizeof two) == SME_OK && sme->set_path(s, "q.b", &forty, sizeof forty) == SME_OK);
    CHECK(sme->step(s, 1, &ended) == SME_OK && ended == 0 && sme->cycle(s) == 1);
    CHECK(sme->get(s, sum, &got, sizeof got) == SME_OK && got == 42);
    CHECK(strcmp(said.bytes, "42\n") == 0);

    CHECK(sme->get_path(s, "r.summ", &got, sizeof got) == SME_BAD_USE && strstr(sme->message(s), "did you mean 'r.sum'?"));
    CHECK(sme->status(s) == SME_BAD_USE);
    CHECK(sme->get(s, 99, &got, sizeof got) == SME_BAD_USE && strcmp(sme->message(s), "no such handle") == 0);
    CHECK(sme->get(s, sum, &got, 1) == SME_BAD_USE && sme->get(s, sum, NULL, 4) == SME_BAD_USE);
    CHECK(sme->set(s, sum, NULL, 4) == SME_BAD_USE && sme->find(s, NULL, &a) == SME_BAD_USE);
    CHECK(sme->snapshot(s, NULL) == SME_BAD_USE && sme->restore(s, NULL) == SME_BAD_USE);
    CHECK(sme->load(s, "nonsense", 8, NULL) == SME_BAD_USE && sme->trace(s, "/no/such/folder/x.csv", NULL, 0) == SME_BAD_FILE);
    CHECK(sme->step(NULL, 1, NULL) == SME_BAD_USE && sme->cycle(NULL) == 0 && sme->checksum(NULL) == 0);
    sme->destroy(NULL);
    sme->destroy(s);
}

static void refused_options(const sme_library* adder) {
    const sme_option unknown = {"colour", "red"}, files = {"input", "x.csv"}, bad = {"threads", "many"};
    const sme_option* each[] = {&unknown, &files, &bad};
    for (size_t i = 0; i < sizeof each / sizeof *each; ++i) {
        sme_simulation* none = NULL;
        char why[10] = "";
        CHECK(adder->table->create(adder->model, each[i], 1, NULL, &none, why, sizeof why) == SME_BAD_USE);
        CHECK(!none && strlen(why) == 9);
    }
}

struct watched {
    const sme_simulation_table* sme;
    sme_simulation* simulation;
    uint64_t stop;
    int calls;
};

static int asked(void* user, uint64_t cycle) {
    struct watched* w = user;
    ++w->calls;
    uint32_t value = 0;
    CHECK(w->sme->cycle(w->simulation) == cycle && w->sme->get_path(w->simulation, "link[0].v", &value, sizeof value) == SME_OK);
    CHECK(w->sme->step(w->simulation, 1, NULL) == SME_BAD_USE);
    w->sme->destroy(w->simulation);
    return cycle == w->stop;
}

static void states(const sme_library* ring, const char* folder) {
    const sme_simulation_table* sme = ring->table;
    sme_simulation* s = made(ring, NULL, 0, NULL);
    struct watched w = {sme, s, 30, 0};
    uint32_t ended = 9;
    CHECK(sme->run_until(s, 100, asked, &w, &ended) == SME_OK && ended == SME_ASKED && sme->cycle(s) == 30 && w.calls == 30);
    sme_snapshot* kept = NULL;
    CHECK(sme->snapshot(s, &kept) == SME_OK);
    CHECK(sme->run_until(s, 100, NULL, NULL, &ended) == SME_OK && ended == 0 && sme->cycle(s) == 100);
    const uint64_t end = sme->checksum(s);

    char path[1000];
    snprintf(path, sizeof path, "%s/ring.csv", folder);
    const char* filters[] = {"link[0].*", "link[7].v"};
    CHECK(sme->restore(s, kept) == SME_OK && sme->cycle(s) == 30 && sme->trace(s, path, filters, 2) == SME_OK);
    CHECK(sme->step(s, 5, NULL) == SME_OK && sme->trace(s, NULL, NULL, 0) == SME_OK && sme->step(s, 65, NULL) == SME_OK);
    CHECK(sme->checksum(s) == end);

    size_t size = 0;
    CHECK(sme->save(s, kept, NULL, &size) == SME_OK && size > 0);
    void* bytes = malloc(size);
    CHECK(sme->save(s, kept, bytes, &size) == SME_OK);
    sme->forget(kept);
    sme->destroy(s);
    const sme_option options[] = {{"threads", "3"}, {"oversubscribe", NULL}, {"model", "m3"}};
    sme_simulation* other = made(ring, options, 3, NULL);
    sme_snapshot* loaded = NULL;
    CHECK(sme->load(other, bytes, size, &loaded) == SME_OK && sme->restore(other, loaded) == SME_OK);
    CHECK(sme->run_until(other, 100, NULL, NULL, NULL) == SME_OK && sme->checksum(other) == end);
    CHECK(sme->load(other, bytes, size / 2, &loaded) == SME_BAD_DATA && sme->status(other) == SME_BAD_DATA);
    sme->forget(loaded);
    free(bytes);
    sme->destroy(other);
}

static void* runs_alone(void* argument) {
    const sme_library* library = argument;
    sme_simulation* s = made(library, NULL, 0, NULL);
    CHECK(library->table->step(s, 2000, NULL) == SME_OK);
    uint64_t* result = malloc(sizeof *result);
    *result = library->table->checksum(s);
    library->table->destroy(s);
    return result;
}

/* Each of the two designs twice, all at once. */
static void in_threads(const sme_library* adder, const sme_library* ring) {
    pthread_t threads[4];
    uint64_t sums[4];
    for (int i = 0; i < 4; ++i)
        CHECK(pthread_create(&threads[i], NULL, runs_alone, (void*)(i % 2 ? ring : adder)) == 0);
    for (int i = 0; i < 4; ++i) {
        void* result = NULL;
        CHECK(pthread_join(threads[i], &result) == 0);
        sums[i] = *(uint64_t*)result;
        free(result);
    }
    CHECK(sums[0] == sums[2] && sums[1] == sums[3] && sums[0] != sums[1]);
}

/* What a design says of its end is data, and the process goes on. */
static void ends(const sme_library* adder) {
    const sme_simulation_table* sme = adder->table;
    struct text said = {"", 0};
    sme_simulation* s = made(adder, NULL, 0, &said);
    uint16_t value = 1000;
    uint32_t ended = 0;
    CHECK(sme->set_path(s, "q.a", &value, sizeof value) == SME_OK && sme->step(s, 50, &ended) == SME_OK);
    CHECK(ended == SME_STOPPED && sme->stop_status(s) == 3 && sme->cycle(s) == 1);
    value = 1001;
    CHECK(sme->set_path(s, "q.a", &value, sizeof value) == SME_OK && sme->step(s, 50, &ended) == SME_OK);
    CHECK(ended == SME_FAILED && strstr(said.bytes, "too large: 1001") && sme->cycle(s) == 2);
    value = 1;
    CHECK(sme->set_path(s, "q.a", &value, sizeof value) == SME_OK && sme->step(s, 50, &ended) == SME_OK && ended == 0);
    sme->destroy(s);
}

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    const sme_library* adder = opened(argv[1]);
    const sme_library* ring = opened(argv[2]);
    const sme_library* linked = sme_library_of_adder(SME_SIMULATION_VERSION);
    CHECK(linked && linked->hash == adder->hash && strcmp(linked->design, "adder") == 0);
    CHECK(adder->size == sizeof *adder && strncmp(adder->compiler, "smec ", 5) == 0 && strcmp(ring->design, "ring") == 0);
    CHECK(adder->table != ring->table && adder->table->size == sizeof(sme_simulation_table));
    values(adder);
    values(linked);
    refused_options(adder);
    states(ring, argv[3]);
    in_threads(adder, ring);
    ends(adder);
    if (failures == 0) puts("all good");
    return failures != 0;
}
