// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/fit.h"

#include "calibration/normal_equations.h"
#include "threads/for_each_index.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace meshwright {

namespace {

/// Typical error in ln(predicted / measured); rows with larger errors have less weight.
constexpr double usual_error = 0.08;

/// If a model's hidden size was guessed from its parameter count, its run says nothing about the constants.
bool has_a_known_shape(const RunPlan &plan) {
    return std::none_of(plan.assumed.begin(), plan.assumed.end(),
                        [](const std::string &assumed) { return assumed.starts_with("hidden "); });
}

/// The measured figure to fit to, if any. Stalled runs are used for memory but not for step time.
std::optional<double> figure_to_fit(const MeasuredRun &run, const RunPlan &plan, FitQuantity quantity) {
    if (quantity == FitQuantity::step_time)
        return is_stalled(run, plan) ? std::nullopt : run.measured_seconds();
    return run.peak_memory_bytes && *run.peak_memory_bytes > 0 ? run.peak_memory_bytes : std::nullopt;
}

} // namespace

double FitRows::predicted(std::size_t row, const Plan &plan, const Assumptions &assumptions) const {
    const Prediction prediction = predict(plan, plans[row].batch_share, assumptions);
    return quantity == FitQuantity::step_time ? prediction.step_seconds : prediction.memory_bytes(kinds[row]);
}

FitRows fit_rows(const std::vector<MeasuredRun> &runs, const std::vector<RunPlan> &plans, FitQuantity quantity) {
    FitRows found{.quantity = quantity, .plans = {}, .measured = {}, .kinds = {}, .weights = {}, .rows = {}};
    std::map<std::string, double> counts;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!plans[i].skipped.empty() || !has_a_known_shape(plans[i]))
            continue;
        const std::optional<double> measured = figure_to_fit(runs[i], plans[i], quantity);
        if (!measured)
            continue;
        found.plans.push_back(plans[i]);
        found.measured.push_back(*measured);
        found.kinds.push_back(runs[i].memory_kind);
        found.rows.push_back(i);
        ++counts[runs[i].source];
    }
    for (const std::size_t row : found.rows) {
        const bool says_what_it_counts =
            quantity == FitQuantity::step_time || runs[row].memory_kind != MeasuredMemory::unknown;
        found.weights.push_back(says_what_it_counts ? 1 / std::sqrt(counts[runs[row].source]) : 0);
    }
    return found;
}

Fit::Fit(FitRows rows, std::vector<FreeParameter> parameters)
    : m_rows(std::move(rows))
    , m_parameters(std::move(parameters)) {
    for (const FreeParameter &parameter : m_parameters) {
        const auto holder = std::find_if(m_rows.plans.begin(), m_rows.plans.end(),
                                         [&](const RunPlan &run) { return parameter.concerns(run.plan); });
        const double now =
            holder == m_rows.plans.end() ? parameter.expected : parameter.value_in(holder->plan, Assumptions());
        m_values.push_back(std::clamp(now, std::max(parameter.low, 1e-12), parameter.high));
    }
}

double Fit::error(std::size_t row, const std::vector<double> &values) const {
    Plan plan = m_rows.plans[row].plan;
    Assumptions assumptions(plan.assumptions);
    for (std::size_t j = 0; j < values.size(); ++j)
        if (m_parameters[j].concerns(m_rows.plans[row].plan))
            m_parameters[j].set(values[j], plan, assumptions);
    return std::log(m_rows.predicted(row, plan, assumptions) / m_rows.measured[row]);
}

Fit::Linear Fit::linear_at(const std::vector<double> &values, const std::vector<bool> &left_out) const {
    const std::size_t count = m_parameters.size();
    Linear linear{std::vector<double>(m_rows.plans.size(), 0), std::vector<double>(m_rows.plans.size() * count, 0)};
    for_each_index(m_rows.plans.size(), [&](std::size_t row) {
        if (!left_out.empty() && left_out[row])
            return;
        Plan plan = m_rows.plans[row].plan;
        Assumptions assumptions(plan.assumptions);
        const auto predicted = [&] { return std::log(m_rows.predicted(row, plan, assumptions)); };
        std::vector<bool> concerned(count);
        for (std::size_t j = 0; j < count; ++j)
            concerned[j] = m_parameters[j].concerns(plan);
        for (std::size_t j = 0; j < count; ++j)
            if (concerned[j])
                m_parameters[j].set(values[j], plan, assumptions);
        const double here = predicted();
        linear.errors[row] = here - std::log(m_rows.measured[row]);
        for (std::size_t j = 0; j < count; ++j) {
            if (!concerned[j])
                continue;
            constexpr double nudge = 0.02;
            const double up = std::min(values[j] * std::exp(nudge), m_parameters[j].high);
            const double down = std::max(values[j] * std::exp(-nudge), m_parameters[j].low);
            m_parameters[j].set(up, plan, assumptions);
            const double above = predicted();
            m_parameters[j].set(down, plan, assumptions);
            linear.slopes[row * count + j] = (above - predicted()) / std::log(up / down);
            m_parameters[j].set(values[j], plan, assumptions);
        }
    });
    return linear;
}

std::vector<double> Fit::moved(const std::vector<double> &values, const Linear &linear,
                               const std::vector<bool> &left_out) const {
    const std::size_t count = m_parameters.size();
    std::vector<double> normal(count * count, 0);
    std::vector<double> right(count, 0);
    for (std::size_t row = 0; row < m_rows.plans.size(); ++row) {
        if (!left_out.empty() && left_out[row])
            continue;
        const double far = linear.errors[row] / usual_error;
        const double weight = m_rows.weights[row] / (usual_error * usual_error) / (1 + far * far);
        const double *const slopes = &linear.slopes[row * count];
        for (std::size_t i = 0; i < count; ++i) {
            if (slopes[i] == 0)
                continue;
            right[i] -= weight * slopes[i] * linear.errors[row];
            for (std::size_t j = 0; j < count; ++j)
                normal[i * count + j] += weight * slopes[i] * slopes[j];
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        const double stiffness = 1 / (m_parameters[i].spread * m_parameters[i].spread);
        normal[i * count + i] += stiffness;
        right[i] -= stiffness * std::log(values[i] / m_parameters[i].expected);
    }
    const std::vector<double> change = solve(std::move(normal), std::move(right));
    std::vector<double> next = values;
    constexpr double longest = 1.5; // maximum change of the logarithm of a parameter per iteration
    for (std::size_t j = 0; j < next.size(); ++j)
        next[j] = std::clamp(next[j] * std::exp(std::clamp(change[j], -longest, longest)),
                             std::max(m_parameters[j].low, 1e-12), m_parameters[j].high);
    return next;
}

void Fit::run(int rounds) {
    m_linear = linear_at(m_values, {});
    for (int round = 0; round < rounds; ++round) {
        m_values = moved(m_values, m_linear, {});
        m_linear = linear_at(m_values, {});
    }
}

std::vector<double> Fit::values_without(const std::vector<bool> &left_out, int rounds) const {
    std::vector<double> values = moved(m_values, m_linear, left_out);
    for (int round = 1; round < rounds; ++round)
        values = moved(values, linear_at(values, left_out), left_out);
    return values;
}

} // namespace meshwright
