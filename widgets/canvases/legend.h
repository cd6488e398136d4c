// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/stacked_bars_view.h"

#include <QWidget>

namespace meshwright {

class Theme;

struct LegendEntry {
    QString name;
    Kind kind = Kind::Grey;
    SegmentFill fill = SegmentFill::Solid;
    QString letter;
    bool operator==(const LegendEntry &) const = default;
};

/// Colored squares with names in one line, right-aligned. If there is no room, only the tool tip has the names.
class Legend : public QWidget {
    Q_OBJECT

public:
    static constexpr int Height = 16;

    explicit Legend(QWidget *parent = nullptr);

    const QVector<LegendEntry> &entries() const { return m_entries; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, Height}; }

    static void paint(QPainter &painter, const QRectF &rect, const QVector<LegendEntry> &entries, const Theme &theme);

public Q_SLOTS:
    void setEntries(const QVector<meshwright::LegendEntry> &entries);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    bool hasRoom() const { return sizeHint().width() <= width() + 1; }
    void showNames();

    QVector<LegendEntry> m_entries;
};

} // namespace meshwright
