// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"
#include "evaluate/sensitivity.h"
#include "figures/figure_source.h"
#include "formulas/derivation.h"

#include <QAbstractButton>

#include <functional>
#include <vector>

namespace meshwright {

class TextLabel;

/// An influence, and what it is as a figure.
struct ShownInfluence {
    Influence influence;
    FigureRef figure;
};

/// What a plan's evaluations say of a figure.
std::vector<ShownInfluence> shownInfluences(const std::vector<Influence> &influences, const InfluenceQuestion &question,
                                            const FigureRef &of);
/// What the figure's own formulas say.
std::vector<ShownInfluence> shownInfluences(const Derivation &figure, const FigureRef &of);

/// What one input of the plan does to a figure: its name and step, a bar to the left or right, the change. A press on
/// the name leads to the input's field, one on the change to how that comes about; so does one anywhere where there is
/// no field.
class InfluenceRow : public QAbstractButton, public FigureSource {
    Q_OBJECT

public:
    explicit InfluenceRow(QWidget *parent = nullptr);

    /// @param widest  the largest change that is shown, whose bar has the full length
    void showInfluence(const ShownInfluence &shown, double widest, bool hasField);
    /// Of the input's field; empty where there is none.
    QString pointer() const { return m_pointer; }

    QList<FigureRef> figures() const override { return {m_figure}; }
    FigureRef figureAt(const QPoint &place) const override { return figureOf(targetAt(place)); }
    FigureTarget targetAt(const QPoint &place) const override;
    FigureRef currentFigure() const override { return m_figure; }

    /// Where the change is drawn.
    QRect changeArea() const;

    QSize sizeHint() const override { return {240, 38}; }
    QSize minimumSizeHint() const override { return {160, 38}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    QString m_pointer;
    FigureRef m_figure;
    QPoint m_pressed; ///< where the button went down last
    bool m_isOnChange = false; ///< what is pointed at
    QString m_what;
    QString m_step;
    QString m_changeText;
    double m_change = 0;
    double m_widest = 1;
};

/// What would change a figure most, and by how much, by whole evaluations of the plan with one input changed.
class InfluenceCard : public Card {
    Q_OBJECT

public:
    /// So many inputs are shown, those that change it most.
    static constexpr std::size_t Most = 7;

    explicit InfluenceCard(QWidget *parent = nullptr);

    /// Says that it is under way, until showInfluences().
    void showComputing(const QString &figure);
    /// An empty list hides the card.
    void showInfluences(const QString &figure, const std::vector<ShownInfluence> &influences);
    void setFieldQuestion(std::function<bool(const QString &)> hasField) { m_hasField = std::move(hasField); }
    const std::vector<InfluenceRow *> &rows() const { return m_rows; }

private:
    std::function<bool(const QString &)> m_hasField;
    std::vector<InfluenceRow *> m_rows;
    TextLabel *m_computing;
};

} // namespace meshwright
