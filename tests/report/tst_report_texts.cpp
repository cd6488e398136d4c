// SPDX-License-Identifier: GPL-3.0-or-later
#include "listed_test.h"
#include "report_pages.h"

#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

using namespace meshwright;

namespace {

/// Every figure of the first page as printed.
QStringList figuresOfFirstPage(const Report &report) {
    QStringList figures;
    for (const ReportPart &part : report.sections().front().parts)
        for (const SentenceText &statement : statementsOf(part)) {
            for (const SentenceText::Figure &figure : statement.figures)
                figures << statement.text.mid(figure.begin, figure.length);
            figures << statement.text;
        }
    return figures;
}

/// The text that a reader of the Markdown sees, without escapes.
QString shownByMarkdown(const QByteArray &markdown) {
    QString text = QString::fromUtf8(markdown);
    text.remove(QRegularExpression(QStringLiteral(R"(\\(?=[^\w\s]))")));
    return text.remove(QStringLiteral("**")).simplified();
}

/// The text that a reader of the HTML sees, element by element. Fails if the HTML is not also well-formed XML.
QString shownByHtml(const QByteArray &html) {
    QXmlStreamReader reader(html);
    QString text;
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::Characters)
            text += reader.text();
    if (reader.hasError())
        qFatal("line %lld: %s", reader.lineNumber(), qPrintable(reader.errorString()));
    return text.simplified();
}

constexpr const char *hostileName =
    "name=<script>alert(1)</script> | [x](https://evil.example/a.png) ![y](z) **bold** # https://evil.example &amp; "
    "\"quoted\" %1 %2 $x$ www.evil.example";

} // namespace

class ReportTextsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void every_figure_of_the_first_page_is_in_each_form_data() {
        QTest::addColumn<QString>("preset");
        for (const char *preset : {"ten-to-25", "deepseek-v3", "smollm-135m", "llama3-405b-16k"})
            QTest::newRow(preset) << QString::fromLatin1(preset);
    }
    void every_figure_of_the_first_page_is_in_each_form() {
        QFETCH(QString, preset);
        const auto report = reportOf(resultOf(preset.toLatin1().constData()));
        const QString markdown = shownByMarkdown(report->markdown());
        const QString html = shownByHtml(report->html());
        const QStringList figures = figuresOfFirstPage(*report);
        QVERIFY(figures.size() > 80);
        for (const QString &figure : figures) {
            const QString text = figure.simplified();
            QVERIFY2(markdown.contains(text), qPrintable(QStringLiteral("Markdown lacks: ") + text));
            QVERIFY2(html.contains(text), qPrintable(QStringLiteral("HTML lacks: ") + text));
        }
    }

    void a_text_refers_to_nothing_outside() {
        const auto report = reportOf(resultOf("ten-to-25"));
        const QString html = QString::fromUtf8(report->html());
        QXmlStreamReader reader(html);
        QStringList ids;
        QStringList links;
        int pictures = 0;
        while (!reader.atEnd()) {
            if (reader.readNext() != QXmlStreamReader::StartElement)
                continue;
            const QString element = reader.name().toString();
            for (const char *loading : {"script", "link", "img", "iframe", "object", "embed", "image", "use", "base"})
                QVERIFY2(element != QLatin1String(loading), loading);
            pictures += element == QLatin1String("svg") ? 1 : 0;
            for (const QXmlStreamAttribute &attribute : reader.attributes()) {
                const QString name = attribute.name().toString();
                QVERIFY2(name != QLatin1String("src") && !name.startsWith(QLatin1String("on")), qPrintable(name));
                QVERIFY2(!attribute.value().contains(QLatin1String("url(")), qPrintable(name));
                if (name == QLatin1String("id"))
                    ids << attribute.value().toString();
                if (name == QLatin1String("href"))
                    links << attribute.value().toString();
            }
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QVERIFY(pictures > 5);
        QVERIFY(links.size() > 60);
        for (const QString &link : links) {
            QVERIFY2(link.startsWith(QLatin1Char('#')), qPrintable(link));
            QVERIFY2(ids.contains(link.mid(1)), qPrintable(link));
        }
        QCOMPARE(QSet<QString>(ids.begin(), ids.end()).size(), ids.size());
        const QString style = html.section(QStringLiteral("<style>"), 1).section(QStringLiteral("</style>"), 0, 0);
        QVERIFY(!style.contains(QStringLiteral("@import")) && !style.contains(QStringLiteral("url(")));

        const QString markdown = QString::fromUtf8(report->markdown());
        QVERIFY(!markdown.contains(QStringLiteral("![")));
        const QRegularExpression target(QStringLiteral(R"((?<!\\)\]\(([^)]*)\))"));
        for (auto match = target.globalMatch(markdown); match.hasNext();)
            QVERIFY(match.next().captured(1).startsWith(QLatin1Char('#')));
    }

    void hostile_names_stay_text() {
        const auto result = resultOf("pretrain-8b", {hostileName});
        const auto report = reportOf(result);
        const QString name = QString::fromLatin1(hostileName).mid(5);
        QVERIFY(shownByHtml(report->html()).contains(name));
        QVERIFY(!report->html().contains("<script"));
        QString markdown = QString::fromUtf8(report->markdown());
        static const QRegularExpression code(QStringLiteral("(`{3,})\n.*?\n\\1\n"),
                                             QRegularExpression::DotMatchesEverythingOption);
        QVERIFY(markdown.contains(code)); // the launch file, which is shown verbatim
        markdown.remove(code);
        QVERIFY(shownByMarkdown(report->markdown()).contains(QString(name).remove(QStringLiteral("**"))));
        QVERIFY(!markdown.contains(QRegularExpression(QStringLiteral(R"((?<!\\)<script)"))));
        QVERIFY(!markdown.contains(QStringLiteral("https:")));
        QVERIFY(!markdown.contains(QStringLiteral("www.")));
        QVERIFY(!markdown.contains(QRegularExpression(QStringLiteral(R"((?<!\\)\]\(https)"))));
        QCOMPARE(reportOf(result, sectionsNamed("summary"))->pageCount(), 1);
    }

    void control_characters_are_not_shown() {
        QCOMPARE(shownName(QStringLiteral("a\nb\tc\u202ed\u0007e")), QStringLiteral("a b c d e"));
        QCOMPARE(shownName(QStringLiteral("Llama \U0001F999")), QStringLiteral("Llama \U0001F999"));
        QVERIFY(shownName(QString(5000, QLatin1Char('x'))).size() <= 160);
        const auto result = resultOf("pretrain-8b", {"name=" + std::string(3000, 'w')});
        QCOMPARE(reportOf(result, sectionsNamed("summary"))->pageCount(), 1);
    }
};

LISTED_TEST(ReportTextsTest)
#include "tst_report_texts.moc"
