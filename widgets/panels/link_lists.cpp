// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/link_lists.h"

#include "quantities/text.h"

#include <QRegularExpression>
#include <QStringList>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright {
namespace {

using Json = nlohmann::ordered_json;

QString exact(double value, Quantity quantity) {
    return QString::fromStdString(exact_text(value, quantity));
}

/// A number, its unit, and so on: "8 x 50 Mb/s 100 ms" without what lies between is 50 Mb/s and 100 ms.
QStringList quantitiesIn(const QString &text) {
    static const QRegularExpression quantity(QStringLiteral("[0-9][0-9.eE+-]*\\s*[^0-9\\s][^0-9\\s]*"));
    QStringList found;
    for (auto match = quantity.globalMatch(text); match.hasNext();)
        found.append(match.next().captured());
    return found;
}

std::optional<double> read(const QString &text, Quantity quantity) {
    return quantity_from(text.trimmed().toStdString(), quantity);
}

} // namespace

QString traceText(const std::vector<RatePoint> &trace) {
    QStringList parts;
    for (const RatePoint &point : trace)
        parts.append(exact(point.seconds, Quantity::seconds) + QLatin1Char(' ') + exact(point.share, Quantity::share));
    return parts.join(QStringLiteral(", "));
}

std::optional<Json> traceFrom(const QString &text) {
    Json trace = Json::array();
    const QStringList parts = text.split(QLatin1Char(','), Qt::SkipEmptyParts);
    for (const QString &part : parts) {
        const QStringList quantities = quantitiesIn(part);
        if (quantities.size() != 2)
            return std::nullopt;
        const std::optional<double> seconds = read(quantities.at(0), Quantity::seconds);
        const std::optional<double> share = read(quantities.at(1), Quantity::share);
        if (!seconds || !share)
            return std::nullopt;
        trace.push_back({{"seconds", *seconds}, {"share", *share}});
    }
    return trace;
}

QString groupsText(const std::vector<WanGroup> &groups) {
    QStringList parts;
    for (const WanGroup &group : groups)
        parts.append(QStringLiteral("%1 x %2 %3 %4")
                         .arg(QString::number(group.sites),
                              exact(group.uplink_bits_per_second, Quantity::bits_per_second),
                              exact(group.downlink_bits_per_second, Quantity::bits_per_second),
                              exact(group.round_trip_seconds, Quantity::seconds)));
    return parts.join(QStringLiteral(", "));
}

std::optional<Json> groupsFrom(const QString &text) {
    static const QRegularExpression sign(QStringLiteral("[x×]"));
    Json groups = Json::array();
    const QStringList parts = text.split(QLatin1Char(','), Qt::SkipEmptyParts);
    for (const QString &part : parts) {
        const qsizetype times = part.indexOf(sign);
        bool counted = false;
        const qlonglong sites = part.left(std::max<qsizetype>(0, times)).trimmed().toLongLong(&counted);
        const QStringList quantities = quantitiesIn(part.mid(times + 1));
        if (!counted || sites < 1 || quantities.size() != 3)
            return std::nullopt;
        const std::optional<double> up = read(quantities.at(0), Quantity::bits_per_second);
        const std::optional<double> down = read(quantities.at(1), Quantity::bits_per_second);
        const std::optional<double> roundTrip = read(quantities.at(2), Quantity::seconds);
        if (!up || !down || !roundTrip)
            return std::nullopt;
        groups.push_back({{"sites", static_cast<std::int64_t>(sites)},
                          {"uplink_bits_per_second", *up},
                          {"downlink_bits_per_second", *down},
                          {"round_trip_seconds", *roundTrip}});
    }
    return groups;
}

} // namespace meshwright
