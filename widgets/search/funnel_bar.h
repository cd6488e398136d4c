// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/hover_card.h"
#include "figures/figure_source.h"
#include "search/search.h"
#include "theme/roles.h"

#include <QWidget>

namespace meshwright {

class Theme;

/// What became of all layouts of a search, as parts of one bar with their counts under it. Counts are asked for with a
/// FigureWantedEvent, by a press or F1.
class FunnelBar : public QWidget, public FigureSource {
    Q_OBJECT

public:
    explicit FunnelBar(QWidget *parent = nullptr);

    void setSearch(const SearchResult &found, bool stopped);
    /// While no search is shown.
    void clear();

    QList<FigureRef> figures() const override;
    FigureRef figureAt(const QPoint &place) const override;
    FigureRef currentFigure() const override;
    bool hasOwnHover(const QPoint &place) const override;

    QSize sizeHint() const override { return {360, 54}; }
    QSize minimumSizeHint() const override { return {220, 54}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    struct Part {
        QString name;
        QString figure; ///< of its count, see searchMaking()
        QString explanation;
        std::int64_t count = 0;
        ColourRole colour = ColourRole::Accent;
        bool hatched = false;
    };
    /// A text with what it opens.
    struct Place {
        QRectF area;
        QString text;
        FigureRef figure;
    };
    QRectF rectOf(std::size_t part) const;
    int partAt(const QPoint &place) const;
    std::vector<Place> places() const;
    void paintLegend(QPainter &painter, const Theme &theme) const;

    std::vector<Part> m_parts;
    QString m_title;
    QString m_considered;
    QString m_seconds;
    int m_current = 0; ///< among places(), by the keys
    std::int64_t m_total = 0;
    HoverCardSlot m_card;
};

} // namespace meshwright
