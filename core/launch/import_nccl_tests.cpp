// SPDX-License-Identifier: GPL-3.0-or-later
// Imports output of nccl-tests as a network tier with measured bus bandwidths.
#include "catalog/cluster.h"
#include "formulas/collectives.h"
#include "input/diagnostic.h"
#include "launch/measured_document.h"
#include "launch/measured_importers.h"
#include "measured/device_name.h"
#include "measured/log_text.h"
#include "measured/nccl_tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

using TierJson = nlohmann::ordered_json;

constexpr std::size_t max_tier_lines = 1000; ///< maximum number of measurements per tier
constexpr std::int64_t usual_ranks_per_node = 8;
constexpr double largest_latency_bound_bytes = 32 << 10; ///< largest message whose time is only latency
constexpr double highest_rate = 1e18;
constexpr double longest_hop_seconds = 1; ///< maximum plausible latency of a hop; larger values are not latency
constexpr double usual_hop_seconds = 5e-6; ///< default latency of a hop in a tier, in seconds

std::string gigabytes_per_second(double bytes_per_second) {
    return fmt::format("{:.7g} GB/s", bytes_per_second / 1e9);
}

std::string microseconds(double seconds) {
    return fmt::format("{:.7g} us", seconds * 1e6);
}

std::string printed_row(const NcclRow &row) {
    const NcclTiming &timing = row.out_of_place;
    const std::string out_of_place =
        fmt::format("{}, {}, {}", microseconds(timing.seconds), gigabytes_per_second(timing.algorithm_bytes_per_second),
                    gigabytes_per_second(timing.bus_bytes_per_second));
    return row.in_place
        ? fmt::format("{}; in place {}", out_of_place, gigabytes_per_second(row.in_place->bus_bytes_per_second))
        : out_of_place;
}

/// The collective under which a tier stores the measurements of a test; null if tiers do not store them.
const char *tier_collective(const std::string &collective) {
    if (collective == "all_reduce")
        return "all_reduce";
    // A reduce-scatter takes as long as an all-gather: see Collective.
    return collective == "all_gather" || collective == "reduce_scatter" ? "all_gather" : nullptr;
}

/// Sequential hops of a ring, each of which delays a latency-bound collective. 0 for collectives that use no ring.
double ring_steps(const std::string &collective, double ranks) {
    if (collective == "all_reduce")
        return formula::ring_all_reduce_steps(ranks);
    if (collective == "sendrecv")
        return 1;
    const bool by_ring = tier_collective(collective) != nullptr || collective == "broadcast" || collective == "reduce";
    return by_ring ? ranks - 1 : 0;
}

/// Bus bandwidth with full precision: for short messages, the log's two decimals in GB/s are too few. 0 for an
/// empty message.
double exact_bus_bandwidth(const NcclTest &test, const NcclRow &row) {
    constexpr double enough = 10e9;
    const double printed = row.out_of_place.bus_bytes_per_second;
    if (row.bytes <= 0 || row.out_of_place.seconds <= 0)
        return 0;
    return printed >= enough
        ? printed
        : row.bytes / row.out_of_place.seconds * bus_factor(test.collective, static_cast<double>(test.ranks));
}

class TierOfTests {
public:
    TierOfTests(std::vector<NcclTest> tests, const Library &library)
        : m_document("nccl-tests", "tier")
        , m_tests(std::move(tests))
        , m_library(library) { }

    Imported read() && {
        for (std::size_t i = 0; i < m_tests.size(); ++i)
            describe(m_tests[i], fmt::format("/measured/tests/{}", i));
        const NcclTest &lead = leading_test();
        settle_size(lead);
        settle_bandwidth(lead);
        settle_latency(lead);
        m_document.set("/bus_bandwidth", TierJson::array());
        for (std::size_t i = 0; i < m_tests.size(); ++i)
            add_lines(m_tests[i], fmt::format("/measured/tests/{}", i));
        return std::move(m_document).take();
    }

private:
    /// The all-reduce among the tests with the most ranks; if there is none, the first of these tests.
    const NcclTest &leading_test() const {
        return *std::max_element(m_tests.begin(), m_tests.end(), [](const NcclTest &a, const NcclTest &b) {
            const auto rank = [](const NcclTest &test) {
                return std::pair(test.ranks, test.collective == "all_reduce" ? 1 : 0);
            };
            return rank(a) < rank(b);
        });
    }

    void describe(const NcclTest &test, const std::string &at) {
        m_document.set(at, TierJson::object());
        name_collective(test, at);
        count_ranks(test, at);
        if (!test.device.empty()) {
            m_document.read("device", test.device, at + "/device", test.device);
            if (const std::string id = accelerator_of_device(test.device, 0, m_library); !id.empty())
                m_document.set(at + "/accelerator", id);
        }
        if (!test.hosts.empty())
            m_document.read("hosts", fmt::format("{}", test.hosts.size()), at + "/nodes", test.hosts.size());
        m_document.set(at + "/rows", test.rows.size());
        const auto extreme = [&](const NcclRow &row, const std::string &which) {
            m_document.set(at + fmt::format("/{}_bytes", which), row.bytes);
            m_document.set(at + fmt::format("/{}_seconds", which), row.out_of_place.seconds);
        };
        const NcclRow &largest = *test.largest();
        extreme(*test.smallest(), "smallest");
        extreme(largest, "largest");
        m_document.set(at + "/algorithm_bandwidth_bytes_per_second", largest.out_of_place.algorithm_bytes_per_second);
        m_document.set(at + "/bus_bandwidth_bytes_per_second", largest.out_of_place.bus_bytes_per_second);
        if (largest.in_place)
            m_document.set(at + "/in_place_bus_bandwidth_bytes_per_second", largest.in_place->bus_bytes_per_second);
        if (test.average_bus_bytes_per_second)
            m_document.read("Avg bus bandwidth", fmt::format("{:.7g}", *test.average_bus_bytes_per_second / 1e9),
                            at + "/average_bus_bandwidth_bytes_per_second", *test.average_bus_bytes_per_second);
        if (test.out_of_bounds > 0)
            m_document.fault("Out of bounds values", fmt::format("{:.0f} results were wrong", test.out_of_bounds));
        if (test.other_lines > 0)
            m_document.ignore("other lines", fmt::format("{}", test.other_lines),
                              "messages from NCCL, the launcher or the surrounding program");
    }

    void name_collective(const NcclTest &test, const std::string &at) {
        if (test.collective_from == KnownFrom::stated || test.collective_from == KnownFrom::columns)
            m_document.read(test.collective_from == KnownFrom::stated ? "program" : "columns", test.collective,
                            at + "/collective", test.collective);
        else
            m_document.assume(at + "/collective", test.collective,
                              test.collective_from == KnownFrom::file_name
                                  ? "taken from the file's name, because the log does not name the collective"
                                  : "the log does not name the collective");
    }

    void count_ranks(const NcclTest &test, const std::string &at) {
        if (test.ranks_from == KnownFrom::stated)
            m_document.read("Using devices", fmt::format("{} ranks", test.ranks), at + "/ranks", test.ranks);
        else if (test.ranks > 0)
            m_document.assume(at + "/ranks", test.ranks,
                              "from the ratio of bus bandwidth to algorithm bandwidth: the log does not list devices");
    }

    /// Ranks per node. All ranks are in one node if the log does not list the hosts and the ranks fit into it.
    std::int64_t ranks_per_node(const NcclTest &test) const {
        if (!test.hosts.empty())
            return std::max<std::int64_t>(1, test.ranks / static_cast<std::int64_t>(test.hosts.size()));
        return std::min(test.ranks, usual_ranks_per_node);
    }

    void settle_size(const NcclTest &test) {
        m_node = ranks_per_node(test);
        m_is_network = test.ranks > m_node;
        m_document.set("/name", m_is_network ? "network" : "node");
        m_document.set("/accelerators", std::max<std::int64_t>(test.ranks, 2));
        if (test.hosts.empty())
            m_document.assume("/measured/ranks_per_node", m_node,
                              "the log does not list the hosts; nodes of eight accelerators are assumed");
    }

    /// Sets the tier's bandwidth per accelerator. A ring collective uses all NICs of a node, so its bus bandwidth is
    /// that of all NICs together; in an all-to-all, every rank sends separately.
    void settle_bandwidth(const NcclTest &test) {
        const double bus = test.largest()->out_of_place.bus_bytes_per_second;
        const bool by_rings = test.collective != "alltoall" && test.collective != "sendrecv";
        const double sharing = m_is_network && by_rings ? static_cast<double>(m_node) : 1;
        m_document.set("/bandwidth_bytes_per_second", std::max(1.0, bus / sharing));
        if (sharing > 1)
            m_document.assume("/bandwidth_bytes_per_second", std::max(1.0, bus / sharing),
                              fmt::format("the bus bandwidth of the largest size, {}, divided by the {} accelerators "
                                          "of a node, whose network links share the traffic",
                                          gigabytes_per_second(bus), m_node));
    }

    void settle_latency(const NcclTest &test) {
        std::vector<double> seconds;
        for (const NcclRow &row : test.rows)
            if (row.bytes > 0 && row.bytes <= largest_latency_bound_bytes && row.out_of_place.seconds > 0)
                seconds.push_back(row.out_of_place.seconds);
        const double steps = ring_steps(test.collective, static_cast<double>(test.ranks));
        if (seconds.empty() || steps < 1 || median_of(seconds) / steps > longest_hop_seconds) {
            m_document.assume("/latency_seconds", usual_hop_seconds,
                              seconds.empty()
                                  ? "the log has no message of at most 32 KiB, so latency cannot be estimated"
                                  : "the short messages in this log do not determine the latency of a hop");
            return;
        }
        const double time = median_of(seconds);
        m_document.assume("/latency_seconds", time / steps,
                          fmt::format("{}, the median time of messages of at most 32 KiB, divided by the {:.0f} steps "
                                      "of a ring; it includes launching the collective",
                                      microseconds(time), steps));
    }

    /// Adds each row of a test as a measurement of the tier, or skips it with the reason. More bytes must take at least
    /// as much time; if two rows contradict this, the row with the smaller size is noise.
    void add_lines(const NcclTest &test, const std::string &at) {
        std::vector<const NcclRow *> rows;
        for (const NcclRow &row : test.rows)
            rows.push_back(&row);
        std::stable_sort(rows.begin(), rows.end(),
                         [](const NcclRow *a, const NcclRow *b) { return a->bytes > b->bytes; });
        const char *const collective = tier_collective(test.collective);
        TierJson others = TierJson::array();
        std::vector<BusBandwidth> of_this_test;
        std::vector<BusBandwidth> &kept = collective != nullptr ? m_lines : of_this_test;
        for (const NcclRow *const row : rows) {
            const BusBandwidth own{.collective = test.collective == "all_reduce" ? Collective::all_reduce
                                                                                 : Collective::all_gather,
                                   .ranks = std::max<std::int64_t>(test.ranks, 2),
                                   .bytes = row->bytes,
                                   .bytes_per_second = exact_bus_bandwidth(test, *row)};
            const std::string why = why_left_out(own, kept, collective != nullptr);
            const std::string option = fmt::format("{} {:.0f} bytes", test.collective, row->bytes);
            const std::string printed = printed_row(*row);
            if (!why.empty()) {
                m_document.ignore(option, printed, why);
                continue;
            }
            const std::size_t place = kept.size();
            kept.push_back(own);
            TierJson line{{"collective", collective != nullptr ? collective : test.collective.c_str()},
                          {"ranks", own.ranks},
                          {"bytes", own.bytes},
                          {"bytes_per_second", own.bytes_per_second}};
            if (collective != nullptr) {
                m_document.read(option, printed, fmt::format("/bus_bandwidth/{}", place), std::move(line));
            } else {
                m_document.understand(option, printed, fmt::format("{}/bus_bandwidth/{}", at, place));
                others.push_back(std::move(line));
            }
        }
        if (collective == nullptr) {
            m_document.set(at + "/bus_bandwidth", std::move(others));
            m_document.assume("/bus_bandwidth", *m_document.find("/bus_bandwidth"),
                              fmt::format("a tier stores only all-reduce and all-gather measurements; the {} "
                                          "measurements set its bandwidth and are listed under measured",
                                          test.collective));
        }
    }

    /// Reason for skipping a measurement; empty if the tier takes it. @param kept  measurements that the tier already
    /// has
    std::string why_left_out(const BusBandwidth &line, const std::vector<BusBandwidth> &kept, bool is_of_tier) const {
        if (line.bytes < 1 || line.bytes_per_second < 1 || line.bytes_per_second > highest_rate)
            return "an empty message";
        if (is_of_tier && m_is_network && line.ranks <= m_node)
            return "all ranks are in one node, so the inter-node network was not measured";
        if (is_of_tier && m_is_network && line.ranks % m_node != 0)
            return fmt::format("{} ranks do not fill nodes of {}", line.ranks, m_node);
        if (kept.size() >= max_tier_lines)
            return fmt::format("a tier takes at most {} measurements", max_tier_lines);
        for (const BusBandwidth &other : kept) {
            if (line.collective != other.collective || line.ranks != other.ranks)
                continue;
            if (line.bytes == other.bytes)
                return "duplicate size";
            const BusBandwidth &less = line.bytes < other.bytes ? line : other;
            const BusBandwidth &more = line.bytes < other.bytes ? other : line;
            if (less.bytes * more.bytes_per_second > more.bytes * less.bytes_per_second)
                return "noise: took longer than a larger message, or less time than a smaller one";
        }
        return {};
    }

    MeasuredDocument m_document;
    std::vector<NcclTest> m_tests;
    const Library &m_library;
    std::int64_t m_node = usual_ranks_per_node;
    bool m_is_network = false;
    std::vector<BusBandwidth> m_lines; ///< measurements of the tier
};

} // namespace

int nccl_tests_likeness(const LaunchFile &file) {
    const bool header = file.text.find("algbw") != std::string::npos && file.text.find("busbw") != std::string::npos;
    return header ? 96 : 0;
}

Imported import_nccl_tests(const std::vector<LaunchFile> &files, const Library &library) {
    std::vector<NcclTest> tests;
    for (const LaunchFile &file : files)
        for (NcclTest &test : read_nccl_tests(file.text, file.name))
            tests.push_back(std::move(test));
    if (tests.empty())
        throw InputError("", "no nccl-tests result rows",
                         "expected rows of size, count, type, time, algbw and busbw with a size above 0");
    std::erase_if(tests, [](const NcclTest &test) { return test.ranks < 2; });
    if (tests.empty())
        throw InputError("", "cannot determine the number of ranks",
                         "expected the list of devices that nccl-tests prints, or bandwidths of at least 1 GB/s");
    return TierOfTests(std::move(tests), library).read();
}

} // namespace meshwright
