// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_fixture.h"

#include "catalog/library.h"
#include "controls/disclosure.h"
#include "controls/folding_section.h"
#include "input/json_document.h"
#include "theme/theme.h"
#include "view_rail.h"

#include <QAction>
#include <QApplication>

namespace meshwright {

WindowFixture::WindowFixture(const QString &plan, QSize size)
    : m_plan(plan == startPage    ? QString()
                 : plan.isEmpty() ? QStringLiteral("preset:ten-to-25")
                                  : plan)
    , m_size(size)
    , m_settings(std::make_unique<Settings>(m_folder.filePath(QStringLiteral("settings.ini")))) {
    Theme::apply(*qobject_cast<QApplication *>(QCoreApplication::instance()), ThemeMode::Dark);
    Theme::setReducedMotion(true);
    restart();
}

WindowFixture::~WindowFixture() = default;

void WindowFixture::restart() {
    const bool first = m_window == nullptr;
    m_window.reset();
    m_window = std::make_unique<MainWindow>(Library::standard(), *m_settings, prompts,
                                            m_folder.filePath(QStringLiteral("autosave")));
    if (first)
        m_window->resize(m_size);
    m_window->openAtStart(m_plan);
    m_window->show();
    m_window->offerRecovery();
    QVERIFY2(settle(), "the first plan was not evaluated");
}

bool WindowFixture::settle() {
    const bool settled = QTest::qWaitFor(
        [this] {
            const PlanView &view = session().view();
            return view.diagnosticsComplete && view.freshness != Freshness::Computing
                && view.freshness != Freshness::Late && (view.result == nullptr || m_window->book().planTree());
        },
        30000);
    // Moves widgets to the positions that the new result gives them.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    return settled;
}

FigureBook::Found WindowFixture::explained(const FigureRef &figure) {
    FigureBook &book = m_window->book();
    book.find(figure); // requests the derivation
    if (!QTest::qWaitFor([&] { return !book.isPending(figure); }, 30000))
        qWarning("%s was not calculated in time", qPrintable(figure.name()));
    return book.find(figure);
}

void WindowFixture::write(const QString &name, const nlohmann::ordered_json &content) const {
    write_file_atomically(std::filesystem::path(file(name).toStdString()), content.dump());
}

void WindowFixture::reveal(QWidget *control) {
    for (QWidget *each = control; each != nullptr; each = each->parentWidget()) {
        if (auto *section = qobject_cast<FoldingSection *>(each))
            section->setFolded(false);
        if (auto *disclosure = qobject_cast<Disclosure *>(each))
            disclosure->setOpen(true);
    }
    QCoreApplication::processEvents();
}

void WindowFixture::showView(const QString &name) {
    const QList<QAction *> views = m_window->rail()->actions();
    for (const QAction *view : views)
        if (view->text() == name) {
            const QKeyCombination keys = view->shortcut()[0];
            QTest::keyClick(m_window.get(), keys.key(), keys.keyboardModifiers());
            return;
        }
    qWarning("no view has the name %s", qPrintable(name));
}

} // namespace meshwright
