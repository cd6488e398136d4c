// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/machine_fit.h"

#include "calibration/normal_equations.h"
#include "catalog/library.h"
#include "evidence/prediction.h"
#include "evidence/run_features.h"
#include "input/json_document.h"
#include "threads/for_each_index.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace meshwright {

namespace {

/// Typical error in ln(predicted / measured) for similar software and accelerators.
constexpr double usual_step_error = 0.08;
constexpr double usual_memory_error = 0.05;
/// A constant keeps its value if the runs remove less than this fraction of its prior variance.
constexpr double hardly_determined = 0.1;
constexpr double well_determined = 0.5;
constexpr int rounds = 8;
constexpr double nudge = 0.02; ///< step in the logarithm of a constant, for finite differences
constexpr double longest_step = 0.7; ///< maximum step per iteration, in the logarithm of a constant
constexpr double least = 1e-12;

struct Observation {
    std::size_t run = 0;
    bool is_memory = false;
    double measured = 0;
    double usual_error() const { return is_memory ? usual_memory_error : usual_step_error; }
};

using Values = std::vector<double>;

class MachineFitter {
public:
    MachineFitter(const std::vector<MachineRun> &runs, const std::vector<FreeParameter> &parameters)
        : m_runs(runs) {
        for (const MachineRun &run : m_runs) {
            m_own.push_back(run.plan.own_assumptions());
            for (const FreeParameter &parameter : parameters)
                m_own.back().erase(parameter.name);
        }
        for (std::size_t i = 0; i < runs.size(); ++i) {
            m_first.push_back(m_observations.size());
            if (runs[i].step_seconds)
                m_observations.push_back({.run = i, .is_memory = false, .measured = *runs[i].step_seconds});
            if (runs[i].peak_bytes)
                m_observations.push_back({.run = i, .is_memory = true, .measured = *runs[i].peak_bytes});
        }
        m_first.push_back(m_observations.size());
        for (const FreeParameter &parameter : parameters)
            if (parameter.constant != nullptr)
                m_parameters.push_back(parameter);
        reset();
    }

    const std::vector<FreeParameter> &parameters() const { return m_parameters; }
    const std::vector<Observation> &observations() const { return m_observations; }
    const Values &values() const { return m_values; }
    double error(std::size_t observation) const { return m_errors[observation]; }

    /// Predictions for every observation. The given plans differ only in constants that are not fitted.
    std::vector<double> predicted(const Values &values, const std::stop_token &stop) const {
        std::vector<Prediction> predictions(m_runs.size());
        for_each_index(m_runs.size(), [&](std::size_t run) {
            if (!stop.stop_requested())
                predictions[run] = prediction(run, assumptions(run, values));
        });
        std::vector<double> figures;
        for (const Observation &observation : m_observations)
            figures.push_back(figure(observation, predictions[observation.run]));
        return figures;
    }

    void fit(const std::stop_token &stop) {
        linearise(stop);
        for (int round = 0; round < rounds && !stop.stop_requested(); ++round) {
            m_values = values_without({});
            linearise(stop);
        }
    }

    /// Removes parameters that have no effect on the runs or that the runs hardly determine.
    /// @returns every parameter with an effect, kept or not, and the fraction by which the runs reduce its prior
    /// variance
    std::vector<std::pair<FreeParameter, double>> keep_determined() {
        const std::vector<double> variances = inverse_diagonal(normal({}), m_parameters.size());
        std::vector<std::pair<FreeParameter, double>> concerned;
        std::vector<FreeParameter> kept;
        for (std::size_t j = 0; j < m_parameters.size(); ++j) {
            if (!matters(j))
                continue;
            const double spread = m_parameters[j].spread;
            const double information = std::clamp(1 - variances[j] / (spread * spread), 0.0, 1.0);
            concerned.emplace_back(m_parameters[j], information);
            if (information >= hardly_determined)
                kept.push_back(m_parameters[j]);
        }
        m_parameters = std::move(kept);
        reset();
        return concerned;
    }

    /// Values fitted to all runs except one, approximated by one Gauss-Newton step from the values fitted to all runs.
    Values values_without(std::optional<std::size_t> run) const {
        const std::size_t count = m_parameters.size();
        std::vector<double> right(count, 0);
        for (std::size_t o = 0; o < m_observations.size(); ++o)
            if (m_observations[o].run != run)
                for (std::size_t j = 0; j < count; ++j)
                    right[j] -= weight(o) * m_slopes[o * count + j] * m_errors[o];
        for (std::size_t j = 0; j < count; ++j)
            right[j] -= stiffness(j) * std::log(m_values[j] / m_parameters[j].expected);
        const std::vector<double> change = solve(normal(run), std::move(right));
        Values values = m_values;
        for (std::size_t j = 0; j < count; ++j)
            values[j] = clamped(j, values[j] * std::exp(std::clamp(change[j], -longest_step, longest_step)));
        return values;
    }

    /// Predicts an observation with constants fitted to all other runs.
    double predicted_without(std::size_t observation) const {
        const std::size_t run = m_observations[observation].run;
        return figure(m_observations[observation], prediction(run, assumptions(run, values_without(run))));
    }

private:
    void reset() {
        m_values.clear();
        for (const FreeParameter &parameter : m_parameters)
            m_values.push_back(parameter.expected);
    }

    double clamped(std::size_t j, double value) const {
        return std::clamp(value, std::max(m_parameters[j].low, least), m_parameters[j].high);
    }

    /// Ignores the machine's earlier constants, since they are fitted again.
    Assumptions assumptions(std::size_t run, const Values &values) const {
        Assumptions assumed(m_own[run]);
        for (std::size_t j = 0; j < values.size(); ++j)
            assumed.set(m_parameters[j].constant->id, values[j]);
        return assumed;
    }

    Prediction prediction(std::size_t run, const Assumptions &assumed) const {
        return predict(m_runs[run].plan, m_runs[run].batch_share, assumed);
    }

    double figure(const Observation &observation, const Prediction &predicted) const {
        return observation.is_memory ? predicted.memory_bytes(m_runs[observation.run].memory_kind)
                                     : predicted.step_seconds;
    }

    double log_figure(const Observation &observation, const Prediction &predicted) const {
        return std::log(std::max(figure(observation, predicted), least));
    }

    void linearise(const std::stop_token &stop) {
        const std::size_t count = m_parameters.size();
        m_errors.assign(m_observations.size(), 0);
        m_slopes.assign(m_observations.size() * count, 0);
        for_each_index(m_runs.size(), [&](std::size_t run) {
            if (!stop.stop_requested())
                linearise_run(run);
        });
        m_middle = {middle(false), middle(true)};
    }

    void linearise_run(std::size_t run) {
        Assumptions assumed = assumptions(run, m_values);
        const Prediction here = prediction(run, assumed);
        for_each_of(run, [&](std::size_t o) {
            m_errors[o] = log_figure(m_observations[o], here) - std::log(m_observations[o].measured);
        });
        for (std::size_t j = 0; j < m_parameters.size(); ++j) {
            const double up = clamped(j, m_values[j] * std::exp(nudge));
            const double down = clamped(j, m_values[j] * std::exp(-nudge));
            assumed.set(m_parameters[j].constant->id, up);
            const Prediction above = prediction(run, assumed);
            assumed.set(m_parameters[j].constant->id, down);
            const Prediction below = prediction(run, assumed);
            assumed.set(m_parameters[j].constant->id, m_values[j]);
            for_each_of(run, [&](std::size_t o) {
                m_slopes[o * m_parameters.size() + j] =
                    (log_figure(m_observations[o], above) - log_figure(m_observations[o], below)) / std::log(up / down);
            });
        }
    }

    template <typename Visit>
    void for_each_of(std::size_t run, const Visit &visit) const {
        for (std::size_t o = m_first[run]; o < m_first[run + 1]; ++o)
            visit(o);
    }

    /// Inverse variance of an observation's error, reduced for outliers. Outliers are judged relative to the median
    /// error of their kind, because the fit should explain an error that all runs share.
    double weight(std::size_t o) const {
        const Observation &observation = m_observations[o];
        const double usual = observation.usual_error();
        const double far = (m_errors[o] - m_middle[observation.is_memory ? 1 : 0]) / usual / 3;
        return 1 / (usual * usual) / (1 + far * far);
    }

    double middle(bool of_memory) const {
        std::vector<double> errors;
        for (std::size_t o = 0; o < m_observations.size(); ++o)
            if (m_observations[o].is_memory == of_memory)
                errors.push_back(m_errors[o]);
        if (errors.empty())
            return 0;
        const auto half = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
        std::nth_element(errors.begin(), half, errors.end());
        return *half;
    }

    double stiffness(std::size_t j) const { return 1 / (m_parameters[j].spread * m_parameters[j].spread); }

    std::vector<double> normal(std::optional<std::size_t> without_run) const {
        const std::size_t count = m_parameters.size();
        std::vector<double> normal(count * count, 0);
        for (std::size_t o = 0; o < m_observations.size(); ++o)
            if (m_observations[o].run != without_run)
                for (std::size_t i = 0; i < count; ++i)
                    for (std::size_t j = 0; j < count; ++j)
                        normal[i * count + j] += weight(o) * m_slopes[o * count + i] * m_slopes[o * count + j];
        for (std::size_t i = 0; i < count; ++i)
            normal[i * count + i] += stiffness(i);
        return normal;
    }

    bool matters(std::size_t j) const {
        constexpr double none = 1e-6;
        for (std::size_t o = 0; o < m_observations.size(); ++o)
            if (std::abs(m_slopes[o * m_parameters.size() + j]) > none)
                return true;
        return false;
    }

    const std::vector<MachineRun> &m_runs;
    std::vector<std::map<std::string, double>> m_own; ///< constants set by each run's plan, except fitted ones
    std::vector<FreeParameter> m_parameters;
    std::vector<Observation> m_observations;
    std::vector<std::size_t> m_first; ///< index of each run's first observation, and one past the last
    Values m_values;
    std::vector<double> m_errors; ///< ln(predicted / measured) at m_values
    std::array<double, 2> m_middle{};
    std::vector<double> m_slopes; ///< d error / d ln(value), observation by observation
};

} // namespace

Determined FittedConstant::determined() const {
    return information < hardly_determined ? Determined::hardly
        : information < well_determined    ? Determined::partly
                                           : Determined::well;
}

namespace {

std::vector<FittedConstant> fitted_constants(const MachineFitter &fitter,
                                             const std::vector<std::pair<FreeParameter, double>> &concerned) {
    std::vector<FittedConstant> constants;
    for (const auto &[parameter, information] : concerned) {
        FittedConstant fitted{.constant = parameter.constant,
                              .before = parameter.expected,
                              .after = parameter.expected,
                              .information = information};
        for (std::size_t j = 0; j < fitter.parameters().size(); ++j)
            if (fitter.parameters()[j].constant == parameter.constant)
                fitted.after = fitter.values()[j];
        fitted.at_end =
            fitted.moved() && (fitted.after <= std::max(parameter.low, least) || fitted.after >= parameter.high);
        constants.push_back(fitted);
    }
    std::stable_sort(constants.begin(), constants.end(),
                     [](const FittedConstant &a, const FittedConstant &b) { return a.information > b.information; });
    return constants;
}

void add_figure(FittedRun &run, bool is_memory, FittedFigure figure) {
    (is_memory ? run.memory : run.step) = std::move(figure);
}

FitErrors errors_of_runs(const std::vector<FittedRun> &runs, std::optional<FittedFigure> FittedRun::*kind) {
    std::vector<double> before;
    std::vector<double> after;
    std::vector<double> left_out;
    for (const FittedRun &run : runs) {
        const std::optional<FittedFigure> &figure = run.*kind;
        if (!figure)
            continue;
        before.push_back(figure->before / figure->measured - 1);
        after.push_back(figure->after / figure->measured - 1);
        if (figure->left_out)
            left_out.push_back(*figure->left_out / figure->measured - 1);
    }
    FitErrors errors{
        .before = errors_of(std::move(before), 0), .after = errors_of(std::move(after), 0), .left_out = {}};
    if (!left_out.empty())
        errors.left_out = errors_of(std::move(left_out), 0);
    return errors;
}

} // namespace

MeasuredConstants MachineFit::moved() const {
    MeasuredConstants values;
    for (const FittedConstant &fitted : constants)
        if (fitted.moved())
            values[std::string(fitted.constant->name)] = fitted.after;
    return values;
}

std::optional<bool> MachineFit::carries_over() const {
    if (!step.left_out && !memory.left_out)
        return std::nullopt;
    const auto no_worse = [](const FitErrors &errors) {
        return !errors.left_out || errors.left_out->mean_absolute <= errors.before.mean_absolute;
    };
    return no_worse(step) && no_worse(memory);
}

const std::vector<FreeParameter> &machine_parameters() {
    static const std::vector<FreeParameter> parameters = [] {
        const Library &library = Library::standard();
        return read_free_parameters(read_json_file(library.own_folder() / "evidence" / "machine-parameters.json"),
                                    library);
    }();
    return parameters;
}

MachineFit fit_machine(const MachineRuns &runs, const std::vector<FreeParameter> &parameters,
                       const std::stop_token &stop) {
    check_machine_runs(runs);
    MachineFitter fitter(runs.runs, parameters);
    const std::vector<double> before = fitter.predicted(fitter.values(), stop);
    fitter.fit(stop);
    const auto concerned = fitter.keep_determined();
    fitter.fit(stop);
    if (stop.stop_requested())
        return {};
    MachineFit found{.constants = fitted_constants(fitter, concerned),
                     .runs = {},
                     .step = {},
                     .memory = {},
                     .skipped = runs.skipped};
    const std::vector<double> after = fitter.predicted(fitter.values(), stop);
    for (const MachineRun &run : runs.runs)
        found.runs.push_back(
            {.name = run.name, .shape = shape_of(run.plan), .memory_kind = run.memory_kind, .step = {}, .memory = {}});
    for (std::size_t o = 0; o < fitter.observations().size(); ++o) {
        const Observation &observation = fitter.observations()[o];
        FittedFigure figure{.measured = observation.measured, .before = before[o], .after = after[o], .left_out = {}};
        constexpr std::size_t fewest = 3;
        if (runs.runs.size() >= fewest)
            figure.left_out = fitter.predicted_without(o);
        add_figure(found.runs[observation.run], observation.is_memory, figure);
    }
    found.step = errors_of_runs(found.runs, &FittedRun::step);
    found.memory = errors_of_runs(found.runs, &FittedRun::memory);
    return stop.stop_requested() ? MachineFit{} : found;
}

} // namespace meshwright
