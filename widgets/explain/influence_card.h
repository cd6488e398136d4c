// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/preference.h"
#include "controls/card.h"
#include "figures/figure_source.h"
#include "formulas/derivation.h"
#include "sensitivity/sensitivity.h"
#include "theme/roles.h"

#include <QAbstractButton>

#include <algorithm>
#include <functional>
#include <vector>

namespace meshwright {

class TextLabel;

/// An influence and the figure that opens its derivation.
struct ShownInfluence {
    Influence influence;
    FigureRef figure;
};

/// Influences found by evaluating the plan with each input changed.
std::vector<ShownInfluence> shownInfluences(const std::vector<Influence> &influences, const InfluenceQuestion &question,
                                            const FigureRef &of);
/// Influences found from the figure's own formulas.
std::vector<ShownInfluence> shownInfluences(const Derivation &figure, const FigureRef &of);

/// Effect of one input of the plan on a figure: the input's name and change, a bar to the left or right, and the
/// resulting change of the figure. A press on the name goes to the input's field, and a press on the change opens its
/// derivation. Without a field, a press anywhere opens the derivation.
class InfluenceRow : public QAbstractButton, public FigureSource {
    Q_OBJECT

public:
    explicit InfluenceRow(QWidget *parent = nullptr);

    /// @param widest  the largest change in the card; its bar has full length
    /// @param preference  which direction of the figure is better, for the color of the bar
    void showInfluence(const ShownInfluence &shown, double widest, bool hasField, Preference preference);
    Tone tone() const { return m_tone; }
    /// JSON pointer of the input's field; empty if it has none.
    QString pointer() const { return m_pointer; }

    QList<FigureRef> figures() const override { return {m_figure}; }
    FigureRef figureAt(const QPoint &place) const override { return figureOf(targetAt(place)); }
    FigureTarget targetAt(const QPoint &place) const override;
    FigureRef currentFigure() const override { return m_figure; }

    /// Area of the bar and its text.
    QRect changeArea() const;

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return {240, heightForWidth(std::max(width(), 160))}; }
    QSize minimumSizeHint() const override { return {160, 0}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    /// Width available for the input's name and its change ("8 -> 4") in a row that is `width` pixels wide.
    static int textWidth(int width);

    QString m_pointer;
    FigureRef m_figure;
    QPoint m_pressed; ///< position of the last press
    bool m_isOnChange = false; ///< whether the pointer is over the change
    QString m_what;
    QString m_step;
    QString m_changeText;
    double m_change = 0;
    double m_widest = 1;
    Tone m_tone = Tone::Neutral;
};

/// The inputs with the largest effects on a figure, found by evaluating the whole plan with one input changed at a
/// time.
class InfluenceCard : public Card {
    Q_OBJECT

public:
    /// Maximum number of inputs shown, chosen by the size of their effects.
    static constexpr std::size_t Most = 7;

    explicit InfluenceCard(QWidget *parent = nullptr);

    /// Shows a progress text until showInfluences().
    void showComputing(const QString &figure);
    /// An empty list hides the card.
    void showInfluences(const QString &figure, const std::vector<ShownInfluence> &influences, Preference preference);
    void setFieldQuestion(std::function<bool(const QString &)> hasField) { m_hasField = std::move(hasField); }
    const std::vector<InfluenceRow *> &rows() const { return m_rows; }

private:
    std::function<bool(const QString &)> m_hasField;
    std::vector<InfluenceRow *> m_rows;
    TextLabel *m_computing;
};

} // namespace meshwright
