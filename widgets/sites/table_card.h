// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"
#include "figures/figure_ref.h"

#include <QString>

#include <vector>

class QGridLayout;

namespace meshwright {

class FigureLabel;
class TextLabel;

struct TableCell {
    QString text;
    FigureRef figure; ///< figure that the cell shows; empty for text
    bool isGood = false; ///< good value, shown in green
    bool isPresent = false; ///< value of the current plan, shown in the accent color
};
using TableRow = std::vector<TableCell>; ///< the first cell is the row's name
using TableRows = std::vector<TableRow>; ///< the first row has the column names; without rows, nothing is shown

/// A table of figures with a sentence below it. Each figure opens its derivation.
class TableCard : public Card {
    Q_OBJECT

public:
    TableCard(const QString &title, const QString &subtitle, QWidget *parent = nullptr);
    void setRows(const TableRows &rows);
    void setSentence(const QString &text);
    const TableRows &rows() const { return m_rows; }

private:
    FigureLabel *labelAt(std::size_t row, std::size_t column);

    TableRows m_rows;
    QGridLayout *m_grid;
    TextLabel *m_sentence;
    std::vector<std::vector<FigureLabel *>> m_labels;
};

} // namespace meshwright
