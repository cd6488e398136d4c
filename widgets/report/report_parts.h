// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/legend.h"
#include "figures/figure_text.h"
#include "figures/sentence_text.h"
#include "input/diagnostic.h"
#include "report/report_options.h"
#include "theme/roles.h"

#include <QRectF>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>
#include <variant>
#include <vector>

namespace meshwright {

class Paper;

// The content of a report, independent of its format. Pages, Markdown and HTML are written from the same parts, so that
// each fact is stated once.

struct TitlePart {
    QString name;
    QString subtitle;
    QStringList asides; ///< date, file and version; shown next to the title
};

struct HeadingPart {
    QString title;
    SentenceText note = {};
    bool atBottom = false; ///< whether the parts after the heading are at the bottom of the page on paper
};

/// A tinted strip with a verdict ("Fits") and a sentence that explains the verdict.
struct BannerPart {
    Tone tone = Tone::Neutral;
    QString label;
    SentenceText text;
    std::optional<ReportChapter> section = {};
};

/// The 80% interval of a key figure, with the texts and figures of its ends.
struct KeyInterval {
    double low = 0;
    double estimate = 0;
    double high = 0;
    SentenceText lowText;
    SentenceText highText;
};

struct ReportKeyFigure {
    QString title;
    FigureParts figure;
    QString words; ///< shown after the unit, such as "over"
    SentenceText subline;
    FigureRef path;
    Tone tone = Tone::Neutral;
    std::optional<KeyInterval> interval = {};

    /// Figure and unit as one text: "915.6 MB free".
    QString text() const;
};
struct KeyFiguresPart {
    std::vector<ReportKeyFigure> figures;
};

struct ReportFact {
    QString name;
    SentenceText value;
};
struct FactGroup {
    QString title;
    std::vector<ReportFact> facts;
};
struct FactsPart {
    std::vector<std::vector<FactGroup>> columns;
};

struct TextPart {
    SentenceText text;
    ColourRole colour = ColourRole::Text2;
};

/// A column of a table. Numbers are aligned right. The width is a fraction of the table's width.
struct TableColumn {
    QString title;
    double share = 1; ///< width relative to the other columns
    Qt::Alignment alignment = Qt::AlignRight;
};
struct TablePart {
    std::vector<TableColumn> columns;
    std::vector<std::vector<SentenceText>> rows;
    int strong = -1; ///< row in bold; -1 for none
};

struct LegendValue {
    LegendEntry entry;
    SentenceText value = {};
    QString share = {}; ///< "12.4%"; may be empty
};

/// A picture with a caption and a legend. Text formats write `values` instead of the picture.
struct PicturePart {
    QString title; ///< alternative text for people who cannot see the picture: "Memory by stage"
    SentenceText caption; ///< empty for a picture without a number
    int number = 0; ///< number of the picture in the report; 0 without a caption
    qreal minHeight = 0; ///< minimum height in units of 1/96 inch, without legend and caption
    qreal maxHeight = 0; ///< height if the page has enough room
    std::function<void(Paper &, const QRectF &)> paint;
    std::vector<LegendValue> legend;
    int legendColumns = 3;
    TablePart values; ///< empty if the legend shows all values
};

struct ProblemFix {
    QString title;
    QString gain;
    FigureRef figure;
};
struct ProblemPart {
    Severity severity = Severity::hint;
    SentenceText message;
    SentenceText expected;
    std::vector<ProblemFix> fixes;
};

struct CodePart {
    QString name;
    QStringList lines;
};

struct GlossaryPart {
    QString term;
    QString meaning;
};

struct DerivationPart {
    std::vector<FigureRef> targets; ///< links to these figures lead to this derivation
    QString title;
    QString value;
    QString paragraph; ///< about the figure in plain words; empty for figures that have no paragraph
    QString formula; ///< empty for a value that is not calculated
    QString numbers;
    SentenceText inputs;
    QString source;
};

/// The list of sections. The writer of each format adds its own links.
struct ContentsPart { };

struct ReportPart;
/// Parts placed next to each other on paper, and one after another in other formats.
struct ColumnsPart {
    struct Column {
        double share = 1; ///< width relative to the other columns
        std::vector<ReportPart> parts;
    };
    std::vector<Column> columns;
};

struct ReportPart
    : std::variant<TitlePart, HeadingPart, BannerPart, KeyFiguresPart, FactsPart, TextPart, TablePart, PicturePart,
                   ProblemPart, CodePart, GlossaryPart, DerivationPart, ContentsPart, ColumnsPart> {
    using variant::variant;
    const variant &what() const { return *this; }
    variant &what() { return *this; }
};

struct ReportSection {
    ReportChapter chapter = ReportChapter::summary;
    QString title; ///< empty if there is no heading, as on the first page
    SentenceText note; ///< shown next to the title in a lighter color
    std::vector<ReportPart> parts;
};

/// All sentences of a part with their figures. For pictures, the legends and values.
std::vector<SentenceText> statementsOf(const ReportPart &part);

/// Text of a document made safe to show: without control and formatting characters, on one line, and cut to a maximum
/// length.
QString shownName(const QString &text);

} // namespace meshwright
