// SPDX-License-Identifier: GPL-3.0-or-later
#include "sensitivity/variations.h"

#include "catalog/library.h"
#include "plan/plan_json.h"
#include "plan/valid_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace meshwright {

namespace {

constexpr double larger = 1.1;
constexpr double unlimited = 1e30;

struct Amount {
    std::string pointer;
    std::string what;
    Quantity quantity;
    double *(*of)(Plan &plan); ///< pointer to the value; null if the plan has none
    double most = unlimited;
    Origin origin = Origin::plan;
};

double *of_optional(std::optional<double> &value) {
    return value ? &*value : nullptr;
}

const std::vector<Amount> &plan_amounts() {
    using enum Quantity;
    static const std::vector<Amount> amounts{
        {"/cluster/wan/uplink_bits_per_second", "uplink per site", bits_per_second,
         [](Plan &p) { return p.cluster.wan ? &p.cluster.wan->uplink_bits_per_second : nullptr; }},
        {"/cluster/wan/downlink_bits_per_second", "downlink per site", bits_per_second,
         [](Plan &p) { return p.cluster.wan ? &p.cluster.wan->downlink_bits_per_second : nullptr; }},
        {"/cluster/wan/round_trip_seconds", "round-trip time between sites", seconds,
         [](Plan &p) { return p.cluster.wan ? &p.cluster.wan->round_trip_seconds : nullptr; }},
        {"/cluster/wan/loss_probability", "packet loss between sites", share,
         [](Plan &p) { return p.cluster.wan ? &p.cluster.wan->loss_probability : nullptr; }, 0.5},
        {"/run/tokens", "tokens of the run", tokens, [](Plan &p) { return &p.run.tokens; }},
        {"/run/rental_dollars_per_accelerator_hour", "rental price of an accelerator-hour", dollars_per_hour,
         [](Plan &p) { return &p.run.rental_dollars_per_accelerator_hour; }},
        {"/run/energy_dollars_per_kilowatt_hour", "energy price", dollars_per_kilowatt_hour,
         [](Plan &p) { return &p.run.energy_dollars_per_kilowatt_hour; }},
        {"/run/power_usage_effectiveness", "power usage effectiveness (PUE)", number,
         [](Plan &p) { return &p.run.power_usage_effectiveness; }},
        {"/run/power_share", "mean power relative to rated power", share, [](Plan &p) { return &p.run.power_share; },
         1.5},
        {"/faults/accelerator_mtbf_seconds", "mean time between failures per accelerator", seconds,
         [](Plan &p) { return &p.faults.accelerator_mtbf_seconds; }},
        {"/faults/recovery_seconds", "recovery time after a failure", seconds,
         [](Plan &p) { return &p.faults.recovery_seconds; }},
        {"/faults/checkpoint_bandwidth_bytes_per_second", "checkpoint bandwidth per accelerator", bytes_per_second,
         [](Plan &p) { return &p.faults.checkpoint_bandwidth_bytes_per_second; }},
        {"/faults/checkpoint_store_bytes_per_second", "bandwidth of the checkpoint store", bytes_per_second,
         [](Plan &p) { return of_optional(p.faults.checkpoint_store_bytes_per_second); }},
        {"/faults/checkpoint_interval_seconds", "time between checkpoints", seconds,
         [](Plan &p) { return of_optional(p.faults.checkpoint_interval_seconds); }},
        {"/faults/checkpoint_blocking_share", "fraction of a checkpoint's write time that blocks training", share,
         [](Plan &p) { return &p.faults.checkpoint_blocking_share; }, 1},
        {"/offload/optimizer", "fraction of optimizer states in host memory", share,
         [](Plan &p) { return &p.offload.optimizer; }, 1},
        {"/offload/activations", "fraction of activations in host memory", share,
         [](Plan &p) { return &p.offload.activations; }, 1},
        {"/outer/up/density", "fraction of an update's values that are sent", share,
         [](Plan &p) { return &p.outer.up.density; }, 1},
        {"/outer/down/density", "fraction of an average's values that are sent", share,
         [](Plan &p) { return &p.outer.down.density; }, 1},
        {"/outer/step_seconds", "inner step time set in the plan", seconds,
         [](Plan &p) { return of_optional(p.outer.step_seconds); }}};
    return amounts;
}

const std::vector<Amount> &facts() {
    using enum Quantity;
    static const std::vector<Amount> amounts{
        {"/cluster/accelerator/memory_bytes", "memory capacity per accelerator", bytes,
         [](Plan &p) { return &p.cluster.accelerator.memory_bytes; }, unlimited, Origin::hardware},
        {"/cluster/accelerator/memory_bandwidth_bytes_per_second", "memory bandwidth per accelerator", bytes_per_second,
         [](Plan &p) { return &p.cluster.accelerator.memory_bandwidth_bytes_per_second; }, unlimited, Origin::hardware},
        {"/cluster/accelerator/host_bandwidth_bytes_per_second", "host link bandwidth per accelerator",
         bytes_per_second, [](Plan &p) { return &p.cluster.accelerator.host_bandwidth_bytes_per_second; }, unlimited,
         Origin::hardware},
        {"/cluster/accelerator/multiprocessors", "streaming multiprocessors per accelerator", number,
         [](Plan &p) { return &p.cluster.accelerator.multiprocessors; }, unlimited, Origin::hardware},
        {"/cluster/accelerator/power_watts", "rated power per accelerator", watts,
         [](Plan &p) { return &p.cluster.accelerator.power_watts; }, unlimited, Origin::hardware},
        {"/stack/matrix_efficiency_factor", "matmul rate factor of the stack", number,
         [](Plan &p) { return &p.stack.matrix_efficiency_factor; }, 2, Origin::software},
        {"/stack/memory_traffic_factor", "element-wise traffic factor of the stack", number,
         [](Plan &p) { return &p.stack.memory_traffic_factor; }, 10, Origin::software},
        {"/stack/host_seconds_per_layer", "launch time per layer", seconds,
         [](Plan &p) { return &p.stack.host_seconds_per_layer; }, unlimited, Origin::software},
        {"/stack/host_seconds_per_expert_layer", "additional launch time per MoE layer", seconds,
         [](Plan &p) { return &p.stack.host_seconds_per_expert_layer; }, unlimited, Origin::software},
        {"/stack/routing_wait_seconds", "host wait for token counts per expert", seconds,
         [](Plan &p) { return &p.stack.routing_wait_seconds; }, unlimited, Origin::software},
        {"/stack/graph_share", "fraction of launches in CUDA graphs", share,
         [](Plan &p) { return &p.stack.graph_share; }, 1, Origin::software},
        {"/stack/tensor_overlap", "overlapped fraction of tensor-parallel communication", share,
         [](Plan &p) { return &p.stack.tensor_overlap; }, 1, Origin::software},
        {"/stack/expert_overlap", "overlapped fraction of expert communication", share,
         [](Plan &p) { return &p.stack.expert_overlap; }, 1, Origin::software},
        {"/stack/data_exposed_share", "exposed fraction of overlapped data-parallel communication", share,
         [](Plan &p) { return &p.stack.data_exposed_share; }, 1, Origin::software},
        {"/stack/sharded_exposed_share", "exposed fraction of ZeRO-3 communication", share,
         [](Plan &p) { return &p.stack.sharded_exposed_share; }, 1, Origin::software},
        {"/stack/step_seconds", "software overhead per step", seconds, [](Plan &p) { return &p.stack.step_seconds; },
         unlimited, Origin::software},
        {"/stack/context_bytes", "memory used by driver and libraries", bytes,
         [](Plan &p) { return &p.stack.context_bytes; }, unlimited, Origin::software},
        {"/stack/communicator_bytes", "buffers per communicator", bytes,
         [](Plan &p) { return &p.stack.communicator_bytes; }, unlimited, Origin::software},
        {"/stack/peer_bytes", "buffers per all-to-all peer", bytes, [](Plan &p) { return &p.stack.peer_bytes; },
         unlimited, Origin::software}};
    return amounts;
}

/// A field with discrete values, whose neighboring values are tried.
struct Stops {
    const char *pointer;
    const char *what;
    std::int64_t *(*of)(Plan &plan);
    std::vector<std::int64_t> (*values)(const Plan &plan);
    std::int64_t least = 1;
};

/// Half and twice a number; below 4, the number minus 1 and plus 1.
std::vector<std::int64_t> around(std::int64_t value) {
    return value < 4 ? std::vector<std::int64_t>{value - 1, value, value + 1}
                     : std::vector<std::int64_t>{value / 2, value, value * 2};
}

std::vector<std::int64_t> global_stops(const Plan &plan) {
    const std::int64_t at_once = plan.parallelism.data * plan.batch.micro_sequences;
    return {plan.batch.global_sequences - at_once, plan.batch.global_sequences, plan.batch.global_sequences + at_once};
}

std::vector<std::int64_t> zero_stops(const Plan & /*plan*/) {
    return {0, 1, 2, 3};
}

const std::vector<Stops> &stopped_fields() {
    static const std::vector<Stops> fields{
        {"/parallelism/tensor", "tensor-parallel ranks", [](Plan &p) { return &p.parallelism.tensor; }, tensor_stops},
        {"/parallelism/context", "context-parallel ranks", [](Plan &p) { return &p.parallelism.context; },
         context_stops},
        {"/parallelism/pipeline", "pipeline stages", [](Plan &p) { return &p.parallelism.pipeline; }, pipeline_stops},
        {"/parallelism/chunks", "chunks per rank", [](Plan &p) { return &p.parallelism.chunks; }, chunk_stops},
        {"/parallelism/expert", "expert-parallel ranks", [](Plan &p) { return &p.parallelism.expert; }, expert_stops},
        {"/parallelism/zero_stage", "ZeRO stage", [](Plan &p) { return &p.parallelism.zero_stage; }, zero_stops, 0},
        {"/batch/micro_sequences", "sequences per microbatch", [](Plan &p) { return &p.batch.micro_sequences; },
         micro_sequence_stops},
        {"/batch/global_sequences", "sequences per step", [](Plan &p) { return &p.batch.global_sequences; },
         global_stops},
        {"/batch/sequence_length", "tokens per sequence", [](Plan &p) { return &p.batch.sequence_length; },
         [](const Plan &p) { return around(p.batch.sequence_length); }},
        {"/cluster/sites", "sites", [](Plan &p) { return &p.cluster.sites; },
         [](const Plan &p) { return around(p.cluster.sites); }},
        {"/outer/inner_steps", "inner steps per round", [](Plan &p) { return &p.outer.inner_steps; },
         [](const Plan &p) { return around(p.outer.inner_steps); }},
        {"/outer/fragments", "fragments of the model", [](Plan &p) { return &p.outer.fragments; },
         [](const Plan &p) { return around(p.outer.fragments); }},
        {"/outer/overlap_steps", "overlap in steps", [](Plan &p) { return &p.outer.overlap_steps; },
         [](const Plan &p) { return around(p.outer.overlap_steps); }, 0}};
    return fields;
}

class Variations {
public:
    Variations(const Plan &plan, const std::function<void(const Variation &, const Plan &)> &visit)
        : m_plan(plan)
        , m_visit(visit) { }

    void run() {
        for (const Stops &field : stopped_fields())
            vary(field);
        vary_recompute();
        vary_software();
        for (const Amount &amount : plan_amounts())
            vary(amount);
        for (std::size_t tier = 0; tier < m_plan.cluster.tiers.size(); ++tier)
            vary_tier(tier);
        vary_peaks();
        for (const Amount &fact : facts())
            vary(fact);
        for (const Constant &constant : constants())
            vary(constant);
    }

private:
    void visit(const Variation &variation, const Plan &varied) {
        if (check_plan(varied).empty())
            m_visit(variation, varied);
    }

    void vary(const Stops &field) {
        Plan varied = m_plan;
        const std::int64_t value = *field.of(varied);
        std::vector<std::int64_t> stops = field.values(m_plan);
        std::erase_if(stops, [&field](std::int64_t stop) { return stop < field.least; });
        std::sort(stops.begin(), stops.end());
        const auto above = std::upper_bound(stops.begin(), stops.end(), value);
        const auto from = std::lower_bound(stops.begin(), stops.end(), value);
        std::vector<std::int64_t> neighbours;
        if (above != stops.end())
            neighbours.push_back(*above);
        if (from != stops.begin())
            neighbours.push_back(*(from - 1));
        for (const std::int64_t to : neighbours) {
            if (to < 0)
                continue;
            varied = m_plan;
            *field.of(varied) = to;
            settle_degrees(varied, m_plan);
            visit({.what = field.what,
                   .pointer = field.pointer,
                   .from = grouped(double(value)),
                   .to = grouped(double(to))},
                  varied);
        }
    }

    void vary_recompute() {
        using enum RecomputeMode;
        for (const RecomputeMode mode : {none, selective, full}) {
            if (mode == m_plan.recompute.mode)
                continue;
            Plan varied = m_plan;
            varied.recompute = {.mode = mode, .layers = 0, .modules = {}};
            const auto name = [](RecomputeMode one) { return recompute_mode_names()[static_cast<std::size_t>(one)]; };
            visit({.what = "recomputation",
                   .pointer = "/recompute/mode",
                   .from = name(m_plan.recompute.mode),
                   .to = name(mode)},
                  varied);
        }
    }

    /// Compares with ideal software. The difference is the cost of the software.
    void vary_software() {
        constexpr std::string_view ideal = "ideal";
        const Library &library = Library::standard();
        if (m_plan.stack_id == ideal || !library.find(PresetKind::stack, ideal))
            return;
        Plan varied = m_plan;
        varied.stack = *library.stack(ideal);
        varied.stack_id = ideal;
        visit({"training software", "/stack", Origin::software, m_plan.stack.name, varied.stack.name}, varied);
    }

    static double enlarged(double value, double most) { return std::min(value * larger, std::max(value, most)); }

    void vary(const Amount &amount) {
        Plan varied = m_plan;
        double *const value = amount.of(varied);
        if (value == nullptr)
            return;
        const double from = *value;
        *value = enlarged(from, amount.most);
        if (*value != from)
            visit({amount.what, amount.pointer, amount.origin, text_of(from, amount.quantity),
                   text_of(*value, amount.quantity)},
                  varied);
    }

    void vary_tier(std::size_t index) {
        const Tier &tier = m_plan.cluster.tiers[index];
        const auto vary_field = [&](double Tier::*field, const char *what, const char *key, Quantity quantity) {
            Plan varied = m_plan;
            double &value = varied.cluster.tiers[index].*field;
            value = enlarged(tier.*field, unlimited);
            if (value != tier.*field)
                visit({fmt::format("{} of tier {}", what, tier.name), fmt::format("/cluster/tiers/{}/{}", index, key),
                       Origin::hardware, text_of(tier.*field, quantity), text_of(value, quantity)},
                      varied);
        };
        vary_field(&Tier::bandwidth_bytes_per_second, "bandwidth", "bandwidth_bytes_per_second",
                   Quantity::bytes_per_second);
        vary_field(&Tier::latency_seconds, "latency", "latency_seconds", Quantity::seconds);
    }

    void vary_peaks() {
        Plan varied = m_plan;
        for (auto &[type, peak] : varied.cluster.accelerator.peak_flops_per_second)
            peak *= larger;
        const DataType compute = m_plan.precision.compute;
        visit({"peak FLOP/s of an accelerator", "/cluster/accelerator/peak_flops_per_second", Origin::hardware,
               text_of(m_plan.cluster.accelerator.peak(compute), Quantity::flops_per_second),
               text_of(varied.cluster.accelerator.peak(compute), Quantity::flops_per_second)},
              varied);
    }

    void vary(const Constant &constant) {
        const double from = Assumptions(m_plan.assumptions)[constant.id];
        const double to = from < 0 ? std::max(from * larger, constant.low) : enlarged(from, constant.high);
        if (to == from)
            return;
        Plan varied = m_plan;
        varied.assumptions[std::string(constant.name)] = to;
        const std::string unit = constant.unit == "1" ? "" : " " + std::string(constant.unit);
        std::string words(constant.name);
        std::replace(words.begin(), words.end(), '-', ' ');
        visit({std::move(words), fmt::format("/assumptions/{}", constant.name), Origin::constant,
               fmt::format("{:.4g}{}", from, unit), fmt::format("{:.4g}{}", to, unit)},
              varied);
    }

    const Plan &m_plan;
    const std::function<void(const Variation &, const Plan &)> &m_visit;
};

} // namespace

void settle_degrees(Plan &plan, const Plan &before) {
    Parallelism &parallelism = plan.parallelism;
    const std::int64_t model_ranks = parallelism.tensor * parallelism.context * parallelism.pipeline;
    if (model_ranks > 0 && plan.site_accelerators() % model_ranks == 0)
        parallelism.data = plan.site_accelerators() / model_ranks;
    if (plan.virtual_stages() != before.virtual_stages()) {
        parallelism.layout.clear();
        parallelism.layout_text.clear();
    }
    if ((parallelism.tensor == 1) != (before.parallelism.tensor == 1))
        parallelism.sequence_parallel = parallelism.tensor > 1;
    const bool plain = parallelism.schedule == Schedule::one_f_one_b || parallelism.schedule == Schedule::interleaved;
    if (plain && parallelism.chunks != before.parallelism.chunks)
        parallelism.schedule = parallelism.chunks > 1 ? Schedule::interleaved : Schedule::one_f_one_b;
    if (before.outer.quorum == before.cluster.sites)
        plan.outer.quorum = plan.cluster.sites;
}

void for_each_variation(const Plan &plan, const std::function<void(const Variation &, const Plan &)> &visit) {
    Variations(plan, visit).run();
}

} // namespace meshwright
