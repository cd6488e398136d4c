// SPDX-License-Identifier: GPL-3.0-or-later
#include "view_simulations.h"

#include "catalog/library.h"
#include "evidence/calibrate_page.h"
#include "evidence/evidence_view.h"
#include "memory/memory_run.h"
#include "memory/memory_view.h"
#include "memory/peak_derivation.h"
#include "search/outer_search.h"
#include "search_controller.h"

#include <algorithm>

namespace meshwright {

namespace {

std::vector<double> inputsOf(const Derivation &node) {
    std::vector<double> values;
    for (const Derivation &input : node.inputs)
        values.push_back(input.value);
    return values;
}

/// Finds the input with the minimum value and returns the number at the end of its name. In a tie, the input that the
/// node names wins.
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

/// Returns the node of `again` at the position of `node` under `root`; null if there is none.
const Derivation *sameNode(const Derivation &root, const Derivation &again, const Derivation &node) {
    if (&root == &node)
        return &again;
    for (std::size_t i = 0; i < std::min(root.inputs.size(), again.inputs.size()); ++i)
        if (const Derivation *const same = sameNode(root.inputs[i], again.inputs[i], node))
            return same;
    return nullptr;
}

} // namespace

const SearchAnswer &ViewProcedures::searched() {
    const SearchQuestion &question = m_fixture.window().searching()->answer()->question;
    if (m_searched == nullptr || !(m_searched->question == question))
        answerQuestion(
            question, Library::standard(), {}, [](const SearchProgress &) {},
            [this](const SearchAnswerPointer &found) { m_searched = found; });
    return *m_searched;
}

std::optional<double> ViewProcedures::runAgain(const QString &figure, const Derivation &root, const Derivation &node) {
    const std::string simulation = node.formula.substr(0, node.formula.find('('));
    if (simulation == "search")
        return foundAgain(figure, node);
    if (simulation == "least")
        return placeOfLeast(node);
    if (simulation == "fit")
        return fittedAgain(figure, node);
    if (simulation == "hold" || simulation == "execute")
        return executedAgain(figure, root, node);
    if (simulation == "least_changes") {
        const Plan &plan = m_fixture.session().view().result->plan;
        const std::optional<OuterRepair> again = repair_outer(plan, Library::standard(), 365);
        return again ? std::optional(static_cast<double>(again->considered)) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<double> ViewProcedures::foundAgain(const QString &figure, const Derivation &node) {
    const SearchAnswer &answer = searched();
    if (node.name.starts_with("step_at_")) {
        const auto &names = configuration_field_names();
        for (std::size_t field = 0; field < names.size(); ++field)
            if (figure.contains(QString::fromStdString(std::string(names[field])))) {
                const QMap<qint64, double> &fits = answer.landscapes[field].fits;
                const auto found = fits.find(std::stoll(node.name.substr(8)));
                return found == fits.end() ? std::nullopt : std::optional(*found);
            }
        return std::nullopt;
    }
    return std::nullopt;
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
    const std::optional<Derivation> again = peakDerivation(figure, m_executed, result.get());
    const Derivation *const same = again ? sameNode(root, *again, node) : nullptr;
    return same != nullptr ? std::optional(same->value) : std::nullopt;
}

} // namespace meshwright
