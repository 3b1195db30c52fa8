#pragma once

namespace sme {

/// The launcher of MPICH kills all ranks as soon as its connection with one is closed, before any
/// could say which one has ended. This keeps that of this rank open for half a second longer, by a
/// process of its own, which ends when this does. To be made before MPI_Init, and to be destroyed
/// after MPI_Finalize. Does nothing under other launchers, and where there is no shell.
class LauncherHold {
public:
    LauncherHold();
    ~LauncherHold();
    LauncherHold(const LauncherHold&) = delete;
    LauncherHold& operator=(const LauncherHold&) = delete;

private:
    int pipe_ = -1;  ///< a line in it, and the process ends at once
};

}  // namespace sme
