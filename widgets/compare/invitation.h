// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"
#include "search/trade_offs.h"

#include <QString>

#include <array>

class QPushButton;
class QToolButton;

namespace meshwright {

class TextLabel;

inline constexpr std::array allTradeOffs{TradeOff::sharding, TradeOff::precision, TradeOff::sparsity};
QString titleOf(TradeOff which);
QString descriptionOf(TradeOff which);

/// Shown while nothing is compared: ready-made comparisons as buttons, and a hint about other sources of plans.
class Invitation : public Card {
    Q_OBJECT

public:
    explicit Invitation(QWidget *parent = nullptr);

    QPushButton *button(TradeOff which) const { return m_buttons[static_cast<std::size_t>(which)]; }
    /// Disables the buttons while the plan is invalid or a search for plans is running.
    void setReady(bool ready);
    /// Shows what is running, or why there is nothing to compare. @param text  may be empty
    void setState(const QString &text);

Q_SIGNALS:
    void tradeOffWanted(meshwright::TradeOff which);

private:
    std::array<QPushButton *, allTradeOffs.size()> m_buttons{};
    TextLabel *m_state;
};

} // namespace meshwright
