#include <cstdio>

#include <pthread.h>

#include "driver/commands.h"
#include "driver/options.h"

// The compiler recurses over nested programs, so it runs on a thread with a large stack (virtual;
// only touched pages cost).

namespace {

constexpr std::size_t kStackBytes = std::size_t{512} << 20;

struct Job {
    const smec::driver::Invocation* invocation;
    int status = 70;
};

void* work(void* argument) {
    Job& job = *static_cast<Job*>(argument);
    job.status = smec::driver::execute(*job.invocation);
    return nullptr;
}

int onLargeStack(const smec::driver::Invocation& invocation) {
    Job job{&invocation};
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

}  // namespace

int main(int argc, char** argv) {
    const smec::driver::ParsedCommandLine parsed = smec::driver::parseCommandLine(argc, argv);
    if (!parsed.invocation) return parsed.status;
    const int status = onLargeStack(*parsed.invocation);
    if (std::fflush(stdout) != 0) return 3;
    return status;
}
