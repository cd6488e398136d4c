// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/run_comparison.h"

#include "catalog/constants.h"
#include "evaluate/result.h"
#include "evidence/prediction.h"
#include "input/diagnostic.h"
#include "plan/plan_json.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace meshwright {

namespace {

using ComparedJson = nlohmann::ordered_json;

/// A number in a document; empty if it is missing or too small to divide by.
std::optional<double> figure_at(const ComparedJson &document, const std::string &pointer) {
    const ComparedJson::json_pointer at(pointer);
    if (!document.is_structured() || !document.contains(at) || !document[at].is_number())
        return std::nullopt;
    const auto value = document[at].get<double>();
    constexpr double least = 1e-9;
    return value >= least && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

class RunComparing {
public:
    RunComparing(const Imported &imported, const Result &result)
        : m_run(imported.document)
        , m_measured(imported.measured)
        , m_result(result) { }

    RunComparison compare() {
        step();
        memory();
        terms();
        timers();
        if (m_comparison.figures.empty())
            throw InputError("", "the run has neither a step time nor a memory figure",
                             "expected a log or trace with a step time or memory figure");
        settings();
        return std::move(m_comparison);
    }

private:
    void add(std::string figure, std::string title, Quantity quantity, std::optional<double> measured, double predicted,
             double low = 0, double high = 0) {
        if (!measured || !std::isfinite(predicted))
            return;
        ComparedMeasurement line{.figure = std::move(figure),
                                 .title = std::move(title),
                                 .quantity = quantity,
                                 .measured = *measured,
                                 .predicted = predicted};
        if (high > 0) {
            line.low = low;
            line.high = high;
        }
        m_comparison.figures.push_back(std::move(line));
    }

    void step() {
        const Step &step = m_result.step;
        add("step.seconds", "Step time", Quantity::seconds, figure_at(m_run, "/step_seconds"), step.seconds,
            step.low_seconds, step.high_seconds);
        add("step.tokens_per_second_per_accelerator", "Tokens per second per accelerator", Quantity::tokens,
            figure_at(m_run, "/tokens_per_second_per_accelerator"), step.tokens_per_second_per_accelerator);
    }

    void memory() {
        struct Kind {
            MeasuredMemory kind;
            const char *name;
            const char *title;
            const char *detail; ///< key of the figure in the object `measured`
        };
        constexpr std::array<Kind, 3> kinds{
            {{MeasuredMemory::allocated, "allocated", "Peak memory, allocated", "/max_allocated_bytes"},
             {MeasuredMemory::reserved, "reserved", "Peak memory, reserved by the allocator", "/max_reserved_bytes"},
             {MeasuredMemory::device, "device", "Memory used on the device", "/device_bytes"}}};
        const Prediction prediction = predict(m_result.plan, 1, Assumptions(m_result.plan.assumptions));
        if (!prediction.skipped.empty())
            return;
        const std::string kind_of_run = m_run.value("memory_kind", "");
        for (const Kind &kind : kinds) {
            const std::optional<double> measured =
                kind_of_run == kind.name ? figure_at(m_run, "/peak_memory_bytes") : figure_at(m_measured, kind.detail);
            add(fmt::format("memory.{}_bytes", kind.name), kind.title, Quantity::bytes, measured,
                prediction.memory_bytes(kind.kind));
        }
    }

    double terms_of(std::initializer_list<StepTerm> terms) const {
        double seconds = 0;
        for (const StepTerm term : terms)
            seconds += m_result.step.term(term);
        return seconds;
    }

    static std::string paths_of(std::initializer_list<StepTerm> terms) {
        std::string paths;
        for (const StepTerm term : terms) {
            const bool exposed = term >= StepTerm::tensor && term <= StepTerm::data;
            paths += fmt::format("{}step.{}{}_seconds", paths.empty() ? "" : " + ",
                                 step_term_names()[static_cast<std::size_t>(term)], exposed ? "_exposed" : "");
        }
        return paths;
    }

    void add_terms(const char *title, const std::string &pointer, std::initializer_list<StepTerm> terms) {
        add(paths_of(terms), title, Quantity::seconds, figure_at(m_measured, pointer), terms_of(terms));
    }

    /// Compares the terms of a profile, which covers one rank's GPU. The plan's bubble is the time spent waiting for
    /// other ranks; time spent waiting for the host belongs to compute.
    void terms() {
        using enum StepTerm;
        add_terms("Compute", "/per_step/compute_seconds", {compute, recompute, optimizer});
        add_terms("Exposed communication", "/per_step/exposed_communication_seconds",
                  {tensor, context, expert, pipeline, data});
        add_terms("Idle", "/per_step/idle_seconds", {bubble});
    }

    /// Compares the terms of Megatron's timers, which are sums over all microbatches of a rank.
    void timers() {
        const Pipeline &pipeline = m_result.pipeline;
        const auto microbatches = static_cast<double>(m_result.plan.microbatches());
        add("pipeline.forward_seconds", "Forward passes", Quantity::seconds,
            figure_at(m_measured, "/timers_seconds/forward-compute"), pipeline.forward_seconds * microbatches);
        add("pipeline.backward_seconds", "Backward passes", Quantity::seconds,
            figure_at(m_measured, "/timers_seconds/backward-compute"), pipeline.backward_seconds * microbatches);
        add_terms("Optimizer", "/timers_seconds/optimizer", {StepTerm::optimizer});
    }

    void settings() {
        const Plan &plan = m_result.plan;
        const Parallelism &parallelism = plan.parallelism;
        const std::pair<const char *, double> numbers[] = {
            {"layers", static_cast<double>(plan.model.layer_count())},
            {"hidden", static_cast<double>(plan.model.hidden)},
            {"accelerators", static_cast<double>(plan.site_accelerators())},
            {"tensor", static_cast<double>(parallelism.tensor)},
            {"pipeline", static_cast<double>(parallelism.pipeline)},
            {"chunks", static_cast<double>(parallelism.chunks)},
            {"context", static_cast<double>(parallelism.context)},
            {"expert", static_cast<double>(parallelism.expert)},
            {"data", static_cast<double>(parallelism.data)},
            {"zero_stage", static_cast<double>(parallelism.zero_stage)},
            {"micro_batch", static_cast<double>(plan.batch.micro_sequences)},
            {"global_batch", static_cast<double>(plan.batch.global_sequences)},
            {"sequence_length", static_cast<double>(plan.batch.sequence_length)}};
        for (const auto &[column, planned] : numbers)
            if (m_run.contains(column) && m_run[column].is_number() && m_run[column].get<double>() != planned)
                m_comparison.differing.push_back({column, m_run[column], static_cast<std::int64_t>(planned)});
        const std::pair<const char *, std::string> words[] = {
            {"accelerator", plan.cluster.accelerator_id},
            {"precision", data_type_names()[static_cast<std::size_t>(plan.precision.compute)]}};
        for (const auto &[column, planned] : words)
            if (m_run.contains(column) && m_run[column].is_string() && !planned.empty() && m_run[column] != planned)
                m_comparison.differing.push_back({column, m_run[column], planned});
    }

    const ComparedJson &m_run;
    const ComparedJson &m_measured;
    const Result &m_result;
    RunComparison m_comparison;
};

const char *unit_of_comparison(Quantity quantity) {
    return quantity == Quantity::bytes ? "bytes" : quantity == Quantity::tokens ? "tokens/s" : "seconds";
}

} // namespace

RunComparison compare_run(const Imported &imported, const Result &result, std::string plan_name) {
    if (imported.what != "run")
        throw InputError("", fmt::format("a {} has no figures to compare with those of a plan", imported.what),
                         "expected a training log, profile or memory snapshot with --plan");
    RunComparison comparison = RunComparing(imported, result).compare();
    comparison.plan = std::move(plan_name);
    return comparison;
}

ComparedJson to_json(const RunComparison &comparison) {
    ComparedJson json{
        {"plan", comparison.plan}, {"figures", ComparedJson::array()}, {"differing", ComparedJson::array()}};
    for (const ComparedMeasurement &figure : comparison.figures)
        json["figures"].push_back({{"figure", figure.figure},
                                   {"title", figure.title},
                                   {"unit", unit_of_comparison(figure.quantity)},
                                   {"measured", figure.measured},
                                   {"predicted", figure.predicted},
                                   {"low", figure.low ? ComparedJson(*figure.low) : ComparedJson()},
                                   {"high", figure.high ? ComparedJson(*figure.high) : ComparedJson()},
                                   {"difference", figure.difference()}});
    for (const DifferingSetting &setting : comparison.differing)
        json["differing"].push_back(
            {{"column", setting.column}, {"measured", setting.measured}, {"planned", setting.planned}});
    return json;
}

} // namespace meshwright
