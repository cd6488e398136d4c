// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"

#include <vector>

class QGridLayout;

namespace meshwright {

class ConfigurationSelection;
struct LayoutRow;

/// Overview of the best configuration for each schedule: its step time, its headroom, and whether the plan's software
/// can run it. A click on a schedule's name filters the table by this schedule.
class ScheduleBests : public Card {
    Q_OBJECT

public:
    explicit ScheduleBests(ConfigurationSelection *selection, QWidget *parent = nullptr);

Q_SIGNALS:
    void filterWanted(const QString &filter);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void showAnswer();
    void arrange();
    QWidget *newName(const LayoutRow &row);
    QWidget *newFigures(const LayoutRow &row);
    QWidget *newMark(const LayoutRow &row);

    struct Cell {
        QWidget *name = nullptr;
        QWidget *figures = nullptr;
        QWidget *mark = nullptr; ///< null if there is nothing to mark
    };

    ConfigurationSelection *m_selection;
    QGridLayout *m_cells;
    std::vector<Cell> m_all; ///< cells of all schedules, best schedule first
    int m_columns = 0;
};

} // namespace meshwright
