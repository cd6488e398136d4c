// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/deepspeed_stages.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace meshwright {

namespace {

/// A module of a GPT model, in the order of the pipeline.
struct PipelineItem {
    bool is_layer = false;
    bool has_weights = false;
    std::int64_t counted = 0;
};

std::vector<PipelineItem> pipeline_items(std::int64_t layers, CountedModules counted) {
    const std::int64_t end = counted == CountedModules::layers_and_embeddings ? 1 : 0;
    const PipelineItem cast{};
    const PipelineItem embedding{.has_weights = true, .counted = end}; // also stands for the LM head
    std::vector<PipelineItem> items{cast, embedding};
    items.insert(items.end(), static_cast<std::size_t>(layers), {.is_layer = true, .has_weights = true, .counted = 1});
    const PipelineItem norm{.has_weights = true};
    items.insert(items.end(), {norm, embedding, cast});
    return items;
}

/// Divides items into consecutive parts with the smallest difference between their sums, as partition_balanced() does.
/// Among equally good divisions, it chooses the one whose last part begins last. If several remain, the second-to-last
/// part decides in the same way, and so on.
class BalancedPartition {
public:
    BalancedPartition(const std::vector<PipelineItem> &items, std::size_t parts)
        : m_parts(parts)
        , m_sums(items.size() + 1)
        , m_best((items.size() + 1) * (parts + 1)) {
        for (std::size_t i = 0; i < items.size(); ++i)
            m_sums[i + 1] = m_sums[i] + static_cast<double>(items[i].counted);
    }

    /// Index of the first item of each part, followed by the number of items.
    std::vector<std::size_t> begins() {
        const std::size_t items = m_sums.size() - 1;
        std::vector<std::size_t> result(m_parts + 1, items);
        if (items <= m_parts) { // each item is a part of its own
            for (std::size_t part = 0; part <= m_parts; ++part)
                result[part] = std::min(part, items);
            return result;
        }
        fill();
        for (std::size_t part = m_parts; part-- > 0;)
            result[part] = at(result[part + 1], part + 1).begin;
        return result;
    }

private:
    static constexpr double infinite = std::numeric_limits<double>::infinity();
    /// The best division of the first items into a number of parts.
    struct Best {
        double largest = infinite;
        double smallest = infinite;
        double difference = infinite;
        std::size_t begin = 0; ///< first item of the last part
    };

    Best &at(std::size_t items, std::size_t parts) { return m_best[items * (m_parts + 1) + parts]; }

    void fill() {
        at(0, 0) = {.largest = 0, .smallest = infinite, .difference = 0};
        for (std::size_t items = 1; items < m_sums.size(); ++items)
            for (std::size_t parts = 1; parts <= std::min(items, m_parts); ++parts)
                for (std::size_t begin = 0; begin < items; ++begin) {
                    const Best &before = at(begin, parts - 1);
                    const double sum = m_sums[items] - m_sums[begin];
                    const double largest = std::max(before.largest, sum);
                    const double smallest = std::min(before.smallest, sum);
                    if (Best &best = at(items, parts); best.difference >= largest - smallest)
                        best = {largest, smallest, largest - smallest, begin};
                }
    }

    std::size_t m_parts;
    std::vector<double> m_sums; ///< prefix sums of PipelineItem::counted
    std::vector<Best> m_best;
};

} // namespace

DeepSpeedStages deepspeed_stages(std::int64_t layers, std::int64_t stages, CountedModules counted) {
    constexpr std::int64_t most = 500;
    if (layers < 1 || layers > most || stages < 1 || stages > most)
        return {};
    const std::vector<PipelineItem> items = pipeline_items(layers, counted);
    const std::vector<std::size_t> begins = BalancedPartition(items, static_cast<std::size_t>(stages)).begins();
    DeepSpeedStages result;
    for (std::size_t stage = 0; stage + 1 < begins.size(); ++stage) {
        const auto begin = items.begin() + static_cast<std::ptrdiff_t>(begins[stage]);
        const auto end = items.begin() + static_cast<std::ptrdiff_t>(begins[stage + 1]);
        result.layers.push_back(std::count_if(begin, end, [](const PipelineItem &each) { return each.is_layer; }));
        result.has_empty_stage = result.has_empty_stage
            || std::none_of(begin, end, [](const PipelineItem &each) { return each.has_weights; });
    }
    return result;
}

} // namespace meshwright
