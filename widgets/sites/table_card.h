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
    FigureRef figure; ///< empty for words
    bool isGood = false; ///< what is wanted
    bool isPresent = false; ///< of the plan as it is
};
using TableRow = std::vector<TableCell>; ///< the first is the row's name
using TableRows = std::vector<TableRow>; ///< the first is the columns' names; empty for nothing

/// A few rows of figures, each of which opens, and a sentence under them.
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
