// Ranks that are processes which mpirun started. A library of its own for each MPI, for their
// binary interfaces differ; a simulator loads the one of its launcher (cli/mpi_library.h).
//
// Ranks of one machine get memory that they share, and exchange through that. Parcels between
// machines are persistent requests: what goes where is fixed before the first cycle. Only the thread
// that opened it calls (MPI_THREAD_FUNNELED).

#include <mpi.h>
#include <sched.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

#include "death_watch.h"
#include "engine/mpi_table.h"
#include "engine/transport.h"
#include "launcher_hold.h"
#include "mpi_problem.h"
#include "mpich_end.h"

namespace sme {
namespace {

constexpr int kTag = 1;
constexpr unsigned kLooks = 200;  // some 20 us

/// A count in an int, as MPI wants it.
int countOf(std::size_t bytes) {
    if (bytes > INT_MAX) throw std::runtime_error("a message of more than 2 GiB between two ranks");
    return static_cast<int>(bytes);
}

constexpr std::size_t kLine = 64;

std::byte* atLine(void* memory) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    return static_cast<std::byte*>(memory) + ((kLine - address % kLine) % kLine);
}

/// Ranks of a machine, and the memory they have in common as long as it lives.
class Window {
public:
    Window(MPI_Comm all, std::size_t bytes) {
        MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here_);
        MPI_Comm_set_errhandler(here_, MPI_ERRORS_RETURN);
        void* own = nullptr;
        const std::size_t whole = bytes + kLine;  // MPI promises no cache line
        int failed = MPI_Win_allocate_shared(static_cast<MPI_Aint>(whole), 1, MPI_INFO_NULL, here_,
                                             &own, &window_)
                     != MPI_SUCCESS;
        if (failed != 0) window_ = MPI_WIN_NULL;
        if (failed == 0) std::memset(own, 0, whole);
        MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, here_);
        isThere_ = failed == 0;
    }
    ~Window() {
        if (window_ != MPI_WIN_NULL) MPI_Win_free(&window_);
        MPI_Comm_free(&here_);
    }
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    std::vector<std::byte*> pieces(MPI_Comm all, unsigned size) const {
        std::vector<std::byte*> pieces(size);
        if (!isThere_) return pieces;
        MPI_Group theirs = MPI_GROUP_NULL;
        MPI_Group ours = MPI_GROUP_NULL;
        MPI_Comm_group(all, &theirs);
        MPI_Comm_group(here_, &ours);
        int count = 0;
        MPI_Comm_size(here_, &count);
        for (int i = 0; i < count; ++i) {
            int rank = 0;
            MPI_Group_translate_ranks(ours, 1, &i, theirs, &rank);
            MPI_Aint bytes = 0;
            int unit = 0;
            void* piece = nullptr;
            MPI_Win_shared_query(window_, i, &bytes, &unit, &piece);
            pieces[static_cast<std::size_t>(rank)] = atLine(piece);
        }
        MPI_Group_free(&ours);
        MPI_Group_free(&theirs);
        return pieces;
    }

private:
    MPI_Comm here_ = MPI_COMM_NULL;
    MPI_Win window_ = MPI_WIN_NULL;
    bool isThere_ = false;
};

class MpiTransport final : public Transport {
public:
    explicit MpiTransport(std::unique_ptr<LauncherHold> hold) {
        outlasting_.hold = std::move(hold);
        MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
        for (const MPI_Comm each :
             {comm_, MPI_COMM_WORLD, MPI_COMM_SELF})  // of requests: one of these
            MPI_Comm_set_errhandler(each, MPI_ERRORS_RETURN);
        int number = 0;
        MPI_Comm_rank(comm_, &number);
        rank_ = static_cast<unsigned>(number);
        MPI_Comm_size(comm_, &number);
        size_ = static_cast<unsigned>(number);
        char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
        int length = 0;
        MPI_Get_library_version(version, &length);
        name_.assign(version, std::strcspn(version, ",\n"));
        std::replace(name_.begin(), name_.end(), '\t', ' ');
        learnNodes();
        if (size_ > 1) beginWatch();
    }
    ~MpiTransport() override {
        for (Prepared& each : prepared_)
            for (MPI_Request& request : each.requests)
                MPI_Request_free(&request);
        windows_.clear();
        MPI_Comm_free(&comm_);
    }

    unsigned rank() const override { return rank_; }
    unsigned size() const override { return size_; }
    const char* name() const override {
        const unsigned unwatched = watch() && rank_ == 0 ? watch()->unwatched() : 0;
        shownName_ = name_;
        if (unwatched > 0)
            shownName_ += ", whose launcher alone sees the end of " + std::to_string(unwatched)
                          + " that cannot be connected";
        return shownName_.c_str();
    }
    /// What is to see also ranks that end in MPI_Finalize.
    struct Outlasting {
        std::unique_ptr<LauncherHold> hold;
        std::unique_ptr<DeathWatch> watch;  ///< ends first
    };
    Outlasting takeOutlasting() { return std::move(outlasting_); }

    std::vector<std::byte*> share(std::size_t bytes) override {
        int isRefused = std::getenv("SME_RANKS_APART") != nullptr;
        check(MPI_Allreduce(MPI_IN_PLACE, &isRefused, 1, MPI_INT, MPI_MAX, comm_));
        if (isRefused != 0) return std::vector<std::byte*>(size_);
        windows_.push_back(std::make_unique<Window>(comm_, bytes));
        return windows_.back()->pieces(comm_, size_);
    }

    std::size_t prepare(std::span<const Parcel> sends, std::span<const Parcel> receives) override {
        Prepared& prepared = prepared_.emplace_back();
        // receives first: what comes finds its place
        for (const Parcel& parcel : receives)
            MPI_Recv_init(parcel.data, countOf(parcel.bytes), MPI_BYTE,
                          static_cast<int>(parcel.rank), kTag, comm_, &prepared.add(parcel.rank));
        for (const Parcel& parcel : sends)
            MPI_Send_init(parcel.data, countOf(parcel.bytes), MPI_BYTE,
                          static_cast<int>(parcel.rank), kTag, comm_, &prepared.add(parcel.rank));
        return prepared_.size() - 1;
    }

    void start(std::size_t number) override {
        Prepared& prepared = prepared_[number];
        const int count = static_cast<int>(prepared.requests.size());
        check(MPI_Startall(count, prepared.requests.data()), &prepared);
    }

    bool isDone(std::size_t number) override {
        Prepared& prepared = prepared_[number];
        const int count = static_cast<int>(prepared.requests.size());
        int isDone = 0;
        check(MPI_Testall(count, prepared.requests.data(), &isDone, MPI_STATUSES_IGNORE),
              &prepared);
        return isDone != 0;
    }

    void finish(std::size_t number) override {
        for (unsigned looks = 0; !isDone(number); ++looks)
            if (looks >= kLooks)
                sched_yield();  // the rank that is waited for may need the processor
    }

    std::uint64_t reduce(std::uint64_t bits) override {
        std::uint64_t all = 0;
        check(MPI_Allreduce(&bits, &all, 1, MPI_UINT64_T, MPI_BOR, comm_));
        return all;
    }

    std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) override {
        const std::uint64_t own = bytes.size();
        std::vector<std::uint64_t> sizes(rank_ == 0 ? size_ : 0);
        check(MPI_Gather(&own, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, 0, comm_));
        if (rank_ != 0) {
            if (own > 0) send(bytes);
            return {};
        }
        std::vector<std::vector<std::byte>> all(size_);
        all[0].assign(bytes.begin(), bytes.end());
        for (unsigned from = 1; from < size_; ++from) {
            all[from].resize(sizes[from]);
            if (sizes[from] > 0) receive(from, all[from]);
        }
        return all;
    }

    std::vector<std::byte> broadcast(std::span<const std::byte> bytes) override {
        std::uint64_t size = bytes.size();
        check(MPI_Bcast(&size, 1, MPI_UINT64_T, 0, comm_));
        std::vector<std::byte> all(size);
        if (rank_ == 0) std::copy(bytes.begin(), bytes.end(), all.begin());
        if (size > 0) check(MPI_Bcast(all.data(), countOf(size), MPI_BYTE, 0, comm_));
        return all;
    }

    /// MPI has no way to wake the others but their end.
    void abandon(const std::string& why) override {
        endIfNoticed(std::chrono::milliseconds(0));
        if (watch()) watch()->giveUp();
        std::fprintf(stderr, "rank %u: %s\n", rank_, why.c_str());
        MPI_Abort(comm_, kMpiAbandoned);
    }

private:
    DeathWatch* watch() const { return outlasting_.watch.get(); }

    struct Prepared {
        std::vector<MPI_Request> requests;
        std::vector<unsigned> ranks;  ///< of each, the other one

        MPI_Request& add(unsigned rank) {
            ranks.push_back(rank);
            return requests.emplace_back();
        }
    };
    /// Of a state, in pieces that MPI can count.
    static constexpr std::size_t kPiece = std::size_t{1} << 30;

    void learnNodes() {
        constexpr int kName = MPI_MAX_PROCESSOR_NAME;
        char own[kName] = "";
        int length = 0;
        MPI_Get_processor_name(own, &length);
        std::vector<char> all(std::size_t{size_} * kName);
        MPI_Allgather(own, kName, MPI_CHAR, all.data(), kName, MPI_CHAR, comm_);
        for (unsigned rank = 0; rank < size_; ++rank)
            nodes_.emplace_back(&all[std::size_t{rank} * kName]);
    }

    void beginWatch() {
        const auto tell = [](const std::string& what) {
            const std::string line = what + "\n";
            [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
        };
        outlasting_.watch = std::make_unique<DeathWatch>(
            rank_, nodes_, DeathWatch::Actions{tell, [] { _exit(kMpiAbandoned); }},
            DeathWatch::Limits{});
        WatchSecret secret{};
        if (getrandom(&secret, sizeof secret, 0) != sizeof secret) secret = {};
        MPI_Bcast(&secret, sizeof secret, MPI_BYTE, 0, comm_);
        std::vector<WatchAddress> all(size_);
        MPI_Allgather(&watch()->address(), sizeof(WatchAddress), MPI_BYTE, all.data(),
                      sizeof(WatchAddress), MPI_BYTE, comm_);
        watch()->begin(all, secret);
    }

    /// Where another rank has ended, the watch ends this one.
    void endIfNoticed(std::chrono::milliseconds most) const {
        while (watch() && watch()->awaitNotice(most))
            pause();
    }

    /// MPI does not say who is lost: one of those on other machines that messages were for. The
    /// watch may know, soon.
    void check(int code, const Prepared* prepared = nullptr) const {
        if (code == MPI_SUCCESS) return;
        endIfNoticed(std::chrono::seconds(1));
        throw std::runtime_error("on " + nodes_[rank_] + ": "
                                 + textOfMpiProblem(code, strangers(prepared)));
    }

    std::string strangers(const Prepared* prepared) const {
        constexpr std::size_t kMany = 4;
        std::set<unsigned> ranks;
        for (unsigned rank = 0; !prepared && rank < size_; ++rank)
            ranks.insert(rank);
        if (prepared) ranks.insert(prepared->ranks.begin(), prepared->ranks.end());
        std::erase_if(ranks, [&](unsigned rank) { return nodes_[rank] == nodes_[rank_]; });
        if (ranks.empty() || ranks.size() > kMany) return "another rank";
        std::string names;
        for (const unsigned rank : ranks)
            names += (names.empty() ? "rank " : " or rank ") + std::to_string(rank) + " on "
                     + nodes_[rank];
        return names;
    }

    void send(std::span<const std::byte> bytes) {
        for (; !bytes.empty(); bytes = bytes.subspan(std::min(kPiece, bytes.size())))
            check(MPI_Send(bytes.data(), countOf(std::min(kPiece, bytes.size())), MPI_BYTE, 0,
                           kTag + 1, comm_));
    }
    void receive(unsigned from, std::span<std::byte> bytes) {
        for (; !bytes.empty(); bytes = bytes.subspan(std::min(kPiece, bytes.size())))
            check(MPI_Recv(bytes.data(), countOf(std::min(kPiece, bytes.size())), MPI_BYTE,
                           static_cast<int>(from), kTag + 1, comm_, MPI_STATUS_IGNORE));
    }

    MPI_Comm comm_ = MPI_COMM_NULL;
    unsigned rank_ = 0;
    unsigned size_ = 1;
    std::string name_;
    mutable std::string shownName_;
    std::vector<std::string> nodes_;  ///< of each rank
    std::vector<Prepared> prepared_;
    std::vector<std::unique_ptr<Window>> windows_;
    Outlasting outlasting_;
};

Transport* openMpi() {
    int is = 0;
    MPI_Initialized(&is);
    auto hold = is == 0 ? std::make_unique<LauncherHold>() : nullptr;
    int provided = 0;
    if (is == 0 && MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
        return nullptr;
    return new MpiTransport(std::move(hold));
}

void closeMpi(Transport* transport) {
    const auto outlasting = static_cast<MpiTransport*>(transport)->takeOutlasting();
    delete transport;
    if (!endByLauncher()) MPI_Finalize();
}

const MpiTable kTable{kMpiTableVersion, openMpi, closeMpi};

}  // namespace
}  // namespace sme

extern "C" const sme::MpiTable* sme_mpi_table() { return &sme::kTable; }
