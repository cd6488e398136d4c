// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/figure_reasons.h"

#include <QFrame>

namespace meshwright {

class TextLabel;

/// Says under a figure how it comes about. Esc or a click elsewhere closes it.
class WhyPopup : public QFrame {
    Q_OBJECT

public:
    explicit WhyPopup(QWidget *parent = nullptr);
    void openUnder(const QWidget *figure, const Reasoning &reasoning);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    TextLabel *m_title;
    TextLabel *m_sum;
    FactList *m_parts;
};

} // namespace meshwright
