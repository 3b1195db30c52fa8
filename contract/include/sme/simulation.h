#ifndef SME_SIMULATION_H
#define SME_SIMULATION_H

/** @file
 * One table of C functions for whoever owns simulations: a test bench, a debugger, a binding of
 * another language. Whatever can run a design gives such a table; what is built on it works on all.
 *
 * Threads. There may be any number of simulations in a process, and each may be called by any
 * thread, but by one at a time; a call in the time of another one is refused. A snapshot is never
 * written again: any number of threads may use it at once. No function takes a signal, ends the
 * process or prints; text goes to the sinks of create.
 *
 * Ownership. Who creates destroys: simulations with destroy, snapshots with forget. Texts that a
 * function gives belong to the simulation and last until the next call with it, those of types and
 * enum members as long as the design. Texts and bytes that a function is given are its own only
 * while it runs.
 *
 * Values are bytes as simulators keep them: bool one byte, 0 or 1; integers and enums of up to 64
 * bits in the smallest of 1, 2, 4, 8 bytes that holds them, in two's complement, zero- or
 * sign-extended to that size; longer ones in 64-bit limbs, the lowest first; floats as IEEE 754
 * with one NaN; arrays element by element without gaps; structs member by member, without gaps,
 * too. Byte order is the machine's.
 *
 * Time counts in cycles. Between two cycles a field has the value that is read in the next one, a
 * variable the one that its process finds then: after n steps all is as row n of a trace shows it
 * (docs/semantics.md). What is combinational is made of the present state and inputs when somebody
 * reads it, silently, and beside the run; where its processes call `extern serial` functions, which
 * only cycles do, reading it is SME_BAD_USE. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The version of this interface: raised when a function or a member changes. Members that are
 * added at the end raise `size` alone: who needs one asks whether a table reaches that far. */
#define SME_SIMULATION_VERSION 2u

/** A run of a design, made by `create`. */
typedef struct sme_simulation sme_simulation;
/** A state between two cycles, made by `snapshot` and `load`. */
typedef struct sme_snapshot sme_snapshot;

/** What a call came to. The numbers are those of exit statuses, too. */
typedef enum sme_status {
    SME_OK = 0,       /**< done */
    SME_BAD_DATA = 1, /**< a value or a state that is none of the design's; a file's content */
    SME_BAD_USE = 2,  /**< no such name, option or function; what does not go together */
    SME_BAD_FILE = 3, /**< cannot be read or written */
    SME_LIMIT = 4,    /**< no more memory or threads */
    SME_INTERNAL = 70 /**< a fault of ours */
} sme_status;

/** Why `step` came back before the last cycle that was asked for: bits, of which several are
 * possible. */
enum sme_ended {
    SME_STOPPED = 1,   /**< a process called stop(n); see stop_status */
    SME_FAILED = 2,    /**< an assertion or a check; the text is in the sink `err` */
    SME_ASKED = 4,     /**< run_until: the caller's function said so */
    SME_NO_OUTPUT = 8, /**< a trace or a sink cannot be written */
    SME_NO_MEMORY = 16 /**< there was none left in a cycle */
};

/** Kinds of values. */
typedef enum sme_kind {
    SME_BOOL,     /**< one byte, 0 or 1 */
    SME_UNSIGNED, /**< `u1` and wider, and ranges from 0 on */
    SME_SIGNED,   /**< `i1` and wider, and ranges with negative numbers */
    SME_ENUM,     /**< one of the members that `member` names */
    SME_F32,      /**< 4 bytes */
    SME_F64,      /**< 8 bytes */
    SME_ARRAY,    /**< its elements one after the other */
    SME_STRUCT    /**< its members one after the other, without gaps */
} sme_kind;

/** What `sme_value::flags` are made of. */
enum sme_flags {
    SME_EXPOSED = 1,  /**< a field of an exposed bus */
    SME_VARIABLE = 2, /**< of a process; else a field */
    SME_INPUT = 4,    /**< written from outside only */
    SME_SETTABLE = 8, /**< `set` takes it */
    SME_PLANE = 16    /**< its scalars are in a row in memory: `plane` says where */
};

/** What a handle stands for. */
typedef struct sme_value {
    const char* type; /**< as in the language: "u8", "[4]i16" */
    sme_kind kind;    /**< its kind */
    uint32_t width;   /**< bits of an integer or enum; 1 of a bool; 32, 64 of floats; else 0 */
    uint32_t count;   /**< elements of an array, members of a struct; else 0 */
    uint64_t bytes;   /**< of the whole value */
    uint32_t flags;   /**< bits of `sme_flags` */
    const char* file; /**< where its bus or the variable is declared, as long as the design */
    uint32_t line;    /**< from 1; 0: nobody knows */
    uint32_t column;  /**< as line */
} sme_value;

/** Scalars in a row in memory. */
typedef struct sme_plane {
    const void* first; /**< the first one; to be read, never written */
    uint64_t count;    /**< those of an array, inner arrays row by row; 1 of a scalar */
    uint64_t stride;   /**< bytes from one to the next */
    uint64_t bytes;    /**< of one */
    uint64_t epoch;    /**< as long as the simulation has this one, `first` is good to read */
} sme_plane;

/** A value in each of many cycles, row by row. */
typedef struct sme_column {
    uint32_t handle; /**< of the value, from `find` */
    void* rows;      /**< one in a cycle, each the bytes of a whole value */
    size_t stride;   /**< bytes from one to the next */
} sme_column;

/** An option of a simulator's command line that tells how to run, without its dashes: {"threads",
 * "2"}, {"seed", "7"}; the value of a flag is null. One more: {"snapshots", "64"} keeps states of
 * the past in so many MiB at most, from the first cycle on, for go_to; {"snapshots", "off"} keeps
 * none, so that go_to runs all cycles once more. Without, states are kept, in 256 MiB, once
 * somebody has gone back. They take 1 % of the time, or so much of it as {"snapshot-time", "5"}
 * says in percent, 100: whatever it takes. */
typedef struct sme_option {
    const char* name;  /**< without dashes */
    const char* value; /**< as text; null: a flag */
} sme_option;

/** Where text goes; a null function drops it. `out` is what processes print, `err` what fails. They
 * are called by the thread that calls step, and must not call the simulation. */
typedef struct sme_sinks {
    void* user; /**< handed to both */
    /** What processes print; `length` bytes, without a 0 behind them, which last as long as the
     * call. */
    void (*out)(void* user, const char* text, size_t length);
    /** What failed, in the same way. */
    void (*err)(void* user, const char* text, size_t length);
} sme_sinks;

/** The functions. Each takes the simulation it is about. Unless said otherwise one returns
 * `SME_OK`, or why not, and `message` has the text then. `SME_BAD_USE` is returned, too, for what
 * is null and must not be, and for a call during another one: of another thread, from a sink, or of
 * what runs cycles (`step`, `run_until`, `run_block`, `go_to`, `reset`, `restore`, `trace`, `eval`)
 * from a function that `run_until` or `list` calls.
 *
 * Going back. What is set is remembered with its cycle, since the simulation was made, reset or
 * given a state. A cycle that has been left is come back to by running from a state before it,
 * silently: nothing is printed or traced. On the way to a later cycle nothing is printed, but a
 * trace takes the rows that it does not have. Further steps are steps as ever, but for what was set
 * there, which happens once more at its cycles until something else is set, or cycles run in a
 * block with inputs: what came later is forgotten then. A trace goes on with the first cycle that
 * it does not have. */
typedef struct sme_simulation_table {
    uint32_t version; /**< SME_SIMULATION_VERSION of who made it */
    uint32_t size;    /**< sizeof(sme_simulation_table) there */

    /** Makes a simulation, which is before cycle 0 and the caller's, for `destroy`. `design` is
     * what the maker of the table calls one; it has to last as long. `options` and `sinks` (null:
     * none) are copied. `why` takes what went wrong, cut to `why_size` bytes with the 0 at its end;
     * null: nobody asks. SME_BAD_USE: no such option or value; SME_LIMIT: no memory, no threads.
     * Any thread may call. */
    sme_status (*create)(const void* design, const sme_option* options, size_t option_count,
                         const sme_sinks* sinks, sme_simulation** simulation, char* why,
                         size_t why_size);
    /** Ends a simulation, with its trace. Its texts, handles and planes are no more; its snapshots
     * stay good. Null is nothing; so is one that is being run or listed. */
    void (*destroy)(sme_simulation* simulation);
    /** What went wrong in the last call that did not return SME_OK; never null. Good until the next
     * call. */
    const char* (*message)(const sme_simulation* simulation);

    /** Calls `visit` for every field and variable, in source order, until it returns other than 0.
     * `path` and `value` last as long as that call; it may call the simulation, but not run it. */
    sme_status (*list)(sme_simulation* simulation,
                       int (*visit)(void* user, const char* path, const sme_value* value),
                       void* user);
    /** A handle for a field, a variable, or a part of one: `b.v[2].x`. Handles are small numbers,
     * the same one for the same path, and last as long as the simulation. SME_BAD_USE: no such
     * name; the message has the nearest one. */
    sme_status (*find)(sme_simulation* simulation, const char* path, uint32_t* handle);
    /** What a handle stands for. `bytes` is the size of sme_value where it is called: it may get
     * members at its end. Texts in it last as long as the design. */
    sme_status (*describe)(sme_simulation* simulation, uint32_t handle, sme_value* value,
                           size_t bytes);
    /** Copies a value to `value`, as the next cycle reads it. `bytes` is the size of the whole
     * value (`sme_value::bytes`); SME_BAD_USE where it is another one, and where something
     * combinational cannot be known between two cycles. */
    sme_status (*get)(sme_simulation* simulation, uint32_t handle, void* value, size_t bytes);
    /** Sets a value of `bytes` bytes, the size of the whole. An exposed input keeps it until it is
     * set again; a variable or a clocked field has it in the next cycle, whose process may change
     * it as ever: of an output that a process drives nothing is left after that. What is
     * combinational, or has no driver, is refused (SME_BAD_USE); the message names the instance
     * that drives it. SME_BAD_DATA: the type does not have the value. */
    sme_status (*set)(sme_simulation* simulation, uint32_t handle, const void* value, size_t bytes);

    /** Runs up to `cycles` cycles; `ended` (null: nobody asks) takes why there were fewer, bits of
     * `sme_ended`, 0: there were all. A failed assertion is no error of the call. Another step goes
     * on from there. */
    sme_status (*step)(sme_simulation* simulation, uint64_t cycles, uint32_t* ended);
    /** The number of the next cycle, which is how many have run. */
    uint64_t (*cycle)(const sme_simulation* simulation);
    /** The n of the `stop(n)` by which the design ended last; 0 before. */
    uint32_t (*stop_status)(const sme_simulation* simulation);
    /** A hash of the state, as --checksum prints it. */
    uint64_t (*checksum)(sme_simulation* simulation);

    /** Keeps the state between two cycles. It is the caller's, for `forget`, outlives the
     * simulation, and may be given to any simulation of the same library. SME_LIMIT: no memory. */
    sme_status (*snapshot)(sme_simulation* simulation, sme_snapshot** snapshot);
    /** Goes to a state, which stays as it is. What came after it is forgotten. What came before can
     * be gone to where the simulation had that state since it was made or reset, and nothing else
     * was set before it since. SME_BAD_USE: a state of another library. */
    sme_status (*restore)(sme_simulation* simulation, const sme_snapshot* snapshot);
    /** Frees a state; null is nothing. */
    void (*forget)(sme_snapshot* snapshot);
    /** Writes a state as bytes that outlive the process and suit other numbers of threads and other
     * layouts of the same design. `*size` is the room in `bytes` before and what there is to write
     * after; nothing is written where the room is too small, and `bytes` may be null then. */
    sme_status (*save)(sme_simulation* simulation, const sme_snapshot* snapshot, void* bytes,
                       size_t* size);
    /** Makes a state of such bytes, for `restore` and `forget`; the simulation stays where it is.
     * SME_BAD_DATA: they are damaged, of another design or another version. */
    sme_status (*load)(sme_simulation* simulation, const void* bytes, size_t size,
                       sme_snapshot** snapshot);

    /** From the next cycle on writes the values that a filter (as of --trace-filter; none: exposed
     * fields) names into a file, in the format of its ending; a trace that is going on ends. A file
     * that somebody writes already, by whatever name, is SME_BAD_FILE: this or another simulation,
     * or another program; the trace that is going on then goes on. A null path only ends it. */
    sme_status (*trace)(sme_simulation* simulation, const char* path, const char* const* filters,
                        size_t filter_count);

    /** What the last call that did not return SME_OK returned. */
    sme_status (*status)(const sme_simulation* simulation);
    /** Runs until `cycle` is the next one, or until `asked` returns other than 0. It is called
     * after every cycle, with the next one (null: nobody asks), and may call the simulation, but
     * not run or destroy it. `ended` as of step. */
    sme_status (*run_until)(sme_simulation* simulation, uint64_t cycle,
                            int (*asked)(void* user, uint64_t cycle), void* user, uint32_t* ended);
    /** `find` with `get`, for what is looked at once. */
    sme_status (*get_path)(sme_simulation* simulation, const char* path, void* value, size_t bytes);
    /** `find` with `set`, for what is set once. */
    sme_status (*set_path)(sme_simulation* simulation, const char* path, const void* value,
                           size_t bytes);

    /** Goes before cycle 0; inputs have their defaults, and nothing is remembered. */
    sme_status (*reset)(sme_simulation* simulation);
    /** Goes to where `cycle` is the next one, with all that was set before it. Cycles that have not
     * run yet run as by step; where that ends before, `cycle` of the table says so. Refused
     * (SME_BAD_USE) where a cycle cannot run twice, and before the state of somebody else that
     * restore gave. */
    sme_status (*go_to)(sme_simulation* simulation, uint64_t cycle);
    /** Makes what is combinational of the present state and inputs, as get and plane do by
     * themselves where that is not done. Nothing else changes; what fails, stops or prints there
     * does so in step only. */
    sme_status (*eval)(sme_simulation* simulation);
    /** Where the scalars of a value are. Refused (SME_BAD_USE) where they are in several places.
     * `bytes` is the size of sme_plane where it is called. The memory is the simulation's. */
    sme_status (*plane)(sme_simulation* simulation, uint32_t handle, sme_plane* plane,
                        size_t bytes);
    /** Changes whenever a plane may be somewhere else, or show what is no more: with every step and
     * change of state, and with a set after something combinational was read. What set changes
     * itself is seen in place. */
    uint64_t (*epoch)(const sme_simulation* simulation);
    /** Writes the exposed inputs of the cycles so far as rows for --input of a simulator. Refused
     * where rows do not lead here (SME_BAD_USE): after restore, and where a variable or a clocked
     * field was set, whose cycle the message names. SME_BAD_FILE: it cannot be written. */
    sme_status (*save_inputs)(sme_simulation* simulation, const char* path);
    /** Runs up to `cycles` cycles. Row k of an input, which is an exposed one, is read by the k-th
     * of them, as if it had been set; row k of a record takes what is read in it, as a trace shows
     * it. `done` takes how many ran, `ended` is as of step (null: nobody asks). Each column has
     * memory for `cycles` rows. Nothing runs where a row is no value (SME_BAD_DATA), or an input is
     * there twice (SME_BAD_USE). */
    sme_status (*run_block)(sme_simulation* simulation, uint64_t cycles, const sme_column* inputs,
                            size_t input_count, const sme_column* records, size_t record_count,
                            uint64_t* done, uint32_t* ended);

    /** Member `index` of the struct or the enum that a handle stands for. `name` lasts as long as
     * the design. Of an enum's, `value` takes the value in two's complement, the lowest byte first,
     * extended to `bytes` (null: nobody asks). SME_BAD_USE where there are no more. */
    sme_status (*member)(sme_simulation* simulation, uint32_t handle, uint32_t index,
                         const char** name, void* value, size_t bytes);
    /** The path of the instance whose process drives a field or has a variable; "" of inputs, of
     * what has no driver, and of a field behind a `delay` in compiled designs. Good until the next
     * call. */
    sme_status (*driver)(sme_simulation* simulation, uint32_t handle, const char** instance);
} sme_simulation_table;

/** The table of compiled designs; a design is the address of its sme::Model. The reference
 * interpreter, a part of the compiler, has one, too. */
const sme_simulation_table* sme_compiled_simulations(void);

/** A compiled design as a library, which `smec compile --lib` makes. It lasts as long as the
 * process. */
typedef struct sme_library {
    uint32_t version;     /**< SME_SIMULATION_VERSION of who made it */
    uint32_t size;        /**< sizeof(sme_library) there */
    const char* design;   /**< the name of the top network */
    const char* compiler; /**< "smec 0.9.0" */
    uint64_t hash;        /**< of the design: states go to libraries that have the same */
    const void* model;    /**< what `create` calls a design */
    const sme_simulation_table* table; /**< the functions */
} sme_library;

/** Such a library exports two functions of this type that do the same: SME_LIBRARY_FUNCTION, for
 * dlsym, and one that its own header declares, for who links it. `version` is the
 * SME_SIMULATION_VERSION of the caller; null where the library is of another one. */
typedef const sme_library* sme_library_function(uint32_t version);
/** The name for dlsym of a function of the type `sme_library_function`. */
#define SME_LIBRARY_FUNCTION "sme_library_of"

/** A design as two files, which `smec compile --loadable` makes: `code` is a handle that dlopen
 * gave for x.so, with RTLD_LOCAL, and `model` the path of x.bin, which is read here. dlsym finds
 * this function with that handle as SME_OPEN_FUNCTION: it belongs to the runtime that x.so brings
 * in, once for all designs of a process. Null where they do not fit, `version` is another one, or
 * the file cannot be read; `why` has the reason then, cut to `bytes`. Each call makes a library,
 * which lasts as long as the process, as x.so must. Any thread may call. */
typedef const sme_library* sme_open_function(void* code, const char* model, uint32_t version,
                                             char* why, size_t bytes);
/** The name for dlsym of a function of the type `sme_open_function`. */
#define SME_OPEN_FUNCTION "sme_open"

#ifdef __cplusplus
}
#endif

#endif
