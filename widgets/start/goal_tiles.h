// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "start/start_goal.h"

#include <QAbstractButton>
#include <QWidget>

#include <array>

class QGridLayout;

namespace meshwright {

class GoalTile : public QAbstractButton {
    Q_OBJECT

public:
    GoalTile(const QString &icon, const QString &title, const QString &line, QWidget *parent);

    QSize sizeHint() const override { return {220, 60}; }
    QSize minimumSizeHint() const override { return {160, 60}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_icon;
    QString m_line;
};

/// Four goals, of which one is selected. Tab moves to the selected goal; the arrow keys select another.
class GoalTiles : public QWidget {
    Q_OBJECT

public:
    explicit GoalTiles(QWidget *parent = nullptr);

    StartGoal goal() const { return m_goal; }
    void setGoal(StartGoal goal);
    GoalTile *tile(StartGoal goal) const { return m_tiles[static_cast<std::size_t>(goal)]; }

Q_SIGNALS:
    void chosen(meshwright::StartGoal goal);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void arrange(int columns);

    StartGoal m_goal = StartGoal::Fit;
    std::array<GoalTile *, startGoalCount> m_tiles{};
    QGridLayout *m_grid;
    int m_columns = 0;
};

} // namespace meshwright
