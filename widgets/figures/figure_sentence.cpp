// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/figure_sentence.h"

#include "figures/figure_event.h"
#include "figures/figure_keys.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace meshwright {

namespace {

constexpr qreal halo = 3; ///< margin of the hover background around the text, in pixels
constexpr qreal radius = 4;

} // namespace

FigureSentence::FigureSentence(TypeRole type, ColourRole colour, TextWeight weight, QWidget *parent)
    : QWidget(parent)
    , m_type(type)
    , m_colour(colour)
    , m_weight(weight) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setMouseTracking(true);
    connect(Theme::notifier(), &ThemeNotifier::changed, this, [this] {
        layOut();
        updateGeometry();
    });
}

void FigureSentence::setSentence(const SentenceText &sentence) {
    if (sentence == m_sentence)
        return;
    m_sentence = sentence;
    m_heights.clear();
    m_pointed = m_current = -1;
    select(0, 0);
    setFocusing();
    setAccessibleName(text());
    setAccessibleDescription(accessibleHint());
    layOut();
    updateGeometry();
}

void FigureSentence::setSelectable(bool selectable) {
    m_selectable = selectable;
    select(0, 0);
    setFocusing();
    setCursor(selectable ? Qt::IBeamCursor : Qt::ArrowCursor);
}

void FigureSentence::setFocusing() {
    const int byTab = places().empty() ? Qt::NoFocus : Qt::TabFocus;
    const int byClick = m_selectable ? Qt::ClickFocus : Qt::NoFocus;
    setFocusPolicy(static_cast<Qt::FocusPolicy>(byTab | byClick));
}

QString FigureSentence::selectedText() const {
    return m_layout.text().mid(std::min(m_anchor, m_selectionEnd), std::abs(m_selectionEnd - m_anchor));
}

void FigureSentence::select(int anchor, int end) {
    m_anchor = anchor;
    m_selectionEnd = end;
    update();
}

QString FigureSentence::accessibleHint() const {
    const auto isTerm = [](const Place &place) { return std::holds_alternative<TermRef>(place.target); };
    if (places().empty())
        return {};
    if (std::all_of(places().begin(), places().end(), isTerm))
        return tr("Left and Right select a term, Enter shows its definition");
    return tr("Left and Right select a figure, Enter shows how it is calculated");
}

void FigureSentence::setColour(ColourRole colour) {
    m_colour = colour;
    update();
}

void FigureSentence::setElided(bool elided) {
    m_elided = elided;
    m_heights.clear();
    setSizePolicy(elided ? QSizePolicy::Ignored : QSizePolicy::Preferred, QSizePolicy::Minimum);
    layOut();
    updateGeometry();
}

QFont FigureSentence::sentenceFont() const {
    return Theme::of(this).font(m_type, m_weight);
}

void FigureSentence::breakLines(QTextLayout &layout, qreal width) const {
    layout.setFont(sentenceFont());
    QTextOption option(Qt::AlignLeft);
    option.setWrapMode(m_elided ? QTextOption::NoWrap : QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    qreal top = 0;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(std::max<qreal>(1, width));
        line.setPosition({0, top});
        top += line.height();
    }
    layout.endLayout();
}

void FigureSentence::layOut() {
    const int room = contentsRect().width();
    const QString shown = m_elided ? QFontMetricsF(sentenceFont()).elidedText(text(), Qt::ElideRight, room) : text();
    m_shownLength = shown == text() ? text().size() : std::max<qsizetype>(0, shown.size() - 1);
    m_layout.setText(shown);
    breakLines(m_layout, room);
    if (m_elided)
        setToolTip(shown == text() ? QString() : text());
    update();
}

int FigureSentence::heightForWidth(int width) const {
    const QMargins margins = contentsMargins();
    const int room = width - margins.left() - margins.right();
    if (const QFont font = sentenceFont(); font != m_heightsFont) {
        m_heightsFont = font;
        m_heights.clear();
    }
    auto height = m_heights.constFind(room);
    if (height == m_heights.constEnd()) {
        QTextLayout layout(text());
        breakLines(layout, room);
        height = m_heights.insert(room, static_cast<int>(std::ceil(layout.boundingRect().height())));
    }
    return *height + margins.top() + margins.bottom();
}

QSize FigureSentence::sizeHint() const {
    constexpr qreal widest = 480;
    const QFontMetricsF metrics(sentenceFont());
    const QMargins margins = contentsMargins();
    const qreal natural = metrics.horizontalAdvance(text()) + 1 + margins.left() + margins.right();
    const int width = static_cast<int>(std::ceil(m_elided ? natural : std::min(natural, widest)));
    return {width, m_elided ? static_cast<int>(std::ceil(metrics.height())) : heightForWidth(width)};
}

QSize FigureSentence::minimumSizeHint() const {
    const QFontMetricsF metrics(sentenceFont());
    const qreal few = metrics.horizontalAdvance(QStringLiteral("mmmm"));
    return {static_cast<int>(std::ceil(std::min(few, metrics.horizontalAdvance(text()) + 1))),
            static_cast<int>(std::ceil(metrics.height()))};
}

std::vector<QRectF> FigureSentence::areasOf(const Place &place) const {
    std::vector<QRectF> areas;
    if (place.begin + place.length > m_shownLength)
        return areas;
    const QPointF origin = contentsRect().topLeft();
    const int from = static_cast<int>(place.begin);
    const int to = static_cast<int>(place.begin + place.length);
    for (int i = 0; i < m_layout.lineCount(); ++i) {
        const QTextLine line = m_layout.lineAt(i);
        const int first = std::max(from, line.textStart());
        const int last = std::min(to, line.textStart() + line.textLength());
        if (first >= last)
            continue;
        const qreal left = line.cursorToX(first);
        areas.emplace_back(origin.x() + left, origin.y() + line.y(), line.cursorToX(last) - left, line.height());
    }
    return areas;
}

QRect FigureSentence::areaOf(std::size_t place) const {
    const std::vector<QRectF> areas = areasOf(places()[place]);
    return areas.empty() ? QRect() : areas.front().toAlignedRect();
}

int FigureSentence::placeAt(const QPoint &at) const {
    for (std::size_t i = 0; i < places().size(); ++i)
        for (const QRectF &area : areasOf(places()[i]))
            if (area.adjusted(-halo, 0, halo, 0).contains(at))
                return static_cast<int>(i);
    return -1;
}

int FigureSentence::positionAt(const QPoint &at) const {
    const QPointF inside = at - contentsRect().topLeft();
    for (int i = 0; i < m_layout.lineCount(); ++i) {
        const QTextLine line = m_layout.lineAt(i);
        if (inside.y() < line.y() + line.height() || i + 1 == m_layout.lineCount())
            return line.xToCursor(inside.x());
    }
    return 0;
}

bool FigureSentence::isShown(int place) const {
    return !areasOf(places()[static_cast<std::size_t>(place)]).empty();
}

FigureTarget FigureSentence::targetOf(int place) const {
    return place < 0 ? FigureTarget() : places()[static_cast<std::size_t>(place)].target;
}

QList<FigureRef> FigureSentence::figures() const {
    QList<FigureRef> all;
    for (const Place &place : places())
        if (const FigureRef figure = figureOf(place.target); !figure.isEmpty())
            all << figure;
    return all;
}

FigureRef FigureSentence::figureAt(const QPoint &place) const {
    return figureOf(targetAt(place));
}

FigureRef FigureSentence::currentFigure() const {
    return figureOf(currentTarget());
}

void FigureSentence::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme &theme = Theme::of(this);
    const auto at = [this](int index) {
        return index >= 0 ? areasOf(places()[static_cast<std::size_t>(index)]) : std::vector<QRectF>();
    };
    for (const QRectF &area : at(m_pointed))
        surfaces::rounded(painter, area.adjusted(-halo, 0, halo, 0), radius, theme.colour(ColourRole::Raised));
    const QColor ink = theme.colour(m_colour);
    painter.setPen(isEnabled() ? ink : mixed(ink, theme.colour(ColourRole::Panel), 0.45));
    QList<QTextLayout::FormatRange> formats;
    if (m_pointed >= 0) {
        const Place &place = places()[static_cast<std::size_t>(m_pointed)];
        QTextCharFormat format;
        format.setForeground(theme.colour(ColourRole::Accent));
        formats.append({static_cast<int>(place.begin), static_cast<int>(place.length), format});
    }
    if (m_selectionEnd != m_anchor) {
        QTextCharFormat format;
        format.setBackground(palette().highlight());
        format.setForeground(palette().highlightedText());
        formats.append({std::min(m_anchor, m_selectionEnd), std::abs(m_selectionEnd - m_anchor), format});
    }
    m_layout.draw(&painter, contentsRect().topLeft(), formats);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(theme.colour(ColourRole::LineStrong), 1, Qt::DotLine));
    for (const Place &place : places())
        for (const QRectF &area : areasOf(place))
            painter.drawLine(QPointF(area.left(), area.bottom() - 1), QPointF(area.right(), area.bottom() - 1));
    if (showsFocusRing(this))
        for (const QRectF &area : at(m_current))
            surfaces::focusRing(painter, area.adjusted(-halo, 0, halo, 0).toAlignedRect(), radius, theme);
}

void FigureSentence::point(int place) {
    if (place == m_pointed)
        return;
    m_pointed = place;
    setCursor(place >= 0 ? Qt::PointingHandCursor : m_selectable ? Qt::IBeamCursor : Qt::ArrowCursor);
    update();
}

void FigureSentence::open(int place) {
    wantFigure(this, targetOf(place), place < 0 ? QRect() : areaOf(static_cast<std::size_t>(place)));
}

void FigureSentence::move(int step) {
    const int count = static_cast<int>(places().size());
    int to = m_current + step;
    while (to >= 0 && to < count && !isShown(to))
        to += step;
    if (to >= 0 && to < count)
        m_current = to;
    update();
}

void FigureSentence::mousePressEvent(QMouseEvent *event) {
    if (!m_selectable || event->button() != Qt::LeftButton) {
        QWidget::mousePressEvent(event);
        return;
    }
    const int position = positionAt(event->pos());
    select(position, position);
}

void FigureSentence::mouseMoveEvent(QMouseEvent *event) {
    point(placeAt(event->pos()));
    if (m_selectable && event->buttons().testFlag(Qt::LeftButton))
        select(m_anchor, positionAt(event->pos()));
}

void FigureSentence::mouseReleaseEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton && m_selectionEnd == m_anchor)
        open(placeAt(event->pos()));
}

void FigureSentence::leaveEvent(QEvent *) {
    point(-1);
}

void FigureSentence::focusInEvent(QFocusEvent *event) {
    QWidget::focusInEvent(event);
    if (m_current < 0)
        move(1);
}

void FigureSentence::keyPressEvent(QKeyEvent *event) {
    if (m_selectable && event->matches(QKeySequence::SelectAll)) {
        select(0, static_cast<int>(m_layout.text().size()));
        return;
    }
    if (m_selectionEnd != m_anchor && event->matches(QKeySequence::Copy)) {
        QGuiApplication::clipboard()->setText(selectedText());
        return;
    }
    if (!walkFigures(
            *event, [this](int step) { move(step); }, [this] { open(m_current); }))
        QWidget::keyPressEvent(event);
}

void FigureSentence::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    layOut();
}

} // namespace meshwright
