// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_source.h"
#include "theme/roles.h"

#include <QString>
#include <QWidget>

#include <vector>

namespace meshwright {

struct MemoryEntry {
    QString name;
    double bytes = 0;
    Kind kind = Kind::Grey;
    FigureRef figure = {};
    bool operator==(const MemoryEntry &) const = default;
};

/// A list of names and bytes, each with a bar relative to the largest entry. Long names are elided, and their tool tip
/// shows them in full. Up and Down select an entry; a click or Enter requests its derivation with a FigureWantedEvent.
class MemoryList : public QWidget, public FigureSource {
    Q_OBJECT

public:
    explicit MemoryList(QWidget *parent = nullptr);

    void setEntries(const std::vector<MemoryEntry> &entries);
    const std::vector<MemoryEntry> &entries() const { return m_entries; }

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

    std::vector<MemoryEntry> m_entries;
    int m_current = 0;
};

} // namespace meshwright
