// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/hover_card.h"
#include "timeline/glyph_cache.h"
#include "timeline/timeline_gestures.h"
#include "timeline/timeline_layout.h"
#include "timeline/timeline_model.h"
#include "timeline/timeline_raster.h"

#include <QAbstractScrollArea>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace meshwright {

class Theme;
class TimelineAxis;

/// A line from the end of one span to the begin of another: what waited for what.
struct TimelineLink {
    SpanIndex from;
    SpanIndex to;
};

/// Rows of spans over a time axis: names at the left, a ruler over them. Pans and zooms by TimelineGestures; a click
/// chooses a span, the arrow keys go from one to the next, F fits what is chosen or measured, Esc lets go of it.
class TimelineCanvas : public QAbstractScrollArea {
    Q_OBJECT

public:
    enum class Ruler { Shown, Hidden };
    using Describe = std::function<HoverContent(SpanIndex)>;

    explicit TimelineCanvas(TimelineAxis *axis, Ruler ruler = Ruler::Shown, QWidget *parent = nullptr);
    ~TimelineCanvas() override;

    /// Keeps the rows' scroll and the number that is chosen. The axis is its owner's to set.
    void setModel(const TimelineModelPointer &model);
    const TimelineModelPointer &model() const { return m_model; }
    /// What the card beside the pointer says of a span.
    void setDescribe(Describe describe) { m_describe = std::move(describe); }
    void setMarksShown(bool shown);
    void setMeasuring(bool measuring);
    /// Many rows share a pixel, which then has their mean colour, in place of a part of them that is scrolled.
    void setCrowdedRows(CrowdedRows crowded);

    /// Outlines all spans of a number on every row; -1 for none.
    void setChosenNumber(int number);
    int chosenNumber() const { return m_number; }
    void setLinks(const std::vector<TimelineLink> &links);
    /// The span that the keyboard is at, or that was clicked.
    SpanIndex current() const { return m_current; }
    void setCurrent(SpanIndex span);
    /// From the first to the last span that is chosen or, if nothing is, nothing.
    std::optional<TimeRange> chosenRange() const;
    /// What is measured or else chosen fills the axis.
    void fitChosen();

    /// Where the spans are drawn, in the viewport.
    QRectF plot() const;
    TimelineLayout currentLayout() const;
    /// The span at a place of the viewport; invalid where there is nothing.
    SpanIndex spanAt(QPointF place) const;
    QRectF rectOf(SpanIndex span) const;
    /// Milliseconds that the last picture of the rows took.
    double frameMilliseconds() const { return m_frameMilliseconds; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// By click, Enter or Space; invalid where a click met nothing or idle time.
    void chosen(meshwright::SpanIndex span);
    void currentChanged(meshwright::SpanIndex span);
    /// A row's name was clicked.
    void trackNameClicked(int track);
    void framePainted(double milliseconds);

protected:
    bool viewportEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    struct Picture;
    void refresh();
    void forgetColours();
    void axisChanged();
    void findChosen();
    void paintRows(QPainter &painter, const QRegion &dirty);
    const QImage &rowsPicture(QSize size);
    void choosePens();
    void drawRows(QImage &image, const std::optional<TimeRange> &before);
    void drawSqueezed(QImage &image, int lines);
    void paintGutter(QPainter &painter, const Theme &theme) const;
    void paintChosen(QPainter &painter, const Theme &theme) const;
    void paintLinks(QPainter &painter, const Theme &theme) const;
    void hover(QPointF place);
    HoverContent describe(SpanIndex span, qreal x) const;
    HoverContent describeCrowd(SpanIndex span, const TimeRange &column) const;
    HoverContent describeRows(QPointF place) const;
    void moveCurrent(int rows, int spans);
    bool isWork(SpanIndex span) const;
    void reveal(SpanIndex span);
    void announce();

    TimelineAxis *m_axis;
    TimelineGestures *m_gestures;
    Ruler m_ruler;
    CrowdedRows m_crowded = CrowdedRows::Scroll;
    TimelineModelPointer m_model;
    Describe m_describe;
    std::unique_ptr<Picture> m_picture;
    std::vector<SpanIndex> m_chosen;
    std::vector<TimelineLink> m_links;
    SpanIndex m_current;
    SpanIndex m_hovered;
    int m_number = -1;
    bool m_marks = false;
    double m_frameMilliseconds = 0;
    HoverCardSlot m_card;
};

} // namespace meshwright

Q_DECLARE_METATYPE(meshwright::SpanIndex)
