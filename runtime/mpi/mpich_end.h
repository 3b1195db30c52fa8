#pragma once

namespace sme {

/// MPI_Finalize of MPICH before 4.2 waits for ever in many runs whose ranks are on several machines:
/// one closes its connections, which takes the others, and these wait for the launcher (MPICH's pull
/// request 6596). So there ranks wait for each other through the launcher, carry messages on
/// meanwhile, and tell it that they are done. Whether that was so; if not, MPI_Finalize is to be
/// called. All ranks call.
bool endByLauncher();

}  // namespace sme
