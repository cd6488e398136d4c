// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures/split_scene.h"

#include "figures/figure_text.h"
#include "pictures/picture_marks.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QPainter>

#include <algorithm>
#include <iterator>

namespace meshwright {
namespace {

constexpr qreal MatrixName = 20;
constexpr qreal MatrixCaption = 30;
constexpr qreal OperatorWidth = 30;
constexpr qreal SheetsReach = 12;
constexpr int BackwardFrom = 4;

constexpr Kind rankKinds[] = {Kind::Blue, Kind::Cyan, Kind::Green, Kind::Yellow, Kind::Red, Kind::Purple};

Kind kindOfRank(int rank) {
    return rankKinds[rank % std::size(rankKinds)];
}

QString shapeText(const MatrixShape &shape) {
    return QObject::tr("%1 × %2").arg(plainText(shape.rows), plainText(shape.columns));
}

QString allReduceText(const QString &matrix, const PartialSums &sums) {
    return QObject::tr("all-reduce of %1; each rank sends %2 in %3")
        .arg(matrix, marks::bytesText(sums.bytes_per_rank), marks::secondsText(sums.seconds));
}

} // namespace

QString SplitScene::title() const {
    return byColumns() ? QObject::tr("Column-parallel layer, %1 ranks").arg(m_split.ranks)
                       : QObject::tr("Row-parallel layer, %1 ranks").arg(m_split.ranks);
}

QString SplitScene::sentence(int step) const {
    if (step <= 0)
        return byColumns() ? QObject::tr("Start: each of %1 ranks holds its own columns of the weight W, %2 of %3.")
                                 .arg(m_split.ranks)
                                 .arg(plainText(m_split.rank_weight.columns), plainText(m_split.weight.columns))
                           : QObject::tr("Start: each of %1 ranks holds its own rows of the weight W, %2 of %3.")
                                 .arg(m_split.ranks)
                                 .arg(plainText(m_split.rank_weight.rows), plainText(m_split.weight.rows));
    const auto reduced = [](const QString &matrix, const std::optional<PartialSums> &sums) {
        return sums ? allReduceText(matrix, *sums) : QString();
    };
    const QString columns[] = {QObject::tr("every rank has the whole input X"),
                               QObject::tr("each rank multiplies X by its columns of W, which gives its columns of Y"),
                               QObject::tr("no communication; a row-parallel layer takes the columns of Y as they are"),
                               QObject::tr("each rank has the gradient dY of its columns"),
                               QObject::tr("each rank calculates dW of its shard and a partial sum of dX"),
                               reduced(QStringLiteral("dX"), m_split.backward)};
    const QString rows[] = {
        QObject::tr("each rank has its columns of X, the output of a column-parallel layer"),
        QObject::tr("each rank multiplies its columns of X by its rows of W, which gives a partial sum of Y"),
        reduced(QStringLiteral("Y"), m_split.forward),
        QObject::tr("every rank has the whole gradient dY"),
        QObject::tr("each rank calculates dW of its shard and its columns of dX"),
        QObject::tr("no communication; the preceding column-parallel layer takes the columns of dX as they are")};
    const QString pass = step < BackwardFrom ? QObject::tr("forward") : QObject::tr("backward");
    return QObject::tr("Step %1 of %2, %3: %4.")
        .arg(step)
        .arg(lastStep())
        .arg(pass, byColumns() ? columns[step - 1] : rows[step - 1]);
}

SplitScene::Drawn SplitScene::drawn(Side side, const PictureMoment &moment) const {
    const bool isBackward = moment.step >= BackwardFrom;
    const auto at = [&moment](int step) {
        return moment.step > step ? 1.0 : moment.step == step ? moment.progress : 0.0;
    };
    Drawn matrix;
    switch (side) {
    case Side::Input:
        matrix = {.name = isBackward ? QStringLiteral("dX") : QStringLiteral("X"),
                  .whole = m_split.input,
                  .shard = m_split.rank_input,
                  .appeared = isBackward ? at(BackwardFrom + 1) : at(1)};
        matrix.spread = !byColumns() ? Spread::Columns : isBackward ? Spread::PartialSums : Spread::Whole;
        matrix.reduced = byColumns() && isBackward ? at(lastStep()) : 0;
        break;
    case Side::Weight:
        matrix = {.name = moment.step > BackwardFrom ? QStringLiteral("W, dW") : QStringLiteral("W"),
                  .whole = m_split.weight,
                  .shard = m_split.rank_weight,
                  .spread = byColumns() ? Spread::Columns : Spread::Rows};
        break;
    case Side::Output:
        matrix = {.name = isBackward ? QStringLiteral("dY") : QStringLiteral("Y"),
                  .whole = m_split.output,
                  .shard = m_split.rank_output,
                  .appeared = isBackward ? at(BackwardFrom) : at(2)};
        matrix.spread = byColumns() ? Spread::Columns : isBackward ? Spread::Whole : Spread::PartialSums;
        matrix.reduced = !byColumns() && !isBackward ? at(3) : 0;
        break;
    }
    matrix.isThere = matrix.appeared > 0;
    if (matrix.reduced >= 1)
        matrix.spread = Spread::Whole;
    return matrix;
}

QRectF SplitScene::areaOf(Side side, const QRectF &rect) const {
    constexpr qreal longer = 1.4; // a drawing to scale would hide the shorter side
    const qreal rows = m_split.weight.rows > m_split.weight.columns ? longer : 1;
    const qreal columns = m_split.weight.columns > m_split.weight.rows ? longer : 1;
    const qreal top = rect.top() + marks::HeadingHeight + MatrixName;
    const qreal high = std::max(8.0, rect.bottom() - MatrixCaption - SheetsReach - top);
    const qreal room = rect.width() - 3 * OperatorWidth - 2 * SheetsReach; // leaves room for the sheets of partial sums
    const qreal unit = std::min(room / (rows + 2 * columns), high * 1.3);
    const qreal all = unit * (rows + 2 * columns) + 2 * OperatorWidth + 2 * SheetsReach;
    const qreal left = rect.left() + (rect.width() - all) / 2;
    const qreal tokens = high * 0.82;
    const qreal weight = rows > columns ? high : columns > rows ? high * 0.7 : tokens;
    switch (side) {
    case Side::Input:
        return {left, top + (high - tokens) / 2, unit * rows, tokens};
    case Side::Weight:
        return {left + unit * rows + OperatorWidth + SheetsReach, top + (high - weight) / 2, unit * columns, weight};
    case Side::Output:
        break;
    }
    return {left + unit * (rows + columns) + 2 * OperatorWidth + SheetsReach, top + (high - tokens) / 2, unit * columns,
            tokens};
}

QString SplitScene::spreadText(const Drawn &matrix) const {
    switch (matrix.spread) {
    case Spread::Columns:
    case Spread::Rows:
        return QObject::tr("%1 per rank").arg(shapeText(matrix.shard));
    case Spread::PartialSums:
        return QObject::tr("partial sum per rank");
    case Spread::Whole:
        break;
    }
    return QObject::tr("whole on every rank");
}

void SplitScene::paintShards(QPainter &painter, const QRectF &area, const Drawn &matrix, const Theme &theme) const {
    const bool areColumns = matrix.spread == Spread::Columns;
    const QFont font = theme.font(TypeRole::Caption, TextWeight::Medium);
    for (int rank = 0; rank < m_split.ranks; ++rank) {
        const qreal from = qreal(rank) / m_split.ranks;
        const qreal part = 1.0 / m_split.ranks;
        QRectF shard = areColumns
            ? QRectF(area.left() + area.width() * from, area.top(), area.width() * part, area.height())
            : QRectF(area.left(), area.top() + area.height() * from, area.width(), area.height() * part);
        const qreal gap = std::min(shard.width(), shard.height()) > 5 ? 1 : 0.5;
        shard.adjust(0, 0, areColumns ? -gap : 0, areColumns ? 0 : -gap);
        surfaces::rounded(painter, shard, Theme::radius(Corner::Mark), theme.fill(kindOfRank(rank)));
        if (shard.height() >= QFontMetricsF(font).ascent())
            marks::text(painter, shard, Qt::AlignCenter, QString::number(rank), font, theme.label(kindOfRank(rank)));
    }
}

void SplitScene::paintSheets(QPainter &painter, const QRectF &area, const Drawn &matrix, const Theme &theme) const {
    constexpr int most = 7; // with more sheets, their outlines would cover the color
    const int sheets = std::min(m_split.ranks, most);
    const qreal apart = SheetsReach / std::max(1, sheets - 1) * (1 - matrix.reduced);
    const qreal top = area.top() - SheetsReach / 2 + SheetsReach / 2 * matrix.reduced;
    for (int rank = sheets - 1; rank >= 0; --rank) {
        const QRectF sheet(area.left() + rank * apart, top + rank * apart, area.width(), area.height());
        surfaces::rounded(painter, sheet, Theme::radius(Corner::Mark), theme.fill(kindOfRank(rank)),
                          theme.colour(ColourRole::Card));
    }
    const QFont font = theme.font(TypeRole::Caption, TextWeight::Medium);
    const QRectF front(area.left(), top, area.width(), area.height());
    marks::text(painter, front, Qt::AlignCenter, QObject::tr("rank 0 of %1").arg(m_split.ranks), font,
                theme.label(kindOfRank(0)));
}

void SplitScene::paintMatrix(QPainter &painter, const QRectF &area, const Drawn &matrix, const Theme &theme) const {
    constexpr qreal beyond = OperatorWidth / 2 + 4;
    const QRectF column = area.adjusted(-beyond, 0, beyond, 0);
    const auto line = [&column](qreal top, qreal high) { return QRectF(column.left(), top, column.width(), high); };
    const QColor ink = theme.colour(matrix.isThere ? ColourRole::Text : ColourRole::Text3);
    const qreal above = matrix.spread == Spread::PartialSums ? SheetsReach / 2 : 0;
    marks::text(painter, line(area.top() - MatrixName - above, MatrixName), Qt::AlignCenter, matrix.name,
                theme.font(TypeRole::Emphasis, TextWeight::SemiBold), ink);
    const QFont caption = theme.font(TypeRole::Caption);
    const qreal below = area.bottom() + (matrix.spread == Spread::PartialSums ? SheetsReach / 2 : 0) + 3;
    marks::text(painter, line(below, 14), Qt::AlignCenter, shapeText(matrix.whole), caption,
                theme.colour(ColourRole::Text2));
    marks::text(painter, line(below + 14, 14), Qt::AlignCenter, spreadText(matrix), caption,
                theme.colour(ColourRole::Text3));
    QRectF filled = area;
    filled.setHeight(area.height() * matrix.appeared);
    if (matrix.appeared < 1)
        surfaces::rounded(painter, area, Theme::radius(Corner::Mark), theme.colour(ColourRole::Field),
                          theme.colour(ColourRole::Line));
    if (!matrix.isThere || filled.height() < 1)
        return;
    if (matrix.spread == Spread::PartialSums) {
        paintSheets(painter, filled, matrix, theme);
    } else if (matrix.spread == Spread::Whole) {
        surfaces::rounded(painter, filled, Theme::radius(Corner::Mark), theme.colour(ColourRole::Raised),
                          theme.colour(ColourRole::LineStrong));
    } else {
        paintShards(painter, filled, matrix, theme);
    }
}

/// Paints the line at the top: the matrix product of this pass, and the traffic of the step.
void SplitScene::paintTraffic(QPainter &painter, const QRectF &rect, int step, const Theme &theme) const {
    const bool isBackward = step >= BackwardFrom;
    const QFont strong = theme.font(TypeRole::Body, TextWeight::SemiBold);
    const QString product =
        isBackward ? QObject::tr("Backward: dX = dY Wᵀ, dW = Xᵀ dY") : QObject::tr("Forward: Y = X W");
    marks::text(painter, rect, Qt::AlignLeft | Qt::AlignVCenter, product, strong, theme.colour(ColourRole::Text));
    const std::optional<PartialSums> &sums = isBackward ? m_split.backward : m_split.forward;
    const QString sent = sums ? QObject::tr("all-reduce %1 per rank").arg(marks::bytesText(sums->bytes_per_rank))
                              : QObject::tr("no communication");
    const bool isNow = sums && (step == lastStep() || step == BackwardFrom - 1);
    marks::text(painter, rect.adjusted(QFontMetricsF(strong).horizontalAdvance(product) + 12, 0, 0, 0),
                Qt::AlignRight | Qt::AlignVCenter, sent,
                theme.font(TypeRole::Body, isNow ? TextWeight::SemiBold : TextWeight::Regular),
                theme.colour(isNow ? ColourRole::Text : ColourRole::Text2));
}

void SplitScene::paint(QPainter &painter, const QRectF &rect, const PictureMoment &moment, const Theme &theme) const {
    paintTraffic(painter, QRectF(rect.left(), rect.top(), rect.width(), marks::HeadingHeight), moment.step, theme);
    const bool isBackward = moment.step >= BackwardFrom;
    const QRectF input = areaOf(Side::Input, rect);
    const QRectF weight = areaOf(Side::Weight, rect);
    const QRectF output = areaOf(Side::Output, rect);
    for (const Side side : {Side::Input, Side::Weight, Side::Output})
        paintMatrix(painter, areaOf(side, rect), drawn(side, moment), theme);
    const QFont font = theme.font(TypeRole::Title);
    const QColor ink = theme.colour(ColourRole::Text2);
    const auto between = [&](const QRectF &left, const QRectF &right, const QString &sign) {
        const qreal high = 24;
        marks::text(painter,
                    QRectF(left.right() + SheetsReach / 2, output.center().y() - high / 2,
                           right.left() - left.right() - SheetsReach / 2, high),
                    Qt::AlignCenter, sign, font, ink);
    };
    const QString back = QStringLiteral("←");
    between(input, weight, isBackward ? back : QStringLiteral("×"));
    between(weight, output, isBackward ? back : QStringLiteral("="));
}

HoverContent SplitScene::describe(const QPointF &place, const QRectF &rect, int step) const {
    for (const Side side : {Side::Input, Side::Weight, Side::Output}) {
        const QRectF area = areaOf(side, rect);
        if (!area.contains(place))
            continue;
        const Drawn matrix = drawn(side, {.step = step});
        HoverContent content;
        content.title = matrix.name;
        content.rows.append({QObject::tr("Shape"), shapeText(matrix.whole)});
        content.rows.append({QObject::tr("Per rank"), shapeText(matrix.shard)});
        content.footnote = spreadText(matrix);
        if (matrix.spread == Spread::Columns || matrix.spread == Spread::Rows) {
            const double part = matrix.spread == Spread::Columns ? (place.x() - area.left()) / area.width()
                                                                 : (place.y() - area.top()) / area.height();
            const int rank = std::clamp(int(part * m_split.ranks), 0, m_split.ranks - 1);
            content.swatch = Theme::current().fill(kindOfRank(rank));
            content.footnote = QObject::tr("The shard of rank %1").arg(rank);
        }
        if (!matrix.isThere)
            content.footnote = QObject::tr("Not calculated yet");
        return content;
    }
    return {};
}

QPainterPath SplitScene::outlineOf(const QString &parameter, const QRectF &rect, int /*step*/) const {
    const QRectF input = areaOf(Side::Input, rect);
    const QRectF weight = areaOf(Side::Weight, rect);
    const QRectF output = areaOf(Side::Output, rect);
    QPainterPath outline;
    const auto addTop = [&outline](const QRectF &of) {
        outline.moveTo(of.topLeft());
        outline.lineTo(of.topRight());
    };
    const auto addLeft = [&outline](const QRectF &of) {
        outline.moveTo(of.topLeft());
        outline.lineTo(of.bottomLeft());
    };
    if (parameter == QLatin1String("rows")) { // the input features: rows of W, columns of X
        addTop(input);
        addLeft(weight);
    } else if (parameter == QLatin1String("columns")) {
        addTop(weight);
        addTop(output);
    } else if (parameter == QLatin1String("sequence") || parameter == QLatin1String("micro_batch")) {
        addLeft(input);
        addLeft(output);
    } else if (parameter == QLatin1String("ranks")) {
        outline.addRect(weight);
        outline.addRect(byColumns() ? output : input);
    } else if (parameter == QLatin1String("element_bytes") || parameter == QLatin1String("bandwidth")) {
        outline.addRect(rect.center().x(), rect.top(), rect.width() / 2, marks::HeadingHeight); // the traffic
    }
    return outline;
}

std::unique_ptr<PictureScene> makeSplitScene(const Picture &picture) {
    const auto value = [&picture](const char *name) { return picture.parameters.at(name); };
    return std::make_unique<SplitScene>(
        split_linear({.micro_batch = value("micro_batch"),
                      .sequence = value("sequence"),
                      .rows = value("rows"),
                      .columns = value("columns"),
                      .element_bytes = value("element_bytes")},
                     picture.name == "row-split" ? WeightSplit::rows : WeightSplit::columns, int(value("ranks")),
                     value("bandwidth")));
}

} // namespace meshwright
