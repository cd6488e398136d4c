// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/curve_builder.h"
#include "evaluate/curve_sources.h"
#include "explain/context.h"

#include "explain/quantity_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshwright {

namespace {

class Curves {
public:
    explicit Curves(const ExplainContext &context)
        : m_context(context)
        , m_curve(context.result)
        , m_goodput(traced_goodput(context)) { }

    std::vector<Derivation> learning() const;
    std::vector<Derivation> losses() const;
    std::vector<Derivation> failures() const;
    std::vector<Derivation> formats() const;

private:
    Derivation batch(std::string name) const {
        Derivation own = m_context.batch_tokens();
        if (m_curve.batch_tokens > own.value)
            own = product_of({"batch_tokens", "tokens per step of all sites", Quantity::tokens}, "definition",
                             {named("site_tokens", std::move(own)),
                              plan_field({"sites", "sites", Quantity::count},
                                         static_cast<double>(m_context.plan.cluster.sites), "/cluster/sites")});
        return named(std::move(name), std::move(own));
    }
    Derivation tokens(std::string name = "tokens") const {
        return reference_to("run_tokens", {std::move(name), "tokens of the run", Quantity::tokens}, m_curve.tokens);
    }
    Derivation parameters() const {
        return reference_to("parameters_active", {"parameters", "active parameters per token", Quantity::parameters},
                            m_curve.parameters);
    }
    Derivation steps(std::string name) const {
        return reference_to("run_steps", {std::move(name), "optimizer steps per site", Quantity::count},
                            m_context.result.run.steps);
    }
    Derivation mtbf() const { return m_goodput.mtbf_seconds.derivation({"mtbf_seconds", {}}, {}); }
    Derivation write() const { return m_goodput.write_seconds.derivation({"write_seconds", {}}, {}); }
    Derivation proportional_warmup(std::string name) const;
    Derivation ramp_tokens(std::string name) const;
    Derivation flops() const;
    Derivation optimal_loss(const NamedLaw &law) const;
    Derivation waste(const char *name, const char *title, Derivation interval) const;

    const ExplainContext &m_context;
    CurveContext m_curve;
    BasicGoodput<Traced> m_goodput;
};

Derivation Curves::proportional_warmup(std::string name) const {
    return by_formula({std::move(name), "warm-up steps at the plan's batch size", Quantity::count}, "warmup-steps",
                      "steps",
                      {published({"base_batch", "batch size of the published run", Quantity::tokens},
                                 published_warmup_batch, "Llama 2, arXiv 2307.09288, section 2.2"),
                       published({"base_steps", "warm-up steps of the published run", Quantity::count},
                                 published_warmup_steps, "Llama 2, arXiv 2307.09288, section 2.2"),
                       batch("batch"), steps("total_steps")});
}

Derivation Curves::ramp_tokens(std::string name) const {
    return derived({std::move(name), "tokens until the full batch size is reached", Quantity::tokens},
                   published_ramp_share * m_curve.tokens, "share * tokens", "same fraction as in the published run",
                   {published({"share", "ramp as a fraction of the run", Quantity::share}, published_ramp_share,
                              "GPT-3, arXiv 2005.14165, appendix B: the first 12 billion of 300 billion tokens"),
                    tokens()});
}

std::vector<Derivation> Curves::learning() const {
    std::vector<Derivation> figures{batch("curves_batch_tokens"), proportional_warmup("curves_warmup_steps")};
    figures.push_back(derived({"curves_schedule_warmup_steps", "warm-up steps of the run", Quantity::count},
                              std::min(figures.back().value, m_curve.steps / 10), "min(proportional, steps / 10)",
                              "at most a tenth of the run's steps",
                              {proportional_warmup("proportional"), steps("steps")}));
    figures.push_back(ramp_tokens("curves_ramp_tokens"));
    Derivation start = derived(
        {"start_batch", "batch size at the start", Quantity::tokens}, published_ramp_start * m_curve.batch_tokens,
        "share * batch", "same fraction as in the published run",
        {published({"share", "starting batch size as a fraction of the full one", Quantity::share},
                   published_ramp_start, "GPT-3, arXiv 2005.14165, appendix B: from 32 thousand to 3.2 million tokens"),
         batch("batch")});
    Derivation ramp_steps =
        by_formula({"ramp_steps", "steps until the full batch size is reached", Quantity::count}, "batch-ramp",
                   "ramp_steps", {std::move(start), batch("batch"), ramp_tokens("ramp_tokens")});
    const double more = ramp_steps.value - published_ramp_share * m_curve.tokens / m_curve.batch_tokens;
    figures.push_back(
        derived({"curves_ramp_more_steps", "additional steps due to the batch-size ramp", Quantity::count}, more,
                "ramp_steps - ramp_tokens / batch",
                "ramp steps minus the steps that the same tokens take at the full batch size",
                {std::move(ramp_steps), ramp_tokens("ramp_tokens"), batch("batch")}));
    const Pipeline &pipeline = m_context.result.pipeline;
    if (m_context.result.step.term(StepTerm::data) > 0)
        figures.push_back(by_formula(
            {"curves_communication_fraction", "data-parallel communication as a fraction of the step", Quantity::share},
            "accumulated-step", "communication_fraction",
            {named("accumulation_steps", m_context.microbatches()),
             derived({"micro_batch_seconds", "forward and backward time of a microbatch", time},
                     pipeline.forward_seconds + pipeline.backward_seconds, "forward_seconds + backward_seconds",
                     "definition",
                     {reference_to("pipeline_forward_seconds",
                                   {"forward_seconds", "forward time on the slowest stage", time},
                                   pipeline.forward_seconds),
                      reference_to("pipeline_backward_seconds",
                                   {"backward_seconds", "backward time on the slowest stage", time},
                                   pipeline.backward_seconds)}),
             reference_to("step_data_exposed_seconds",
                          {"all_reduce_seconds", "exposed data-parallel communication", time},
                          m_context.result.step.term(StepTerm::data))}));
    return figures;
}

Derivation Curves::flops() const {
    return by_formula({"flops", "FLOPs of the run", Quantity::flops}, "training-flops", "flops",
                      {parameters(), tokens()});
}

Derivation place_of_law(std::string name, const NamedLaw &law) {
    return published({std::move(name), fmt::format("scaling law: {}", law.name)}, law.place,
                     law.place == preferred_law.place ? "Besiroglu et al., arXiv 2404.10102"
                         : law.place == 0             ? "Hoffmann et al., arXiv 2203.15556"
                                                      : "Llama 3, arXiv 2407.21783");
}

/// The loss at the compute-optimal model size of a law. The Llama 3 law predicts tokens only.
Derivation Curves::optimal_loss(const NamedLaw &law) const {
    const NamedLaw &of_loss = law.place == llama3_law.place ? preferred_law : law;
    Derivation best = by_formula({"parameters", "compute-optimal model size", Quantity::parameters}, "compute-optimal",
                                 "parameters", {flops(), place_of_law("law", law)});
    Derivation trained = derived({"tokens", "training tokens at the compute-optimal size", Quantity::tokens},
                                 flops().value / (flops_per_parameter_and_token * best.value),
                                 "flops / (flops_per_parameter * parameters)", "the FLOPs of the run are kept constant",
                                 {flops(),
                                  published({"flops_per_parameter", "FLOPs per parameter and token"},
                                            flops_per_parameter_and_token, "Kaplan et al., arXiv 2001.08361"),
                                  best});
    return by_formula({fmt::format("curves_optimal_{}", identifier(law.name)),
                       fmt::format("loss at the compute-optimal size, {}", law.name)},
                      "predicted-loss", "loss", {std::move(best), std::move(trained), place_of_law("law", of_loss)});
}

std::vector<Derivation> Curves::losses() const {
    if (m_curve.tokens <= 0 || m_curve.parameters <= 0)
        return {};
    std::vector<Derivation> figures;
    figures.push_back(by_formula({"curves_loss", "predicted loss"}, "predicted-loss", "loss",
                                 {parameters(), tokens(), place_of_law("law", preferred_law)}));
    const auto loss = [&] { return reference_to("curves_loss", {"loss", "predicted loss"}, figures.front().value); };
    figures.push_back(by_formula({"curves_overtraining", "tokens relative to 20 tokens per parameter"}, "overtraining",
                                 "times", {parameters(), tokens()}));
    figures.push_back(named("curves_flops", flops()));
    for (const NamedLaw &law : {loss_laws_shown[0], loss_laws_shown[1], llama3_law})
        figures.push_back(optimal_loss(law));
    Derivation critical = by_formula({"curves_critical_batch", "critical batch size", Quantity::tokens},
                                     "critical-batch-at-loss", "tokens", {loss()});
    const double tokens_there = critical.value;
    figures.push_back(std::move(critical));
    figures.push_back(by_formula(
        {"curves_critical_steps", "steps relative to the minimum for the same loss"}, "critical-batch", "steps",
        {published({"least_steps", "minimum number of steps, normalized to 1", Quantity::count}, 1,
                   "McCandlish et al., arXiv 1812.06162"),
         reference_to("curves_critical_batch", {"critical_batch", "critical batch size", Quantity::tokens},
                      tokens_there),
         batch("batch")}));
    return figures;
}

Derivation Curves::waste(const char *name, const char *title, Derivation interval) const {
    return by_formula({name, title, Quantity::share}, "checkpoint-waste", "waste_fraction",
                      {mtbf(), write(), named("interval_seconds", std::move(interval)),
                       plan_field({"recovery_seconds", "time to recover from a failure", time},
                                  m_context.plan.faults.recovery_seconds, "/faults/recovery_seconds")});
}

std::vector<Derivation> Curves::failures() const {
    const Plan &plan = m_context.plan;
    const auto recovery = [&] {
        return plan_field({"recovery_seconds", "time to recover from a failure", time}, plan.faults.recovery_seconds,
                          "/faults/recovery_seconds");
    };
    const auto own = [&] {
        return reference_to("run_checkpoint_interval_seconds", {"interval_seconds", "time between checkpoints", time},
                            m_context.result.run.checkpoint_interval_seconds);
    };
    const auto optimum = [&](const char *title, const char *result) {
        return by_formula({"interval_seconds", title, time}, "checkpoint-interval", result,
                          {mtbf(), write(), recovery()});
    };
    std::vector<Derivation> figures{named("curves_mtbf_seconds", mtbf()), named("curves_write_seconds", write()),
                                    waste("curves_waste", "time lost per second of training", own())};
    if (plan.faults.checkpoint_blocking_share > 0) { // if writing does not stop training, the optimal interval is 0
        figures.push_back(waste("curves_waste_young", "time lost per second of training at Young's interval",
                                optimum("Young's interval", "young_seconds")));
        figures.push_back(waste("curves_waste_daly", "time lost per second of training at Daly's interval",
                                optimum("Daly's interval", "daly_seconds")));
    }
    const Derivation stopping = m_goodput.stopping_accelerators.derivation({"accelerators", {}}, {});
    if (plan.run.rental_dollars_per_accelerator_hour > 0)
        figures.push_back(by_formula(
            {"curves_failure_cost", "rental cost of the time lost per failure", Quantity::dollars}, "failure-cost",
            "dollars",
            {stopping,
             plan_field({"price_per_hour", "rental price of an accelerator-hour", Quantity::dollars_per_hour},
                        plan.run.rental_dollars_per_accelerator_hour, "/run/rental_dollars_per_accelerator_hour"),
             own(), recovery()}));
    figures.push_back(named("curves_stopping_accelerators", stopping));
    return figures;
}

std::vector<Derivation> Curves::formats() const {
    const std::optional<std::size_t> own = place_of_format(m_context.plan.precision.compute);
    if (!own)
        return {};
    const NamedFormat &format = named_formats[*own];
    const auto bits = [&](const char *name, const char *title, double value) {
        return published({name, title}, value,
                         std::string(format.name)
                             + ": IEEE 754-2019; FP8, arXiv 2209.05433; OCP Microscaling formats 1.0");
    };
    return {by_formula({"curves_largest", fmt::format("largest number in {}", format.name)}, "float-format", "largest",
                       {bits("exponent_bits", "exponent bits", format.exponent_bits),
                        bits("mantissa_bits", "mantissa bits", format.mantissa_bits),
                        bits("finite_only", "1 if the format has no infinities", format.finite_only),
                        bits("all_finite", "1 if every bit pattern is a finite number", format.all_finite)})};
}

bool is_finite(const Derivation &node) {
    return std::isfinite(node.value) && std::all_of(node.inputs.begin(), node.inputs.end(), is_finite);
}

} // namespace

std::vector<Derivation> explain_curves(const ExplainContext &context) {
    const Curves curves(context);
    std::vector<Derivation> figures;
    for (std::vector<Derivation> part : {curves.learning(), curves.losses(), curves.failures(), curves.formats()})
        for (Derivation &figure : part)
            if (is_finite(figure))
                figures.push_back(std::move(figure));
    return figures;
}

} // namespace meshwright
