#include <fcntl.h>
#include <pthread.h>

#include "driver/cli/command_line.h"
#include "driver/cli/commands.h"
#include "source/output_file.h"

// The compiler recurses over nested programs, so it runs on a thread with a large stack (virtual;
// only touched pages cost).

namespace {

constexpr std::size_t kStackBytes = std::size_t{512} << 20;

struct Job {
    smec::driver::Command* command;
    const smec::SignalBlock* signals;
    int status = 70;
};

void* work(void* argument) {
    Job& job = *static_cast<Job*>(argument);
    pthread_sigmask(SIG_SETMASK, &job.signals->before(), nullptr);
    job.status = smec::driver::execute(*job.command);
    return nullptr;
}

int onLargeStack(smec::driver::Command& command) {
    const smec::SignalBlock
        signals;  // they are for the thread that works, which may hold them back
    Job job{&command, &signals};
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    if (pthread_attr_setstacksize(&attributes, kStackBytes) != 0
        || pthread_create(&thread, &attributes, work, &job) != 0) {
        work(&job);
        return job.status;
    }
    pthread_join(thread, nullptr);
    return job.status;
}

/// A file that is opened must not become standard output because that was closed.
void openStandardStreams() {
    for (int stream = 0; stream <= 2; ++stream)
        if (fcntl(stream, F_GETFD) < 0) open("/dev/null", O_RDWR);
}

}  // namespace

int main(int argc, char** argv) {
    openStandardStreams();
    const smec::driver::ParsedCommandLine parsed = smec::driver::parseCommandLine(argc, argv);
    if (!parsed.command) return parsed.status;
    return onLargeStack(*parsed.command);
}
