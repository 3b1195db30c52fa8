#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace smec::driver {

/// One line on stderr that says what smec does, for who waits longer than a second; gone when it
/// ends. Where it is not shown there is no thread either.
class Activity {
public:
    explicit Activity(bool isShown);
    ~Activity();
    Activity(const Activity&) = delete;
    Activity& operator=(const Activity&) = delete;

    /// What is done from now on: "smec: parsing".
    void say(std::string what);
    /// Nothing is shown from now on; before something else is printed.
    void end();

private:
    void watch();
    void draw();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::string text_;  ///< these three: guarded by mutex_
    bool isOver_ = false;
    bool isDrawn_ = false;
    std::thread thread_;  ///< last: it uses all of the above
};

}  // namespace smec::driver
