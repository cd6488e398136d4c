// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/result_card.h"

namespace meshwright {

class StepBar;

class StepCard : public ResultCard {
    Q_OBJECT

public:
    explicit StepCard(QWidget *parent = nullptr);
    StepBar *bar() const { return m_bar; }

protected:
    void showResult(const Result &result) override;

private:
    StepBar *m_bar;
};

} // namespace meshwright
