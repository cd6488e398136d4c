// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/hover_card.h"
#include "evaluate/result.h"
#include "formulas/derivation.h"

#include <QObject>

#include <memory>

namespace meshwright {

class FigureSource;

/// Value, formula, the formula with the numbers, inputs: what is said of a figure that is pointed at.
HoverContent firstLevelOf(const Derivation &node);
/// Formula and numbers in two lines, for a card that says the rest itself.
QString formulaLinesOf(const Derivation &node);

/// Watches a window: pointing at a figure shows the first level of its making, F1 on it asks for all of it. Explains
/// only when it is asked.
class FigureGuide : public QObject {
    Q_OBJECT

public:
    explicit FigureGuide(QWidget *window);

    void showResult(const std::shared_ptr<const Result> &result) { m_result = result; }
    /// Null without a result, or where it has no such figure. Stays until the next result is asked about.
    const Derivation *making(const QString &path);
    /// formulaLinesOf() its making; empty where there is none.
    QString linesFor(const QString &path);

Q_SIGNALS:
    void figureWanted(const QString &path);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    bool showFirstLevel(QWidget *widget, const QPoint &place);

    QWidget *m_window;
    std::shared_ptr<const Result> m_result;
    std::shared_ptr<const Result> m_explained;
    std::unique_ptr<const Derivation> m_tree;
    HoverCardSlot m_card;
};

} // namespace meshwright
