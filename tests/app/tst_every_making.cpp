// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/hover_card.h"
#include "controls/figure_path.h"
#include "every_page.h"

#include <QHelpEvent>
#include <QSet>

#include <algorithm>

using namespace meshwright;

namespace {

constexpr QSize large{2560, 1440};

/// Explaining every layout of a search takes long: some stand for all.
constexpr int changesExplained = 3;

bool showsFirstLevel(WindowFixture &fixture, QWidget *widget, const QPoint &place) {
    QHelpEvent pointed(QEvent::ToolTip, place, widget->mapToGlobal(place));
    QCoreApplication::sendEvent(widget, &pointed);
    const QList<HoverCard *> cards = fixture.window().findChildren<HoverCard *>();
    const bool shown = std::any_of(cards.begin(), cards.end(), [](const HoverCard *card) { return card->isVisible(); });
    QEvent left(QEvent::Leave);
    QCoreApplication::sendEvent(widget, &left);
    return shown;
}

} // namespace

class EveryMakingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void what_opens_has_a_making_and_shows_its_first_level_data() { addWalkedPlans(); }
    void what_opens_has_a_making_and_shows_its_first_level() {
        QFETCH(QString, plan);
        WindowFixture fixture(plan, large);
        QSet<QString> seen;
        QStringList wrong;
        showEachPage(fixture, [&](const QString &page) {
            int changes = 0;
            readPage(fixture, [&](QWidget *widget, const FigureSource *source, const PaintedNumber &number) {
                const QPoint place = number.middle.toPoint();
                const QString path = source == nullptr ? QString() : source->figureAt(place);
                const bool isField = path.startsWith(QLatin1Char('/'));
                if (path.isEmpty() || isField || seen.contains(path))
                    return;
                seen.insert(path);
                if (figurepath::isChange(figurepath::scopeOf(path)) && ++changes > changesExplained)
                    return;
                if (!fixture.explained(path))
                    wrong << QStringLiteral("%1: %2 of \"%3\" has no making").arg(page, path.left(80), number.text);
                else if (!source->hasOwnHover(place) && !showsFirstLevel(fixture, widget, place))
                    wrong << QStringLiteral("%1: %2 of \"%3\" shows nothing").arg(page, path.left(80), number.text);
            });
        });
        for (const QString &each : qAsConst(wrong))
            qWarning("%s", qPrintable(each));
        QVERIFY2(wrong.isEmpty(), qPrintable(QString::number(wrong.size())));
        QVERIFY(seen.size() > 60);
    }
};

QTEST_MAIN(EveryMakingTest)
#include "tst_every_making.moc"
