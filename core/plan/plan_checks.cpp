// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/field_reader.h"
#include "plan/outer_symmetry.h"
#include "plan/plan_json.h"
#include "plan/valid_values.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

class PlanChecker {
public:
    explicit PlanChecker(const Plan &plan)
        : m_plan(plan)
        , m_parallelism(plan.parallelism) { }

    std::vector<Diagnostic> run() {
        check_product();
        check_widths();
        check_experts();
        check_stages();
        check_microbatches();
        check_sequence();
        check_sharding();
        check_sites();
        return std::move(m_found);
    }

private:
    Diagnostic &add(std::string code, Sentence message, Sentence expected, std::vector<std::string> fields) {
        m_found.push_back({.severity = Severity::error,
                           .code = std::move(code),
                           .message = std::move(message),
                           .expected = std::move(expected),
                           .fields = std::move(fields),
                           .fixes = {}});
        return m_found.back();
    }

    static void offer(Diagnostic &diagnostic, std::string title, const Json &patch) {
        diagnostic.fixes.push_back({.title = std::move(title), .patch = patch.dump(), .gain = {}});
    }

    /// A fix that changes the number of stages also removes the plan's pipeline layout, which applies only to the
    /// current number.
    void offer_parallelism(Diagnostic &diagnostic, const char *key, const std::vector<std::int64_t> &values) const {
        for (const std::int64_t value : values) {
            Json fields{{key, value}, {"data", nullptr}};
            if (std::string_view(key) == "pipeline" && !m_parallelism.layout.empty())
                fields["layout"] = nullptr;
            offer(diagnostic, fmt::format("{} {}", key, value), Json{{"parallelism", std::move(fields)}});
        }
    }

    bool divides_site(std::int64_t a, std::int64_t b) const {
        const double product = static_cast<double>(a) * static_cast<double>(b);
        const auto site = static_cast<double>(m_plan.site_accelerators());
        return product <= site && std::fmod(site, product) == 0;
    }

    /// Offers a fix for a product that no change of a single degree can correct. The fix turns off context parallelism
    /// and sets tensor and pipeline degrees that divide the accelerators.
    void offer_whole_layout(Diagnostic &diagnostic) const {
        Plan without = m_plan;
        without.parallelism.context = without.parallelism.pipeline = 1;
        for (const std::int64_t tensor : valid_tensor(without, 1)) {
            without.parallelism.tensor = tensor;
            for (const std::int64_t pipeline : valid_pipeline(without, 1))
                offer(diagnostic, fmt::format("tensor {}, pipeline {}", tensor, pipeline),
                      Json{{"parallelism",
                            {{"tensor", tensor},
                             {"context", nullptr},
                             {"pipeline", pipeline},
                             {"layout", nullptr},
                             {"data", nullptr}}}});
        }
    }

    void check_product() {
        const double product = static_cast<double>(m_parallelism.tensor) * static_cast<double>(m_parallelism.context)
            * static_cast<double>(m_parallelism.pipeline) * static_cast<double>(m_parallelism.data);
        const std::int64_t site = m_plan.site_accelerators();
        if (product == static_cast<double>(site))
            return;
        Diagnostic &found =
            add("parallelism-product",
                fmt::format("tensor {} x context {} x pipeline {} x data {} = {:.0f}, but a site has {} accelerators",
                            m_parallelism.tensor, m_parallelism.context, m_parallelism.pipeline, m_parallelism.data,
                            product, site),
                fmt::format("expected a product of {}", site),
                {"/parallelism/data", "/parallelism/tensor", "/parallelism/pipeline", "/parallelism/context"});
        const double others = product / static_cast<double>(m_parallelism.data);
        if (others <= static_cast<double>(site) && site % static_cast<std::int64_t>(others) == 0) {
            offer(found, fmt::format("data {}", site / static_cast<std::int64_t>(others)),
                  Json{{"parallelism", {{"data", nullptr}}}});
            return;
        }
        if (divides_site(m_parallelism.context, m_parallelism.pipeline))
            offer_parallelism(found, "tensor", valid_tensor(m_plan, 2));
        if (divides_site(m_parallelism.tensor, m_parallelism.context))
            offer_parallelism(found, "pipeline", valid_pipeline(m_plan, 2));
        if (found.fixes.empty())
            offer_whole_layout(found);
    }

    void check_widths() {
        std::set<std::string> said;
        for (const Block &block : m_plan.model.blocks) {
            const std::string problem = tensor_problem(m_plan.model, block, m_parallelism.tensor);
            if (problem.empty() || !said.insert(problem).second)
                continue;
            Diagnostic &found = add("tensor-does-not-divide", problem,
                                    "expected a tensor degree that divides the heads and the feed-forward size",
                                    {"/parallelism/tensor"});
            offer_parallelism(found, "tensor", valid_tensor(m_plan, 3));
        }
    }

    void check_experts() {
        const std::int64_t experts = routed_experts(m_plan.model);
        if (m_parallelism.expert == 1 && m_parallelism.expert_tensor == 1)
            return;
        if (experts == 0) {
            offer(add("no-experts",
                      fmt::format("expert {} x expert_tensor {}, but the model has no experts", m_parallelism.expert,
                                  m_parallelism.expert_tensor),
                      "expected 1 for a dense model", {"/parallelism/expert"}),
                  "expert 1", Json{{"parallelism", {{"expert", 1}, {"expert_tensor", 1}}}});
            return;
        }
        const double ranks = static_cast<double>(m_parallelism.tensor) * static_cast<double>(m_parallelism.context)
            * static_cast<double>(m_parallelism.data);
        const double degree =
            static_cast<double>(m_parallelism.expert) * static_cast<double>(m_parallelism.expert_tensor);
        const bool divides_ranks = degree <= ranks && std::fmod(ranks, degree) == 0;
        if (divides_ranks && experts % m_parallelism.expert == 0
            && expert_width(m_plan.model) % m_parallelism.expert_tensor == 0)
            return;
        Diagnostic &found = add("expert-does-not-divide",
                                fmt::format("expert {} x expert_tensor {} does not divide tensor x context x data = "
                                            "{:.0f}, the {} experts and their hidden size {}",
                                            m_parallelism.expert, m_parallelism.expert_tensor, ranks, experts,
                                            expert_width(m_plan.model)),
                                fmt::format("expected a divisor of {} experts and of {:.0f} ranks", experts, ranks),
                                {"/parallelism/expert", "/parallelism/expert_tensor"});
        offer_experts(found, m_plan);
        if (!found.fixes.empty() || m_parallelism.expert_tensor == 1)
            return;
        Plan whole = m_plan;
        whole.parallelism.expert_tensor = 1;
        offer_experts(found, whole);
    }

    /// @param plan  this plan, possibly with another `expert_tensor`
    static void offer_experts(Diagnostic &diagnostic, const Plan &plan) {
        const std::int64_t expert_tensor = plan.parallelism.expert_tensor;
        if (expert_width(plan.model) % expert_tensor != 0)
            return;
        std::vector<std::int64_t> values = expert_stops(plan);
        const auto distance = [wanted = static_cast<double>(plan.parallelism.expert)](std::int64_t value) {
            return std::abs(std::log(static_cast<double>(value) / wanted));
        };
        std::stable_sort(values.begin(), values.end(),
                         [&](std::int64_t a, std::int64_t b) { return distance(a) < distance(b); });
        values.resize(std::min<std::size_t>(values.size(), 3));
        for (const std::int64_t value : values)
            offer(diagnostic,
                  expert_tensor == 1 ? fmt::format("expert {}", value)
                                     : fmt::format("expert {}, expert TP {}", value, expert_tensor),
                  Json{{"parallelism", {{"expert", value}, {"expert_tensor", expert_tensor}}}});
    }

    void check_stages() {
        const std::int64_t stages = m_plan.virtual_stages();
        const std::int64_t layers = m_plan.model.layer_count();
        if (!m_parallelism.layout.empty()) {
            check_layout(stages, layers);
        } else if (stages > layers) {
            Diagnostic &found = add("more-stages-than-layers",
                                    fmt::format("pipeline {} x chunks {} = {} stages, but the model has {} layers",
                                                m_parallelism.pipeline, m_parallelism.chunks, stages, layers),
                                    fmt::format("expected at most {} stages", layers),
                                    {"/parallelism/pipeline", "/parallelism/chunks"});
            if (m_plan.layer_chunks() > 1 && m_parallelism.pipeline <= layers)
                offer(found, fmt::format("chunks {}", layers / m_parallelism.pipeline),
                      Json{{"parallelism", {{"chunks", layers / m_parallelism.pipeline}}}});
            offer_parallelism(found, "pipeline", valid_pipeline(m_plan, 2));
        }
        for (const ScheduleProblem &problem : schedule_problems(m_plan)) {
            Diagnostic &found = add(problem.code, problem.message, problem.expected, problem.fields);
            for (const auto &[title, patch] : problem.fixes)
                offer(found, title, Json::parse(patch));
        }
    }

    void check_layout(std::int64_t stages, std::int64_t layers) {
        std::int64_t sum = 0;
        for (const std::int64_t count : m_parallelism.layout)
            sum += count;
        if (static_cast<std::int64_t>(m_parallelism.layout.size()) == stages && sum == layers)
            return;
        offer(add("layout",
                  fmt::format("the pipeline layout has {} stages with {} layers, but pipeline {} x chunks {} = {} "
                              "stages and the model has {} layers",
                              m_parallelism.layout.size(), sum, m_parallelism.pipeline, m_parallelism.chunks, stages,
                              layers),
                  fmt::format("expected {} stages with {} layers in total", stages, layers), {"/parallelism/layout"}),
              "even pipeline layout", Json{{"parallelism", {{"layout", nullptr}}}});
    }

    void check_microbatches() {
        const double share =
            static_cast<double>(m_parallelism.data) * static_cast<double>(m_plan.batch.micro_sequences);
        if (share >= 1 && std::fmod(static_cast<double>(m_plan.batch.global_sequences), share) == 0)
            return;
        Diagnostic &found =
            add("microbatches",
                fmt::format("{} sequences / (data {} x micro {}) = {:g} microbatches", m_plan.batch.global_sequences,
                            m_parallelism.data, m_plan.batch.micro_sequences,
                            static_cast<double>(m_plan.batch.global_sequences) / share),
                fmt::format("expected a multiple of {:.0f}", share),
                {"/batch/global_sequences", "/batch/micro_sequences", "/parallelism/data"});
        if (share > 1e9)
            return;
        const auto step = static_cast<std::int64_t>(share);
        const std::int64_t below = m_plan.batch.global_sequences / step * step;
        for (const std::int64_t value : {below, below + step})
            if (value > 0 && value <= largest_count)
                offer(found, fmt::format("{} sequences", value), Json{{"batch", {{"global_sequences", value}}}});
    }

    void check_sequence() {
        const std::int64_t ways = m_parallelism.context * (m_parallelism.sequence_parallel ? m_parallelism.tensor : 1);
        if (m_plan.batch.sequence_length % ways == 0 || m_plan.stack.pads_uneven_shards)
            return;
        const std::int64_t below = m_plan.batch.sequence_length / ways * ways;
        Diagnostic &found =
            add("sequence-does-not-divide",
                fmt::format("a sequence of {} tokens cannot be divided into {} equal parts (context {}{})",
                            m_plan.batch.sequence_length, ways, m_parallelism.context,
                            m_parallelism.sequence_parallel ? fmt::format(" x tensor {}", m_parallelism.tensor)
                                                            : std::string()),
                fmt::format("expected a multiple of {}", ways), {"/batch/sequence_length", "/parallelism/context"});
        for (const std::int64_t value : {below, below + ways})
            if (value > 0 && value <= largest_count)
                offer(found, fmt::format("sequence {}", value), Json{{"batch", {{"sequence_length", value}}}});
    }

    void check_sharding() {
        const std::int64_t ranks = m_parallelism.data * m_parallelism.context;
        if (!m_parallelism.shard_group || ranks % *m_parallelism.shard_group == 0)
            return;
        Diagnostic &found =
            add("shard-group",
                fmt::format("shard_group {} does not divide data x context = {}", *m_parallelism.shard_group, ranks),
                fmt::format("expected a divisor of {}", ranks), {"/parallelism/shard_group"});
        if (ranks > largest_count)
            return; // check_product() reports too many ranks
        for (const std::int64_t value : nearest_divisors(ranks, *m_parallelism.shard_group, 2))
            offer(found, fmt::format("shard group {}", value), Json{{"parallelism", {{"shard_group", value}}}});
    }

    void check_sites() {
        const Outer &outer = m_plan.outer;
        const std::int64_t sites = m_plan.cluster.sites;
        if (outer.method == OuterMethod::none && sites > 1)
            offer(add("sites-without-outer-loop", fmt::format("{} sites, but outer.method is \"none\"", sites),
                      "expected data-parallel, diloco or streaming-diloco", {"/outer/method"}),
                  "streaming DiLoCo", Json{{"outer", {{"method", "streaming-diloco"}}}});
        if (outer.method != OuterMethod::none && !m_plan.cluster.wan)
            add("no-wan", "the plan has an outer loop, but its cluster has no wan",
                "expected cluster.wan with uplink_bits_per_second", {"/cluster/wan"});
        if (outer.method != OuterMethod::none && m_plan.cluster.wan
            && updates_of_a_round(m_plan) > max_updates_of_a_round)
            add("too-many-updates",
                fmt::format("{} heterogeneous sites with {} fragments each have too many updates to simulate", sites,
                            outer.fragments),
                fmt::format(
                    "expected at most {:.0e} updates per round (fewer with shared aggregators), or identical sites",
                    max_updates_of_a_round),
                {"/outer/fragments", "/cluster/sites"});
        if (outer.method != OuterMethod::none && m_plan.cluster.wan) {
            check_sites_that_differ();
            check_overlap();
        }
        if (outer.quorum > sites)
            offer(add("quorum", fmt::format("a quorum of {} exceeds the {} sites", outer.quorum, sites),
                      fmt::format("expected 1 to {}", sites), {"/outer/quorum"}),
                  fmt::format("quorum {}", sites), Json{{"outer", {{"quorum", sites}}}});
        if (outer.method != OuterMethod::streaming_diloco && outer.method != OuterMethod::none && outer.fragments > 1)
            offer(add("fragments",
                      fmt::format("{} fragments, but only streaming DiLoCo splits updates into fragments",
                                  outer.fragments),
                      "expected 1", {"/outer/fragments", "/outer/method"}),
                  "streaming DiLoCo", Json{{"outer", {{"method", "streaming-diloco"}}}});
    }

    /// Random speeds and departures take as much simulation time per site as a hundred fragments.
    void check_sites_that_differ() {
        constexpr double own_fragments = 100;
        constexpr double most = 2.1e6; ///< the maximum that can be simulated in about a second
        const auto fragments = static_cast<double>(m_plan.outer.fragments);
        const double sites = updates_of_a_round(m_plan) / fragments;
        if (sites <= 1 || sites * (fragments + own_fragments) <= most || sites * fragments > max_updates_of_a_round)
            return;
        add("too-many-sites", fmt::format("{} heterogeneous sites are too many to simulate", m_plan.cluster.sites),
            fmt::format(
                "expected at most {:.0f} with this many fragments, or identical sites (no variation, "
                "faults or groups)",
                std::floor(most / (fragments + own_fragments) * static_cast<double>(m_plan.cluster.sites) / sites)),
            {"/cluster/sites", "/outer/fragments"});
    }

    /// Rejects an overlap of so many rounds that hundreds of thousands of updates would be in flight: the result would
    /// be meaningless, and the simulation would take minutes.
    void check_overlap() {
        const Outer &outer = m_plan.outer;
        const double under_way = updates_under_way(m_plan);
        const double sites = updates_of_a_round(m_plan) / static_cast<double>(outer.fragments);
        const double most = std::min(max_updates_under_way, max_updates_of_a_round / sites);
        const double rounds = static_cast<double>(outer.overlap_steps) / static_cast<double>(outer.inner_steps);
        if (rounds > 1 && under_way > most)
            offer(add("too-much-overlap",
                      fmt::format("an overlap of {} steps spans {:.3g} rounds of {} fragments", outer.overlap_steps,
                                  rounds, outer.fragments),
                      fmt::format("expected at most {:.0f} steps",
                                  std::max(1.0, std::floor(most / static_cast<double>(outer.fragments)))
                                      * static_cast<double>(outer.inner_steps)),
                      {"/outer/overlap_steps", "/outer/fragments"}),
                  "overlap of one round", Json{{"outer", {{"overlap_steps", outer.inner_steps}}}});
    }

    const Plan &m_plan;
    const Parallelism &m_parallelism;
    std::vector<Diagnostic> m_found;
};

} // namespace

std::vector<Diagnostic> check_plan(const Plan &plan) {
    return PlanChecker(plan).run();
}

} // namespace meshwright
