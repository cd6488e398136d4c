// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_parts.h"

namespace meshwright {
namespace {

using Statements = std::vector<SentenceText>;

void add(Statements &all, const TitlePart &part) {
    all.emplace_back(part.name);
    all.emplace_back(part.subtitle);
    for (const QString &aside : part.asides)
        all.emplace_back(aside);
}

void add(Statements &all, const HeadingPart &part) {
    all.push_back(part.note);
}

void add(Statements &all, const BannerPart &part) {
    all.emplace_back(part.label);
    all.push_back(part.text);
}

void add(Statements &all, const KeyFiguresPart &part) {
    for (const ReportKeyFigure &figure : part.figures) {
        all.push_back(said(figure.text(), figure.path));
        all.push_back(figure.subline);
        if (figure.interval) {
            all.push_back(figure.interval->lowText);
            all.push_back(figure.interval->highText);
        }
    }
}

void add(Statements &all, const FactsPart &part) {
    for (const std::vector<FactGroup> &groups : part.columns)
        for (const FactGroup &group : groups)
            for (const ReportFact &fact : group.facts)
                all.push_back(fact.value);
}

void add(Statements &all, const TextPart &part) {
    all.push_back(part.text);
}

void add(Statements &all, const TablePart &part) {
    for (const std::vector<SentenceText> &row : part.rows)
        all.insert(all.end(), row.begin(), row.end());
}

void add(Statements &all, const PicturePart &part) {
    all.push_back(part.caption);
    for (const LegendValue &value : part.legend) {
        all.push_back(value.value);
        all.emplace_back(value.share);
    }
    add(all, part.values);
}

void add(Statements &all, const ProblemPart &part) {
    all.push_back(part.message);
    all.push_back(part.expected);
    for (const ProblemFix &fix : part.fixes)
        all.push_back(said(fix.gain, fix.figure));
}

void add(Statements &all, const CodePart &part) {
    for (const QString &line : part.lines)
        all.emplace_back(line);
}

void add(Statements &all, const GlossaryPart &part) {
    all.emplace_back(part.meaning);
}

void add(Statements &all, const DerivationPart &part) {
    all.emplace_back(part.value);
    all.push_back(part.inputs);
}

void add(Statements &, const ContentsPart &) { }

void add(Statements &all, const ColumnsPart &part) {
    for (const ColumnsPart::Column &column : part.columns)
        for (const ReportPart &each : column.parts) {
            const Statements more = statementsOf(each);
            all.insert(all.end(), more.begin(), more.end());
        }
}

} // namespace

QString ReportKeyFigure::text() const {
    QString text = figure.figure;
    for (const QString &more : {figure.unit, words})
        if (!more.isEmpty())
            text += QLatin1Char(' ') + more;
    return text;
}

std::vector<SentenceText> statementsOf(const ReportPart &part) {
    Statements all;
    std::visit([&](const auto &what) { add(all, what); }, part.what());
    std::erase_if(all, [](const SentenceText &text) { return text.empty(); });
    return all;
}

QString shownName(const QString &text) {
    constexpr qsizetype longest = 160;
    QString shown;
    for (const char32_t character : text.toUcs4())
        shown += QChar::isPrint(character) ? QString::fromUcs4(&character, 1) : QStringLiteral(" ");
    shown = shown.simplified();
    return shown.size() <= longest ? shown : shown.left(longest - 1) + QChar(0x2026);
}

} // namespace meshwright
