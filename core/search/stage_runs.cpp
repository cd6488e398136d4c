// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/stage_runs.h"

#include "pipeline/stages.h"

#include <algorithm>
#include <functional>

namespace meshwright {

namespace {

/// Whether ranks of one kind have at least as many embeddings, heads and layers of each block as ranks of the other.
bool covers(const RankKind &kind, const RankKind &other) {
    return (kind.embedding || !other.embedding) && (kind.head || !other.head)
        && std::equal(kind.layers.begin(), kind.layers.end(), other.layers.begin(), std::greater_equal());
}

RankKind kind_of(const Plan &plan, const std::vector<std::size_t> &blocks, const StageRuns &runs,
                 std::vector<StagePlace> stages) {
    RankKind kind{.layers = std::vector<double>(plan.model.blocks.size())};
    for (const StagePlace stage : stages) {
        for (StagePlace layer = runs.first[stage]; layer < runs.first[stage + 1]; ++layer)
            ++kind.layers[blocks[layer]];
        kind.embedding = kind.embedding || stage == 0;
        kind.head = kind.head || stage + 2 == runs.first.size();
    }
    kind.stages = std::move(stages);
    return kind;
}

} // namespace

StageRuns stage_runs(const Plan &plan) {
    StageRuns runs;
    runs.first.push_back(0);
    for (const std::int64_t count : stage_layers(plan)) {
        runs.first.push_back(runs.first.back() + static_cast<StagePlace>(count));
        runs.most = std::max(runs.most, count);
    }
    const Parallelism &parallelism = plan.parallelism;
    const auto stages_of = [&](std::int64_t rank) {
        const std::vector<std::int64_t> stages =
            stages_of_rank(parallelism.schedule, parallelism.pipeline, plan.layer_chunks(), rank);
        return std::vector<StagePlace>(stages.begin(), stages.end());
    };
    runs.of_first_rank = stages_of(0);
    runs.of_last_rank = stages_of(parallelism.pipeline - 1);
    runs.both_ways = runs_both_ways(parallelism.schedule) && parallelism.pipeline > 1;
    const std::vector<std::size_t> blocks = blocks_in_order(plan.model);
    for (std::int64_t rank = 0; rank < parallelism.pipeline; ++rank) {
        RankKind kind = kind_of(plan, blocks, runs, stages_of(rank));
        const auto is_covered = [&](const RankKind &other) { return covers(other, kind); };
        if (std::any_of(runs.fullest.begin(), runs.fullest.end(), is_covered))
            continue;
        std::erase_if(runs.fullest, [&](const RankKind &other) { return covers(kind, other); });
        runs.fullest.push_back(std::move(kind));
    }
    return runs;
}

std::size_t StageRuns::bytes() const {
    std::size_t places = first.capacity() + of_first_rank.capacity() + of_last_rank.capacity();
    std::size_t layers = 0;
    for (const RankKind &kind : fullest) {
        places += kind.stages.capacity();
        layers += kind.layers.capacity();
    }
    return sizeof(StageRuns) + places * sizeof(StagePlace) + layers * sizeof(double)
        + fullest.capacity() * sizeof(RankKind);
}

bool hold_as_much(const StageRuns &a, const StageRuns &b) {
    return a.both_ways == b.both_ways
        && std::equal(a.fullest.begin(), a.fullest.end(), b.fullest.begin(), b.fullest.end(),
                      [](const RankKind &one, const RankKind &other) {
                          return one.layers == other.layers && one.embedding == other.embedding
                              && one.head == other.head;
                      });
}

} // namespace meshwright
