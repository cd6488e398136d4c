// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/roles.h"

#include <QString>
#include <QWidget>

#include <vector>

class QGridLayout;

namespace meshwright {

class TextLabel;

/// One thing that is known: a name on the left, a value on the right.
struct Fact {
    QString name;
    QString value;
    ColourRole colour = ColourRole::Text;
    QString toolTip = {};
    bool operator==(const Fact &) const = default;
};

/// Facts under one another. Values are selectable with the mouse, so that they can be copied.
class FactList : public QWidget {
    Q_OBJECT

public:
    explicit FactList(QWidget *parent = nullptr);
    void setFacts(const std::vector<Fact> &facts);

private:
    struct Row {
        TextLabel *name;
        TextLabel *value;
    };
    std::vector<Fact> m_facts;
    std::vector<Row> m_rows;
    QGridLayout *m_grid;
};

} // namespace meshwright
