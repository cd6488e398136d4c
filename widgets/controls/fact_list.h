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

struct Fact {
    QString name;
    QString value;
    ColourRole colour = ColourRole::Text;
    QString toolTip = {};
    FigureRef figure = {}; ///< a click opens the derivation of this figure; may be empty
    bool operator==(const Fact &) const = default;
};

/// A list of facts. A click on a fact with a figure opens its derivation. Values of other facts can be selected with
/// the mouse and copied.
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
        FactButton *button; ///< replaces both labels if the fact has a figure; null until needed
    };
    void showButton(std::size_t row, const Fact &fact);

    std::vector<Fact> m_facts;
    std::vector<Row> m_rows;
    QGridLayout *m_grid;
};

} // namespace meshwright
