// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/card.h"
#include "controls/figure_sentence.h"
#include "every_page.h"

#include <QRegularExpression>

using namespace meshwright;

namespace {

constexpr QSize large{2560, 1440};

/// Whether a number is one with a unit: what a sentence or heading may not say without opening it. Its other numbers
/// are names and settings: "stage 0", "up to tensor 2".
bool hasUnit(const PaintedNumber &number) {
    static const QRegularExpression unit(
        QStringLiteral("^ (%|[kMGTP]?B|[kMGT]?B/s|[kMGT]?b/s|s|ms|µs|min|h|days|\\$|[A-Z]?FLOP)(?![\\w])"));
    return unit.match(number.rest).hasMatch();
}

bool opens(const QWidget *widget, const FigureSource &source, const PaintedNumber &number) {
    const QPoint place = number.middle.toPoint();
    if (source.opensAt(place) || source.isScaleAt(place))
        return true;
    const bool saysWords = qobject_cast<const FigureSentence *>(widget) || qobject_cast<const CardHeading *>(widget);
    return saysWords && !hasUnit(number);
}

/// A widget and what it lies in: "TextLabel < Card < ProblemRow problem0".
QString whereabouts(const QWidget *widget) {
    QStringList steps;
    for (; widget != nullptr && !widget->isWindow() && steps.size() < 4; widget = widget->parentWidget())
        steps << QString(QLatin1String(widget->metaObject()->className()) + QLatin1Char(' ') + widget->objectName())
                     .remove(QStringLiteral("meshwright::"))
                     .trimmed();
    return steps.join(QStringLiteral(" < "));
}

} // namespace

/// What is painted is read off again, so that no number escapes by the way that it is shown.
class EveryNumberTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_number_that_is_painted_opens_data() { addWalkedPlans(); }
    void a_number_that_is_painted_opens() {
        QFETCH(QString, plan);
        WindowFixture fixture(plan, large);
        QStringList closed;
        int numbers = 0;
        showEachPage(fixture, [&](const QString &page) {
            readPage(fixture, [&](QWidget *widget, const FigureSource *source, const PaintedNumber &number) {
                ++numbers;
                if (source == nullptr || !opens(widget, *source, number))
                    closed << QStringLiteral("%1: %2 in \"%3\" of %4")
                                  .arg(page, number.number, number.text, whereabouts(widget));
            });
        });
        closed.removeDuplicates();
        for (const QString &each : qAsConst(closed))
            qWarning("%s", qPrintable(each));
        QVERIFY2(closed.isEmpty(), qPrintable(QString::number(closed.size())));
        QVERIFY2(numbers > 200, qPrintable(QString::number(numbers)));
    }
};

QTEST_MAIN(EveryNumberTest)
#include "tst_every_number.moc"
