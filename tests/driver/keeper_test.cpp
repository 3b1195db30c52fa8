// Who a program runs under: what its keeper and guard tell, whichever of them comes first.

#include <catch2/catch.hpp>

#include <cerrno>
#include <csignal>
#include <cstring>

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/system/process.h"

namespace {

bool isGuardSlow = false;

bool isGuard() {
    char name[16] = "";
    prctl(PR_GET_NAME, name);
    return std::strcmp(name, "sme-guard") == 0;
}

}  // namespace

/// In place of the C library's: a slow guard tells nothing before its keeper has ended.
extern "C" ssize_t send(int socket, const void* bytes, size_t size, int flags) {
    siginfo_t ended{};
    if (isGuardSlow && isGuard())
        while (waitid(P_ALL, 0, &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {}
    return sendto(socket, bytes, size, flags, nullptr, 0);
}

TEST_CASE("keeper: a program that ends before its guard had the processor has run") {
    for (const bool isSlow : {false, true}) {
        isGuardSlow = isSlow;
        const smec::driver::ProcessResult good =
            smec::driver::runProcessApart({"echo", "hello"}, 1000);
        CHECK(good.started);
        CHECK(good.status == 0);
        CHECK(good.output == "hello\n");
        const smec::driver::ProcessResult none =
            smec::driver::runProcessApart({"/no/such/program"}, 1000);
        CHECK_FALSE(none.started);
    }
    isGuardSlow = false;
}
