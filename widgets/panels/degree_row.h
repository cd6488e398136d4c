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

/// A degree of parallelism: its name, the best value found and a field that takes any number, over a slider through the
/// values that divide.
class DegreeRow : public QWidget {
    Q_OBJECT

public:
    explicit DegreeRow(const QString &label, QWidget *parent = nullptr);

    /// `stops` rise; the value need not be among them.
    void showDegree(const QVector<qint64> &stops, qint64 value);
    void setLabel(const QString &label);
    /// The curve over the slider. Stays with the row, whichever stops it has.
    void showLandscape(const Landscape &landscape);
    /// Whether the search leaves the value alone.
    void showHeld(bool held);
    IntegerBox *box() const { return m_box; }
    SteppedSlider *slider() const { return m_slider; }
    /// How the best value comes about: from the shortest step at each; nothing where none is known.
    std::optional<Derivation> bestOf(const QString &figure) const;
    /// Path of the best value's derivation.
    void setBestFigure(const FigureRef &figure) { m_bestFigure = figure; }

Q_SIGNALS:
    void chosen(qint64 value, meshwright::EditPace pace);
    void dragFinished();
    void heldChosen(bool held);

private:
    qint64 stepped(qint64 value, int steps) const;
    void drawLandscape();

    TextLabel *m_label;
    SteppedSlider *m_slider;
    IntegerBox *m_box;
    FigureLabel *m_best;
    FigureRef m_bestFigure;
    std::optional<int> m_bestStop; ///< among the slider's
    LockButton *m_lock;
    Landscape m_landscape;
};

} // namespace meshwright
