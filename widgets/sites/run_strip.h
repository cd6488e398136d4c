// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/hover_card.h"
#include "sites/sites_run.h"

#include <QPixmap>
#include <QWidget>

namespace meshwright {

class Theme;

/// Link load and compute utilization over the whole run, with a mark on the rounds that the charts show in detail. A
/// click, or the arrow keys and Return, select other rounds.
class RunStrip : public QWidget {
    Q_OBJECT

public:
    explicit RunStrip(QWidget *parent = nullptr);

    /// Null clears the strip.
    void setCourse(const SitesCoursePointer &course);
    const SitesCourse *course() const { return m_course.get(); }
    /// Marks the rounds that the charts show in detail; `first` counts from 0.
    void setWatched(std::int64_t first, std::int64_t rounds);
    QRectF plot() const;
    /// The round at a horizontal position, counted from 0.
    std::int64_t roundAt(qreal x) const;
    qreal xOfRound(double round) const;
    HoverContent describe(QPointF place) const;

    QSize sizeHint() const override { return {640, 40}; }
    QSize minimumSizeHint() const override { return {320, 40}; }

Q_SIGNALS:
    void roundChosen(std::int64_t round);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    std::size_t stretchAt(double seconds) const;
    double secondsAt(qreal x) const;
    double secondsOfRound(double round) const;
    void paintDays(QPainter &painter, const Theme &theme) const;
    void paintStrip(QPainter &painter, const Theme &theme) const;

    SitesCoursePointer m_course;
    std::int64_t m_first = 0;
    std::int64_t m_rounds = 0;
    std::int64_t m_pointed = -1;
    HoverCardSlot m_card;
};

} // namespace meshwright
