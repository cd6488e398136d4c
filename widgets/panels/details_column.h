// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/fact_list.h"
#include "controls/folding_column.h"
#include "views/plan_view.h"

#include <functional>
#include <vector>

class QUndoStack;

namespace meshwright {

class FoldingSection;
class Pill;
class SnapshotList;

/// The right column of the window: results beyond the four key figures, and the edit history.
class DetailsColumn : public FoldingColumn {
    Q_OBJECT

public:
    explicit DetailsColumn(QUndoStack *history, QWidget *parent = nullptr);
    void showPlan(const PlanView &view);
    SnapshotList *snapshots() const { return m_snapshots; }

private:
    using Facts = std::function<std::vector<Fact>(const Result &)>;
    struct Part {
        FoldingSection *section;
        FactList *list;
        Facts facts;
    };
    void addFacts(const QString &name, const QString &title, const QString &icon, Facts facts);
    void addHistory(QUndoStack *history);
    void summarise(const Result &result);

    QWidget *m_staleRow;
    Pill *m_stale;
    SnapshotList *m_snapshots = nullptr;
    std::vector<Part> m_parts;
    std::shared_ptr<const Result> m_shown;
    bool m_everShown = false;
};

} // namespace meshwright
