// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/torchtitan_outer.h"

#include "evaluate/result.h"
#include "outer/link.h"
#include "outer/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace meshwright {

namespace {

std::int64_t time_limit(double seconds) {
    constexpr double margin = 3, most = 1e7;
    return std::llround(std::ceil(std::min(margin * seconds, most)));
}

/// Fits the outer loop of a plan to TorchFT, setting by setting.
class TorchftRules {
public:
    TorchftRules(TargetPlan &target, bool splits_model)
        : m_target(target)
        , m_plan(target.plan)
        , m_outer(target.plan.outer)
        , m_given(target.plan.outer)
        , m_splits_model(splits_model) { }

    void apply() {
        if (m_outer.method == OuterMethod::data_parallel) {
            every_step();
        } else {
            fragments();
            overlap();
        }
        wires();
        settle(m_outer.release, Release::step, "release",
               "torchtitan has no option to send fragments during the backward pass",
               "they are sent after the inner step");
        settle(m_outer.error_feedback, false, "error_feedback", "TorchFT has no error feedback", "none");
        settle(m_outer.late_updates, LateUpdates::wait, "late_updates",
               "with TorchFT, a site always waits for a late update", "it waits");
        settle(m_outer.steps_by_speed, false, "steps_by_speed", "TorchFT does not give slower sites fewer inner steps",
               "the same number at every site");
        aggregation();
        m_outer.step_seconds.reset(); // a prediction, not a setting
    }

private:
    template <typename Value>
    void settle(Value &value, const Value &now, const char *field, const char *what, const std::string &instead) {
        if (std::exchange(value, now) != now)
            m_target.lose(what, instead, {fmt::format("/outer/{}", field)});
    }

    /// The all-reduce hook of FSDP averages gradients at every step.
    void every_step() {
        const char *const what = "data parallelism between sites averages gradients at every step";
        settle<std::int64_t>(m_outer.inner_steps, 1, "inner_steps", what, "1 inner step");
        settle<std::int64_t>(m_outer.overlap_steps, 0, "overlap_steps", what, "no overlap");
    }

    /// A fragment has at least one layer, where the embedding and the head count as layers. Fragments are sent at equal
    /// intervals of inner steps.
    void fragments() {
        const std::int64_t most = std::min({m_outer.fragments, m_outer.inner_steps, m_plan.model.layer_count() + 2});
        std::int64_t count = m_splits_model ? most : 1;
        while (m_outer.inner_steps % count != 0)
            --count;
        m_outer.fragments = count;
        m_outer.pattern = count > 1 ? FragmentPattern::sequential : Outer{}.pattern;
        m_outer.method = count > 1 ? OuterMethod::streaming_diloco : OuterMethod::diloco;
        std::vector<std::string> fields;
        const auto changed = [&](const char *field, bool is_changed) {
            if (is_changed)
                fields.emplace_back(fmt::format("/outer/{}", field));
        };
        changed("fragments", count != m_given.fragments);
        changed("method", m_outer.method != m_given.method);
        const bool moves = m_given.fragments > 1 && m_outer.pattern != m_given.pattern;
        changed("pattern", moves);
        if (fields.empty())
            return;
        const char *const what = m_plan.parallelism.pipeline > 1
            ? "torchtitan does not split the stages of a pipeline into fragments"
            : !m_splits_model
            ? "torchtitan splits only llama3 into fragments"
            : "TorchFT requires fragments of adjacent layers and a fragment count that divides the inner steps";
        m_target.lose(
            what, count > 1 ? fmt::format("{} sequential fragments", count) : std::string("DiLoCo without fragments"),
            std::move(fields));
    }

    /// A fragment has to arrive before the next one is sent.
    void overlap() {
        const std::int64_t most = m_outer.inner_steps / m_outer.fragments - 1;
        if (m_outer.overlap_steps <= most)
            return;
        m_outer.overlap_steps = most;
        m_target.lose("with TorchFT a fragment arrives before the next one is sent",
                      fmt::format("an overlap of {} steps", most), {"/outer/overlap_steps"});
    }

    /// TorchFT sends FP32, or quantizes the updates of DiLoCo to 8 bits in both directions.
    void wires() {
        constexpr double quantized = 8;
        const bool quantizes =
            m_outer.method != OuterMethod::data_parallel && std::max(m_outer.up.bits, m_outer.down.bits) <= quantized;
        const Wire wire{.bits = quantizes ? quantized : Wire{}.bits};
        std::vector<std::string> fields;
        for (const auto &[name, given] : {std::pair("up", &m_outer.up), std::pair("down", &m_outer.down)}) {
            const auto changed = [&, direction = name](const char *field, bool is_changed) {
                if (is_changed)
                    fields.push_back(fmt::format("/outer/{}/{}", direction, field));
            };
            changed("bits", given->bits != wire.bits);
            changed("density", given->density != wire.density);
            changed("index", given->index != wire.index);
            changed("scale_bits", given->scale_bits != wire.scale_bits);
            *given = wire;
        }
        if (!fields.empty())
            m_target.lose(m_outer.method == OuterMethod::data_parallel
                              ? "TorchFT sends gradients in FP32"
                              : "TorchFT sends every parameter of an update, with 8 or 32 bits in both directions",
                          fmt::format("{:g} bits", wire.bits), std::move(fields));
    }

    /// Replaces the aggregation with all-reduces between the sites. Dropped rates and prices are not recorded as lost,
    /// because they describe machines, which launch files do not contain.
    void aggregation() {
        Aggregation &now = m_plan.aggregation;
        const Aggregation given = std::exchange(now, {.topology = Topology::ring});
        if (given.topology != now.topology)
            m_target.lose("TorchFT averages across sites with all-reduces", "a ring", {"/aggregation"});
        const auto late = [](const Aggregation &each) {
            return std::tie(each.grace_share, each.grace_limit_seconds, each.quorum_wait_seconds, each.least_quorum,
                            each.latest_rounds, each.late_weight, each.late_decay);
        };
        if (late(given) != late(now))
            m_target.lose("torchtitan has no options for waiting beyond the quorum or for late updates",
                          "the lighthouse decides which sites take part in a round", {"/aggregation"});
    }

    TargetPlan &m_target;
    Plan &m_plan;
    Outer &m_outer;
    const Outer m_given;
    bool m_splits_model;
};

} // namespace

std::string torchft_obstacle(const Plan &plan) {
    const Parallelism &parallelism = plan.parallelism;
    const bool shards = parallelism.zero_stage > 0 && parallelism.data * parallelism.context > 1;
    if (plan.outer.method == OuterMethod::data_parallel && !shards)
        return "TorchFT averages gradients between sites only if FSDP shards the states of a site";
    const bool has_loop = plan.outer.method != OuterMethod::none && plan.outer.method != OuterMethod::data_parallel;
    if (has_loop && plan.layer_chunks() > 1)
        return "torchtitan synchronizes only the first chunk of each rank between sites";
    return {};
}

TorchftTimes torchft_times(const Plan &plan, const Result &result) {
    const Traffic traffic = traffic_of(plan, result.parameters.total);
    const double share = *std::max_element(traffic.shares.begin(), traffic.shares.end());
    TorchftTimes times;
    for (const LinksOfSites &sites : links_of_sites(*plan.cluster.wan, plan.cluster.sites)) {
        const double up = share * traffic.up_bits / sites.link.uplink_bits_per_second;
        const double down = share * traffic.down_bits / sites.link.downlink_bits_per_second;
        const double sent = sites.link.full_duplex ? std::max(up, down) : up + down;
        times.exchange_seconds = std::max(times.exchange_seconds, sent + traffic.hops * sites.link.one_way_seconds);
    }
    const double steps = static_cast<double>(plan.outer.inner_steps) / static_cast<double>(plan.outer.fragments);
    times.interval_seconds = steps * inner_step_seconds(result) + times.exchange_seconds;
    times.exchange_limit = time_limit(times.exchange_seconds);
    times.interval_limit = time_limit(times.interval_seconds);
    return times;
}

void fit_outer_loop_to_torchft(TargetPlan &target, bool splits_model) {
    TorchftRules(target, splits_model).apply();
}

} // namespace meshwright
