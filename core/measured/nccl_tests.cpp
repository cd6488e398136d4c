// SPDX-License-Identifier: GPL-3.0-or-later
// nccl-tests defines the columns in src/common.cu and src/*_perf.cu, since version 2.0.
#include "measured/nccl_tests.h"

#include "measured/log_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace meshwright {

namespace {

constexpr double gigabyte = 1e9;
constexpr double microseconds_per_second = 1e6;
constexpr double largest_tensor = 1e18;
constexpr std::size_t max_hosts = 4096;
constexpr std::size_t max_nccl_rows = 100'000;

struct CollectiveName {
    std::string_view program; ///< name of the program without "_perf"
    std::string_view name;
};
/// Longer names come first, because "all_reduce" contains "reduce".
constexpr std::array<CollectiveName, 12> collectives{{{"all_reduce", "all_reduce"},
                                                      {"allreduce", "all_reduce"},
                                                      {"all_gather", "all_gather"},
                                                      {"allgather", "all_gather"},
                                                      {"reduce_scatter", "reduce_scatter"},
                                                      {"alltoall", "alltoall"},
                                                      {"broadcast", "broadcast"},
                                                      {"sendrecv", "sendrecv"},
                                                      {"hypercube", "hypercube"},
                                                      {"gather", "gather"},
                                                      {"scatter", "scatter"},
                                                      {"reduce", "reduce"}}};

double bytes_of_type(std::string_view type) {
    if (type == "double" || type == "int64" || type == "uint64")
        return 8;
    if (type == "float" || type == "int32" || type == "uint32")
        return 4;
    return type == "half" || type == "bfloat16" ? 2 : 1;
}

bool is_type(std::string_view word) {
    constexpr std::array<std::string_view, 16> types{"float",    "half",   "bfloat16", "double", "int8",   "uint8",
                                                     "int32",    "uint32", "int64",    "uint64", "f8e4m3", "fp8_e4m3",
                                                     "fp8_e5m2", "f8e5m2", "fp8e4m3",  "fp8e5m2"};
    return std::find(types.begin(), types.end(), word) != types.end();
}

/// Converts a rate printed in GB/s with a few decimals to bytes/s, without rounding errors.
double exact_rate(double printed) {
    constexpr double steps = 1e6;
    return std::round(printed * steps) * (gigabyte / steps);
}

bool reduces(std::string_view operation) {
    return !operation.empty() && operation != "none";
}

/// Reads the columns after the operation: an optional root, then time, two bandwidths and the number of wrong values,
/// first out of place, then in place.
bool read_timings(NcclRow &row, std::vector<std::string_view> words) {
    if (words.size() == 9 || words.size() == 7) {
        const auto root = whole_number_of(words.front());
        if (!root || *root != std::floor(*root) || std::abs(*root) > 1e7)
            return false;
        row.root = static_cast<std::int64_t>(*root);
        words.erase(words.begin());
    }
    if (words.size() != 8 && words.size() != 6)
        return false;
    const std::size_t each = words.size() / 2;
    for (const std::size_t first : {std::size_t{0}, each}) {
        const auto time = whole_number_of(words[first]);
        const auto algorithm = whole_number_of(words[first + 1]);
        const auto bus = whole_number_of(words[first + 2]);
        if (!time || !algorithm || !bus || *time < 0 || *bus < 0 || *time > 1e12 || *bus > 1e9) {
            if (first == 0 || words[first] != "N/A")
                return false;
            continue; // the test was not run in place
        }
        const NcclTiming timing{.seconds = *time / microseconds_per_second,
                                .algorithm_bytes_per_second = exact_rate(*algorithm),
                                .bus_bytes_per_second = exact_rate(*bus)};
        if (first == 0)
            row.out_of_place = timing;
        else
            row.in_place = timing;
    }
    return true;
}

/// The collective of the program named in a line: "all_reduce" for "all_reduce_perf". Empty if no program is named.
std::string_view named_program(std::string_view line) {
    for (const CollectiveName &each : collectives)
        for (std::size_t at = line.find(each.program); at != std::string_view::npos;
             at = line.find(each.program, at + 1))
            if (line.substr(at + each.program.size()).starts_with("_perf"))
                return each.name;
    return {};
}

std::string_view named_in_file(std::string_view file_name) {
    std::string lower;
    for (const char c : file_name.substr(file_name.rfind('/') + 1))
        lower += c == '-' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    for (const CollectiveName &each : collectives)
        if (lower.find(each.program) != std::string::npos)
            return each.name;
    return {};
}

struct Columns {
    bool has_operation = true;
    bool has_root = true;
};

/// The only collective with these columns; empty if several collectives have them.
std::string collective_by_columns(const NcclRow &row, const Columns &columns) {
    const bool is_whole = row.count * bytes_of_type(row.type) >= row.bytes;
    if (reduces(row.operation))
        return row.root.value_or(-1) >= 0 ? "reduce" : is_whole ? "all_reduce" : "reduce_scatter";
    if (row.root.value_or(-1) >= 0)
        return is_whole ? "broadcast" : "";
    if (!columns.has_root) // older versions omit columns that do not apply to the collective
        return columns.has_operation ? "alltoall" : "all_gather";
    return is_whole ? "sendrecv" : "";
}

/// Number of ranks from the ratio of the two bandwidths, as precisely as their two decimals allow.
std::int64_t ranks_by_ratio(std::string_view collective, const NcclTiming &timing) {
    constexpr double rounding = 0.005 * gigabyte;
    if (timing.algorithm_bytes_per_second < 1 * gigabyte)
        return 0;
    const auto ranks_at = [&](double ratio) {
        const double share = collective == "all_reduce" ? ratio / 2 : ratio; // (n - 1) / n
        return share < 1 ? 1 / (1 - share) : 1e9;
    };
    const double low =
        ranks_at((timing.bus_bytes_per_second - rounding) / (timing.algorithm_bytes_per_second + rounding));
    const double high =
        ranks_at((timing.bus_bytes_per_second + rounding) / (timing.algorithm_bytes_per_second - rounding));
    if (bus_factor(collective, 2) == bus_factor(collective, 4) || high > 1e6)
        return 0; // the ratio does not depend on the number of ranks, or is too close to its limit
    // Among the numbers that match the printed digits, prefer a power of two, then a multiple of eight, then the
    // nearest.
    for (double power = 2; power <= high; power *= 2)
        if (power >= low)
            return static_cast<std::int64_t>(power);
    const double nodes = std::floor(high / 8) * 8;
    return static_cast<std::int64_t>(nodes >= low && nodes > 0 ? nodes : std::round((low + high) / 2));
}

class NcclReader {
public:
    explicit NcclReader(std::string_view file_name)
        : m_file_name(file_name) { }

    void line(std::string_view line) {
        if (const std::string_view program = named_program(line);
            !program.empty() && line.find("test concluded") == std::string_view::npos)
            m_named = program;
        if (line.find("# Using devices") != std::string_view::npos)
            begin();
        if (device(line) || header(line))
            return;
        if (const auto average = text_after(line, "# Avg bus bandwidth")) {
            end(leading_number(average->substr(std::min(average->find(':') + 1, average->size()))));
        } else if (const auto bounds = text_after(line, "# Out of bounds values :")) {
            m_test.out_of_bounds = leading_number(*bounds).value_or(0);
        } else if (auto row = nccl_row(line); row && m_test.rows.size() < max_nccl_rows) {
            m_test.rows.push_back(std::move(*row));
        } else if (line.find('#') == std::string_view::npos && !log_trimmed(line).empty()) {
            ++m_test.other_lines;
        }
    }

    std::vector<NcclTest> take() {
        end(std::nullopt);
        return std::move(m_tests);
    }

private:
    void begin() {
        if (!m_test.rows.empty())
            end(std::nullopt);
        m_test.hosts.clear();
        m_test.ranks = 0;
    }

    bool header(std::string_view line) {
        if (line.find("size") == std::string_view::npos || line.find("count") == std::string_view::npos
            || line.find("busbw") == std::string_view::npos)
            return false;
        if (!m_test.rows.empty())
            end(std::nullopt);
        m_columns = {.has_operation = line.find("redop") != std::string_view::npos,
                     .has_root = line.find("root") != std::string_view::npos};
        return true;
    }

    /// Reads "#  Rank  0 Group  0 Pid 6899 on node-1 device  0 [0000:04:00] NVIDIA H100 80GB HBM3".
    bool device(std::string_view line) {
        const std::size_t rank = line.find("Rank ");
        const std::size_t on = line.find(" on ", rank);
        const std::size_t device = line.find(" device ", on);
        if (rank == std::string_view::npos || on == std::string_view::npos || device == std::string_view::npos
            || line.find("# ") == std::string_view::npos)
            return false;
        ++m_test.ranks;
        m_test.ranks_from = KnownFrom::stated;
        if (m_test.hosts.size() < max_hosts)
            m_test.hosts.emplace(log_trimmed(line.substr(on + 4, device - on - 4)));
        if (const std::size_t bracket = line.find(']', device); bracket != std::string_view::npos)
            m_test.device = log_trimmed(line.substr(bracket + 1));
        return true;
    }

    /// Ends a test; a header without rows is not a test.
    void end(std::optional<double> average) {
        NcclTest test = std::move(m_test);
        m_test = NcclTest{};
        if (average && *average >= 0 && *average < 1e9)
            test.average_bus_bytes_per_second = exact_rate(*average);
        const NcclRow *const largest = test.largest();
        if (largest == nullptr)
            return;
        name(test, *largest);
        m_named = {};
        count_ranks(test, *largest);
        m_tests.push_back(std::move(test));
    }

    void name(NcclTest &test, const NcclRow &row) const {
        const std::string_view in_file = named_in_file(m_file_name);
        const std::string by_columns = collective_by_columns(row, m_columns);
        if (!m_named.empty()) {
            test.collective = m_named;
            test.collective_from = KnownFrom::stated;
        } else if (!by_columns.empty()) {
            test.collective = by_columns;
            test.collective_from = KnownFrom::columns;
        } else if (!in_file.empty() && !reduces(row.operation)) {
            test.collective = in_file;
            test.collective_from = KnownFrom::file_name;
        } else {
            test.collective = "all_gather";
        }
    }

    static void count_ranks(NcclTest &test, const NcclRow &row) {
        if (test.ranks > 0)
            return;
        test.ranks = ranks_by_ratio(test.collective, row.out_of_place);
        test.ranks_from = KnownFrom::ratio;
    }

    std::string_view m_file_name;
    std::string_view m_named;
    Columns m_columns;
    NcclTest m_test;
    std::vector<NcclTest> m_tests;
};

const NcclRow *row_by_size(const std::vector<NcclRow> &rows, bool largest) {
    const NcclRow *best = nullptr;
    for (const NcclRow &row : rows)
        if (row.bytes > 0 && row.out_of_place.seconds > 0
            && (best == nullptr || (largest ? row.bytes > best->bytes : row.bytes < best->bytes)))
            best = &row;
    return best;
}

} // namespace

const NcclRow *NcclTest::smallest() const {
    return row_by_size(rows, false);
}

const NcclRow *NcclTest::largest() const {
    return row_by_size(rows, true);
}

double bus_factor(std::string_view collective, double ranks) {
    if (collective == "all_reduce")
        return 2 * (ranks - 1) / ranks;
    if (collective == "broadcast" || collective == "reduce" || collective == "sendrecv")
        return 1;
    return (ranks - 1) / ranks;
}

std::optional<NcclRow> nccl_row(std::string_view line) {
    std::vector<std::string_view> words = log_words(line);
    const auto type = std::find_if(words.begin(), words.end(), is_type);
    if (type == words.end() || type - words.begin() < 2)
        return std::nullopt;
    // mpirun writes no space after its prefix: "[1,0]<stdout>:33554432".
    std::string_view size = *(type - 2);
    size.remove_prefix(size.rfind(':') == std::string_view::npos ? 0 : size.rfind(':') + 1);
    NcclRow row;
    const auto bytes = whole_number_of(size);
    const auto count = whole_number_of(*(type - 1));
    if (!bytes || !count || *bytes < 0 || *count < 0 || *bytes > largest_tensor || *count > largest_tensor)
        return std::nullopt;
    row.bytes = *bytes;
    row.count = *count;
    row.type = *type;
    auto next = type + 1;
    if (next != words.end() && !whole_number_of(*next) && *next != "N/A")
        row.operation = *next++;
    if (!read_timings(row, {next, words.end()}))
        return std::nullopt;
    return row;
}

std::vector<NcclTest> read_nccl_tests(std::string_view text, std::string_view file_name) {
    const std::string plain = plain_log(text);
    NcclReader reader(file_name);
    for (const std::string_view line : log_lines(plain))
        reader.line(line);
    return reader.take();
}

} // namespace meshwright
