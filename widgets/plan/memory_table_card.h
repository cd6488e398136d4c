// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/result_card.h"

#include <QStringList>

#include <vector>

namespace meshwright {

class FigureTable;
class StageMemoryModel;

/// Table of memory by stage and category, in GB.
class MemoryTableCard : public ResultCard {
    Q_OBJECT

public:
    explicit MemoryTableCard(QWidget *parent = nullptr);

protected:
    void showResult(const Result &result) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    std::vector<int> widthsFor(const QStringList &titles) const;
    void fitColumns();

    StageMemoryModel *m_model;
    FigureTable *m_table;
};

} // namespace meshwright
