// SPDX-License-Identifier: GPL-3.0-or-later
// `nvidia-smi topo -m`: a matrix of relations between GPUs and NICs, tab-separated, followed by affinities.
#include "input/diagnostic.h"
#include "measured/log_text.h"
#include "measured/node_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace meshwright {

namespace {

constexpr std::size_t max_matrix = 576; ///< GPUs plus NICs; the largest NVLink domain has 576 GPUs

bool is_gpu_name(std::string_view word) {
    return word.size() > 3 && word.starts_with("GPU") && whole_number_of(word.substr(3)).has_value();
}

bool is_nic_name(std::string_view word) {
    constexpr std::array<std::string_view, 6> beginnings{"NIC", "mlx", "bnxt", "irdma", "efa", "rdmap"};
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](std::string_view beginning) { return word.starts_with(beginning); })
        && word.find_first_of("0123456789") != std::string_view::npos;
}

/// Relations from close to far: through one PCIe switch, several PCIe switches, a host bridge, a NUMA node, the link
/// between sockets.
constexpr std::array<std::string_view, 6> relation_names{"PIX", "PXB", "PHB", "NODE", "SYS", "SOC"};

bool is_relation(std::string_view word) {
    return word == "X" || word == "N/A"
        || std::find(relation_names.begin(), relation_names.end(), word) != relation_names.end()
        || (word.starts_with("NV") && whole_number_of(word.substr(2)));
}

/// Cells of a row. A row with tabs is split only at tabs, because affinity cells may be empty.
std::vector<std::string_view> cells_of(std::string_view line) {
    if (line.find('\t') == std::string_view::npos)
        return log_words(line);
    std::vector<std::string_view> cells;
    for (;;) {
        const std::size_t tab = line.find('\t');
        cells.push_back(log_trimmed(line.substr(0, tab)));
        if (tab == std::string_view::npos)
            return cells;
        line.remove_prefix(tab + 1);
    }
}

/// The names of GPUs and NICs at the start of a line.
std::vector<std::string_view> header_names(std::string_view line) {
    std::vector<std::string_view> names;
    for (const std::string_view word : log_words(line)) {
        if (!is_gpu_name(word) && !is_nic_name(word))
            break;
        names.push_back(word);
    }
    return names;
}

class TopologyReader {
public:
    explicit TopologyReader(NodeListing &node)
        : m_node(node) { }

    void line(std::string_view line) {
        const std::vector<std::string_view> names = header_names(line);
        const bool is_row = !line.empty() && line.front() != '\t' && line.front() != ' ' && !names.empty();
        if (m_names.empty() && names.size() > 1 && is_gpu_name(names.front())) {
            if (names.size() > max_matrix)
                throw InputError("", fmt::format("the matrix has {} columns", names.size()),
                                 fmt::format("expected at most {}", max_matrix));
            m_names.assign(names.begin(), names.end());
            const std::size_t numa = line.find("NUMA Affinity");
            m_has_numa = numa != std::string_view::npos;
        } else if (m_names.empty() && names.size() == 1 && is_gpu_name(names.front()) && !is_row) {
            m_names.assign(names.begin(), names.end()); // the header of a node with one GPU
        } else if (!names.empty() && m_rows.size() < m_names.size() && names.front() == m_names[m_rows.size()]) {
            row(line.substr(line.find_first_not_of(' '))); // quoted listings are indented
        } else if (const std::size_t colon = line.find(": "); colon != std::string_view::npos && !m_rows.empty()) {
            legend(log_trimmed(line.substr(0, colon)), log_trimmed(line.substr(colon + 2)));
        }
    }

    void finish() {
        const auto gpus = static_cast<std::size_t>(
            std::count_if(m_names.begin(), m_names.end(), [](const std::string &name) { return is_gpu_name(name); }));
        if (gpus == 0 || m_rows.size() < gpus)
            throw InputError("", fmt::format("the matrix has {} rows for {} GPUs", m_rows.size(), gpus),
                             "expected the whole output of nvidia-smi topo -m");
        m_node.accelerators = static_cast<std::int64_t>(gpus);
        m_node.relations.assign(gpus, {});
        for (std::size_t i = 0; i < gpus; ++i)
            m_node.relations[i].assign(m_rows[i].begin(), m_rows[i].begin() + static_cast<std::ptrdiff_t>(gpus));
        nics(gpus);
        if (!m_numa.empty())
            m_node.numa_nodes = static_cast<std::int64_t>(m_numa.size());
        m_node.entries.push_back({"GPU rows", fmt::format("{}", gpus), "/accelerators_per_node"});
        m_node.entries.push_back({"GPU relations", summary(gpus), "/links"});
        if (!m_numa.empty())
            m_node.entries.push_back({"NUMA Affinity", fmt::format("{} nodes", m_numa.size()), "/numa_nodes"});
        if (m_names.size() > gpus)
            m_node.entries.push_back({"NIC columns", fmt::format("{}", m_names.size() - gpus), "/nics"});
        m_node.entries.push_back({"CPU Affinity", "", ""});
    }

private:
    void row(std::string_view line) {
        std::vector<std::string_view> cells = cells_of(line);
        cells.erase(cells.begin());
        if (cells.size() < m_names.size()
            || !std::all_of(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(m_names.size()), is_relation))
            throw InputError("", fmt::format("the row for {} is incomplete", m_names[m_rows.size()]),
                             "expected one of X, NV#, PIX, PXB, PHB, NODE and SYS per column");
        m_rows.emplace_back(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(m_names.size()));
        // After the relations come CPU affinity, NUMA affinity and GPU NUMA ID.
        if (m_has_numa && is_gpu_name(m_names[m_rows.size() - 1]) && cells.size() > m_names.size() + 1)
            for (std::size_t i = m_names.size() + 1; i < cells.size(); ++i)
                if (!cells[i].empty() && cells[i] != "N/A") {
                    m_numa.emplace(cells[i]);
                    break;
                }
    }

    void legend(std::string_view name, std::string_view meaning) {
        if (is_nic_name(name) && m_real_names.size() < max_matrix)
            m_real_names.emplace(name, meaning); // such as "NIC0: mlx5_0"
    }

    void nics(std::size_t gpus) {
        for (std::size_t column = gpus; column < m_names.size(); ++column) {
            const auto real = m_real_names.find(m_names[column]);
            const std::string &name = real == m_real_names.end() ? m_names[column] : real->second;
            auto nic = std::find_if(m_node.nics.begin(), m_node.nics.end(),
                                    [&](const ListedNic &listed) { return listed.name == name; });
            if (nic == m_node.nics.end())
                nic = m_node.nics.insert(nic, ListedNic{.name = name});
            std::size_t nearest = relation_names.size();
            for (std::size_t gpu = 0; gpu < gpus; ++gpu) {
                const auto found = std::find(relation_names.begin(), relation_names.end(), m_rows[gpu][column]);
                nearest = std::min(nearest, static_cast<std::size_t>(found - relation_names.begin()));
            }
            if (nearest < relation_names.size())
                nic->nearest = relation_names[nearest];
        }
    }

    /// Each relation with its number of cells, such as "NV18 x 56".
    std::string summary(std::size_t gpus) const {
        std::map<std::string, std::size_t> counts;
        for (std::size_t i = 0; i < gpus; ++i)
            for (std::size_t j = 0; j < gpus; ++j)
                if (i != j)
                    ++counts[m_rows[i][j]];
        std::string text;
        for (const auto &[relation, count] : counts)
            text += fmt::format("{}{} x {}", text.empty() ? "" : ", ", relation, count);
        return text;
    }

    NodeListing &m_node;
    std::vector<std::string> m_names; ///< columns: GPUs, then NICs
    std::vector<std::vector<std::string>> m_rows;
    bool m_has_numa = false;
    std::set<std::string, std::less<>> m_numa;
    std::map<std::string, std::string, std::less<>> m_real_names;
};

} // namespace

bool is_topology(std::string_view text) {
    const std::size_t header = text.find("GPU0");
    return header != std::string_view::npos && text.find("CPU Affinity", header) != std::string_view::npos
        && text.find("GPU0", header + 1) != std::string_view::npos;
}

void read_topology(std::string_view text, NodeListing &node) {
    const std::string plain = plain_log(text);
    TopologyReader reader(node);
    for (const std::string_view line : log_lines(plain))
        reader.line(line);
    reader.finish();
}

} // namespace meshwright
