// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/fact_list.h"

#include "controls/fact_button.h"
#include "controls/text_label.h"
#include "figures/figure_event.h"

#include <QGridLayout>

namespace meshwright {

FactList::FactList(QWidget *parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this)) {
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(0, 1);
}

void FactList::setFacts(const std::vector<Fact> &facts) {
    if (facts == m_facts)
        return;
    m_facts = facts;
    while (m_rows.size() < facts.size()) {
        const int row = static_cast<int>(m_rows.size());
        auto *name = new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this);
        auto *value = new TextLabel({}, TypeRole::Body, ColourRole::Text, TextWeight::Medium, this);
        name->setElided(true);
        value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_grid->addWidget(name, row, 0);
        m_grid->addWidget(value, row, 1);
        m_rows.push_back({name, value, nullptr});
    }
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const bool used = i < facts.size();
        const bool opens = used && !facts[i].figure.isEmpty();
        m_rows[i].name->setVisible(used && !opens);
        m_rows[i].value->setVisible(used && !opens);
        if (m_rows[i].button != nullptr)
            m_rows[i].button->setVisible(opens);
        if (!used)
            continue;
        if (opens) {
            showButton(i, facts[i]);
            continue;
        }
        m_rows[i].name->setText(facts[i].name);
        m_rows[i].value->setText(facts[i].value);
        m_rows[i].value->setColour(facts[i].colour);
        m_rows[i].name->setToolTip(facts[i].toolTip);
        m_rows[i].value->setToolTip(facts[i].toolTip);
    }
}

void FactList::showButton(std::size_t row, const Fact &fact) {
    FactButton *&button = m_rows[row].button;
    if (button == nullptr) {
        button = new FactButton(this);
        m_grid->addWidget(button, static_cast<int>(row), 0, 1, 2);
        connect(button, &FactButton::clicked, this, [this, shown = button] { wantFigure(this, shown->figure()); });
    }
    button->setFact(fact);
    button->show();
}

} // namespace meshwright
