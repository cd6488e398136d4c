// SPDX-License-Identifier: GPL-3.0-or-later
#include "start/plan_tile.h"

#include "figures/figure_event.h"
#include "figures/figure_text.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace meshwright {

namespace {

constexpr int padding = 12;
constexpr int pictureHeight = 52;
constexpr int stepHeight = 6;
constexpr int pictureGap = 4;
constexpr qreal maxColumnWidth = 28;
constexpr qreal overCapacity =
    1.12; ///< height of the picture relative to memory capacity; the excess shows memory that does not fit

void paintSegment(QPainter &painter, const QRectF &rect, const StackedSegment &segment, const Theme &theme) {
    if (segment.fill == SegmentFill::Hatched)
        surfaces::hatch(painter, rect, theme.colour(ColourRole::LineStrong), theme.colour(ColourRole::Field));
    else
        painter.fillRect(rect, theme.fill(segment.kind));
}

/// One column per stage, stacked by memory category, relative to capacity.
void paintStages(QPainter &painter, const QRectF &area, const PlanSummary &summary, const Theme &theme) {
    if (summary.stages.isEmpty() || summary.capacityBytes <= 0)
        return;
    const qreal pitch = std::min(maxColumnWidth + 2, area.width() / static_cast<qreal>(summary.stages.size()));
    const qreal scale = area.height() / (overCapacity * summary.capacityBytes);
    qreal left = area.left();
    for (const QVector<StackedSegment> &stage : summary.stages) {
        qreal top = area.bottom();
        for (const StackedSegment &segment : stage) {
            const qreal height = std::min(segment.value * scale, top - area.top());
            paintSegment(painter, {left, top - height, pitch - 2, height}, segment, theme);
            top -= height;
        }
        left += pitch;
    }
    const qreal capacity = area.bottom() - summary.capacityBytes * scale;
    painter.setPen(QPen(theme.colour(summary.fits ? ColourRole::LineStrong : ColourRole::Bad), 1, Qt::DashLine));
    painter.drawLine(QPointF(area.left(), capacity), QPointF(area.right(), capacity));
}

void paintStep(QPainter &painter, const QRectF &area, const PlanSummary &summary, const Theme &theme) {
    double whole = 0;
    for (const StackedSegment &term : summary.step)
        whole += term.value;
    qreal left = area.left();
    for (const StackedSegment &term : summary.step) {
        const qreal width = whole > 0 ? term.value / whole * area.width() : 0;
        paintSegment(painter, {left, area.top(), width, area.height()}, term, theme);
        left += width;
    }
}

} // namespace

PlanTile::PlanTile(const QString &id, const QString &name, QWidget *parent)
    : QAbstractButton(parent) {
    m_summary.id = id;
    m_summary.name = name;
    setObjectName(QStringLiteral("gallery:") + id);
    setText(name);
    setAccessibleName(name);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    showsNoFigures(this, NotFigures::name); // the tile's numbers only identify the run; opening it explains them
}

void PlanTile::setSummary(const PlanSummary &summary) {
    m_summary = summary;
    m_picture = {};
    setText(summary.name);
    setAccessibleName(summary.name);
    setAccessibleDescription(QString(factsText() + QStringLiteral(", ") + mfuText()));
    setToolTip(tr("%1\n%2\n%3\nPicture: memory per stage against capacity, and the terms of the step time")
                   .arg(summary.name, factsText(), mfuText()));
    update();
}

QString PlanTile::factsText() const {
    return QString(m_summary.model + QStringLiteral(" · ") + m_summary.hardware);
}

QString PlanTile::mfuText() const {
    if (m_summary.reportedMfu)
        return tr("MFU %1, reported %2").arg(shareText(m_summary.mfu), shareText(*m_summary.reportedMfu));
    return m_summary.fits ? tr("MFU %1 predicted").arg(shareText(m_summary.mfu))
                          : tr("MFU %1 predicted, does not fit").arg(shareText(m_summary.mfu));
}

bool PlanTile::matches(const QStringList &words) const {
    const QString all = m_summary.id + QLatin1Char(' ') + m_summary.name + QLatin1Char(' ') + factsText();
    return std::all_of(words.begin(), words.end(),
                       [&](const QString &word) { return all.contains(word, Qt::CaseInsensitive); });
}

QPixmap PlanTile::picture(const QSize &size) const {
    QPixmap pixmap(size * devicePixelRatioF());
    pixmap.setDevicePixelRatio(devicePixelRatioF());
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    const Theme &theme = Theme::of(this);
    const QRectF area(QPointF(0, 0), QSizeF(size));
    paintStages(painter, area.adjusted(0, 0, 0, -stepHeight - pictureGap), m_summary, theme);
    paintStep(painter, {0, area.bottom() - stepHeight, area.width(), stepHeight}, m_summary, theme);
    return pixmap;
}

void PlanTile::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme &theme = Theme::of(this);
    const bool lifted = underMouse() || isDown();
    surfaces::rounded(painter, rect(), Theme::radius(Corner::Card),
                      theme.colour(lifted ? ColourRole::Field : ColourRole::Card),
                      theme.colour(lifted ? ColourRole::LineStrong : ColourRole::Line));
    const QRect inside = rect().adjusted(padding, padding, -padding, -padding);
    const QSize size(inside.width(), pictureHeight);
    if (isSummarised()) {
        if (m_picture.isNull() || m_picture.size() != size * devicePixelRatioF())
            m_picture = picture(size);
        painter.drawPixmap(inside.topLeft(), m_picture);
    } else {
        surfaces::rounded(painter, QRectF(inside.topLeft(), QSizeF(size)), 4, theme.colour(ColourRole::Field));
    }
    qreal top = inside.top() + pictureHeight + 8;
    const auto line = [&](const QString &text, const QFont &font, ColourRole colour, qreal height) {
        painter.setFont(font);
        painter.setPen(theme.colour(colour));
        painter.drawText(QRectF(inside.left(), top, inside.width(), height),
                         Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                         QFontMetricsF(font).elidedText(text, Qt::ElideRight, inside.width()));
        top += height;
    };
    line(text(), theme.font(TypeRole::Body, TextWeight::SemiBold), ColourRole::Text, 18);
    if (isSummarised()) {
        line(factsText(), theme.font(TypeRole::Body), ColourRole::Text2, 17);
        line(mfuText(), theme.font(TypeRole::Caption), ColourRole::Text3, 16);
    }
    if (showsFocusRing(this))
        surfaces::focusRing(painter, rect(), Theme::radius(Corner::Card), theme);
}

void PlanTile::keyPressEvent(QKeyEvent *event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

void PlanTile::changeEvent(QEvent *event) {
    if (event->type() == QEvent::PaletteChange)
        m_picture = {};
    QAbstractButton::changeEvent(event);
}

} // namespace meshwright
