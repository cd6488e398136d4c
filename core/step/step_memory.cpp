// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/step_memory.h"

#include "formulas/rank_memory.h"
#include "input/diagnostic.h"
#include "step/plan_pipeline.h"
#include "step/step_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace meshwright {

namespace {

std::size_t index(StepMemoryKind kind) {
    return static_cast<std::size_t>(kind);
}

/// Walks a rank through its operations and notes what it holds.
class StepAccount {
public:
    StepAccount(const Plan &plan, std::int64_t rank)
        : m_plan(plan)
        , m_assumed(plan.assumptions)
        , m_layers(plan, m_assumed)
        , m_costs(pipeline_costs(plan, m_layers))
        , m_pipeline(simulate_pipeline(plan))
        , m_rank(rank)
        , m_memory(m_pipeline.memory[static_cast<std::size_t>(rank)])
        , m_held(m_costs.stages.size(), 0)
        , m_has_gradients(m_costs.stages.size(), false) {
        m_kept_share = m_assumed[ConstantId::activation_slack] * (1 - plan.offload.activations)
            / static_cast<double>(m_pipeline.order.slices);
        m_logits = m_layers.logits_elements() / static_cast<double>(m_pipeline.order.slices);
        m_result.capacity_bytes = plan.cluster.accelerator.memory_bytes;
    }

    StepMemory take() {
        begin();
        const auto r = static_cast<std::size_t>(m_rank);
        const std::uint32_t end = m_pipeline.order.rank_begin[r + 1];
        for (std::uint32_t i = m_pipeline.order.rank_begin[r]; i < end; ++i) {
            const Operation &operation = m_pipeline.order.operations[i];
            double from = m_pipeline.timeline.start[i];
            double to = m_pipeline.timeline.end[i];
            if (operation.block == BlockHalf::first_half)
                to = middle(operation, m_pipeline.order.operations[i + 1], from, to);
            else if (operation.block == BlockHalf::second_half)
                from = middle(m_pipeline.order.operations[i - 1], operation, from, to);
            run(operation, from, to);
        }
        optimizer_step();
        return std::move(m_result);
    }

private:
    double &now(StepMemoryKind kind) { return m_now.bytes[index(kind)]; }

    void note(double seconds, std::string operation) {
        m_now.seconds = seconds;
        m_now.operation = std::move(operation);
        for (double &bytes : m_now.bytes)
            bytes = std::max(0.0, bytes); // what came in parts and goes in parts leaves rounding behind
        m_result.points.push_back(m_now);
        if (m_now.total() > m_result.points[m_result.peak].total()) {
            m_result.peak = m_result.points.size() - 1;
            name_tensors();
        }
    }

    void begin() {
        now(StepMemoryKind::weights) = m_memory.weights_bytes;
        now(StepMemoryKind::optimizer) = m_memory.master_bytes + m_memory.moments_bytes;
        now(StepMemoryKind::gradients) = m_plan.stack.keeps_gradient_buffers ? m_memory.gradients_bytes : 0;
        now(StepMemoryKind::runtime) = m_memory.runtime_bytes + m_memory.outer_bytes;
        m_result.points.push_back(m_now);
        note(0, "start");
    }

    std::string label(const char *pass, const Operation &operation, std::int64_t layer) const {
        return fmt::format("{} {}: layer {}", pass, m_pipeline.order.microbatch_of(operation), layer);
    }

    /// A block's halves run at once; they are accounted for one after the other.
    double middle(const Operation &first, const Operation &second, double start, double end) const {
        const double forward = m_costs.stages[first.stage].cost.whole_forward_seconds();
        const double backward = m_costs.stages[second.stage].cost.backward_seconds();
        return forward + backward > 0 ? start + (end - start) * forward / (forward + backward) : start;
    }

    void run(const Operation &operation, double start, double end) {
        switch (operation.kind) {
        case OperationKind::forward:
            forward(operation, start, end);
            return;
        case OperationKind::weight_gradient:
            free_stage(operation.stage);
            note(end, fmt::format("weight gradient {}", m_pipeline.order.microbatch_of(operation)));
            return;
        default:
            backward(operation, start, end);
        }
    }

    void forward(const Operation &operation, double start, double end) {
        const StageCost &stage = m_costs.stages[operation.stage];
        const std::vector<StageLayer> layers = layers_of_stage(m_plan, m_layers, stage);
        const double all = std::max(1e-30, stage.cost.whole_forward_seconds());
        ++m_held[operation.stage];
        double done = stage.holds_embedding ? m_layers.embedding().whole_forward_seconds() : 0;
        double saved = 0;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            done += layers[i].cost->whole_forward_seconds();
            saved += layers[i].cost->saved_bytes;
            now(StepMemoryKind::activations) += layers[i].cost->saved_bytes * m_kept_share;
            note(start + (end - start) * std::min(1.0, done / all),
                 label("forward", operation, stage.first_layer + static_cast<std::int64_t>(i)));
        }
        // What embedding, head and prediction modules keep.
        now(StepMemoryKind::activations) += (stage.cost.saved_bytes - saved) * m_kept_share;
        if (!stage.holds_head)
            return;
        const double loss =
            formula::loss_logits_bytes(m_logits, 1, bytes_per_logit(), static_cast<double>(m_plan.model.mtp_layers));
        now(StepMemoryKind::logits) += loss;
        note(end, "loss: cross-entropy");
        now(StepMemoryKind::logits) += waiting_logits() - loss;
        note(end, fmt::format("loss {} done", m_pipeline.order.microbatch_of(operation)));
    }

    /// At the loss: the stack's are those of 16-bit activations; logits and their gradient have the activations' own
    /// format.
    double bytes_per_logit() const {
        return m_plan.stack.logits_kept_bytes + 2 * (m_layers.shape().activation_bytes - 2);
    }

    /// Of a microbatch between its loss and its backward pass: the softmax, or what it is made of.
    double waiting_logits() const { return m_logits * std::max(4.0, m_layers.shape().activation_bytes); }

    void backward(const Operation &operation, double start, double end) {
        const StageCost &stage = m_costs.stages[operation.stage];
        const std::vector<StageLayer> layers = layers_of_stage(m_plan, m_layers, stage);
        const double all = std::max(1e-30, stage.cost.backward_seconds());
        double done = 0;
        if (stage.holds_head) {
            now(StepMemoryKind::logits) -= waiting_logits();
            done = m_layers.head().backward_seconds();
        }
        const bool frees = operation.kind == OperationKind::backward;
        double of_layers = 0;
        for (const StageLayer &layer : layers)
            of_layers += layer.cost->saved_bytes;
        if (frees)
            now(StepMemoryKind::activations) -= (stage.cost.saved_bytes - of_layers) * m_kept_share;
        for (std::size_t i = layers.size(); i-- > 0;) {
            const StageLayer &layer = layers[i];
            const double buffers =
                formula::working_set_bytes(layer.working->bytes, static_cast<double>(m_pipeline.order.slices),
                                           m_assumed[ConstantId::activation_slack]);
            now(StepMemoryKind::buffers) = buffers;
            note(start + (end - start) * std::min(1.0, done / all),
                 label("backward", operation, stage.first_layer + static_cast<std::int64_t>(i)) + ", "
                     + layer.working->operation);
            now(StepMemoryKind::buffers) = 0;
            done += layer.cost->backward_seconds();
            if (frees)
                now(StepMemoryKind::activations) -= layer.cost->saved_bytes * m_kept_share;
            if (!m_has_gradients[operation.stage])
                add_gradients(layer.cost->parameters.total(), stage.cost.parameters.total());
        }
        if (!m_has_gradients[operation.stage])
            add_gradients(stage.cost.parameters.total() - parameters_of(layers), stage.cost.parameters.total());
        m_has_gradients[operation.stage] = true;
        if (frees)
            --m_held[operation.stage];
        note(end, fmt::format("backward {} done", m_pipeline.order.microbatch_of(operation)));
    }

    static double parameters_of(const std::vector<StageLayer> &layers) {
        return std::accumulate(layers.begin(), layers.end(), 0.0, [](double sum, const StageLayer &layer) {
            return sum + layer.cost->parameters.total();
        });
    }

    /// The gradients of these parameters of a stage, where they come with its first backward pass.
    void add_gradients(double parameters, double of_stage) {
        if (m_plan.stack.keeps_gradient_buffers || !(of_stage > 0))
            return;
        const double of_rank = std::max(1.0, m_costs.ranks[static_cast<std::size_t>(m_rank)].cost.parameters.total());
        now(StepMemoryKind::gradients) += m_memory.gradients_bytes * parameters / of_rank;
    }

    void free_stage(std::size_t stage) {
        now(StepMemoryKind::activations) -= m_costs.stages[stage].cost.saved_bytes * m_kept_share;
        --m_held[stage];
    }

    void optimizer_step() {
        const double begin = m_pipeline.timeline.data_end[static_cast<std::size_t>(m_rank)];
        const StepSeconds step = step_seconds(m_plan, m_layers, m_costs, m_assumed);
        // Unfused, it makes one more tensor of every moment's size beside what it updates.
        const double moments = m_plan.optimizer.kind == OptimizerKind::adamw ? 2 : 1;
        now(StepMemoryKind::buffers) = m_plan.stack.fuses_elementwise ? 0 : m_memory.moments_bytes / moments;
        note(begin, "optimizer step");
        now(StepMemoryKind::buffers) = 0;
        if (!m_plan.stack.keeps_gradient_buffers)
            now(StepMemoryKind::gradients) = 0;
        note(begin + step.optimizer, "end of the step");
    }

    void name_tensors() {
        std::map<std::string, HeldTensors> held;
        const auto add = [&held](const std::string &name, StepMemoryKind kind, double bytes) {
            HeldTensors &tensors = held[name];
            tensors.name = name;
            tensors.kind = kind;
            tensors.bytes += bytes;
        };
        double named = 0;
        for (const std::int64_t s : m_costs.ranks[static_cast<std::size_t>(m_rank)].stages) {
            const auto at = static_cast<std::size_t>(s);
            for (const StageLayer &layer : layers_of_stage(m_plan, m_layers, m_costs.stages[at])) {
                if (m_held[at] == 0 || layer.cost->saved_bytes <= 0)
                    continue;
                const double bytes = static_cast<double>(m_held[at]) * m_kept_share;
                if (layer.cost == &m_layers.of_block(layer.block).recomputed) {
                    add("layer inputs", StepMemoryKind::activations, bytes * layer.cost->saved_bytes);
                    named += bytes * layer.cost->saved_bytes;
                    continue;
                }
                for (const LayerOperation &operation : operations_of(layer.block)) {
                    add(operation.name, StepMemoryKind::activations, bytes * operation.saved_bytes);
                    named += bytes * operation.saved_bytes;
                }
            }
        }
        add("other activations", StepMemoryKind::activations, now(StepMemoryKind::activations) - named);
        for (const StepMemoryKind kind : {StepMemoryKind::weights, StepMemoryKind::optimizer, StepMemoryKind::gradients,
                                          StepMemoryKind::logits, StepMemoryKind::buffers, StepMemoryKind::runtime})
            add(memory_kind_names()[index(kind)], kind, now(kind));
        m_result.peak_tensors.clear();
        for (const auto &[name, tensors] : held)
            if (tensors.bytes != 0)
                m_result.peak_tensors.push_back(tensors);
        std::stable_sort(m_result.peak_tensors.begin(), m_result.peak_tensors.end(),
                         [](const HeldTensors &a, const HeldTensors &b) { return a.bytes > b.bytes; });
    }

    const std::vector<LayerOperation> &operations_of(std::size_t block) {
        auto found = m_operations.find(block);
        if (found == m_operations.end())
            found = m_operations
                        .emplace(block,
                                 layer_operations(m_plan.model, m_plan.model.blocks[block], m_layers.shape(),
                                                  m_layers.device(), m_plan))
                        .first;
        return found->second;
    }

    const Plan &m_plan;
    Assumptions m_assumed;
    LayerCosts m_layers;
    PipelineCosts m_costs;
    PlanPipeline m_pipeline;
    std::int64_t m_rank;
    const RankMemory &m_memory;
    double m_kept_share = 1; ///< of a stage's saved bytes: a slice's, on the device, with what allocation adds
    double m_logits = 0;
    std::vector<std::int64_t> m_held; ///< microbatches (slices) between F and W, of each virtual stage
    std::vector<bool> m_has_gradients;
    std::map<std::size_t, std::vector<LayerOperation>> m_operations;
    MemoryPoint m_now;
    StepMemory m_result;
};

} // namespace

const std::vector<std::string> &memory_kind_names() {
    static const std::vector<std::string> names{"weights", "optimizer", "gradients", "activations",
                                                "logits",  "buffers",   "runtime"};
    return names;
}

double MemoryPoint::total() const {
    return std::accumulate(bytes.begin(), bytes.end(), 0.0);
}

StepMemory step_memory(const Plan &plan, std::int64_t rank) {
    if (rank < 0 || rank >= plan.parallelism.pipeline)
        throw InputError("", fmt::format("rank {} of {} pipeline ranks", rank, plan.parallelism.pipeline),
                         "one of the plan's ranks is expected");
    return StepAccount(plan, rank).take();
}

} // namespace meshwright
