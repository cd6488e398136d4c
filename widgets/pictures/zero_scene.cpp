// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures/zero_scene.h"

#include "canvases/legend.h"
#include "pictures/picture_marks.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QPainter>

#include <algorithm>

namespace meshwright {
namespace {

constexpr qreal ZeroLegend = 18;
constexpr qreal ZeroNames = 54;
constexpr qreal LargestShardRow = 26;
constexpr qreal StateGap = 4;

constexpr Kind stateKinds[] = {Kind::Blue, Kind::Cyan, Kind::Purple}; // the colors of the memory bars

QString stateName(int state) {
    return state == 0 ? QObject::tr("Weights")
        : state == 1  ? QObject::tr("Gradients")
                      : QObject::tr("Optimizer states");
}

} // namespace

ZeroScene::ZeroScene(const ModelStates &model, int ranks, int stage)
    : m_ranks(ranks)
    , m_first(stage) {
    for (int each = 0; each < int(m_stages.size()); ++each)
        m_stages[each] = zero_shards(model, ranks, each);
}

const StateShard &ZeroScene::shard(int stage, int state) const {
    const ZeroShards &all = m_stages[stage];
    return state == 0 ? all.weights : state == 1 ? all.gradients : all.optimizer;
}

QString ZeroScene::title() const {
    return m_ranks == 1 ? QObject::tr("Model states with ZeRO, 1 rank")
                        : QObject::tr("Model states with ZeRO, %1 ranks").arg(m_ranks);
}

QString ZeroScene::sentence(int step) const {
    const ZeroShards &all = m_stages[step];
    const QString share = m_ranks == 1 ? QObject::tr("all") : QObject::tr("1/%1").arg(m_ranks);
    const QString kept = step == 0 ? QObject::tr("every rank holds all weights, gradients and optimizer states")
        : step == 1                ? QObject::tr("each rank holds %1 of the optimizer states").arg(share)
        : step == 2                ? QObject::tr("each rank holds %1 of the optimizer states and gradients").arg(share)
                    : QObject::tr("each rank holds %1 of the optimizer states, gradients and weights").arg(share);
    return QObject::tr("Stage %1 of 3: %2, %3 in total. Each rank sends %4 per step.")
        .arg(step)
        .arg(kept, marks::bytesText(all.held), marks::bytesText(all.sent_bytes));
}

QRectF ZeroScene::rowsIn(const QRectF &rect) const {
    const qreal top = rect.top() + marks::HeadingHeight + 6;
    const qreal room = rect.bottom() - ZeroLegend - 4 - top;
    return {rect.left() + ZeroNames, top, rect.width() - ZeroNames, std::min(room, m_ranks * LargestShardRow)};
}

QRectF ZeroScene::extentOf(const QRectF &rows, int rank, int state) const {
    const qreal high = rows.height() / m_ranks;
    const qreal gap = high > 8 ? 3 : 1;
    const double whole = std::max(m_stages[0].held, 1e-300);
    double before = 0;
    for (int each = 0; each < state; ++each)
        before += shard(0, each).whole;
    const qreal room = rows.width() - (States - 1) * StateGap;
    return {rows.left() + room * before / whole + state * StateGap, rows.top() + rank * high,
            room * shard(0, state).whole / whole, high - gap};
}

void ZeroScene::paint(QPainter &painter, const QRectF &rect, const PictureMoment &moment, const Theme &theme) const {
    const ZeroShards &now = m_stages[moment.step];
    const QFont strong = theme.font(TypeRole::Body, TextWeight::SemiBold);
    const QRectF heading(rect.left(), rect.top(), rect.width(), marks::HeadingHeight);
    const QString stage = QObject::tr("ZeRO stage %1").arg(moment.step);
    marks::text(painter, heading, Qt::AlignLeft | Qt::AlignVCenter, stage, strong, theme.colour(ColourRole::Text));
    marks::text(painter, heading.adjusted(QFontMetricsF(strong).horizontalAdvance(stage) + 12, 0, 0, 0),
                Qt::AlignRight | Qt::AlignVCenter,
                QObject::tr("%1 of %2 per rank").arg(marks::bytesText(now.held), marks::bytesText(m_stages[0].held)),
                theme.font(TypeRole::Body), theme.colour(ColourRole::Text2));
    const QRectF rows = rowsIn(rect);
    const QFont caption = theme.font(TypeRole::Caption);
    const int every = std::max(1, int(QFontMetricsF(caption).ascent() / (rows.height() / m_ranks) + 1));
    for (int rank = 0; rank < m_ranks; ++rank) {
        const QRectF first = extentOf(rows, rank, 0);
        if (rank % every == 0)
            marks::text(painter, QRectF(rect.left(), first.top(), ZeroNames - 8, first.height()),
                        Qt::AlignRight | Qt::AlignVCenter, QObject::tr("rank %1").arg(rank), caption,
                        theme.colour(ColourRole::Text3));
        for (int state = 0; state < States; ++state) {
            const QRectF whole = extentOf(rows, rank, state);
            if (whole.width() <= 0)
                continue;
            surfaces::rounded(painter, whole, Theme::radius(Corner::Mark), theme.colour(ColourRole::Field));
            surfaces::hatch(painter, whole, theme.colour(ColourRole::Line));
            // The part that the rank stores shrinks from its size at the previous stage to its size at this stage. It
            // ends at the position of the rank's shard.
            const auto held = [&](int at) { return shard(at, state).held / shard(at, state).whole; };
            const double before = held(std::max(0, moment.step - 1));
            const double part = before + (held(moment.step) - before) * moment.progress;
            const double start = (1 - part) * rank / std::max(1, m_ranks - 1);
            const QRectF kept(whole.left() + whole.width() * start, whole.top(), whole.width() * part, whole.height());
            surfaces::rounded(painter, kept, Theme::radius(Corner::Mark), theme.fill(stateKinds[state]));
            if (kept.height() >= QFontMetricsF(caption).ascent() + 2)
                marks::text(painter, kept.adjusted(2, 0, -2, 0), Qt::AlignCenter,
                            marks::bytesText(shard(moment.step, state).held), caption, theme.label(stateKinds[state]));
        }
    }
    QVector<LegendEntry> entries;
    for (int state = 0; state < States; ++state)
        entries.append({stateName(state), stateKinds[state]});
    entries.append({QObject::tr("held by other ranks"), Kind::Grey, SegmentFill::Hatched});
    Legend::paint(painter, QRectF(rect.left(), rows.bottom() + 4, rect.width(), Legend::Height), entries, theme);
}

HoverContent ZeroScene::describe(const QPointF &place, const QRectF &rect, int step) const {
    const QRectF rows = rowsIn(rect);
    HoverContent content;
    for (int rank = 0; rank < m_ranks; ++rank)
        for (int state = 0; state < States; ++state) {
            if (!extentOf(rows, rank, state).contains(place))
                continue;
            const StateShard &held = shard(step, state);
            content.title = QObject::tr("%1 on rank %2").arg(stateName(state)).arg(rank);
            content.swatch = Theme::current().fill(stateKinds[state]);
            content.rows.append({QObject::tr("Held"), marks::bytesText(held.held)});
            content.rows.append({QObject::tr("Without sharding"), marks::bytesText(held.whole)});
            content.footnote = held.is_sharded() ? QObject::tr("Shard %1 of %2").arg(rank + 1).arg(m_ranks)
                                                 : QObject::tr("The same on every rank");
            return content;
        }
    return content;
}

QPainterPath ZeroScene::outlineOf(const QString &parameter, const QRectF &rect, int /*step*/) const {
    const QRectF rows = rowsIn(rect);
    QPainterPath outline;
    if (parameter == QLatin1String("ranks"))
        outline.addRect(QRectF(rect.left(), rows.top(), ZeroNames, rows.height()));
    else if (parameter == QLatin1String("stage"))
        outline.addRect(QRectF(rect.left(), rect.top(), rect.width(), marks::HeadingHeight));
    else if (parameter == QLatin1String("parameters"))
        outline.addRect(rows);
    static const std::array<QLatin1String, States> states{
        QLatin1String("weight_bytes"), QLatin1String("gradient_bytes"), QLatin1String("optimizer_bytes")};
    for (int state = 0; state < States; ++state)
        for (int rank = 0; parameter == states[state] && rank < m_ranks; ++rank)
            outline.addRect(extentOf(rows, rank, state));
    return outline;
}

std::unique_ptr<PictureScene> makeZeroScene(const Picture &picture) {
    const auto value = [&picture](const char *name) { return picture.parameters.at(name); };
    return std::make_unique<ZeroScene>(ModelStates{.parameters = value("parameters"),
                                                   .weight_bytes = value("weight_bytes"),
                                                   .gradient_bytes = value("gradient_bytes"),
                                                   .optimizer_bytes = value("optimizer_bytes")},
                                       int(value("ranks")), int(value("stage")));
}

} // namespace meshwright
