// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"
#include "formulas/derivation.h"
#include "search/landscape.h"
#include "views/plan_edit.h"

#include <QVector>
#include <QWidget>

#include <optional>

namespace meshwright {

class FigureLabel;
class IntegerBox;
class LockButton;
class SteppedSlider;
class TextLabel;

/// A row for one degree of parallelism: its name, the best value found by the search, a field for any integer, and
/// below them a slider over the valid values.
class DegreeRow : public QWidget {
    Q_OBJECT

public:
    explicit DegreeRow(const QString &label, QWidget *parent = nullptr);

    /// @param stops  ascending; `value` need not be one of them
    void showDegree(const QVector<qint64> &stops, qint64 value);
    void setLabel(const QString &label);
    /// Shows the curve above the slider. The curve stays when the stops change.
    void showLandscape(const Landscape &landscape);
    /// Shows whether the search keeps the value fixed.
    void showFixed(bool held);
    IntegerBox *box() const { return m_box; }
    SteppedSlider *slider() const { return m_slider; }
    /// Derivation of the best value from the shortest step time at each value; empty if none is known.
    std::optional<Derivation> bestOf(const QString &figure) const;
    /// Sets the figure that a press on the best value opens.
    void setBestFigure(const FigureRef &figure) { m_bestFigure = figure; }

Q_SIGNALS:
    void chosen(qint64 value, meshwright::EditPace pace);
    void dragFinished();
    void fixedChosen(bool held);

private:
    qint64 stepped(qint64 value, int steps) const;
    void drawLandscape();

    TextLabel *m_label;
    SteppedSlider *m_slider;
    IntegerBox *m_box;
    FigureLabel *m_best;
    FigureRef m_bestFigure;
    std::optional<int> m_bestStop; ///< index of the best value among the slider's stops
    LockButton *m_lock;
    Landscape m_landscape;
};

} // namespace meshwright
