// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/peak_derivation.h"

#include "evaluate/result.h"

#include <fmt/format.h>

#include <cmath>

namespace meshwright {

namespace {

constexpr Quantity bytes = Quantity::bytes;
constexpr Quantity count = Quantity::count;

class PeakDerivation {
public:
    PeakDerivation(const MemoryRun &run, const Result *result)
        : m_plan(run.plan)
        , m_memory(run.trace->memory())
        , m_rank(run.rank)
        , m_stage(result != nullptr && static_cast<std::size_t>(run.rank) < result->memory.stages.size()
                      ? &result->memory.stages[static_cast<std::size_t>(run.rank)]
                      : nullptr) { }

    Derivation tensors(std::size_t index) const {
        const PeakTensors &held = m_memory.peak_tensors[index];
        Labelled what{"tensors_" + std::to_string(index), held.name, bytes};
        if (!held.layers.empty())
            return ofLayers(std::move(what), held);
        if (std::optional<Derivation> known = ofStage(what, held))
            return *known;
        return by_simulation(std::move(what), held.bytes, "hold",
                             "allocated by operations up to the peak and not yet freed", {operation()});
    }

    Derivation kind(std::size_t kind) const {
        const MemoryPoint &peak = m_memory.points[m_memory.peak];
        const Labelled what{"kind_" + std::to_string(kind),
                            stepMemoryKindText(static_cast<StepMemoryKind>(kind)).toStdString(), bytes};
        std::vector<Derivation> held;
        double sum = 0;
        for (std::size_t i = 0; i < m_memory.peak_tensors.size(); ++i)
            if (m_memory.peak_tensors[i].kind == static_cast<StepMemoryKind>(kind)) {
                held.push_back(tensors(i));
                sum += held.back().value;
            }
        const bool isWhole = !held.empty() && std::abs(sum - peak.bytes[kind]) <= 1e-6 * peak.bytes[kind];
        return isWhole ? sum_of(what, "tensors of this kind in memory at the peak", std::move(held))
                       : by_simulation(what, peak.bytes[kind], "hold", "bytes of this kind in memory at the peak",
                                       std::move(held));
    }

    Derivation total() const {
        std::vector<Derivation> kinds;
        for (std::size_t i = 0; i < step_memory_kind_count; ++i)
            if (m_memory.points[m_memory.peak].bytes[i] > 0)
                kinds.push_back(kind(i));
        return sum_of({"peak_bytes", "peak memory of the simulated step", bytes},
                      "sum over all kinds of memory at the peak", std::move(kinds));
    }

private:
    Derivation operation() const {
        return by_simulation({"operation", m_memory.operation(m_memory.peak), count},
                             static_cast<double>(m_memory.peak), "execute",
                             "index of the operation during which memory peaks in the simulated step", {});
    }

    Derivation deviceShare() const {
        const bool cuts = m_plan.cuts_sequences();
        return derived({"share", "factor on saved activations for overhead, offloading and slices"},
                       m_memory.saved_factor, "slack * (1 - offloaded) / slices",
                       "allocator overhead, times the fraction that is not offloaded, divided by the number of slices, "
                       "because a sequence's slices are processed one at a time",
                       {named("slack", constant_value(ConstantId::activation_slack, Assumptions(m_plan.assumptions))),
                        plan_field({"offloaded", "fraction offloaded to host memory", Quantity::share},
                                   m_plan.offload.activations, "/offload/activations"),
                        counted({"slices", "slices per microbatch", count},
                                cuts ? static_cast<double>(m_plan.parallelism.chunks) : 1,
                                "1, unless the schedule splits sequences",
                                cuts ? "/parallelism/chunks" : "/parallelism/schedule")});
    }

    /// Activations of layers that have the same activation size and the same number of microbatches in flight.
    Derivation ofSameLayers(Labelled what, const PeakLayers &held) const {
        const auto field = [](const char *name, const char *title, std::int64_t value, const char *pointer) {
            return plan_field({name, title, count}, static_cast<double>(value), pointer);
        };
        Derivation tokens = derived(
            {"tokens", "tokens per microbatch on the rank", Quantity::tokens},
            static_cast<double>(m_plan.batch.micro_sequences) * static_cast<double>(m_plan.batch.sequence_length)
                / static_cast<double>(m_plan.parallelism.context),
            "micro_sequences * sequence / context", "definition",
            {field("micro_sequences", "microbatch size in sequences", m_plan.batch.micro_sequences,
                   "/batch/micro_sequences"),
             field("sequence", "sequence length", m_plan.batch.sequence_length, "/batch/sequence_length"),
             field("context", "context-parallel ranks", m_plan.parallelism.context, "/parallelism/context")});
        const double each = held.bytes / tokens.value;
        return product_of(
            std::move(what), "every microbatch saves the same number of bytes in each of these layers",
            {by_simulation({"microbatches", "microbatches, or slices, in flight", count}, held.microbatches, "execute",
                           "forward pass done and backward pass pending at the peak", {operation()}),
             counted({"layers", "layers of the rank with the same activation size", count}, held.layers,
                     "layers of the rank's stages, grouped by kind", "/parallelism/pipeline"),
             std::move(tokens),
             model_fact({"bytes_per_token", "bytes saved for backward per token and layer", bytes}, each,
                        "elements saved by the operations on one tensor-parallel rank, times bytes per element")});
    }

    Derivation ofLayers(Labelled what, const PeakTensors &held) const {
        std::vector<Derivation> groups;
        for (const PeakLayers &layers : held.layers)
            groups.push_back(
                ofSameLayers({"layers_" + std::to_string(groups.size()),
                              "activations of layers with the same number of microbatches in flight", bytes},
                             layers));
        const char *source =
            "Korthikanti et al., arXiv 2205.05198, section 4: activations that a layer saves for backward";
        Derivation kept = sum_of({"saved", "activations saved for backward by all layers and microbatches", bytes},
                                 source, std::move(groups));
        return product_of(std::move(what), source, {std::move(kept), deviceShare()});
    }

    /// A reference to the plan's result, if the result has the same value for the same tensors.
    std::optional<Derivation> ofStage(const Labelled &what, const PeakTensors &held) const {
        if (m_stage == nullptr)
            return std::nullopt;
        const struct {
            const char *tensors;
            const char *figure;
            double value;
        } figures[] = {{"weights", "weights_bytes", m_stage->weights_bytes},
                       {"gradients", "gradients_bytes", m_stage->gradients_bytes},
                       {"optimizer: master weights", "master_bytes", m_stage->master_bytes},
                       {"optimizer: moments", "moments_bytes", m_stage->moments_bytes},
                       {"logits", "logits_bytes", m_stage->logits_bytes},
                       {"outer state", "outer_bytes", m_stage->outer_bytes},
                       {"CUDA context, NCCL buffers, fragmentation", "runtime_bytes", m_stage->runtime_bytes}};
        for (const auto &[tensors, figure, value] : figures)
            if (held.name == tensors && held.bytes == value)
                return reference_to(fmt::format("memory.stages.{}.{}", m_rank, figure), what, value);
        return std::nullopt;
    }

    const Plan &m_plan;
    const StepMemory &m_memory;
    int m_rank;
    const StageMemory *m_stage; ///< the rank in the plan's result; may be null
};

} // namespace

std::optional<Derivation> peakDerivation(const QString &figure, const MemoryRun &run, const Result *result) {
    const StepMemory &memory = run.trace->memory();
    const PeakDerivation derivation(run, result);
    if (figure == QLatin1String("peak_bytes"))
        return derivation.total();
    if (figure == QLatin1String("peak_room"))
        return derived({"peak_room", "difference between capacity and peak", bytes},
                       std::abs(memory.capacity_bytes - run.trace->peak().total()), "abs(capacity - peak_bytes)",
                       "usable memory of the accelerator",
                       {hardware_fact({"capacity", "memory capacity of the accelerator", bytes}, memory.capacity_bytes,
                                      run.plan.cluster.accelerator.name, "/cluster/accelerator"),
                        derivation.total()});
    if (figure == QLatin1String("peak_seconds"))
        return by_simulation({"peak_seconds", "time of the peak", Quantity::seconds}, run.trace->peak().seconds,
                             "execute",
                             "simulated step, counted from the start of its first operation; the peak occurs during: "
                                 + memory.operation(memory.peak),
                             {});
    for (std::size_t i = 0; i < step_memory_kind_count; ++i)
        if (figure == QStringLiteral("kind_%1").arg(i))
            return derivation.kind(i);
    for (std::size_t i = 0; i < memory.peak_tensors.size(); ++i)
        if (figure == QStringLiteral("tensors_%1").arg(i))
            return derivation.tensors(i);
    return std::nullopt;
}

} // namespace meshwright
