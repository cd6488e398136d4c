// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace meshwright {

template <typename N>
struct BasicRunEstimate {
    N steps = 0; ///< optimizer steps per site
    N rounds = 0; ///< outer rounds; 0 without an outer loop
    N tokens = 0;
    N seconds = 0; ///< duration of the run, including stalls, failures and checkpoints
    N days = 0;
    N goodput = 1; ///< fraction of time that remains after failures and checkpoints
    N accelerator_hours = 0;
    N rental_dollars = 0;
    N energy_joules = 0;
    N energy_dollars = 0;
    N checkpoint_bytes = 0;
    N checkpoint_interval_seconds = 0;
    N expected_failures = 0;
};
using RunEstimate = BasicRunEstimate<double>;

/// Cluster size relative to a legal compute threshold. For information only; no search optimizes for it. A site counts
/// alone, because the legal definition counts only co-located accelerators together.
template <typename N>
struct BasicClusterCompute {
    N accelerators = 0;
    N node_h100_equivalents = 0;
    N site_h100_equivalents = 0;
    N total_h100_equivalents = 0;
    N threshold_h100_equivalents = 0;
    N node_share_of_threshold = 0;
    N site_share_of_threshold = 0;
};

} // namespace meshwright
