// SPDX-License-Identifier: GPL-3.0-or-later
#include "view_procedures.h"

#include "calibration/fit.h"
#include "catalog/constants.h"
#include "catalog/library.h"
#include "evidence/calibrate_page.h"
#include "evidence/evidence_view.h"
#include "evidence/rank_correlation.h"
#include "memory/memory_run.h"
#include "memory/memory_view.h"
#include "memory/peak_making.h"
#include "search/map_chart.h"
#include "search/map_page.h"
#include "search/outer_search.h"
#include "search/search_makings.h"
#include "search/search_view.h"
#include "search_controller.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace meshwright {

namespace {

constexpr QLatin1String unchanged("unchanged.");

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::vector<double> inputsOf(const Derivation &node, std::string_view beginning = {}) {
    std::vector<double> values;
    for (const Derivation &input : node.inputs)
        if (input.name.starts_with(beginning))
            values.push_back(input.value);
    return values;
}

/// The number that the name of the input with the least value ends with: of several that are as good, the node's own.
std::optional<double> placeOfLeast(const Derivation &node) {
    const std::vector<double> values = inputsOf(node);
    const double least = *std::min_element(values.begin(), values.end());
    std::optional<double> place;
    for (const Derivation &input : node.inputs)
        if (const double each = std::stod(input.name.substr(input.name.rfind('_') + 1));
            input.value <= least * (1 + 1e-9) && (!place || each == node.value))
            place = each;
    return place;
}

/// The node of `again` that stands where `node` does under `root`; null for none.
const Derivation *sameNode(const Derivation &root, const Derivation &again, const Derivation &node) {
    if (&root == &node)
        return &again;
    for (std::size_t i = 0; i < std::min(root.inputs.size(), again.inputs.size()); ++i)
        if (const Derivation *const same = sameNode(root.inputs[i], again.inputs[i], node))
            return same;
    return nullptr;
}

} // namespace

ViewProcedures::ViewProcedures(WindowFixture &fixture)
    : m_fixture(fixture) {
    m_sinceBegin.start(); // before any page asks for anything
}

const EvidenceSet &ViewProcedures::set(bool withoutOwn) {
    EvidenceSetPointer &kept = m_sets[withoutOwn];
    if (kept == nullptr)
        kept = evidenceSetOf(EvidenceTable::standard(),
                             withoutOwn ? std::map<std::string, double>()
                                        : m_fixture.session().view().result->plan.own_assumptions());
    return *kept;
}

const SearchAnswer &ViewProcedures::searched() {
    const SearchQuestion &question = m_fixture.window().searching()->answer()->question;
    if (m_searched == nullptr || !(m_searched->question == question))
        answerQuestion(
            question, Library::standard(), {}, [](const SearchProgress &) {},
            [this](const SearchAnswerPointer &found) { m_searched = found; });
    return *m_searched;
}

std::optional<double> ViewProcedures::runAgain(const QString &figure, const Derivation &root, const Derivation &node) {
    const std::string procedure = node.formula.substr(0, node.formula.find('('));
    if (procedure == "median")
        return median(inputsOf(node));
    if (procedure == "spearman")
        return spearman_correlation(inputsOf(node, "predicted"), inputsOf(node, "measured"));
    if (procedure == "kendall")
        return kendall_correlation(inputsOf(node, "predicted"), inputsOf(node, "measured"));
    if (procedure == "count")
        return counted(figure, root, node);
    if (procedure == "search" || procedure == "list")
        return foundAgain(figure, node);
    if (procedure == "least")
        return node.inputs.empty() ? foundAgain(figure, node) : placeOfLeast(node);
    if (procedure == "fit")
        return fittedAgain(figure, node);
    if (procedure == "hold" || procedure == "execute")
        return executedAgain(figure, root, node);
    if (procedure == "nearest_runs")
        return intervalEnd(figure, node);
    // How far a run is from the plan, by both their features.
    if (procedure == "distance") {
        const auto index = figure.section(QLatin1Char('.'), 1, 1).toUInt();
        const Result &result = *m_fixture.session().view().result;
        return distance(features_of(result.plan), EvidenceTable::standard()->features[result.evidence[index].row]);
    }
    if (procedure == "least_changes") {
        const Plan &plan = m_fixture.session().view().result->plan;
        const std::optional<OuterRepair> again = repair_outer(plan, Library::standard(), 365);
        return again ? std::optional(static_cast<double>(again->considered)) : std::nullopt;
    }
    return procedure == "clock" ? timed(node) : std::nullopt;
}

/// Time that has passed does not come back: it is what the answer was timed to take, within what has passed here.
std::optional<double> ViewProcedures::timed(const Derivation &node) const {
    double seconds = -1;
    if (node.name == "search_seconds")
        seconds = m_fixture.window().searching()->answer()->found.seconds;
    else if (const ConfigurationMap *map = m_fixture.window().view<SearchView>()->map()->chart()->map();
             node.name == "map_seconds" && map != nullptr)
        seconds = map->seconds;
    const double most = static_cast<double>(m_sinceBegin.elapsed()) / 1000;
    return seconds > 0 && seconds < most ? std::optional(seconds) : std::nullopt;
}

std::optional<double> ViewProcedures::counted(const QString &figure, const Derivation &root, const Derivation &node) {
    const std::string &name = node.name;
    if (figure.startsWith(QLatin1String("machine")) && (name == "runs" || name == "rows")) {
        const auto &runs = m_fixture.window().view<EvidenceView>()->calibration()->answer().runs.runs;
        if (name == "runs")
            return static_cast<double>(runs.size());
        return static_cast<double>(std::count_if(runs.begin(), runs.end(), [&](const MachineRun &run) {
            return figure.contains(QLatin1String("memory")) ? run.peak_bytes.has_value() : run.step_seconds.has_value();
        }));
    }
    if (name == "constants")
        return static_cast<double>(constants().size());
    if (name == "fitted")
        return static_cast<double>(std::count_if(constants().begin(), constants().end(), [](const Constant &constant) {
            return constant.provenance == Provenance::fitted;
        }));
    if (name == "fields")
        return static_cast<double>(to_json(Stack()).size());
    if (const std::optional<double> ofMap = countedOfMap(node))
        return ofMap;
    return countedOfEvidence(figure, root, node);
}

std::optional<double> ViewProcedures::countedOfMap(const Derivation &node) const {
    const MapChart *const chart = m_fixture.window().view<SearchView>()->map()->chart();
    if (chart->map() == nullptr)
        return std::nullopt;
    const ConfigurationMap &map = *chart->map();
    const auto number = [](auto count) { return std::optional(static_cast<double>(count)); };
    if (node.name == "sizes")
        return number(map.question.parameters.size());
    if (node.name == "columns")
        return number(map.question.nodes.size());
    if (node.name == "map_done")
        return number(map.question.parameters.size() * map.question.nodes.size());
    std::size_t groups = 0;
    std::size_t runs = 0;
    for (const MapCell &cell : map.cells)
        if (cell.measured) {
            ++groups;
            runs += cell.measured->configurations.size();
        }
    if (node.name == "map_groups")
        return number(groups);
    if (node.name == "map_runs")
        return number(runs);
    if (chart->chosen() == nullptr || !chart->chosen()->measured)
        return std::nullopt;
    const MeasuredBest &measured = *chart->chosen()->measured;
    if (node.name == "cell_runs")
        return number(measured.configurations.size());
    if (node.name == "accelerators")
        return number(measured.plan.site_accelerators());
    return std::nullopt;
}

std::optional<double> ViewProcedures::countedOfEvidence(const QString &figure, const Derivation &root,
                                                        const Derivation &node) {
    const EvidenceSet &all = set(figure.startsWith(unchanged));
    const QString own = figure.startsWith(unchanged) ? figure.mid(unchanged.size()) : figure;
    std::vector<std::size_t> rows(all.table->runs.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    if (own.startsWith(QLatin1String("source.")))
        rows = all.sources[own.section(QLatin1Char('.'), 1, 1).toUInt()].rows;
    const EvidenceSummary summary = summarise(all.table->runs, all.table->plans, all.predictions, rows);
    const auto where = [&](const auto &holds) {
        return static_cast<double>(std::count_if(rows.begin(), rows.end(), holds));
    };
    const auto isPredicted = [&](std::size_t row) { return all.predictions[row].skipped.empty(); };
    const auto hasStep = [&](std::size_t row) {
        return isPredicted(row) && all.table->runs[row].measured_seconds()
            && !is_stalled(all.table->runs[row], all.table->plans[row]);
    };
    const std::string &name = node.name;
    if (name == "family")
        return static_cast<double>(
            std::count(all.familyOfRow.begin(), all.familyOfRow.end(), own.section(QLatin1Char('.'), 1, 1).toInt()));
    if (name == "skipped")
        return where([&](std::size_t row) { return !isPredicted(row); });
    if (name == "fitted_rows") {
        const FitRows fitted = fit_rows(all.table->runs, all.table->plans, FitQuantity::step_time);
        const std::set<std::size_t> chosen(fitted.rows.begin(), fitted.rows.end());
        return where([&](std::size_t row) { return chosen.contains(row); });
    }
    if (name == "steps" || (name == "rows" && root.name != "rows" && root.name != "memory"))
        return where(hasStep);
    if (name == "memories" || (name == "rows" && root.name == "memory"))
        return static_cast<double>(summary.memory.count);
    if (name == "rows")
        return static_cast<double>(rows.size());
    if (root.name == "coverage")
        return where([&](std::size_t row) {
            const Prediction &each = all.predictions[row];
            const double measured = all.table->runs[row].measured_seconds().value_or(0);
            return hasStep(row) && (name == "all" || (each.low_seconds <= measured && measured <= each.high_seconds));
        });
    if (root.name == "fits")
        return where([&](std::size_t row) {
            const Ending ending = all.table->runs[row].ending;
            return isPredicted(row) && ending != Ending::failed
                && (name == "all" || all.predictions[row].fits == (ending == Ending::ok));
        });
    return std::nullopt;
}

std::optional<double> ViewProcedures::foundAgain(const QString &figure, const Derivation &node) {
    const SearchAnswer &answer = searched();
    if (node.name.starts_with("step_at_")) {
        const auto &names = layout_field_names();
        for (std::size_t field = 0; field < names.size(); ++field)
            if (figure.contains(QString::fromStdString(std::string(names[field])))) {
                const QMap<qint64, double> &fits = answer.landscapes[field].fits;
                const auto found = fits.find(std::stoll(node.name.substr(8)));
                return found == fits.end() ? std::nullopt : std::optional(*found);
            }
        return std::nullopt;
    }
    const std::optional<Derivation> again = searchMaking(QString::fromStdString(node.name), &answer, {});
    return again ? std::optional(again->value) : std::nullopt;
}

std::optional<double> ViewProcedures::fittedAgain(const QString &figure, const Derivation &node) const {
    const CalibrationAnswer &answer = m_fixture.window().view<EvidenceView>()->calibration()->answer();
    const MachineFit again = fit_machine(answer.runs, machine_parameters());
    const auto index = figure.section(QLatin1Char('.'), 1, 1).toUInt();
    if (index >= again.constants.size())
        return std::nullopt;
    return node.name == "information" ? again.constants[index].information : again.constants[index].after;
}

std::optional<double> ViewProcedures::executedAgain(const QString &figure, const Derivation &root,
                                                    const Derivation &node) {
    const std::shared_ptr<const Result> &result = m_fixture.session().view().result;
    if (m_executed.trace == nullptr || !(m_executed.plan == result->plan))
        m_executed = runMemory({result->plan, std::nullopt}, Library::standard(), nullptr);
    const std::optional<Derivation> again = peakMaking(figure, m_executed, result.get());
    const Derivation *const same = again ? sameNode(root, *again, node) : nullptr;
    return same != nullptr ? std::optional(same->value) : std::nullopt;
}

std::optional<double> ViewProcedures::intervalEnd(const QString &figure, const Derivation &node) {
    const EvidenceSet &all = set(figure.startsWith(unchanged));
    const QString plan = QString::fromStdString(
        node.inputs.front().figure.empty() ? node.inputs.front().inputs.front().figure : node.inputs.front().figure);
    const Prediction &prediction = all.predictions.at(plan.section(QLatin1Char('.'), -1).toULong());
    return node.name == "high" ? prediction.high_seconds : prediction.low_seconds;
}

} // namespace meshwright
