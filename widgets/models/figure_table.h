// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/figure_source.h"

#include <QTableView>

namespace meshwright {

/// A table of figures. The model names each cell's under FigureRole; a click or Enter has it explained.
class FigureTable : public QTableView, public FigureSource {
    Q_OBJECT

public:
    static constexpr int FigureRole = Qt::UserRole + 40;

    explicit FigureTable(QWidget *parent = nullptr);

    QStringList figures() const override;
    QString figureAt(const QPoint &place) const override;
    QString currentFigure() const override;

Q_SIGNALS:
    void figureWanted(const QString &path);

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void open(const QModelIndex &index);
};

} // namespace meshwright
