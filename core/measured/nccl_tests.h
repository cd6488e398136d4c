// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// Where a fact about a test comes from.
enum class KnownFrom { stated, columns, ratio, file_name, assumption };

/// One size of a test, out of place or in place.
struct NcclTiming {
    double seconds = 0;
    double algorithm_bytes_per_second = 0; ///< size / time
    double bus_bytes_per_second = 0; ///< bus bandwidth as printed, to two decimals of a GB/s
};

struct NcclRow {
    double bytes = 0; ///< size of the whole tensor in bytes
    double count = 0; ///< elements of one rank's buffer, as the collective counts them
    std::string type;
    std::string operation; ///< "sum", "none"; empty if the log has no such column
    std::optional<std::int64_t> root; ///< root of the collective; -1: none
    NcclTiming out_of_place;
    std::optional<NcclTiming> in_place;
};

/// Output of one program of nccl-tests or rccl-tests.
struct NcclTest {
    std::string collective; ///< "all_reduce", "all_gather", "reduce_scatter", "alltoall", "broadcast", ...
    KnownFrom collective_from = KnownFrom::assumption;
    std::int64_t ranks = 0; ///< number of ranks; 0: unknown
    KnownFrom ranks_from = KnownFrom::assumption;
    std::set<std::string> hosts; ///< empty: not printed
    std::string device; ///< product name; empty: not printed
    std::vector<NcclRow> rows;
    /// Average bus bandwidth over all sizes, out of place and in place.
    std::optional<double> average_bus_bytes_per_second;
    double out_of_bounds = 0; ///< values that differed from the expected ones
    std::size_t other_lines = 0; ///< number of lines that NCCL or the launcher printed

    /// The row with the smallest (or largest) size above 0; null if there is none.
    const NcclRow *smallest() const;
    const NcclRow *largest() const;
};

/// Bus bandwidth over algorithm bandwidth of a collective on this many ranks (nccl-tests, doc/PERFORMANCE.md).
double bus_factor(std::string_view collective, double ranks);

/// Parses a line; empty if it is not a row of a test.
std::optional<NcclRow> nccl_row(std::string_view line);

/// Reads the tests in a log, which may carry prefixes of mpirun or srun. Empty if there are none.
/// @param file_name  file name, which may contain the name of the collective if the log does not
std::vector<NcclTest> read_nccl_tests(std::string_view text, std::string_view file_name);

} // namespace meshwright
