#include "driver/cli/program.h"

#include <csignal>

#include <fcntl.h>
#include <pthread.h>

#include "driver/cli/execute.h"
#include "source/output_file.h"

// The compiler recurses over nested programs, so it runs on a thread with a large stack (virtual;
// only touched pages cost).

namespace smec::driver {

namespace {

constexpr std::size_t kStackBytes = std::size_t{512} << 20;

struct Execution {
    Command* command;
    const SignalBlock* signals;
    int status = 70;
};

void* carryOut(void* argument) {
    Execution& execution = *static_cast<Execution*>(argument);
    pthread_sigmask(SIG_SETMASK, &execution.signals->before(), nullptr);
    execution.status = execute(*execution.command);
    return nullptr;
}

int onLargeStack(Command& command) {
    const SignalBlock signals;  // they are for the thread that works, which may hold them back
    Execution execution{&command, &signals};
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    if (pthread_attr_setstacksize(&attributes, kStackBytes) != 0
        || pthread_create(&thread, &attributes, carryOut, &execution) != 0) {
        carryOut(&execution);
        return execution.status;
    }
    pthread_join(thread, nullptr);
    return execution.status;
}

/// A file that is opened must not become standard output because that was closed.
void openStandardStreams() {
    for (int stream = 0; stream <= 2; ++stream)
        if (fcntl(stream, F_GETFD) < 0) open("/dev/null", O_RDWR);
}

}  // namespace

int runProgram(int argc, char** argv, CommandFactory commands, const VerilogReader& reader,
               const Interpreter& interpreter) {
    openStandardStreams();
    std::signal(SIGXFSZ,
                SIG_IGN);  // a file that grows beyond `ulimit -f` is one that cannot be written
    const ParsedCommandLine parsed = parseCommandLine(argc, argv, commands, reader, interpreter);
    if (!parsed.command) return parsed.text.empty() ? parsed.status : print(parsed.text);
    return onLargeStack(*parsed.command);
}

}  // namespace smec::driver
