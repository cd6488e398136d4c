// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_source.h"
#include "theme/roles.h"

#include <QString>
#include <QWidget>

#include <vector>

namespace meshwright {

/// Something that stands in memory.
struct HeldEntry {
    QString name;
    double bytes = 0;
    Kind kind = Kind::Grey;
    FigureRef figure = {};
    bool operator==(const HeldEntry &) const = default;
};

/// Names with their bytes under one another, each over a bar as long as its share of the largest. Long names shorten
/// with an ellipsis; pointing at one says all of it. Up and Down choose one; a press or Enter asks for its derivation
/// with a FigureWantedEvent.
class HeldList : public QWidget, public FigureSource {
    Q_OBJECT

public:
    explicit HeldList(QWidget *parent = nullptr);

    void setEntries(const std::vector<HeldEntry> &entries);
    const std::vector<HeldEntry> &entries() const { return m_entries; }

    QList<FigureRef> figures() const override;
    FigureRef figureAt(const QPoint &place) const override;
    FigureRef currentFigure() const override { return figureOf(m_current); }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    FigureRef figureOf(int row) const;

    static constexpr int RowHeight = 24;

    std::vector<HeldEntry> m_entries;
    int m_current = 0; ///< that the keys stand on
};

} // namespace meshwright
