// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/fact_list.h"
#include "panels/plan_view.h"

#include <QWidget>

#include <functional>
#include <vector>

class QUndoStack;
class QVBoxLayout;

namespace meshwright {

class FoldingSection;
class Pill;

/// The right column: what the result says beside the four figures, and the history of edits.
class DetailsColumn : public QWidget {
    Q_OBJECT

public:
    explicit DetailsColumn(QUndoStack *history, QWidget *parent = nullptr);
    void showPlan(const PlanView &view);
    const std::vector<FoldingSection *> &sections() const { return m_sections; }

private:
    using Facts = std::function<std::vector<Fact>(const Result &)>;
    struct Part {
        FoldingSection *section;
        FactList *list;
        Facts facts;
    };
    FoldingSection *addSection(const QString &name, const QString &title, const QString &icon);
    void addFacts(const QString &name, const QString &title, const QString &icon, Facts facts);
    void addHistory(QUndoStack *history);
    void summarise(const Result &result);

    QVBoxLayout *m_column;
    Pill *m_stale;
    std::vector<FoldingSection *> m_sections;
    std::vector<Part> m_parts;
    std::shared_ptr<const Result> m_shown;
};

} // namespace meshwright
