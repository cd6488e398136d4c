// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/prediction_derivation.h"

#include "catalog/library.h"
#include "evaluate/evaluate.h"
#include "evidence/run_document.h"
#include "figures/figure_ref.h"

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

constexpr const char *words = "predicted memory of the measured run";

Derivation allocatedMemory(const PredictedRun &run, const Result &result, std::size_t rank, const char *source,
                           double bytes) {
    const StageMemory &memory = result.memory.stages[rank];
    const std::string stage = "memory.stages." + std::to_string(rank);
    return derived({"predicted", words, Quantity::bytes}, bytes, "total - runtime + workspace", source,
                   {figureOfRun(run, stage + ".total_bytes", {"total", "peak memory of the rank", Quantity::bytes},
                                memory.total_bytes),
                    figureOfRun(run, stage + ".runtime_bytes",
                                {"runtime", "CUDA context and NCCL buffers, workspaces included", Quantity::bytes},
                                memory.runtime_bytes),
                    hardware_fact({"workspace", "workspaces allocated by libraries", Quantity::bytes},
                                  run.plan->cluster.accelerator.workspace_bytes, run.plan->cluster.accelerator.name)});
}

Derivation allocatedOnFullestRank(const PredictedRun &run, double bytes) {
    const Result result = evaluate_as_run(whole_plan(*run.plan, Library::standard()), Depth::numbers);
    const std::vector<StageMemory> &stages = result.memory.stages;
    const auto fullest = std::max_element(stages.begin(), stages.end(), [](const StageMemory &a, const StageMemory &b) {
        return a.total_bytes - a.runtime_bytes < b.total_bytes - b.runtime_bytes;
    });
    return allocatedMemory(run, result, static_cast<std::size_t>(std::distance(stages.begin(), fullest)),
                           "tensor memory on the rank where it is highest", bytes);
}

Derivation allocatedOnLastRank(const PredictedRun &run, double bytes) {
    const Result result = evaluate_as_run(whole_plan(*run.plan, Library::standard()), Depth::numbers);
    return allocatedMemory(run, result, result.memory.stages.size() - 1, "tensor memory on the last rank", bytes);
}

} // namespace

Derivation figureOfRun(const PredictedRun &run, const std::string &figure, Labelled what, double value) {
    return reference_to(referenceTo(FigureRef::ofPlan(QString::fromStdString(figure), run.view, run.name)),
                        std::move(what), value);
}

Derivation batchShareOf(const PredictedRun &run) {
    return published({"batch_share", "sequences per step of the run divided by those of its plan"}, run.batchShare,
                     "The run's batch size can differ from its plan's, because a plan needs an integer number of "
                     "microbatches per rank");
}

Derivation predictedStep(const PredictedRun &run, double seconds) {
    const Labelled what{"predicted", "predicted step time of the measured run", Quantity::seconds};
    if (run.batchShare == 1)
        return figureOfRun(run, "step.seconds", what, seconds);
    return derived(what, seconds, "step * batch_share", "step time is proportional to the number of sequences",
                   {figureOfRun(run, "step.seconds", {"step", "step time of the run's plan", Quantity::seconds},
                                seconds / run.batchShare),
                    batchShareOf(run)});
}

Derivation predictedMemory(const PredictedRun &run, MeasuredMemory kind, double bytes) {
    const char *const reserved = "memory.reserved_bytes";
    switch (kind) {
    case MeasuredMemory::allocated:
        return allocatedOnFullestRank(run, bytes);
    case MeasuredMemory::allocated_on_last_rank:
        return allocatedOnLastRank(run, bytes);
    case MeasuredMemory::device:
        return figureOfRun(run, reserved, {"predicted", words, Quantity::bytes}, bytes);
    case MeasuredMemory::reserved:
    case MeasuredMemory::unknown:
        break;
    }
    const double outside =
        evaluate_as_run(whole_plan(*run.plan, Library::standard()), Depth::numbers).memory.outside_bytes;
    return derived({"predicted", words, Quantity::bytes}, bytes, "device - outside", "memory reserved by the allocator",
                   {figureOfRun(run, reserved, {"device", "memory in use according to the driver", Quantity::bytes},
                                bytes + outside),
                    figureOfRun(run, "memory.outside_bytes",
                                {"outside", "memory outside the allocator", Quantity::bytes}, outside)});
}

Plan planWith(Plan plan, const std::map<std::string, double> &overrides, const std::string &name) {
    plan.assumptions = overrides;
    plan.name = name;
    return whole_plan(std::move(plan), Library::standard());
}

} // namespace meshwright
