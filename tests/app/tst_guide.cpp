// SPDX-License-Identifier: GPL-3.0-or-later
#include "listed_test.h"
#include "window_fixture.h"

#include "glossary/glossary.h"
#include "guide/guide.h"
#include "guide/guide_page_view.h"
#include "guide/guide_window.h"
#include "theme/theme.h"
#include "view_rail.h"
#include "views/view.h"

#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QListWidget>
#include <QSet>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTreeWidget>

#include <algorithm>

using namespace meshwright;

namespace {

GuideWindow *openGuide(WindowFixture &fixture) {
    return fixture.window().findChild<GuideWindow *>(QStringLiteral("userGuide"));
}

/// Presses F1 in the focused widget.
GuideWindow *pressF1(WindowFixture &fixture) {
    QWidget *focused = fixture.window().focusWidget();
    QTest::keyClick(focused != nullptr ? focused : &fixture.window(), Qt::Key_F1);
    return openGuide(fixture);
}

QTreeWidgetItem *itemOf(const GuideWindow &guide, const QString &page) {
    for (int part = 0; part < guide.contents()->topLevelItemCount(); ++part) {
        QTreeWidgetItem *pages = guide.contents()->topLevelItem(part);
        for (int i = 0; i < pages->childCount(); ++i)
            if (pages->child(i)->data(0, Qt::UserRole).toString() == page)
                return pages->child(i);
    }
    return nullptr;
}

const QTextBrowser *browserOf(const QWidget &guide) {
    return guide.findChild<QTextBrowser *>(QStringLiteral("guidePage"));
}

QString textOf(const QWidget &guide) {
    return browserOf(guide)->toPlainText();
}

template <typename Use>
void forEachFormat(const QWidget &guide, const Use &use) {
    for (QTextBlock block = browserOf(guide)->document()->begin(); block.isValid(); block = block.next())
        for (QTextBlock::iterator at = block.begin(); !at.atEnd(); ++at)
            use(at.fragment().charFormat());
}

/// Activates the guide, because shortcuts belong to the active window.
void activate(GuideWindow &guide) {
    guide.show();
    guide.activateWindow();
    // A window counts as active to qWaitForWindowActive() if its parent is.
    QTRY_COMPARE(QApplication::activeWindow(), static_cast<QWidget *>(&guide));
}

/// Targets of all links of a page.
QStringList linksOf(const QWidget &guide) {
    QStringList targets;
    forEachFormat(guide, [&](const QTextCharFormat &format) {
        if (format.isAnchor())
            targets.append(format.anchorHref());
    });
    return targets;
}

QStringList picturesOf(const QWidget &guide) {
    QStringList names;
    forEachFormat(guide, [&](const QTextCharFormat &format) {
        if (format.isImageFormat())
            names.append(format.toImageFormat().name());
    });
    return names;
}

/// Width of a picture as it is shown, in logical pixels; 0 for one that was not loaded.
int widthOf(const QWidget &guide, const QString &picture) {
    const auto shown =
        browserOf(guide)->document()->resource(QTextDocument::ImageResource, QUrl(picture)).value<QImage>();
    return shown.isNull() ? 0 : qRound(shown.width() / shown.devicePixelRatio());
}

} // namespace

class GuideTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothing_of_it_is_loaded_before_it_is_opened() {
        WindowFixture fixture;
        QVERIFY(openGuide(fixture) == nullptr);
    }

    void f1_opens_it_at_the_page_of_each_view() {
        WindowFixture fixture;
        for (View *view : fixture.window().views()) {
            fixture.window().showView(view);
            QVERIFY(fixture.settle());
            QTest::keyClick(view, Qt::Key_F1); // neither a figure nor a field has the focus
            GuideWindow *guide = openGuide(fixture);
            QVERIFY2(guide != nullptr, qPrintable(view->face().title));
            const auto page = std::find_if(guide->texts().begin(), guide->texts().end(),
                                           [&](const GuideText &text) { return text.id == guide->currentPage(); });
            QVERIFY(page != guide->texts().end());
            QCOMPARE(page->title, view->face().title);
            QVERIFY(guide->isVisible());
        }
    }

    void a_page_of_a_view_names_the_key_that_shows_it() {
        WindowFixture fixture;
        GuideWindow guide(fixture.session().library(), Glossary::standard(), &fixture.window());
        const QList<QAction *> actions = fixture.window().rail()->actions();
        for (const QAction *action : actions) {
            const auto text = std::find_if(guide.texts().begin(), guide.texts().end(),
                                           [&](const GuideText &each) { return each.title == action->text(); });
            QVERIFY2(text != guide.texts().end(), qPrintable(action->text()));
            const QString key = action->shortcut().toString(QKeySequence::PortableText);
            QVERIFY2(text->markdown.contains(QStringLiteral("| %1 |").arg(key)),
                     qPrintable(QStringLiteral("%1: %2").arg(action->text(), key)));
        }
    }

    void f1_on_a_figure_explains_the_figure() {
        WindowFixture fixture;
        auto *figure = fixture.find<QWidget>("memoryFigure");
        figure->setFocus();
        QTest::keyClick(figure, Qt::Key_F1);
        QVERIFY(openGuide(fixture) == nullptr);
        QCOMPARE(fixture.window().rail()->current()->face().name, QStringLiteral("explainView"));
    }

    void the_help_menu_opens_it() {
        WindowFixture fixture;
        const QList<QAction *> actions = fixture.window().findChildren<QAction *>();
        const auto action = std::find_if(actions.begin(), actions.end(), [](const QAction *each) {
            return each->text().remove(QLatin1Char('&')) == QLatin1String("User Guide");
        });
        QVERIFY(action != actions.end());
        QCOMPARE((*action)->shortcut(), QKeySequence(Qt::Key_F1));
        (*action)->trigger();
        GuideWindow *guide = openGuide(fixture);
        QVERIFY(guide != nullptr);
        QCOMPARE(guide->currentPage(), QStringLiteral("plan"));
    }

    void every_link_leads_to_a_page_or_a_term() {
        WindowFixture fixture;
        GuideWindow guide(fixture.session().library(), Glossary::standard(), &fixture.window());
        QSet<QString> terms;
        for (const GuideText &text : guide.texts()) {
            guide.openPage(text.id);
            QCOMPARE(guide.currentPage(), text.id);
            QStringList links = linksOf(guide);
            links.removeDuplicates();
            for (const QString &target : links) {
                if (target.startsWith(QLatin1String("term:"))) {
                    terms.insert(target);
                    continue;
                }
                const QString page = target.section(QLatin1Char('#'), 0, 0);
                if (page.isEmpty())
                    guide.openPage(text.id);
                guide.follow(target);
                QVERIFY2(page.isEmpty() || find_guide_page(page.chopped(3).toStdString()) != nullptr,
                         qPrintable(QStringLiteral("%1: %2").arg(text.id, target)));
                QCOMPARE(guide.currentPage(), page.isEmpty() ? text.id : page.chopped(3));
            }
        }
        for (const QString &term : terms) {
            guide.follow(term);
            QCOMPARE(guide.currentPage(), term);
            QVERIFY2(textOf(guide).size() > 20, qPrintable(term));
        }
        QCOMPARE(static_cast<std::size_t>(terms.size()), Glossary::standard().terms().size());
    }

    void running_text_links_the_terms_of_the_glossary() {
        WindowFixture fixture;
        GuideWindow guide(fixture.session().library(), Glossary::standard(), &fixture.window());
        guide.openPage(QStringLiteral("pipeline"));
        const QStringList links = linksOf(guide);
        QVERIFY(std::any_of(links.begin(), links.end(),
                            [](const QString &link) { return link.startsWith(QLatin1String("term:")); }));
        // Each term is linked once per page, however often it occurs.
        QStringList terms = links.filter(QStringLiteral("term:"));
        const auto count = terms.size();
        terms.removeDuplicates();
        QCOMPARE(terms.size(), count);
    }

    void every_picture_is_found_and_as_wide_as_the_page_at_most() {
        WindowFixture fixture;
        GuideWindow guide(fixture.session().library(), Glossary::standard(), &fixture.window());
        guide.resize(900, 700);
        guide.show();
        int pictures = 0;
        for (const GuideText &text : guide.texts()) {
            guide.openPage(text.id);
            for (const QString &picture : picturesOf(guide)) {
                QVERIFY2(widthOf(guide, picture) > 100, qPrintable(picture));
                QVERIFY2(widthOf(guide, picture) <= guide.page()->width(), qPrintable(picture));
                ++pictures;
            }
        }
        QVERIFY(pictures >= 10);
        guide.openPage(QStringLiteral("plan"));
        const QString picture = picturesOf(guide).constFirst();
        const int before = widthOf(guide, picture);
        guide.resize(1100, 700);
        QTRY_VERIFY(widthOf(guide, picture) > before);
    }

    void nothing_but_pictures_of_the_guide_is_loaded() {
        GuidePageView page;
        page.setFolder(QString::fromStdString(guide_folder().string()));
        page.showPage(QStringLiteral("Test"),
                      QStringLiteral("![a](../glossary.json) ![b](/etc/passwd) ![c](file:///etc/passwd) "
                                     "![d](https://example.org/a.png) ![e](pictures/plan.png)"));
        QStringList loaded;
        for (const QString &picture : picturesOf(page))
            if (widthOf(page, picture) > 0)
                loaded.append(picture);
        QCOMPARE(picturesOf(page).size(), 5);
        QCOMPARE(loaded, QStringList{QStringLiteral("pictures/plan.png")});
    }

    void back_and_forward_go_through_what_was_read() {
        WindowFixture fixture;
        GuideWindow guide(fixture.session().library(), Glossary::standard(), &fixture.window());
        activate(guide);
        guide.openPage(QStringLiteral("plan"));
        QVERIFY(!guide.backAction()->isEnabled());
        guide.follow(QStringLiteral("search.md#map"));
        guide.follow(QStringLiteral("term:mfu"));
        QCOMPARE(guide.currentPage(), QStringLiteral("term:mfu"));
        QTest::keyClick(&guide, Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(guide.currentPage(), QStringLiteral("search"));
        QTest::keyClick(&guide, Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(guide.currentPage(), QStringLiteral("plan"));
        QVERIFY(!guide.backAction()->isEnabled());
        QTest::keyClick(&guide, Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(guide.currentPage(), QStringLiteral("search"));
        guide.follow(QStringLiteral("memory.md"));
        QVERIFY2(!guide.forwardAction()->isEnabled(), "a new page ends what was ahead");
    }

    void the_contents_follow_the_page_and_the_page_the_contents() {
        WindowFixture fixture;
        GuideWindow guide(fixture.session().library(), Glossary::standard(), &fixture.window());
        guide.show();
        guide.openPage(QStringLiteral("memory"));
        QCOMPARE(guide.contents()->currentItem(), itemOf(guide, QStringLiteral("memory")));
        QVERIFY(guide.contents()->currentItem()->isExpanded());
        guide.contents()->setFocus();
        guide.contents()->setCurrentItem(itemOf(guide, QStringLiteral("sites")));
        QCOMPARE(guide.currentPage(), QStringLiteral("sites"));
        QTreeWidgetItem *heading = itemOf(guide, QStringLiteral("model"))->child(3);
        guide.contents()->setCurrentItem(heading);
        QCOMPARE(guide.currentPage(), QStringLiteral("model"));
        QTRY_VERIFY2(guide.page()->scrollPosition() > 0, qPrintable(heading->text(0)));
    }

    void the_search_lists_pages_and_marks_what_it_finds() {
        WindowFixture fixture;
        GuideWindow guide(fixture.session().library(), Glossary::standard(), &fixture.window());
        activate(guide);
        guide.openPage({});
        QTest::keyClick(&guide, Qt::Key_F, Qt::ControlModifier);
        QVERIFY(guide.searchField()->hasFocus());
        QTest::keyClicks(guide.searchField(), QStringLiteral("pseudo-gradient"));
        QTRY_VERIFY(guide.results()->isVisible());
        QVERIFY(guide.results()->count() >= 2);
        QVERIFY(textOf(guide).contains(QLatin1String("pseudo-gradient"), Qt::CaseInsensitive));
        const QTextBrowser *browser = browserOf(guide);
        QVERIFY(!browser->extraSelections().isEmpty());
        QTest::keyClick(guide.searchField(), Qt::Key_Return);
        QTest::keyClick(guide.searchField(), Qt::Key_Down);
        QVERIFY(guide.results()->hasFocus());
        const QString first = guide.currentPage();
        QTest::keyClick(guide.results(), Qt::Key_Down);
        QVERIFY(guide.currentPage() != first);
        QTest::keyClick(&guide, Qt::Key_Escape);
        QVERIFY2(guide.isVisible(), "the first Esc ends the search");
        QVERIFY(guide.contents()->isVisible());
        QVERIFY(browser->extraSelections().isEmpty());
        QTest::keyClick(&guide, Qt::Key_Escape);
        QVERIFY(!guide.isVisible());
        GuideWindow other(fixture.session().library(), Glossary::standard(), &fixture.window());
        activate(other);
        other.searchField()->setFocus();
        QTest::keyClicks(other.searchField(), QStringLiteral("zzzz"));
        QTest::keyClick(other.searchField(), Qt::Key_Return); // searches at once
        QCOMPARE(other.results()->count(), 0);
    }

    void it_is_read_in_both_themes() {
        WindowFixture fixture; // dark
        GuideWindow guide(fixture.session().library(), Glossary::standard(), &fixture.window());
        guide.show();
        guide.openPage(QStringLiteral("plan"));
        const QTextBrowser *browser = browserOf(guide);
        const auto pale = [&] {
            const QPalette colours = browser->palette();
            return contrast(colours.color(QPalette::Text), colours.color(QPalette::Base));
        };
        const QColor dark = browser->palette().color(QPalette::Base);
        QVERIFY(pale() > 7);
        Theme::apply(*qobject_cast<QApplication *>(QCoreApplication::instance()), ThemeMode::Light);
        QVERIFY(browser->palette().color(QPalette::Base) != dark);
        QVERIFY(pale() > 7);
        QCOMPARE(guide.currentPage(), QStringLiteral("plan"));
        Theme::apply(*qobject_cast<QApplication *>(QCoreApplication::instance()), ThemeMode::Dark);
    }

    void an_assistive_technology_can_read_it() {
        WindowFixture fixture;
        GuideWindow guide(fixture.session().library(), Glossary::standard(), &fixture.window());
        guide.openPage(QStringLiteral("plan"));
        QCOMPARE(browserOf(guide)->accessibleName(), QStringLiteral("Plan"));
        QVERIFY(!guide.contents()->accessibleName().isEmpty());
        QVERIFY(!guide.results()->accessibleName().isEmpty());
        QVERIFY(!guide.searchField()->accessibleName().isEmpty());
    }

    void closing_it_frees_it() {
        WindowFixture fixture;
        GuideWindow *guide = pressF1(fixture);
        QVERIFY(guide != nullptr);
        QPointer<GuideWindow> alive = guide;
        guide->close();
        QTRY_VERIFY(alive.isNull());
        QVERIFY(pressF1(fixture) != nullptr);
    }
};

LISTED_TEST(GuideTest)
#include "tst_guide.moc"
