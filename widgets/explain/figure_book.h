// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "gantt/schedule_runner.h"
#include "panels/plan_view.h"

#include <QString>

#include <map>
#include <memory>
#include <vector>

namespace meshwright {

class Library;

/// The making of every figure that the window shows: of the plan's result, of schedules that its pipeline is executed
/// with, of changes that are offered. Explains what it is asked about, once.
class FigureBook {
public:
    /// @param library  that documents' presets are of; it outlives the book
    explicit FigureBook(const Library &library)
        : m_library(library) { }

    void showPlan(const PlanView &view);
    /// What has been executed already need not be executed again.
    void keepRuns(const std::vector<DrawnSchedule> &schedules);

    const std::shared_ptr<const Result> &result() const { return m_result; }
    /// Of the plan's result; null without one.
    std::shared_ptr<const Derivation> planTree() { return treeOf({}); }

    struct Found {
        std::shared_ptr<const Derivation> tree; ///< that explains what the figure refers to
        const Derivation *figure = nullptr;
        explicit operator bool() const { return figure != nullptr; }
    };
    /// @param path  as in figure_path.h, or the name of a node; in the tree of a change also of one that is no gain
    Found find(const QString &path);

private:
    std::shared_ptr<const Derivation> treeOf(const QString &path);
    std::shared_ptr<const Derivation> explained(const QString &path) const;
    std::shared_ptr<const Derivation> explainedSchedule(const QString &name) const;
    std::shared_ptr<const Derivation> explainedChange(const QString &figure, const QString &patch) const;

    const Library &m_library;
    std::shared_ptr<const nlohmann::ordered_json> m_document;
    std::shared_ptr<const Result> m_result;
    std::vector<std::shared_ptr<const ScheduleRun>> m_runs;
    std::map<QString, std::shared_ptr<const Derivation>> m_trees; ///< by what they are of; empty for the plan
};

} // namespace meshwright
