// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/link_lists.h"

#include "quantities/text.h"

#include <QCoreApplication>
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

/// All numbers with a unit in a text: "50 Mb/s" and "100 ms" of "8 x 50 Mb/s 100 ms".
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

/// A property of a link that is written as a keyword with a value, such as "jitter 20 ms".
struct Word {
    QString name;
    const char *key;
    Quantity quantity;
    double WanGroup::*of_group;
    double Wan::*of_all;
};

const std::vector<Word> &words() {
    static const std::vector<Word> all{
        {QStringLiteral("loss"), "loss_probability", Quantity::share, &WanGroup::loss_probability,
         &Wan::loss_probability},
        {QStringLiteral("jitter"), "jitter_seconds", Quantity::seconds, &WanGroup::jitter_seconds,
         &Wan::jitter_seconds},
        {QStringLiteral("varies"), "rate_variation", Quantity::share, &WanGroup::rate_variation, &Wan::rate_variation},
        {QStringLiteral("interval"), "rate_interval_seconds", Quantity::seconds, &WanGroup::rate_interval_seconds,
         &Wan::rate_interval_seconds},
        {QStringLiteral("autocorrelation"), "rate_correlation", Quantity::share, &WanGroup::rate_correlation,
         &Wan::rate_correlation}};
    return all;
}

/// Removes the first match from the text. @returns its last captured group, empty without a match
QString takeOut(QString &text, const QString &pattern) {
    const QRegularExpression expression(pattern);
    const QRegularExpressionMatch match = expression.match(text);
    if (!match.hasMatch())
        return {};
    text.remove(match.capturedStart(), match.capturedLength());
    return match.captured(match.lastCapturedIndex());
}

/// Moves the keyword properties of a link from the text into `group`. @returns false if one of them cannot be parsed
bool takeWords(QString &text, const WanGroup *present, Json &group) {
    for (const Word &word : words()) {
        const QString value = takeOut(text, QStringLiteral("\\b%1\\s+([0-9][0-9.eE+-]*\\s*[^0-9\\s]*)").arg(word.name));
        if (value.isEmpty())
            continue;
        const std::optional<double> read_value = read(value, word.quantity);
        if (!read_value)
            return false;
        group[word.key] = *read_value;
    }
    const QString streams = takeOut(text, QStringLiteral("\\bstreams\\s+([0-9]+)"));
    if (!streams.isEmpty())
        group["streams"] = static_cast<std::int64_t>(streams.toLongLong());
    const QString duplex = takeOut(text, QStringLiteral("\\b(half|full)\\s+duplex"));
    if (!duplex.isEmpty())
        group["full_duplex"] = duplex == QLatin1String("full");
    if (takeOut(text, QStringLiteral("\\b(traced)\\b")).isEmpty())
        return true;
    if (present == nullptr)
        return false;
    group["rate_trace"] = Json::array();
    for (const RatePoint &point : present->rate_trace)
        group["rate_trace"].push_back({{"seconds", point.seconds}, {"share", point.share}});
    return true;
}

std::optional<Json> groupFrom(QString part, const WanGroup *present) {
    static const QRegularExpression sign(QStringLiteral("[x×]"));
    Json named = Json::object();
    if (!takeWords(part, present, named))
        return std::nullopt;
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
    Json group{{"sites", static_cast<std::int64_t>(sites)},
               {"uplink_bits_per_second", *up},
               {"downlink_bits_per_second", *down},
               {"round_trip_seconds", *roundTrip}};
    group.update(named);
    return group;
}

} // namespace

QString traceText(const std::vector<RatePoint> &trace) {
    constexpr std::size_t maxSpelledOut = 24;
    if (trace.size() > maxSpelledOut)
        return QCoreApplication::translate("LinkLists", "%1 points over %2")
            .arg(trace.size())
            .arg(exact(trace.back().seconds, Quantity::seconds));
    QStringList parts;
    for (const RatePoint &point : trace)
        parts.append(exact(point.seconds, Quantity::seconds) + QLatin1String(": ")
                     + exact(point.share, Quantity::share));
    return parts.join(QStringLiteral(", "));
}

std::optional<Json> traceFrom(const QString &text) {
    Json trace = Json::array();
    const QStringList parts = text.split(QLatin1Char(','), Qt::SkipEmptyParts);
    for (const QString &part : parts) {
        const QStringList quantities = quantitiesIn(QString(part).remove(QLatin1Char(':')));
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

QString groupsText(const Wan &wan) {
    QStringList parts;
    for (const WanGroup &group : wan.groups) {
        QString part =
            QStringLiteral("%1 x %2 %3 %4")
                .arg(QString::number(group.sites), exact(group.uplink_bits_per_second, Quantity::bits_per_second),
                     exact(group.downlink_bits_per_second, Quantity::bits_per_second),
                     exact(group.round_trip_seconds, Quantity::seconds));
        if (group.full_duplex != wan.full_duplex)
            part += group.full_duplex ? QStringLiteral(" full duplex") : QStringLiteral(" half duplex");
        for (const Word &word : words())
            if (group.*word.of_group != wan.*word.of_all)
                part += QStringLiteral(" %1 %2").arg(word.name, exact(group.*word.of_group, word.quantity));
        if (group.streams != wan.streams)
            part += QStringLiteral(" streams %1").arg(group.streams);
        if (group.rate_trace != wan.rate_trace)
            part += QStringLiteral(" traced");
        parts.append(part);
    }
    return parts.join(QStringLiteral(", "));
}

std::optional<Json> groupsFrom(const QString &text, const std::vector<WanGroup> &present) {
    Json groups = Json::array();
    for (const QString &part : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const std::size_t place = groups.size();
        std::optional<Json> group = groupFrom(part, place < present.size() ? &present[place] : nullptr);
        if (!group)
            return std::nullopt;
        groups.push_back(std::move(*group));
    }
    return groups;
}

} // namespace meshwright
