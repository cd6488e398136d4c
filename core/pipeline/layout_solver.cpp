// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/layout_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace meshwright {

namespace {

constexpr double impossible = std::numeric_limits<double>::infinity();

std::vector<double> sums(const std::vector<double> &values) {
    std::vector<double> sums(values.size() + 1, 0.0);
    for (std::size_t i = 0; i < values.size(); ++i)
        sums[i + 1] = sums[i] + values[i];
    return sums;
}

/// Times of ranges of consecutive layers on each stage, and whether they fit in its memory.
class LayerRanges {
public:
    explicit LayerRanges(const LayoutProblem &problem)
        : m_problem(problem)
        , m_stored(sums(of(problem.layers, &LayerLoad::seconds)))
        , m_recomputed(sums(of(problem.recomputed, &LayerLoad::seconds)))
        , m_recomputed_bytes(sums(of(problem.recomputed, &LayerLoad::bytes))) {
        for (std::size_t s = 0; s < stages(); ++s)
            if (s == 0 || !problem.layer_bytes.empty())
                m_bytes.push_back(
                    sums(problem.layer_bytes.empty() ? of(problem.layers, &LayerLoad::bytes) : problem.layer_bytes[s]));
    }

    std::size_t stages() const { return m_problem.budget_bytes.size(); }
    std::size_t layers() const { return m_problem.layers.size(); }

    /// Time of all layers on one stage, without recomputation.
    double all_seconds() const { return m_problem.first.seconds + m_stored.back() + m_problem.last.seconds; }

    /// Seconds of layers `from` to `to` - 1 on a stage; infinite if they do not fit.
    double seconds(std::size_t stage, std::size_t from, std::size_t to) const {
        const std::size_t recomputed_end = m_problem.recomputed.empty()
            ? from
            : std::min(to, from + static_cast<std::size_t>(m_problem.recomputed_layers));
        const std::vector<double> &bytes_of = m_bytes[m_bytes.size() == 1 ? 0 : stage];
        double bytes = bytes_of[to] - bytes_of[recomputed_end];
        double seconds = m_stored[to] - m_stored[recomputed_end];
        if (recomputed_end > from) {
            bytes += m_recomputed_bytes[recomputed_end] - m_recomputed_bytes[from];
            seconds += m_recomputed[recomputed_end] - m_recomputed[from];
        }
        if (stage == 0) {
            seconds += m_problem.first.seconds;
            bytes += m_problem.first.bytes;
        }
        if (stage + 1 == stages()) {
            seconds += m_problem.last.seconds;
            bytes += m_problem.last.bytes;
        }
        return bytes <= m_problem.budget_bytes[stage] ? seconds : impossible;
    }

private:
    static std::vector<double> of(const std::vector<LayerLoad> &loads, double LayerLoad::*part) {
        std::vector<double> values;
        for (const LayerLoad &load : loads)
            values.push_back(load.*part);
        return values;
    }

    const LayoutProblem &m_problem;
    std::vector<double> m_stored;
    std::vector<double> m_recomputed;
    std::vector<double> m_recomputed_bytes;
    std::vector<std::vector<double>> m_bytes;
};

/// Combines the stage times of a pipeline layout with `join`, and returns the minimum over all layouts with no stage
/// above `limit`. Also finds the first layer of each stage in the best layout.
template <typename Join>
double best_layout(const LayerRanges &ranges, double limit, Join join, std::vector<std::size_t> *begins) {
    const std::size_t layers = ranges.layers();
    std::vector<double> best(layers + 1, impossible);
    best[0] = 0;
    // The best first layer of each stage for each possible end of the stage; filled only if `begins` is requested.
    std::vector<std::vector<std::size_t>> from;
    for (std::size_t stage = 0; stage < ranges.stages(); ++stage) {
        std::vector<double> next(layers + 1, impossible);
        if (begins != nullptr)
            from.emplace_back(layers + 1, 0);
        for (std::size_t begin = 0; begin <= layers; ++begin) {
            if (best[begin] == impossible)
                continue;
            for (std::size_t end = begin; end <= layers; ++end) {
                const double seconds = ranges.seconds(stage, begin, end);
                if (seconds > limit)
                    break; // more layers would only make the stage slower and larger
                const double joined = join(best[begin], seconds);
                if (joined < next[end]) {
                    next[end] = joined;
                    if (begins != nullptr)
                        from[stage][end] = begin;
                }
            }
        }
        best = std::move(next);
    }
    if (begins != nullptr && best[layers] < impossible) {
        begins->assign(ranges.stages(), 0);
        std::size_t end = layers;
        for (std::size_t stage = ranges.stages(); stage-- > 0;)
            end = (*begins)[stage] = from[stage][end];
    }
    return best[layers];
}

/// Minimum time of the slowest stage. A limit excludes all slower stages, so few combinations remain. The search starts
/// near an even layout and raises the limit.
double min_slowest(const LayerRanges &ranges) {
    const auto slower = [](double a, double b) { return std::max(a, b); };
    const double all = ranges.all_seconds();
    for (double limit = 1.25 * all / static_cast<double>(ranges.stages()); limit < all; limit *= 2) {
        const double slowest = best_layout(ranges, limit, slower, nullptr);
        if (slowest < impossible)
            return slowest;
    }
    return best_layout(ranges, std::numeric_limits<double>::max(), slower, nullptr);
}

} // namespace

std::optional<LayoutSolution> solve_layout(const LayoutProblem &problem) {
    const LayerRanges ranges(problem);
    if (ranges.stages() == 0)
        return std::nullopt;
    const double slowest = min_slowest(ranges);
    if (slowest == impossible)
        return std::nullopt;
    // Tolerance for rounding: sums of the same layer times in a different order count as equal.
    const double limit = slowest * (1 + 1e-9);
    std::vector<std::size_t> begins;
    best_layout(
        ranges, limit, [](double a, double b) { return a + b * b; }, &begins);
    LayoutSolution solution{.layers = {}, .slowest_seconds = slowest};
    for (std::size_t stage = 0; stage < begins.size(); ++stage) {
        const std::size_t end = stage + 1 < begins.size() ? begins[stage + 1] : ranges.layers();
        solution.layers.push_back(static_cast<std::int64_t>(end - begins[stage]));
    }
    return solution;
}

} // namespace meshwright
