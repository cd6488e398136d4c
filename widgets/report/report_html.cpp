// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/derivation.h"
#include "report/paper.h"
#include "report/report_texts.h"

#include <QStringList>

#include <map>

namespace meshwright {
namespace {

/// Colors and fonts of the pages. The content security policy prevents the pages from loading other files.
constexpr const char *pageHead = R"(<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
<style>
:root { color-scheme: light; --text: #1b1f2a; --soft: #566072; --line: #d9dee8; --panel: #f6f7fa; --accent: #3f51c9; }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1.5rem; background: #fff; color: var(--text);
  font: 0.9375rem/1.5 "DejaVu Sans", Verdana, system-ui, sans-serif; font-variant-numeric: tabular-nums; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.2rem; margin: 2.5rem 0 0.5rem; padding-top: 0.75rem;
  border-top: 1px solid var(--line); } h3 { font-size: 1rem; margin: 1.25rem 0 0.4rem; }
.note, figcaption, .asides, .source { color: var(--soft); font-size: 0.85em; font-weight: normal; }
a { color: var(--accent); } td a, .value a { color: inherit; text-decoration-color: var(--line); }
table { border-collapse: collapse; margin: 0.5rem 0 1rem; font-size: 0.85em; } caption { text-align: left; font-weight: 600; }
th, td { padding: 0.15rem 0.75rem 0.15rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 500; } .number { text-align: right; } tr.strong td { font-weight: 600; }
.facts, .cards, .columns { display: grid; gap: 1rem 1.5rem; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); }
.columns { grid-template-columns: repeat(auto-fit, minmax(19rem, 1fr)); } .facts table { width: 100%; }
.banner { border-radius: 0.5rem; padding: 0.6rem 0.9rem; margin: 1rem 0; background: var(--panel); border-left: 4px solid; }
.good { border-color: #2e8540; } .warn { border-color: #b7791f; } .bad { border-color: #c0392b; } .accent { border-color: var(--accent); }
.card { border: 1px solid var(--line); border-radius: 0.5rem; background: var(--panel); padding: 0.6rem 0.9rem; }
.card .value { font-size: 1.5rem; font-weight: 600; } figure { margin: 1rem 0; } svg { width: 100%; height: auto; }
pre { background: var(--panel); border: 1px solid var(--line); padding: 0.75rem; overflow: auto; font-size: 0.8em; }
dt { font-weight: 600; } dd { margin: 0 0 0.5rem; } details { margin: 0.25rem 0 1rem; } summary { color: var(--soft); font-size: 0.85em; }
nav ul { columns: 3; padding-left: 1.2rem; } .derivation { margin: 0 0 0.9rem; font-size: 0.85em; } .derivation :target { background: #fff3c4; }
@media print { body { margin: 0; max-width: none; } figure, .card, .derivation { break-inside: avoid; } details { display: none; } }
</style>
)";

QString toneClass(Tone tone) {
    switch (tone) {
    case Tone::Good:
        return QStringLiteral("good");
    case Tone::Warn:
        return QStringLiteral("warn");
    case Tone::Bad:
        return QStringLiteral("bad");
    case Tone::Accent:
    case Tone::Neutral:
        break;
    }
    return QStringLiteral("accent");
}

QString safe(const QString &text) {
    return text.toHtmlEscaped();
}

FigureRef keyOf(const FigureRef &figure) {
    return figure.named(QString::fromStdString(identifier(figure.name().toStdString())));
}

class HtmlWriter {
public:
    explicit HtmlWriter(const std::vector<ReportSection> &sections)
        : m_sections(sections) {
        for (const ReportSection &section : sections)
            for (const ReportPart &part : section.parts)
                if (const auto *const derivation = std::get_if<DerivationPart>(&part.what()))
                    for (const FigureRef &target : derivation->targets)
                        m_targets.try_emplace(keyOf(target), m_targets.size());
    }

    QString written(const QString &title) {
        m_text = QStringLiteral("<!DOCTYPE html>\n<html lang=\"en-US\">\n<head>\n<title>%1</title>\n").arg(safe(title))
            + QString::fromLatin1(pageHead) + QStringLiteral("</head>\n<body>\n");
        for (const ReportSection &section : m_sections)
            write(section);
        return m_text + QStringLiteral("</body>\n</html>\n");
    }

private:
    void line(const QString &text) { m_text += text + QLatin1Char('\n'); }
    void part(const ReportPart &part) {
        std::visit([this](const auto &what) { write(what); }, part.what());
    }

    /// A sentence with links from its figures to their derivations.
    QString linked(const SentenceText &text) const {
        QString all;
        qsizetype end = 0;
        for (const SentenceText::Figure &figure : text.figures) {
            const auto target = m_targets.find(keyOf(figureOf(figure.target)));
            if (target == m_targets.end() || figure.begin < end)
                continue;
            all += safe(text.text.mid(end, figure.begin - end));
            all += QStringLiteral("<a href=\"#figure-%1\">%2</a>")
                       .arg(target->second)
                       .arg(safe(text.text.mid(figure.begin, figure.length)));
            end = figure.begin + figure.length;
        }
        return all + safe(text.text.mid(end));
    }

    void write(const ReportSection &section) {
        line(QStringLiteral("<section id=\"%1\">").arg(nameOf(section.chapter)));
        if (!section.title.isEmpty())
            line(QStringLiteral("<h2>%1 <span class=\"note\">%2</span></h2>")
                     .arg(safe(section.title), linked(section.note)));
        for (const ReportPart &each : section.parts)
            part(each);
        line(QStringLiteral("</section>"));
    }
    void write(const TitlePart &part) {
        line(QStringLiteral("<h1>%1</h1>\n<p>%2</p>").arg(safe(part.name), safe(part.subtitle)));
        line(QStringLiteral("<p class=\"asides\">%1</p>").arg(safe(part.asides.join(QStringLiteral(" \u00b7 ")))));
    }
    void write(const HeadingPart &part) {
        line(QStringLiteral("<h3>%1 <span class=\"note\">%2</span></h3>").arg(safe(part.title), linked(part.note)));
    }
    void write(const BannerPart &part) {
        line(QStringLiteral("<p class=\"banner %1\"><strong>%2</strong> %3</p>")
                 .arg(toneClass(part.tone), safe(part.label), linked(part.text)));
    }
    void write(const KeyFiguresPart &part) {
        line(QStringLiteral("<div class=\"cards\">"));
        for (const ReportKeyFigure &figure : part.figures) {
            const QString interval = figure.interval
                ? QStringLiteral("<br/>80% interval %1 to %2")
                      .arg(linked(figure.interval->lowText), linked(figure.interval->highText))
                : QString();
            line(QStringLiteral("<div class=\"card\"><div>%1</div><div class=\"value\">%2</div>"
                                "<div class=\"note\">%3%4</div></div>")
                     .arg(safe(figure.title), linked(said(figure.text(), figure.path)), linked(figure.subline),
                          interval));
        }
        line(QStringLiteral("</div>"));
    }
    void write(const FactsPart &part) {
        line(QStringLiteral("<div class=\"facts\">"));
        for (const std::vector<FactGroup> &groups : part.columns)
            for (const FactGroup &group : groups) {
                line(QStringLiteral("<table><caption>%1</caption>").arg(safe(group.title)));
                for (const ReportFact &fact : group.facts)
                    line(QStringLiteral("<tr><td>%1</td><td class=\"number\">%2</td></tr>")
                             .arg(safe(fact.name), linked(fact.value)));
                line(QStringLiteral("</table>"));
            }
        line(QStringLiteral("</div>"));
    }
    void write(const TextPart &part) { line(QStringLiteral("<p>%1</p>").arg(linked(part.text))); }
    void write(const TablePart &part) {
        const auto cellClass = [&](std::size_t column) {
            return column < part.columns.size() && part.columns[column].alignment.testFlag(Qt::AlignRight)
                ? QStringLiteral(" class=\"number\"")
                : QString();
        };
        line(QStringLiteral("<table>\n<tr>"));
        for (std::size_t i = 0; i < part.columns.size(); ++i)
            line(QStringLiteral("<th scope=\"col\"%1>%2</th>").arg(cellClass(i), safe(part.columns[i].title)));
        line(QStringLiteral("</tr>"));
        for (std::size_t i = 0; i < part.rows.size(); ++i) {
            line(static_cast<int>(i) == part.strong ? QStringLiteral("<tr class=\"strong\">") : QStringLiteral("<tr>"));
            for (std::size_t j = 0; j < part.rows[i].size(); ++j)
                line(QStringLiteral("<td%1>%2</td>").arg(cellClass(j), linked(part.rows[i][j])));
            line(QStringLiteral("</tr>"));
        }
        line(QStringLiteral("</table>"));
    }
    void write(const PicturePart &part) {
        // Pictures without a caption are placed in columns.
        const qreal width = part.number > 0 ? paper::ContentWidth : paper::ContentWidth / 2;
        line(QStringLiteral("<figure>"));
        line(svgOf(part, width));
        if (part.number > 0)
            line(QStringLiteral("<figcaption><strong>Figure %1.</strong> %2</figcaption>")
                     .arg(part.number)
                     .arg(linked(part.caption)));
        line(QStringLiteral("</figure>"));
        TablePart values = part.values;
        if (values.rows.empty()) {
            values.columns = {{part.title, 1, Qt::AlignLeft}, {QStringLiteral("value")}, {QStringLiteral("fraction")}};
            for (const LegendValue &value : part.legend)
                if (!value.value.empty())
                    values.rows.push_back({value.entry.name, value.value, value.share});
        }
        if (values.rows.empty())
            return;
        line(QStringLiteral("<details><summary>Values</summary>"));
        write(values);
        line(QStringLiteral("</details>"));
    }
    void write(const ProblemPart &part) {
        const bool isHint = part.severity == Severity::hint;
        const bool isWarning = part.severity == Severity::warning;
        line(QStringLiteral("<div class=\"banner %1\"><strong>%2</strong> %3")
                 .arg(isHint          ? QStringLiteral("accent")
                          : isWarning ? QStringLiteral("warn")
                                      : QStringLiteral("bad"),
                      isHint          ? QStringLiteral("Hint:")
                          : isWarning ? QStringLiteral("Warning:")
                                      : QStringLiteral("Error:"),
                      linked(part.message)));
        if (!part.expected.empty())
            line(QStringLiteral("<br/><span class=\"note\">%1</span>").arg(linked(part.expected)));
        for (const ProblemFix &fix : part.fixes)
            line(QStringLiteral("<br/>Try <strong>%1</strong> %2")
                     .arg(safe(fix.title), linked(said(fix.gain, fix.figure))));
        line(QStringLiteral("</div>"));
    }
    void write(const CodePart &part) {
        line(QStringLiteral("<h3>%1</h3>\n<pre>%2</pre>")
                 .arg(safe(part.name), safe(part.lines.join(QLatin1Char('\n')))));
    }
    void write(const GlossaryPart &part) {
        line(QStringLiteral("<dl><dt>%1</dt><dd>%2</dd></dl>").arg(safe(part.term), safe(part.meaning)));
    }
    void write(const DerivationPart &part) {
        QString targets;
        for (const FigureRef &target : part.targets)
            targets += QStringLiteral("<a id=\"figure-%1\"></a>").arg(m_targets.at(keyOf(target)));
        line(QStringLiteral("<div class=\"derivation\">%1<strong>%2: %3</strong>")
                 .arg(targets, safe(part.title), safe(part.value)));
        for (const QString &text : {part.paragraph, part.formula, part.numbers})
            if (!text.isEmpty())
                line(QStringLiteral("<br/>") + safe(text));
        if (!part.inputs.empty())
            line(QStringLiteral("<br/>") + linked(part.inputs));
        line(QStringLiteral("<br/><span class=\"source\">%1</span></div>").arg(safe(part.source)));
    }
    void write(const ContentsPart &) {
        line(QStringLiteral("<nav><ul>"));
        for (const ReportSection &section : m_sections)
            if (!section.title.isEmpty())
                line(QStringLiteral("<li><a href=\"#%1\">%2</a></li>")
                         .arg(nameOf(section.chapter), safe(section.title)));
        line(QStringLiteral("</ul></nav>"));
    }
    void write(const ColumnsPart &part) {
        line(QStringLiteral("<div class=\"columns\">"));
        for (const ColumnsPart::Column &column : part.columns) {
            line(QStringLiteral("<div>"));
            for (const ReportPart &each : column.parts)
                this->part(each);
            line(QStringLiteral("</div>"));
        }
        line(QStringLiteral("</div>"));
    }

    const std::vector<ReportSection> &m_sections;
    std::map<FigureRef, std::size_t> m_targets;
    QString m_text;
};

} // namespace

QString htmlOf(const std::vector<ReportSection> &sections, const QString &title) {
    return HtmlWriter(sections).written(title);
}

} // namespace meshwright
