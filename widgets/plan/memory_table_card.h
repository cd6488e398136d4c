// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/result_card.h"

namespace meshwright {

class FigureTable;
class StageMemoryModel;

/// Memory of every stage and kind in figures, for those who compare.
class MemoryTableCard : public ResultCard {
    Q_OBJECT

public:
    explicit MemoryTableCard(QWidget *parent = nullptr);

protected:
    void showResult(const Result &result) override;

private:
    StageMemoryModel *m_model;
    FigureTable *m_table;
};

} // namespace meshwright
