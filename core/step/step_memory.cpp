// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/step_memory.h"

#include "formulas/rank_memory.h"
#include "input/diagnostic.h"
#include "memory/logit_bytes.h"
#include "step/peak_tensors.h"
#include "step/step_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace meshwright {

namespace {

constexpr std::size_t points_with_layers = 500'000; ///< above this number of points, each pass is a single point

class StepAccount {
public:
    StepAccount(const Plan &plan, const PlanPipeline &pipeline, std::int64_t rank)
        : m_plan(plan)
        , m_assumed(plan.assumptions)
        , m_layers(plan, m_assumed)
        , m_costs(pipeline_costs(plan, m_layers))
        , m_pipeline(pipeline)
        , m_rank(static_cast<std::size_t>(rank))
        , m_memory(pipeline.memory[m_rank])
        , m_logits(plan, m_layers)
        , m_whole(buffers_of_rank(plan, m_layers, m_costs, m_assumed, m_rank)) {
        m_saved_factor = m_assumed[ConstantId::activation_slack] * (1 - plan.offload.activations)
            / static_cast<double>(pipeline.order.slices);
        m_gradients =
            rank_state_bytes(plan, shard_groups_of(plan, m_layers.groups()), m_costs.ranks[m_rank].cost.parameters)
                .gradients;
        m_now.in_flight.assign(m_costs.stages.size(), 0);
        m_has_gradients.assign(m_costs.stages.size(), false);
        m_result.capacity_bytes = plan.cluster.accelerator.memory_bytes;
        m_result.working.emplace_back();
        for (const StageCost &stage : m_costs.stages)
            m_stage_layers.push_back(layers_of_stage(plan, m_layers, stage));
    }

    StepMemory take() {
        choose_detail();
        begin();
        const std::uint32_t end = m_pipeline.order.rank_begin[m_rank + 1];
        for (std::uint32_t i = m_pipeline.order.rank_begin[m_rank]; i < end; ++i)
            run(i);
        optimizer_step();
        m_result.peak_tensors = peak_tensors_of(
            {.plan = m_plan, .layers = m_layers, .stages = m_stage_layers, .saved_factor = m_saved_factor},
            m_costs.ranks[m_rank], m_memory, m_highest);
        m_result.saved_factor = m_saved_factor;
        return std::move(m_result);
    }

private:
    double &now(StepMemoryKind kind) { return m_now.point.bytes[static_cast<std::size_t>(kind)]; }

    /// Decides whether passes have a point per layer. Each pass is a single point if there would be too many points.
    void choose_detail() {
        const std::size_t operations = m_pipeline.order.of_rank(static_cast<std::int64_t>(m_rank)).size();
        std::size_t layers = 0;
        for (const std::int64_t s : m_costs.ranks[m_rank].stages)
            layers = std::max(layers, m_stage_layers[static_cast<std::size_t>(s)].size());
        m_result.each_layer = operations * (layers + 2) <= points_with_layers;
        constexpr std::size_t points_of_pass = 4;
        if (operations * points_of_pass > max_memory_points)
            throw InputError("", fmt::format("a rank has {} operations", operations),
                             fmt::format("expected at most {}", max_memory_points / points_of_pass));
        m_result.points.reserve(operations * (m_result.each_layer ? layers + 2 : points_of_pass) + 4);
    }

    void note(double seconds, StepMoment moment) {
        MemoryPoint &point = m_now.point;
        point.seconds = seconds;
        point.moment = moment;
        now(StepMemoryKind::buffers) = m_now.buffers.total();
        for (double &bytes : point.bytes)
            bytes = std::max(0.0, bytes); // rounding errors can leave a tiny negative number
        m_result.points.push_back(point);
        if (m_result.points.size() == 1 || point.total() > m_result.points[m_result.peak].total()) {
            m_result.peak = m_result.points.size() - 1;
            m_highest = m_now;
        }
    }

    void begin() {
        now(StepMemoryKind::weights) = m_memory.weights_bytes;
        now(StepMemoryKind::optimizer) = m_memory.master_bytes + m_memory.moments_bytes;
        now(StepMemoryKind::gradients) = m_plan.stack.keeps_gradient_buffers ? m_gradients : 0;
        now(StepMemoryKind::runtime) = m_memory.runtime_bytes + m_memory.outer_bytes;
        note(0, StepMoment::start);
    }

    void run(std::uint32_t index) {
        const OperationOrder &order = m_pipeline.order;
        const Operation &operation = order.operations[index];
        double start = m_pipeline.timeline.start[index];
        double end = m_pipeline.timeline.end[index];
        if (operation.block == BlockHalf::first_half)
            end = middle(operation, order.operations[index + 1], start, end);
        else if (operation.block == BlockHalf::second_half)
            start = middle(order.operations[index - 1], operation, start, end);
        m_now.point.microbatch =
            static_cast<std::int32_t>(order.microbatch_of(operation) + operation.direction * order.microbatches);
        m_now.stage = operation.stage;
        switch (operation.kind) {
        case OperationKind::forward:
            forward(operation, start, end);
            break;
        case OperationKind::weight_gradient:
            weight_gradient(operation, start, end);
            break;
        default:
            backward(operation, start, end);
        }
        m_now.point.microbatch = -1;
    }

    /// The two halves of an overlapped block run simultaneously. Their memory is recorded as if they ran one after the
    /// other, each for its fraction of the block's time.
    double middle(const Operation &first, const Operation &second, double start, double end) const {
        const double forward = m_costs.stages[first.stage].cost.whole_forward_seconds();
        const double backward = m_costs.stages[second.stage].cost.backward_seconds();
        return forward + backward > 0 ? start + (end - start) * forward / (forward + backward) : start;
    }

    void note_layer(const StageCost &stage, std::size_t layer, StepMoment moment, double seconds) {
        m_now.point.layer = static_cast<std::int32_t>(stage.first_layer + static_cast<std::int64_t>(layer));
        m_now.without_from = layer + 1;
        note(seconds, moment);
        m_now.point.layer = -1;
        m_now.without_from = PeakState::nothing;
    }

    void forward(const Operation &operation, double start, double end) {
        const StageCost &stage = m_costs.stages[operation.stage];
        const std::vector<StageLayer> &layers = m_stage_layers[operation.stage];
        const double all = std::max(1e-30, stage.cost.whole_forward_seconds());
        const auto at = [&](double done) { return start + (end - start) * std::min(1.0, done / all); };
        ++m_now.in_flight[operation.stage];
        m_now.buffers = {.communication = m_whole.communication(), .gathered = m_whole.gathered_weights};
        double done = stage.holds_embedding ? m_layers.embedding().whole_forward_seconds() : 0;
        // Bytes of activations saved by embedding, head and MTP modules.
        const double of_ends = (stage.cost.saved_bytes - saved_by(layers)) * m_saved_factor;
        now(StepMemoryKind::activations) += stage.holds_head ? 0 : of_ends;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            now(StepMemoryKind::activations) += layers[i].cost->saved_bytes * m_saved_factor;
            if (m_result.each_layer)
                note_layer(stage, i, StepMoment::forward, at(done));
            done += layers[i].cost->whole_forward_seconds();
        }
        now(StepMemoryKind::activations) += stage.holds_head ? of_ends : 0;
        if (!m_result.each_layer)
            note(start, StepMoment::forward);
        if (stage.holds_head) {
            const double loss = m_logits.loss_bytes();
            now(StepMemoryKind::logits) += loss;
            m_now.buffers.head_gradient = m_whole.head_gradient;
            note(at(done), StepMoment::loss);
            now(StepMemoryKind::logits) += m_logits.waiting_bytes(2) - loss;
        }
        m_now.buffers = {};
        note(end, stage.holds_head ? StepMoment::loss_done : StepMoment::forward_done);
    }

    static double saved_by(const std::vector<StageLayer> &layers) {
        return std::accumulate(layers.begin(), layers.end(), 0.0,
                               [](double sum, const StageLayer &layer) { return sum + layer.cost->saved_bytes; });
    }

    void note_backward(const Operation &operation, bool frees, double start) {
        const StageCost &stage = m_costs.stages[operation.stage];
        const std::vector<StageLayer> &layers = m_stage_layers[operation.stage];
        const WorkingSet *working = frees ? stage.fullest.working : stage.working;
        const auto last = std::find_if(layers.rbegin(), layers.rend(),
                                       [&](const StageLayer &layer) { return layer.working == working; });
        if (last == layers.rend())
            return;
        set_working(*last);
        const double freed = frees ? (saved_by(layers) - stage.fullest.saved_bytes) * m_saved_factor : 0;
        now(StepMemoryKind::activations) -= freed;
        m_now.without_from = frees ? static_cast<std::size_t>(layers.rend() - last) : PeakState::nothing;
        note(start, StepMoment::backward);
        m_now.without_from = PeakState::nothing;
        now(StepMemoryKind::activations) += freed;
    }

    double working_bytes(const StageLayer &layer) const {
        return formula::working_set_bytes(layer.working->bytes, static_cast<double>(m_pipeline.order.slices),
                                          m_assumed[ConstantId::activation_slack]);
    }

    std::uint16_t working_index(std::string_view name) {
        auto found = std::find(m_result.working.begin() + 1, m_result.working.end(), name);
        if (found == m_result.working.end())
            found = m_result.working.emplace(found, name);
        return static_cast<std::uint16_t>(found - m_result.working.begin());
    }

    void set_working(const StageLayer &layer) {
        m_now.buffers.working = working_bytes(layer);
        m_now.point.working = working_index(layer.working->operation);
        m_now.working = layer.working->operation;
    }

    void backward(const Operation &operation, double start, double end) {
        const StageCost &stage = m_costs.stages[operation.stage];
        const std::vector<StageLayer> &layers = m_stage_layers[operation.stage];
        const double all = std::max(1e-30, stage.cost.backward_seconds());
        double done = stage.holds_head ? m_layers.head().backward_seconds() : 0;
        now(StepMemoryKind::logits) -= stage.holds_head ? m_logits.waiting_bytes(2) : 0;
        const bool frees = operation.kind == OperationKind::backward;
        m_now.buffers = {.communication = m_whole.communication(),
                         .gathered = m_whole.gathered_weights,
                         .unreduced = m_whole.unreduced_gradients,
                         .head_gradient = m_whole.waiting_gradient};
        if (frees) {
            now(StepMemoryKind::activations) -= (stage.cost.saved_bytes - saved_by(layers)) * m_saved_factor;
        }
        if (!m_result.each_layer)
            note_backward(operation, frees, start);
        for (std::size_t i = layers.size(); i-- > 0;) {
            const StageLayer &layer = layers[i];
            if (m_result.each_layer) {
                set_working(layer);
                m_now.frees = frees;
                note_layer(stage, i, StepMoment::backward, start + (end - start) * std::min(1.0, done / all));
                m_now.frees = true;
            }
            done += layer.cost->backward_seconds();
            if (frees)
                now(StepMemoryKind::activations) -= layer.cost->saved_bytes * m_saved_factor;
            add_gradients(operation.stage, layer.cost->parameters.total());
        }
        end_backward(operation, frees, end);
    }

    void end_backward(const Operation &operation, bool frees, double end) {
        const std::vector<StageLayer> &layers = m_stage_layers[operation.stage];
        const double of_layers =
            std::accumulate(layers.begin(), layers.end(), 0.0,
                            [](double sum, const StageLayer &layer) { return sum + layer.cost->parameters.total(); });
        add_gradients(operation.stage, m_costs.stages[operation.stage].cost.parameters.total() - of_layers);
        m_has_gradients[operation.stage] = true;
        if (frees)
            --m_now.in_flight[operation.stage];
        m_now.buffers = {};
        m_now.point.working = 0;
        note(end, StepMoment::backward_done);
    }

    void weight_gradient(const Operation &operation, double start, double end) {
        m_now.buffers = {.communication = m_whole.communication(),
                         .gathered = m_whole.gathered_weights,
                         .unreduced = m_whole.unreduced_gradients,
                         .head_gradient = m_whole.waiting_gradient};
        note(start, StepMoment::weight_gradient);
        m_now.buffers = {};
        now(StepMemoryKind::activations) -= m_costs.stages[operation.stage].cost.saved_bytes * m_saved_factor;
        --m_now.in_flight[operation.stage];
        note(end, StepMoment::backward_done);
    }

    /// Allocates the gradients of a stage's parameters, if the backward pass allocates them.
    void add_gradients(std::size_t stage, double parameters) {
        if (m_plan.stack.keeps_gradient_buffers || m_has_gradients[stage])
            return;
        const double of_rank = std::max(1.0, m_costs.ranks[m_rank].cost.parameters.total());
        now(StepMemoryKind::gradients) += m_gradients * parameters / of_rank;
    }

    void optimizer_step() {
        const double begin = m_pipeline.timeline.data_end[m_rank];
        const StepSeconds step = step_seconds(m_plan, m_layers, m_costs, m_assumed);
        m_now.buffers = {.bucket = m_whole.bucket, .temporaries = m_whole.update_temporaries};
        note(begin, StepMoment::optimizer);
        m_now.buffers = {};
        if (!m_plan.stack.keeps_gradient_buffers)
            now(StepMemoryKind::gradients) = 0;
        note(begin + step.optimizer, StepMoment::end);
    }

    const Plan &m_plan;
    Assumptions m_assumed;
    LayerCosts m_layers;
    PipelineCosts m_costs;
    const PlanPipeline &m_pipeline;
    std::size_t m_rank;
    const RankMemory &m_memory;
    LogitBytes m_logits;
    RankBuffers m_whole;
    std::vector<std::vector<StageLayer>> m_stage_layers;
    /// Device bytes allocated per byte that a microbatch saves for backward. Accounts for slices, offloading and
    /// allocator overhead.
    double m_saved_factor = 1;
    double m_gradients = 0; ///< gradients of the whole rank, in bytes
    std::vector<bool> m_has_gradients; ///< by virtual stage
    PeakState m_now;
    PeakState m_highest;
    StepMemory m_result;
};

} // namespace

const std::vector<std::string> &step_memory_kind_names() {
    static const std::vector<std::string> names{"runtime",     "weights", "optimizer", "gradients",
                                                "activations", "logits",  "buffers"};
    return names;
}

double MemoryPoint::total() const {
    return std::accumulate(bytes.begin(), bytes.end(), 0.0);
}

std::string StepMemory::operation(std::size_t point) const {
    const MemoryPoint &at = points[point];
    const auto pass = [&at](const char *name) {
        return at.layer < 0 ? fmt::format("{} {}", name, at.microbatch)
                            : fmt::format("{} {}: layer {}", name, at.microbatch, at.layer);
    };
    switch (at.moment) {
    case StepMoment::start:
        return "start";
    case StepMoment::forward:
        return pass("forward");
    case StepMoment::forward_done:
        return fmt::format("forward {} done", at.microbatch);
    case StepMoment::loss:
        return "loss: cross-entropy";
    case StepMoment::loss_done:
        return fmt::format("loss {} done", at.microbatch);
    case StepMoment::backward:
        return at.working == 0 ? pass("backward") : pass("backward") + ", " + working[at.working];
    case StepMoment::backward_done:
        return fmt::format("backward {} done", at.microbatch);
    case StepMoment::weight_gradient:
        return fmt::format("weight gradient {}", at.microbatch);
    case StepMoment::optimizer:
        return "optimizer step";
    case StepMoment::end:
        break;
    }
    return "end of the step";
}

StepMemory step_memory(const Plan &plan, const PlanPipeline &pipeline, std::int64_t rank) {
    if (rank < 0 || rank >= plan.parallelism.pipeline)
        throw InputError(
            "", fmt::format("the plan has no rank {}; it has {} pipeline ranks", rank, plan.parallelism.pipeline),
            "expected one of the plan's ranks");
    return StepAccount(plan, pipeline, rank).take();
}

StepMemory step_memory(const Plan &plan, std::int64_t rank) {
    return step_memory(plan, simulate_pipeline(plan), rank);
}

} // namespace meshwright
