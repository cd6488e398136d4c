// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"
#include "evaluate/sensitivity.h"

#include <QAbstractButton>

#include <functional>
#include <vector>

namespace meshwright {

class TextLabel;

/// What one input of the plan does to a figure: its name and step, a bar to the left or right, the change. Pressed, it
/// leads to the input's field.
class InfluenceRow : public QAbstractButton {
    Q_OBJECT

public:
    explicit InfluenceRow(QWidget *parent = nullptr);

    /// @param widest  the largest change that is shown, whose bar has the full length
    void showInfluence(const Influence &influence, double widest, bool hasField);
    QString pointer() const { return m_pointer; }

    QSize sizeHint() const override { return {240, 38}; }
    QSize minimumSizeHint() const override { return {160, 38}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_pointer;
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
    void showInfluences(const QString &figure, const std::vector<Influence> &influences);
    void setFieldQuestion(std::function<bool(const QString &)> hasField) { m_hasField = std::move(hasField); }
    const std::vector<InfluenceRow *> &rows() const { return m_rows; }

Q_SIGNALS:
    void fieldWanted(const QString &pointer);

private:
    std::function<bool(const QString &)> m_hasField;
    std::vector<InfluenceRow *> m_rows;
    TextLabel *m_computing;
};

} // namespace meshwright
