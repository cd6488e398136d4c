// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/hover_card.h"
#include "search/search.h"
#include "theme/roles.h"

#include <QWidget>

namespace meshwright {

class Theme;

/// The search funnel: one bar divided into the configurations that fit and those ruled out, with counts below it.
class FunnelBar : public QWidget {
    Q_OBJECT

public:
    explicit FunnelBar(QWidget *parent = nullptr);

    void setSearch(const SearchResult &found, bool stopped);
    void clear();

    QSize sizeHint() const override { return {360, 54}; }
    QSize minimumSizeHint() const override { return {220, 54}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    struct Part {
        QString name;
        QString explanation;
        std::int64_t count = 0;
        ColourRole colour = ColourRole::Accent;
        bool hatched = false;
    };
    QRectF rectOf(std::size_t part) const;
    int partAt(const QPoint &place) const;
    void paintLegend(QPainter &painter, const Theme &theme) const;

    std::vector<Part> m_parts;
    QString m_title;
    std::int64_t m_total = 0;
    HoverCardSlot m_card;
};

} // namespace meshwright
