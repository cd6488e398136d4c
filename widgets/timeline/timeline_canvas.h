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

/// A dependency between two spans, drawn as a line from the end of the first to the start of the second.
struct TimelineLink {
    SpanIndex from;
    SpanIndex to;
};

/// Rows of spans on a time axis with names on the left and a ruler at the top. TimelineGestures pan and zoom it. A
/// click or the arrow keys select a span, F zooms to the selection or the measured range, and Esc clears both.
class TimelineCanvas : public QAbstractScrollArea {
    Q_OBJECT

public:
    enum class Ruler { Shown, Hidden };
    using Describe = std::function<HoverContent(SpanIndex)>;

    explicit TimelineCanvas(TimelineAxis *axis, Ruler ruler = Ruler::Shown, QWidget *parent = nullptr);
    ~TimelineCanvas() override;

    /// Keeps the scroll position and the chosen number. The caller sets the axis.
    void setModel(const TimelineModelPointer &model);
    const TimelineModelPointer &model() const { return m_model; }
    void setDescribe(Describe describe) { m_describe = std::move(describe); }
    void setMarksShown(bool shown);
    void setMeasuring(bool measuring);
    /// Sets what happens to rows that do not fit: they scroll, or they share pixels that show their mean color.
    void setCrowdedRows(CrowdedRows crowded);

    /// Outlines the spans with this number on every row; -1 outlines none.
    void setChosenNumber(int number);
    int chosenNumber() const { return m_number; }
    void setLinks(const std::vector<TimelineLink> &links);
    SpanIndex current() const { return m_current; }
    void setCurrent(SpanIndex span);
    /// The range from the first to the last chosen span; empty if no span is chosen.
    std::optional<TimeRange> chosenRange() const;
    /// Zooms to the measured range. If there is none, zooms to the chosen spans.
    void fitChosen();

    /// The area of the spans in viewport coordinates.
    QRectF plot() const;
    TimelineLayout currentConfiguration() const;
    /// The span at a viewport position; invalid if there is none.
    SpanIndex spanAt(QPointF place) const;
    QRectF rectOf(SpanIndex span) const;
    /// Time to draw the last frame, in milliseconds.
    double frameMilliseconds() const { return m_frameMilliseconds; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// Emitted after a click, Enter or Space on a span; invalid if the click hit idle time or no row.
    void chosen(meshwright::SpanIndex span);
    void currentChanged(meshwright::SpanIndex span);
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
