#include "driver/system/activity.h"

#include <chrono>
#include <cstdio>
#include <system_error>

#include <unistd.h>

#include "formats/progress_text.h"

namespace smec::driver {
namespace {

constexpr auto kSoon = std::chrono::seconds(1);

}  // namespace

Activity::Activity(bool isShown) {
    if (!isShown) return;
    try {
        thread_ = std::thread([this] { watch(); });
    } catch (const std::system_error&) {
        // nothing is said then
    }
}

Activity::~Activity() { end(); }

void Activity::end() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        isOver_ = true;
    }
    changed_.notify_one();
    thread_.join();
    if (isDrawn_) std::fputs("\r\033[K", stderr);
}

void Activity::say(std::string what) {
    {
        const std::lock_guard lock(mutex_);
        if (text_ == what) return;
        text_ = std::move(what);
    }
    changed_.notify_one();
}

void Activity::watch() {
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, kSoon, [this] { return isOver_; })) return;
    while (!isOver_) {
        draw();
        changed_.wait(lock);
    }
}

void Activity::draw() {
    const unsigned columns = sme::terminalColumns(STDERR_FILENO);
    if (columns == 0 || text_.empty()) return;
    std::fprintf(stderr, "\r%s\033[K", text_.substr(0, columns - 1).c_str());
    std::fflush(stderr);
    isDrawn_ = true;
}

}  // namespace smec::driver
