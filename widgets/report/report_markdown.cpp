// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_texts.h"

#include <QStringList>

#include <algorithm>

namespace meshwright {
namespace {

/// Whether the character at this position begins markup, or turns a plain address into a link.
bool isMarkup(const QString &text, qsizetype at) {
    static const QString always = QStringLiteral("\\`*[]<|~@$");
    static const QString atStart = QStringLiteral("#+->");
    const QChar character = text.at(at);
    const QChar before = at > 0 ? text.at(at - 1) : QChar();
    const QChar after = at + 1 < text.size() ? text.at(at + 1) : QChar();
    if (always.contains(character) || (at == 0 && atStart.contains(character)))
        return true;
    if (character == QLatin1Char('_')) // within a word, an underscore is not markup
        return !before.isLetterOrNumber() || !after.isLetterOrNumber();
    if (character == QLatin1Char('&'))
        return after.isLetter() || after == QLatin1Char('#');
    if (character == QLatin1Char(':'))
        return after == QLatin1Char('/');
    if (character != QLatin1Char('.') && character != QLatin1Char(')'))
        return false;
    const QString head = text.left(at);
    const bool isListNumber = (after.isNull() || after.isSpace()) && !head.isEmpty()
        && std::all_of(head.begin(), head.end(), [](QChar each) { return each.isDigit(); });
    return isListNumber || head.endsWith(QLatin1String("www"), Qt::CaseInsensitive);
}

QString escaped(const QString &text) {
    QString safe;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (isMarkup(text, i))
            safe += QLatin1Char('\\');
        safe += text.at(i) == QLatin1Char('\n') ? QLatin1Char(' ') : text.at(i);
    }
    return safe;
}

class MarkdownWriter {
public:
    QString take() { return m_lines.join(QLatin1Char('\n')) + QLatin1Char('\n'); }

    void section(const ReportSection &section) {
        if (!section.title.isEmpty()) {
            paragraph(QStringLiteral("<a id=\"%1\"></a>").arg(nameOf(section.chapter)));
            paragraph(QStringLiteral("## ") + escaped(section.title));
            if (!section.note.empty())
                paragraph(QLatin1Char('*') + escaped(section.note.text) + QLatin1Char('*'));
        }
        for (const ReportPart &each : section.parts)
            part(each);
    }
    void contents(const std::vector<ReportSection> &sections) { m_all = &sections; }

private:
    void paragraph(const QString &text) { m_lines << text << QString(); }
    void part(const ReportPart &part) {
        std::visit([this](const auto &what) { write(what); }, part.what());
    }
    void row(const QStringList &cells) {
        m_lines << QStringLiteral("| ") + cells.join(QStringLiteral(" | ")) + QStringLiteral(" |");
    }

    void write(const TitlePart &part) {
        paragraph(QStringLiteral("# ") + escaped(part.name));
        paragraph(escaped(part.subtitle));
        QStringList asides;
        for (const QString &aside : part.asides)
            asides << escaped(aside);
        paragraph(asides.join(QStringLiteral(" \u00b7 ")));
    }
    void write(const HeadingPart &part) {
        const QString note = part.note.empty() ? QString() : QStringLiteral(": ") + escaped(part.note.text);
        paragraph(QStringLiteral("**%1**%2").arg(escaped(part.title), note));
    }
    void write(const BannerPart &part) {
        paragraph(QStringLiteral("> **%1** %2").arg(escaped(part.label), escaped(part.text.text)));
    }
    void write(const KeyFiguresPart &part) {
        row({QString(), QStringLiteral("estimate"), QStringLiteral("80% interval"), QString()});
        m_lines << QStringLiteral("|---|---:|---:|---|");
        for (const ReportKeyFigure &figure : part.figures)
            row({escaped(figure.title), QStringLiteral("**%1**").arg(escaped(figure.text())),
                 figure.interval
                     ? QStringLiteral("%1 to %2")
                           .arg(escaped(figure.interval->lowText.text), escaped(figure.interval->highText.text))
                     : QString(),
                 escaped(figure.subline.text)});
        m_lines << QString();
    }
    void write(const FactsPart &part) {
        for (const std::vector<FactGroup> &groups : part.columns)
            for (const FactGroup &group : groups) {
                row({QStringLiteral("**%1**").arg(escaped(group.title)), QString()});
                m_lines << QStringLiteral("|---|---:|");
                for (const ReportFact &fact : group.facts)
                    row({escaped(fact.name), escaped(fact.value.text)});
                m_lines << QString();
            }
    }
    void write(const TextPart &part) { paragraph(escaped(part.text.text)); }
    void write(const TablePart &part) {
        QStringList titles;
        QString rule = QStringLiteral("|");
        for (const TableColumn &column : part.columns) {
            titles << escaped(column.title);
            rule += column.alignment.testFlag(Qt::AlignRight) ? QStringLiteral("---:|") : QStringLiteral("---|");
        }
        row(titles);
        m_lines << rule;
        for (std::size_t i = 0; i < part.rows.size(); ++i) {
            QStringList cells;
            for (const SentenceText &cell : part.rows[i])
                cells << (static_cast<int>(i) == part.strong && !cell.empty()
                              ? QStringLiteral("**%1**").arg(escaped(cell.text))
                              : escaped(cell.text));
            row(cells);
        }
        m_lines << QString();
    }
    void write(const PicturePart &part) {
        if (part.number > 0)
            paragraph(QStringLiteral("**Figure %1.** %2").arg(part.number).arg(escaped(part.caption.text)));
        TablePart legend{{{part.title, 2, Qt::AlignLeft}, {QStringLiteral("value")}, {QStringLiteral("fraction")}}, {}};
        for (const LegendValue &value : part.legend)
            if (!value.value.empty())
                legend.rows.push_back({value.entry.name, value.value, value.share});
        if (!legend.rows.empty())
            write(legend);
        if (!part.values.rows.empty())
            write(part.values);
    }
    void write(const ProblemPart &part) {
        const QString severity = part.severity == Severity::error ? QStringLiteral("Error")
            : part.severity == Severity::warning                  ? QStringLiteral("Warning")
                                                                  : QStringLiteral("Hint");
        m_lines << QStringLiteral("- **%1:** %2").arg(severity, escaped(part.message.text));
        if (!part.expected.empty())
            m_lines << QStringLiteral("  %1").arg(escaped(part.expected.text));
        for (const ProblemFix &fix : part.fixes)
            m_lines << QStringLiteral("  - Try **%1** %2").arg(escaped(fix.title), escaped(fix.gain));
        m_lines << QString();
    }
    void write(const CodePart &part) {
        paragraph(QStringLiteral("**%1**").arg(escaped(part.name)));
        // A fence longer than any run of backticks in the file.
        QString fence = QStringLiteral("```");
        for (const QString &line : part.lines)
            while (line.contains(fence))
                fence += QLatin1Char('`');
        m_lines << fence;
        m_lines += part.lines;
        m_lines << fence << QString();
    }
    void write(const GlossaryPart &part) {
        paragraph(QStringLiteral("**%1**: %2").arg(escaped(part.term), escaped(part.meaning)));
    }
    void write(const DerivationPart &part) {
        QString line = QStringLiteral("- **%1: %2**").arg(escaped(part.title), escaped(part.value));
        for (const QString &more : {part.paragraph, part.formula, part.numbers, part.inputs.text, part.source})
            if (!more.isEmpty())
                line += QStringLiteral("  \n  ") + escaped(more);
        m_lines << line;
    }
    void write(const ContentsPart &) {
        for (const ReportSection &section : *m_all)
            if (!section.title.isEmpty())
                m_lines << QStringLiteral("- [%1](#%2)").arg(escaped(section.title), nameOf(section.chapter));
        m_lines << QString();
    }
    void write(const ColumnsPart &part) {
        for (const ColumnsPart::Column &column : part.columns)
            for (const ReportPart &each : column.parts)
                this->part(each);
    }

    QStringList m_lines;
    const std::vector<ReportSection> *m_all = nullptr;
};

} // namespace

QString markdownOf(const std::vector<ReportSection> &sections) {
    MarkdownWriter writer;
    writer.contents(sections);
    for (const ReportSection &section : sections)
        writer.section(section);
    return writer.take();
}

} // namespace meshwright
