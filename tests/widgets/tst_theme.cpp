// SPDX-License-Identifier: GPL-3.0-or-later
#include "listed_test.h"
#include "theme/fonts.h"
#include "theme/icon.h"
#include "theme/meshwright_style.h"
#include "theme/theme.h"

#include <QApplication>
#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

using namespace meshwright;

class ThemeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyTextRoleIsLegibleOnEverySurface_data();
    void everyTextRoleIsLegibleOnEverySurface();
    void everyToneIsLegibleOnItsLightFill();
    void everyKindCarriesALegibleLabel();
    void buttonTextIsLegibleOnTheAccent();
    void theDisabledGroupDiffersFromTheActiveOne();
    void applyingAModeSetsStylePaletteAndFontAndNotifies();
    void theSystemsPaletteDecidesInSystemMode();
    void figuresAreTabularAtEverySize();
    void theTypeScaleHasItsFiveSizes();
    void aFontWithoutTabularFiguresIsRefused();
    void reducedMotionTakesNoTime();
    void everyListedIconIsThereAndDrawsInItsTint();
    void iconsAreSharpAtEveryPixelRatio();
    void anUnknownIconIsNull();
};

void ThemeTest::everyTextRoleIsLegibleOnEverySurface_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("dark") << true;
    QTest::newRow("light") << false;
}

void ThemeTest::everyTextRoleIsLegibleOnEverySurface() {
    QFETCH(bool, dark);
    const Theme theme = dark ? Theme::dark() : Theme::light();
    QCOMPARE(theme.isDark(), dark);
    for (const ColourRole text : {ColourRole::Text, ColourRole::Text2, ColourRole::Text3, ColourRole::Accent,
                                  ColourRole::Good, ColourRole::Warn, ColourRole::Bad}) {
        for (const ColourRole surface :
             {ColourRole::Window, ColourRole::Panel, ColourRole::Card, ColourRole::Field, ColourRole::Raised}) {
            const double ratio = contrast(theme.colour(text), theme.colour(surface));
            QVERIFY2(
                ratio >= 4.5,
                qPrintable(QStringLiteral("role %1 on surface %2: %3").arg(int(text)).arg(int(surface)).arg(ratio)));
        }
    }
}

void ThemeTest::everyToneIsLegibleOnItsLightFill() {
    for (const Theme &theme : {Theme::dark(), Theme::light()}) {
        for (const Tone tone : {Tone::Neutral, Tone::Accent, Tone::Good, Tone::Warn, Tone::Bad})
            QVERIFY(contrast(theme.ink(tone), theme.softFill(tone)) >= 4.5);
        // Selected rows and switches keep the normal text color.
        QVERIFY(contrast(theme.colour(ColourRole::Text), theme.colour(ColourRole::AccentSoft)) >= 4.5);
    }
}

void ThemeTest::everyKindCarriesALegibleLabel() {
    for (const Theme &theme : {Theme::dark(), Theme::light(), Theme::paper()}) {
        for (int kind = 0; kind < KindCount; ++kind) {
            const double ratio = contrast(theme.label(Kind(kind)), theme.fill(Kind(kind)));
            QVERIFY2(ratio >= 4.5, qPrintable(QStringLiteral("kind %1: %2").arg(kind).arg(ratio)));
        }
    }
}

void ThemeTest::buttonTextIsLegibleOnTheAccent() {
    for (const Theme &theme : {Theme::dark(), Theme::light()})
        QVERIFY(contrast(theme.colour(ColourRole::OnAccent), theme.colour(ColourRole::AccentFill)) >= 4.5);
}

void ThemeTest::theDisabledGroupDiffersFromTheActiveOne() {
    for (const Theme &theme : {Theme::dark(), Theme::light()}) {
        const QPalette palette = theme.palette();
        for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
            QVERIFY(palette.color(QPalette::Disabled, role) != palette.color(QPalette::Active, role));
        QVERIFY(palette.color(QPalette::Base) != palette.color(QPalette::Window));
    }
}

void ThemeTest::applyingAModeSetsStylePaletteAndFontAndNotifies() {
    QSignalSpy changed(Theme::notifier(), &ThemeNotifier::changed);
    Theme::apply(*qApp, ThemeMode::Light);
    QVERIFY(qobject_cast<MeshwrightStyle *>(QApplication::style()));
    QCOMPARE(QApplication::palette().color(QPalette::Window), Theme::light().colour(ColourRole::Window));
    QCOMPARE(QApplication::font().pixelSize(), 12);
    QVERIFY(!Theme::current().isDark());
    Theme::apply(*qApp, ThemeMode::Dark);
    QCOMPARE(QApplication::palette().color(QPalette::Window), Theme::dark().colour(ColourRole::Window));
    QVERIFY(Theme::current().isDark());
    QCOMPARE(changed.count(), 2);
}

void ThemeTest::theSystemsPaletteDecidesInSystemMode() {
    // Offscreen, the platform palette is Qt's light palette.
    Theme::apply(*qApp, ThemeMode::Dark);
    Theme::apply(*qApp, ThemeMode::System);
    QVERIFY(!Theme::current().isDark());
}

void ThemeTest::figuresAreTabularAtEverySize() {
    for (const TypeRole role :
         {TypeRole::Caption, TypeRole::Body, TypeRole::Emphasis, TypeRole::Title, TypeRole::Figure}) {
        for (const TextWeight weight : {TextWeight::Regular, TextWeight::Medium, TextWeight::SemiBold}) {
            const QFontMetricsF metrics(Theme::current().font(role, weight));
            const qreal ones = metrics.horizontalAdvance(QStringLiteral("1111111111"));
            for (char16_t digit = u'0'; digit <= u'9'; ++digit) {
                const qreal width = metrics.horizontalAdvance(QString(10, QChar(digit)));
                QVERIFY2(std::abs(width - ones) < 0.5, qPrintable(QString::number(width - ones)));
            }
        }
    }
}

void ThemeTest::theTypeScaleHasItsFiveSizes() {
    const QVector<int> sizes{11, 12, 14, 18, 28};
    for (int role = 0; role < TypeRoleCount; ++role) {
        QCOMPARE(Theme::current().font(TypeRole(role)).pixelSize(), sizes[role]);
        QVERIFY(Theme::lineHeight(TypeRole(role)) > sizes[role]);
    }
}

void ThemeTest::aFontWithoutTabularFiguresIsRefused() {
    QVERIFY(withTabularFigures(QByteArray(), QStringLiteral("Any")).isEmpty());
    QVERIFY(withTabularFigures(QByteArray(3000, 'x'), QStringLiteral("Any")).isEmpty());
    QFile inter(QStringLiteral("/usr/share/fonts/opentype/inter/Inter-Regular.otf"));
    if (!inter.open(QIODevice::ReadOnly))
        QSKIP("the font Inter is not installed");
    const QByteArray whole = inter.readAll();
    QVERIFY(!withTabularFigures(whole, QStringLiteral("Any")).isEmpty());
    // A truncated font must be refused or read within its bounds.
    for (qsizetype length = 0; length < 2000; length += 7)
        QVERIFY(withTabularFigures(whole.left(length), QStringLiteral("Any")).isEmpty());
}

void ThemeTest::reducedMotionTakesNoTime() {
    QVERIFY(Theme::duration(Motion::Panel) > 0);
    Theme::setReducedMotion(true);
    for (const Motion motion : {Motion::Hover, Motion::Press, Motion::Panel, Motion::Zoom})
        QCOMPARE(Theme::duration(motion), 0);
    Theme::setReducedMotion(false);
}

void ThemeTest::everyListedIconIsThereAndDrawsInItsTint() {
    QFile file(QStringLiteral(":/meshwright/theme/tokens.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonArray listed = QJsonDocument::fromJson(file.readAll()).object()[QLatin1String("icons")].toArray();
    QVERIFY(listed.size() > 40);
    const QColor tint(200, 40, 120);
    for (const auto &value : listed) {
        const QString name = value.toString();
        QVERIFY2(icons::exists(name), qPrintable(name));
        const QImage image = icons::pixmap(name, tint, 20, 2).toImage().convertToFormat(QImage::Format_ARGB32);
        int inked = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const QColor pixel = image.pixelColor(x, y);
                if (pixel.alpha() < 250)
                    continue;
                ++inked;
                QVERIFY2(std::abs(pixel.red() - tint.red()) < 3 && std::abs(pixel.blue() - tint.blue()) < 3,
                         qPrintable(name));
            }
        }
        QVERIFY2(inked > 15, qPrintable(name + QStringLiteral(" is drawn with hardly any pixels")));
    }
}

void ThemeTest::iconsAreSharpAtEveryPixelRatio() {
    for (const qreal ratio : {1.0, 1.5, 2.0}) {
        const QPixmap pixmap = icons::pixmap(QStringLiteral("plan"), Qt::white, 16, ratio);
        QCOMPARE(pixmap.width(), qRound(16 * ratio));
        QCOMPARE(pixmap.devicePixelRatio(), ratio);
    }
    const QPixmap fromIcon = icons::icon(QStringLiteral("plan")).pixmap(QSize(16, 16), 2.0);
    QCOMPARE(fromIcon.size(), QSize(32, 32));
}

void ThemeTest::anUnknownIconIsNull() {
    QVERIFY(icons::icon(QStringLiteral("no such icon")).isNull());
}

LISTED_TEST(ThemeTest)
#include "tst_theme.moc"
