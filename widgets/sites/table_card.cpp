// SPDX-License-Identifier: GPL-3.0-or-later
#include "sites/table_card.h"

#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "figures/figure_label.h"

#include <QGridLayout>
#include <QVBoxLayout>

namespace meshwright {

TableCard::TableCard(const QString &title, const QString &subtitle, QWidget *parent)
    : Card(title, subtitle, parent)
    , m_grid(new QGridLayout)
    , m_sentence(new TextLabel({}, TypeRole::Caption, ColourRole::Text2, TextWeight::Regular, this)) {
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(3);
    m_grid->setColumnStretch(0, 1);
    contentLayout()->addLayout(m_grid);
    m_sentence->setWordWrap(true);
    m_sentence->hide();
    contentLayout()->addWidget(m_sentence);
    contentLayout()->addStretch(1);
}

FigureLabel *TableCard::labelAt(std::size_t row, std::size_t column) {
    while (m_labels.size() <= row)
        m_labels.emplace_back();
    std::vector<FigureLabel *> &line = m_labels[row];
    while (line.size() <= column) {
        const bool heading = row == 0;
        auto *label = new FigureLabel(heading ? TypeRole::Caption : TypeRole::Body,
                                      heading || line.empty() ? ColourRole::Text2 : ColourRole::Text,
                                      line.empty() ? TextWeight::Regular : TextWeight::Medium, this);
        if (line.empty()) {
            label->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
            showsNoFigures(label, NotFigures::setting); // the label is the name of the row
        }
        m_grid->addWidget(label, static_cast<int>(row), static_cast<int>(line.size()));
        line.push_back(label);
    }
    return line[column];
}

void TableCard::setRows(const TableRows &rows) {
    m_rows = rows;
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t column = 0; column < rows[row].size(); ++column) {
            const TableCell &cell = rows[row][column];
            FigureLabel *label = labelAt(row, column);
            label->setFigure(cell.text, cell.figure);
            // Never elide names, which identify the rows.
            label->setMinimumWidth(column == 0 ? label->sizeHint().width() : 0);
            if (row > 0)
                label->setColour(cell.isGood          ? ColourRole::Good
                                     : cell.isPresent ? ColourRole::Accent
                                     : column == 0    ? ColourRole::Text2
                                                      : ColourRole::Text);
        }
    for (std::size_t row = 0; row < m_labels.size(); ++row)
        for (std::size_t column = 0; column < m_labels[row].size(); ++column)
            m_labels[row][column]->setVisible(row < rows.size() && column < rows[row].size());
}

void TableCard::setSentence(const QString &text) {
    m_sentence->setText(text);
    m_sentence->setVisible(!text.isEmpty());
}

} // namespace meshwright
