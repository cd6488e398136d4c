// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/figures_table.h"

namespace meshwright {

/// A table of figures. A click or Enter opens the derivation of a cell's figure.
class FigureTable : public FiguresTable {
    Q_OBJECT

public:
    explicit FigureTable(QWidget *parent = nullptr);

    bool isScaleAt(const QPoint &) const override { return false; }
    bool pressActsOtherwise(const QPoint &) const override { return false; }

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void open(const QModelIndex &index);
};

} // namespace meshwright
