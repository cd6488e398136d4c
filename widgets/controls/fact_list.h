// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"
#include "theme/roles.h"

#include <QString>
#include <QWidget>

#include <vector>

class QGridLayout;

namespace meshwright {

class FactButton;
class TextLabel;

/// One thing that is known: a name on the left, a value on the right.
struct Fact {
    QString name;
    QString value;
    ColourRole colour = ColourRole::Text;
    QString toolTip = {};
    FigureRef figure = {}; ///< where its derivation is known
    bool operator==(const Fact &) const = default;
};

/// Facts under one another. One with a figure is pressed to have it explained; values of the others are selectable
/// with the mouse, so that they can be copied.
class FactList : public QWidget {
    Q_OBJECT

public:
    explicit FactList(QWidget *parent = nullptr);
    void setFacts(const std::vector<Fact> &facts);
    const std::vector<Fact> &facts() const { return m_facts; }

private:
    struct Row {
        TextLabel *name;
        TextLabel *value;
        FactButton *button; ///< in place of the two where the fact has a figure; null until it first has
    };
    void showButton(std::size_t row, const Fact &fact);

    std::vector<Fact> m_facts;
    std::vector<Row> m_rows;
    QGridLayout *m_grid;
};

} // namespace meshwright
