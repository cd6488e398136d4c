// SPDX-License-Identifier: GPL-3.0-or-later
#include "listed_test.h"
#include "report_pages.h"

#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>

using namespace meshwright;

namespace {

/// A word on a page as extracted by poppler, with its area in points from the top left corner.
struct Word {
    QString text;
    QRectF area;
};

/// The words of every page in document order.
std::vector<std::vector<Word>> wordsOf(const QByteArray &pdf) {
    QXmlStreamReader reader(said(QStringLiteral("pdftotext"), pdf, {QStringLiteral("-bbox")}));
    std::vector<std::vector<Word>> pages;
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (reader.name() == QLatin1String("page"))
            pages.emplace_back();
        if (reader.name() != QLatin1String("word"))
            continue;
        const auto at = [attributes = reader.attributes()](const char *name) {
            return attributes.value(QLatin1String(name)).toDouble();
        };
        const QRectF area(QPointF(at("xMin"), at("yMin")), QPointF(at("xMax"), at("yMax")));
        pages.back().push_back({reader.readElementText(), area});
    }
    return pages;
}

bool isNumber(const QString &word) {
    static const QRegularExpression number(QStringLiteral(R"((?<![\w.,/^])\d[\d,]*(\.\d+)?(e[+-]?\d+)?(?!\w))"));
    return number.match(word).hasMatch();
}

bool isUnit(const QString &word) {
    static const QRegularExpression unit(
        QStringLiteral("^([kMGTP]?B|[kMGT]?B/s|[kMGT]?b/s|s|ms|µs|min|h|days|[kMG]?\\$|[A-Z]?FLOP|[kMG]?Wh)\\b"));
    return unit.match(word).hasMatch();
}

/// Whether a word is a percentage such as "31.7%". "80%" without a decimal is a name, as in "80% interval".
bool isPercentage(const QString &word) {
    static const QRegularExpression percentage(QStringLiteral("\\.\\d+%"));
    return percentage.match(word).hasMatch();
}

bool liesIn(const Word &word, const std::vector<QRectF> &areas) {
    const QPointF middle = word.area.center();
    return std::any_of(areas.begin(), areas.end(),
                       [&](const QRectF &area) { return area.adjusted(-1, -1, 1, 1).contains(middle); });
}

} // namespace

/// Reads the finished PDF, so that every number is checked however it is typeset.
class ReportNumbersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_number_leads_to_its_derivation_data() {
        QTest::addColumn<QString>("preset");
        for (const char *preset : {"ten-to-25", "deepseek-v3", "smollm-135m", "llama3-405b-16k", "megatron-1t-2021"})
            QTest::newRow(preset) << QString::fromLatin1(preset);
    }
    void a_number_leads_to_its_derivation() {
        QFETCH(QString, preset);
        const auto result = resultOf(preset.toLatin1().constData());
        const auto report = reportOf(result);
        const std::vector<ReportPlaces> places = report->places();
        const std::vector<std::vector<Word>> pages = wordsOf(report->pdf());
        QCOMPARE(pages.size(), places.size());
        int opened = 0;
        int closed = 0;
        for (const std::size_t page : {std::size_t(0)}) // the appendix derives the figures of the first page
            for (std::size_t i = 0; i < pages[page].size(); ++i) {
                const Word &word = pages[page][i];
                if (!isNumber(word.text))
                    continue;
                const bool hasUnit =
                    isPercentage(word.text) || (i + 1 < pages[page].size() && isUnit(pages[page][i + 1].text));
                const bool isName = liesIn(word, places[page].sentences) && !hasUnit;
                if (liesIn(word, places[page].links)) {
                    ++opened;
                } else if (!isName && !liesIn(word, places[page].stated)) {
                    ++closed;
                    QStringList around;
                    for (std::size_t j = i - std::min<std::size_t>(i, 4); j < std::min(pages[page].size(), i + 4); ++j)
                        around << pages[page][j].text;
                    qWarning("page %zu: \"%s\" in \"%s\"", page + 1, qPrintable(word.text),
                             qPrintable(around.join(QLatin1Char(' '))));
                }
            }
        QCOMPARE(closed, 0);
        QVERIFY2(opened > 40, qPrintable(QString::number(opened)));
    }
};

LISTED_TEST(ReportNumbersTest)
#include "tst_report_numbers.moc"
