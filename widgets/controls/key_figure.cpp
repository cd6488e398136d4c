// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/key_figure.h"

#include "controls/pill.h"
#include "controls/small_marks.h"
#include "figures/figure_event.h"
#include "figures/figure_keys.h"
#include "theme/icon.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QFontInfo>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshwright {
namespace {

constexpr qreal Padding = 14;
constexpr qreal HeadingMiddle = 20;
constexpr qreal FigureBaseline = 64;
constexpr qreal SublineBaseline = 84;
constexpr qreal IntervalMiddle = 104;
constexpr int HeightWithInterval = 120;
constexpr int HeightWithout = 100;
constexpr qreal IconAndGap = 24;
constexpr qreal WhyMark = 12;
constexpr qreal UnitGap = 6;
constexpr qreal Gap = 8;

void drawOnBaseline(QPainter &painter, const QPointF &at, const QFont &font, const QColor &ink, const QString &text) {
    painter.setFont(font);
    painter.setPen(ink);
    painter.drawText(at, text);
}

QString iconOfTone(Tone tone) {
    return tone == Tone::Good ? QStringLiteral("ok")
        : tone == Tone::Warn  ? QStringLiteral("warn")
        : tone == Tone::Bad   ? QStringLiteral("err")
                              : QString();
}

} // namespace

KeyFigure::KeyFigure(const QString &title, const QString &iconName, QWidget *parent)
    : QAbstractButton(parent)
    , m_iconName(iconName) {
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setTitle(title);
    setMouseTracking(true);
    connect(this, &QAbstractButton::clicked, this, [this] { wantFigure(this, m_ref); });
}

void KeyFigure::setTitle(const QString &title) {
    setText(title);
    describe();
}

void KeyFigure::setTakesGoal(bool takes) {
    if (takes == (m_goal != nullptr))
        return;
    if (!takes) {
        delete std::exchange(m_goal, nullptr);
        return;
    }
    m_goal = new LinkButton(tr("goal"), this);
    m_goal->setTrailingIcon(QString());
    m_goal->setObjectName(QStringLiteral("goalOf") + text());
    m_goal->setToolTip(tr("Set a goal and find the fewest changes that reach it (G)"));
    m_goal->setAccessibleName(tr("Set a goal for %1").arg(text()));
    connect(m_goal, &LinkButton::clicked, this, &KeyFigure::goalWanted);
    placeGoal();
}

void KeyFigure::placeGoal() {
    if (m_goal == nullptr)
        return;
    m_goal->resize(m_goal->sizeHint());
    m_goal->move(int(width() - Padding - whyWidth() - Gap) - m_goal->width(),
                 int(HeadingMiddle) - m_goal->height() / 2);
}

void KeyFigure::resizeEvent(QResizeEvent *event) {
    QAbstractButton::resizeEvent(event);
    placeGoal();
}

void KeyFigure::setIconName(const QString &name) {
    m_iconName = name;
    update();
}

void KeyFigure::setFigure(const QString &figure, const QString &unit, Tone tone) {
    m_figure = figure;
    m_unit = unit;
    m_figureTone = tone;
    describe();
}

void KeyFigure::setVerdict(const QString &text, Tone tone) {
    m_verdict = text;
    m_verdictTone = tone;
    describe();
}

void KeyFigure::setSubline(const SentenceText &line) {
    m_subline = line;
    m_pointed = m_current = -1;
    describe();
}

void KeyFigure::setInterval(const std::optional<Interval> &interval) {
    m_interval = interval;
    updateGeometry();
    describe();
}

void KeyFigure::setStale(bool stale) {
    if (m_stale == stale)
        return;
    m_stale = stale;
    update();
}

QSize KeyFigure::sizeHint() const {
    return {212, m_interval ? HeightWithInterval : HeightWithout};
}

QSize KeyFigure::minimumSizeHint() const {
    return {168, sizeHint().height()};
}

void KeyFigure::describe() {
    const QString figure = m_unit.isEmpty() ? m_figure : m_figure + QLatin1Char(' ') + m_unit;
    setAccessibleName(text() + QStringLiteral(": ") + figure);
    QStringList parts{m_verdict, m_subline.text};
    if (m_interval)
        parts.append(tr("80% interval %1 to %2").arg(m_interval->lowText, m_interval->highText));
    parts.removeAll(QString());
    setAccessibleDescription(parts.join(QStringLiteral(". ")));
    update();
}

void KeyFigure::keyPressEvent(QKeyEvent *event) {
    if (m_goal != nullptr && event->key() == Qt::Key_G && event->modifiers() == Qt::NoModifier) {
        Q_EMIT goalWanted();
        return;
    }
    const auto open = [this] { wantFigure(this, targetOf(m_current)); };
    if (!walkFigures(
            *event, [this](int step) { move(step); }, open))
        QAbstractButton::keyPressEvent(event);
}

void KeyFigure::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme &theme = Theme::of(this);
    const QColor line = theme.colour(underMouse() ? ColourRole::LineStrong : ColourRole::Line);
    surfaces::rounded(painter, rect(), Theme::radius(Corner::Card), theme.colour(ColourRole::Card), line);
    const QRectF area = QRectF(rect()).adjusted(Padding, 0, -Padding, 0);
    paintFigure(painter, area);
    paintHeading(painter, area);
    const QFont font = theme.fontFor(m_subline.text, area.width());
    const QString subline = QFontMetricsF(font).elidedText(m_subline.text, Qt::ElideRight, area.width());
    drawOnBaseline(painter, {area.left(), SublineBaseline}, font, theme.colour(ColourRole::Text2), subline);
    if (m_interval)
        paintInterval(painter, area);
    paintPlaces(painter);
    if (showsFocusRing(this) && m_current < 0)
        surfaces::focusRing(painter, rect(), Theme::radius(Corner::Card), theme);
}

void KeyFigure::paintPlaces(QPainter &painter) const {
    const Theme &theme = Theme::of(this);
    const std::vector<Place> all = places();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const QRectF &area = all[i].area;
        const bool pointed = static_cast<int>(i) == m_pointed;
        painter.setPen(QPen(theme.colour(pointed ? ColourRole::Accent : ColourRole::LineStrong), 1,
                            pointed ? Qt::SolidLine : Qt::DotLine));
        painter.drawLine(QPointF(area.left(), area.bottom() - 0.5), QPointF(area.right(), area.bottom() - 0.5));
        if (showsFocusRing(this) && static_cast<int>(i) == m_current)
            surfaces::focusRing(painter, area.adjusted(-3, -1, 3, 2).toAlignedRect(), 4, theme);
    }
}

std::vector<KeyFigure::Place> KeyFigure::places() const {
    const Theme &theme = Theme::of(this);
    const QRectF area = QRectF(rect()).adjusted(Padding, 0, -Padding, 0);
    std::vector<Place> found;
    const QFontMetricsF body(theme.fontFor(m_subline.text, area.width()));
    const QString shown = body.elidedText(m_subline.text, Qt::ElideRight, area.width());
    const qsizetype whole = shown == m_subline.text ? shown.size() : shown.size() - 1;
    for (const SentenceText::Figure &figure : m_subline.figures) {
        if (figure.begin + figure.length > whole)
            break;
        const qreal left = area.left() + body.horizontalAdvance(m_subline.text.left(figure.begin));
        const qreal width = body.horizontalAdvance(m_subline.text.mid(figure.begin, figure.length));
        found.push_back({QRectF(left, SublineBaseline - body.ascent(), width, body.height()), figure.target});
    }
    if (!m_interval)
        return found;
    const QFontMetricsF caption(theme.font(TypeRole::Caption));
    const qreal top = IntervalMiddle - caption.height() / 2;
    const qreal high = caption.horizontalAdvance(m_interval->highText);
    if (!m_interval->lowFigure.isEmpty())
        found.push_back({QRectF(area.left(), top, caption.horizontalAdvance(m_interval->lowText), caption.height()),
                         m_interval->lowFigure});
    if (!m_interval->highFigure.isEmpty())
        found.push_back({QRectF(area.right() - high, top, high, caption.height()), m_interval->highFigure});
    return found;
}

int KeyFigure::placeAt(const QPoint &at) const {
    const std::vector<Place> all = places();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Place &place) { return place.area.adjusted(-3, -2, 3, 2).contains(at); });
    return found == all.end() ? -1 : static_cast<int>(std::distance(all.begin(), found));
}

FigureTarget KeyFigure::targetOf(int place) const {
    const std::vector<Place> all = places();
    return place < 0 || place >= static_cast<int>(all.size()) ? FigureTarget(m_ref)
                                                              : all[static_cast<std::size_t>(place)].target;
}

QList<FigureRef> KeyFigure::figures() const {
    QList<FigureRef> all;
    if (!m_ref.isEmpty())
        all << m_ref;
    for (const Place &place : places())
        if (const FigureRef figure = figureOf(place.target); !figure.isEmpty())
            all << figure;
    return all;
}

void KeyFigure::mouseMoveEvent(QMouseEvent *event) {
    m_pointed = placeAt(event->pos());
    update();
    QAbstractButton::mouseMoveEvent(event);
}

void KeyFigure::leaveEvent(QEvent *event) {
    m_pointed = -1;
    QAbstractButton::leaveEvent(event);
}

void KeyFigure::mouseReleaseEvent(QMouseEvent *event) {
    const int place = placeAt(event->pos());
    if (place < 0 || event->button() != Qt::LeftButton || !isDown()) {
        QAbstractButton::mouseReleaseEvent(event);
        return;
    }
    setDown(false);
    wantFigure(this, targetOf(place));
}

void KeyFigure::move(int step) {
    m_current = std::clamp(m_current + step, -1, static_cast<int>(places().size()) - 1);
    update();
}

qreal KeyFigure::whyWidth() const {
    const Theme &theme = Theme::of(this);
    const QFontMetricsF title(theme.font(TypeRole::Body, TextWeight::Medium));
    const qreal room = width() - 2 * Padding - IconAndGap - title.horizontalAdvance(text())
        - (m_goal != nullptr ? m_goal->sizeHint().width() + Gap : 0) - Gap;
    const qreal whole = WhyMark + 4 + QFontMetricsF(theme.font(TypeRole::Caption)).horizontalAdvance(tr("why"));
    return whole <= room ? whole : WhyMark;
}

void KeyFigure::paintHeading(QPainter &painter, const QRectF &area) const {
    const Theme &theme = Theme::of(this);
    icons::paint(painter, QRectF(area.left(), HeadingMiddle - 8, 16, 16), m_iconName, theme.colour(ColourRole::Text2));
    const QFont title = theme.font(TypeRole::Body, TextWeight::Medium);
    const QFontMetricsF metrics(title);
    const qreal baseline = std::round(HeadingMiddle + (metrics.ascent() - metrics.descent()) / 2);
    drawOnBaseline(painter, {area.left() + IconAndGap, baseline}, title, theme.colour(ColourRole::Text2), text());
    const QColor ink = theme.colour(underMouse() || hasFocus() ? ColourRole::Accent : ColourRole::Text3);
    const qreal left = area.right() - whyWidth();
    if (whyWidth() > WhyMark)
        drawOnBaseline(painter, {left, baseline}, theme.font(TypeRole::Caption), ink, tr("why"));
    icons::paint(painter, QRectF(area.right() - WhyMark, HeadingMiddle - 6, WhyMark, WhyMark), QStringLiteral("why"),
                 ink);
    painter.setPen(QPen(mixed(ink, theme.colour(ColourRole::Card), 0.3), 1, Qt::DotLine));
    painter.drawLine(QPointF(left, baseline + 3.5), QPointF(area.right(), baseline + 3.5));
}

void KeyFigure::paintFigure(QPainter &painter, const QRectF &area) const {
    const Theme &theme = Theme::of(this);
    QColor ink = m_figureTone == Tone::Neutral ? theme.colour(ColourRole::Text) : theme.ink(m_figureTone);
    // A stale figure has a muted text color that is still legible.
    if (m_stale)
        ink = theme.colour(ColourRole::Text3);
    const QFont unitFont = theme.font(TypeRole::Emphasis);
    const qreal unitWidth = QFontMetricsF(unitFont).horizontalAdvance(m_unit);
    const qreal iconPill = m_verdict.isEmpty() ? 0 : Gap + Pill::width(theme, {}, true);
    QFont font = theme.font(TypeRole::Figure, TextWeight::SemiBold);
    const qreal room = area.width() - UnitGap - unitWidth - iconPill;
    if (const qreal wide = QFontMetricsF(font).horizontalAdvance(m_figure); wide > room && room > 0)
        font.setPixelSize(std::max(QFontInfo(unitFont).pixelSize(), int(QFontInfo(font).pixelSize() * room / wide)));
    drawOnBaseline(painter, {area.left(), FigureBaseline}, font, ink, m_figure);
    const qreal unitLeft = area.left() + QFontMetricsF(font).horizontalAdvance(m_figure) + UnitGap;
    drawOnBaseline(painter, {unitLeft, FigureBaseline}, unitFont, theme.colour(ColourRole::Text3), m_unit);
    if (!m_verdict.isEmpty())
        paintVerdict(painter, area, unitLeft + unitWidth + Gap, area.right() - unitLeft - unitWidth - Gap);
}

/// Paints the verdict as icon and text, as text only, or as icon only, whichever fits.
void KeyFigure::paintVerdict(QPainter &painter, const QRectF &area, qreal left, qreal width) const {
    const Theme &theme = Theme::of(this);
    QString icon = iconOfTone(m_verdictTone);
    QString words = m_verdict;
    if (Pill::width(theme, words, !icon.isEmpty()) > width && Pill::width(theme, words, false) <= width)
        icon.clear();
    else if (Pill::width(theme, words, !icon.isEmpty()) > width && !icon.isEmpty())
        words.clear();
    const qreal wide = std::min(Pill::width(theme, words, !icon.isEmpty()), std::max(width, area.right() - left));
    Pill::paint(painter, QRectF(area.right() - wide, FigureBaseline - 20, wide, Pill::Height), theme, words,
                m_stale ? Tone::Neutral : m_verdictTone, icon);
}

void KeyFigure::paintInterval(QPainter &painter, const QRectF &area) const {
    const Theme &theme = Theme::of(this);
    const QFont caption = theme.font(TypeRole::Caption);
    const QFontMetricsF metrics(caption);
    const qreal baseline = std::round(IntervalMiddle + (metrics.ascent() - metrics.descent()) / 2);
    const QColor ink = theme.colour(ColourRole::Text3);
    drawOnBaseline(painter, {area.left(), baseline}, caption, ink, m_interval->lowText);
    const qreal highWidth = metrics.horizontalAdvance(m_interval->highText);
    drawOnBaseline(painter, {area.right() - highWidth, baseline}, caption, ink, m_interval->highText);
    const QRectF rail(QPointF(area.left() + metrics.horizontalAdvance(m_interval->lowText) + 8, IntervalMiddle - 2),
                      QPointF(area.right() - highWidth - 8, IntervalMiddle + 2));
    if (rail.width() < 24)
        return;
    surfaces::rounded(painter, rail, 2, theme.colour(ColourRole::Raised));
    // The rail is longer than the interval, because values outside the interval are possible.
    const QRectF span = rail.adjusted(rail.width() * 0.12, 0, -rail.width() * 0.12, 0);
    const QColor fill = m_stale ? theme.colour(ColourRole::LineStrong) : theme.colour(ColourRole::AccentFill);
    surfaces::rounded(painter, span, 2, fill);
    const double range = m_interval->high - m_interval->low;
    const double share = range > 0 ? std::clamp((m_interval->estimate - m_interval->low) / range, 0.0, 1.0) : 0.5;
    const qreal tick = std::round(span.left() + share * span.width());
    painter.fillRect(QRectF(tick - 1, IntervalMiddle - 5, 2, 10), theme.colour(ColourRole::Text));
}

} // namespace meshwright
