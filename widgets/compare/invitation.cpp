// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/invitation.h"

#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "theme/control_states.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace meshwright {

namespace {

constexpr int widestInvitation = 960;

} // namespace

QString titleOf(TradeOff which) {
    switch (which) {
    case TradeOff::sharding:
        return Invitation::tr("FSDP, ZeRO-3, Megatron");
    case TradeOff::precision:
        return Invitation::tr("BF16, FP8");
    case TradeOff::sparsity:
        break;
    }
    return Invitation::tr("Dense, mixture of experts");
}

QString descriptionOf(TradeOff which) {
    switch (which) {
    case TradeOff::sharding:
        return Invitation::tr("The fastest configuration of each kind for this model, cluster and batch");
    case TradeOff::precision:
        return Invitation::tr("The same configuration with a different number format for matrix multiplications");
    case TradeOff::sparsity:
        break;
    }
    return Invitation::tr(
        "The dense or mixture-of-experts counterpart with the same predicted loss after the same number of tokens");
}

Invitation::Invitation(QWidget *parent)
    : Card(tr("Compare this plan"), {}, parent)
    , m_state(new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this)) {
    setObjectName(QStringLiteral("compareInvitation"));
    setMaximumWidth(widestInvitation);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    showsNoFigures(this, NotFigures::name); // digits belong to names such as ZeRO-3 and FP8
    auto *words =
        new TextLabel(tr("Start with a ready-made comparison, or use Add Plan to choose plans from files, presets, "
                         "pinned search results, snapshots and the undo history. Dropping a plan file on this "
                         "view adds it too."),
                      TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this);
    words->setWordWrap(true);
    contentLayout()->setSpacing(12);
    contentLayout()->addWidget(words);
    auto *choices = new QHBoxLayout;
    choices->setSpacing(16);
    for (const TradeOff which : allTradeOffs) {
        auto *choice = new QVBoxLayout;
        choice->setSpacing(6);
        auto *button = new QPushButton(titleOf(which), this);
        button->setObjectName(QStringLiteral("tradeOff%1").arg(static_cast<int>(which)));
        button->setAccessibleDescription(descriptionOf(which));
        setButtonRole(button, ButtonRole::Outline);
        auto *description =
            new TextLabel(descriptionOf(which), TypeRole::Caption, ColourRole::Text2, TextWeight::Regular, this);
        description->setWordWrap(true);
        choice->addWidget(button);
        choice->addWidget(description, 1, Qt::AlignTop);
        choices->addLayout(choice, 1);
        m_buttons[static_cast<std::size_t>(which)] = button;
        connect(button, &QPushButton::clicked, this, [this, which] { Q_EMIT tradeOffWanted(which); });
    }
    contentLayout()->addLayout(choices);
    m_state->setWordWrap(true);
    m_state->hide();
    contentLayout()->addWidget(m_state);
}

void Invitation::setReady(bool ready) {
    for (QPushButton *button : m_buttons)
        button->setEnabled(ready);
}

void Invitation::setState(const QString &text) {
    m_state->setText(text);
    m_state->setVisible(!text.isEmpty());
}

} // namespace meshwright
