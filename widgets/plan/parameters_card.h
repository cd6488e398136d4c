// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/result_card.h"

namespace meshwright {

class FactList;

class ParametersCard : public ResultCard {
    Q_OBJECT

public:
    explicit ParametersCard(QWidget *parent = nullptr);

protected:
    void showResult(const Result &result) override;

private:
    FactList *m_facts;
};

} // namespace meshwright
