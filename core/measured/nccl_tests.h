// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// How a test's collective or number of ranks was found.
enum class KnownFrom { stated, columns, ratio, file_name, assumption };

/// Results of a test for one size, out of place or in place.
struct NcclTiming {
    double seconds = 0;
    double algorithm_bytes_per_second = 0; ///< size / time
    double bus_bytes_per_second = 0; ///< bus bandwidth as printed, to two decimals of a GB/s
};

struct NcclRow {
    double bytes = 0; ///< size of the whole tensor in bytes
    double count = 0; ///< number of elements per rank, as the collective counts them
    std::string type;
    std::string operation; ///< "sum", "none"; empty if the column is empty
    std::optional<std::int64_t> root; ///< root of the collective; -1 if it has none
    NcclTiming out_of_place;
    std::optional<NcclTiming> in_place;
};

/// Output of one program of nccl-tests or rccl-tests.
struct NcclTest {
    std::string collective; ///< "all_reduce", "all_gather", "reduce_scatter", "alltoall", "broadcast", ...
    KnownFrom collective_from = KnownFrom::assumption;
    std::int64_t ranks = 0; ///< number of ranks; 0 if unknown
    KnownFrom ranks_from = KnownFrom::assumption;
    std::set<std::string> hosts; ///< empty if not printed
    std::string device; ///< product name; empty if not printed
    std::vector<NcclRow> rows;
    std::optional<double> average_bus_bytes_per_second;
    double out_of_bounds = 0; ///< number of values that differed from the expected ones
    std::size_t other_lines = 0; ///< number of lines that NCCL or the launcher printed

    /// The row with the smallest (or largest) size above 0; null if there is none.
    const NcclRow *smallest() const;
    const NcclRow *largest() const;
};

/// Bus bandwidth divided by algorithm bandwidth for a collective on this many ranks (nccl-tests, doc/PERFORMANCE.md).
double bus_factor(std::string_view collective, double ranks);

/// Parses a line; empty if it is not a row of a test.
std::optional<NcclRow> nccl_row(std::string_view line);

/// Reads the tests in a log, whose lines may have prefixes from mpirun or srun. Empty if the log has no tests.
/// @param file_name  name of the file, which may contain the collective's name if the log does not
std::vector<NcclTest> read_nccl_tests(std::string_view text, std::string_view file_name);

} // namespace meshwright
