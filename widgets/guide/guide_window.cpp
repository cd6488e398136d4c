// SPDX-License-Identifier: GPL-3.0-or-later
#include "guide/guide_window.h"

#include "controls/text_label.h"
#include "glossary/glossary.h"
#include "guide/guide.h"
#include "guide/guide_page_view.h"
#include "guide/term_links.h"
#include "theme/icon.h"

#include <QAction>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace meshwright {

namespace {

constexpr QSize startSize(1200, 800);
constexpr int sideWidth = 264;
constexpr int searchWidth = 280;
constexpr int pageRole = Qt::UserRole;
constexpr int anchorRole = Qt::UserRole + 1;
const QString termPrefix = QStringLiteral("term:");

QString anchorOf(const QString &heading) {
    return QString::fromStdString(heading_anchor(heading.toStdString()));
}

} // namespace

GuideWindow::GuideWindow(const Library &library, const Glossary &glossary, QWidget *parent)
    : QDialog(parent, Qt::Window)
    , m_glossary(glossary)
    , m_texts(guideTexts(library, glossary))
    , m_back(new QAction(icons::icon(QStringLiteral("chevl")), tr("Back"), this))
    , m_forward(new QAction(icons::icon(QStringLiteral("chevr")), tr("Forward"), this))
    , m_search(new QLineEdit(this))
    , m_found(new TextLabel({}, TypeRole::Caption, ColourRole::Text2, TextWeight::Regular, this))
    , m_side(new QStackedWidget(this))
    , m_contents(new QTreeWidget(m_side))
    , m_results(new QListWidget(m_side))
    , m_page(new GuidePageView(this)) {
    setObjectName(QStringLiteral("userGuide"));
    setWindowTitle(tr("User guide"));
    resize(startSize);
    m_page->setFolder(QString::fromStdString(guide_folder().string()));
    addActions();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 12, 0, 0);
    column->setSpacing(12);
    column->addLayout(newBar());
    auto *columns = new QHBoxLayout;
    columns->setSpacing(12);
    columns->addWidget(m_side);
    columns->addWidget(m_page, 1);
    column->addLayout(columns, 1);
    m_side->setFixedWidth(sideWidth);
    m_side->addWidget(m_contents);
    m_side->addWidget(m_results);
    m_contents->setObjectName(QStringLiteral("guideContents"));
    m_contents->setAccessibleName(tr("Contents"));
    m_contents->setHeaderHidden(true);
    m_contents->setFrameShape(QFrame::NoFrame);
    m_contents->setIndentation(14);
    m_contents->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_results->setObjectName(QStringLiteral("guideResults"));
    m_results->setAccessibleName(tr("Pages that contain the search text"));
    m_results->setFrameShape(QFrame::NoFrame);
    m_results->setWordWrap(true);
    m_results->setSpacing(4);
    m_results->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    fillContents();
    connect(m_contents, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem *item) {
        if (!m_showing && item != nullptr && !item->data(0, pageRole).toString().isEmpty())
            goTo(item->data(0, pageRole).toString(), item->data(0, anchorRole).toString());
    });
    connect(m_results, &QListWidget::currentRowChanged, this, &GuideWindow::openResult);
    connect(m_page, &GuidePageView::linkActivated, this, &GuideWindow::follow);
    connect(m_page, &GuidePageView::linkHovered, this, &GuideWindow::showDefinition);
    constexpr int pause = 120; // milliseconds without typing before a search starts
    m_typing.setSingleShot(true);
    m_typing.setInterval(pause);
    connect(&m_typing, &QTimer::timeout, this, &GuideWindow::search);
    connect(m_search, &QLineEdit::textChanged, &m_typing, qOverload<>(&QTimer::start));
}

QHBoxLayout *GuideWindow::newBar() {
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(0, 0, 16, 0);
    bar->setSpacing(8);
    for (QAction *action : {m_back, m_forward}) {
        auto *button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setAccessibleName(action->text());
        button->setFocusPolicy(Qt::TabFocus);
        bar->addWidget(button);
    }
    bar->addStretch(1);
    bar->addWidget(m_found);
    m_search->setObjectName(QStringLiteral("guideSearch"));
    m_search->setPlaceholderText(tr("Search the guide"));
    m_search->setAccessibleName(tr("Search the guide"));
    m_search->setToolTip(tr("Enter goes to the next match on the page, Shift+Enter to the previous one"));
    m_search->setClearButtonEnabled(true);
    m_search->addAction(icons::icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    m_search->setFixedWidth(searchWidth);
    bar->addWidget(m_search);
    return bar;
}

void GuideWindow::addActions() {
    m_back->setShortcuts({QKeySequence(Qt::ALT | Qt::Key_Left), QKeySequence(Qt::Key_Back)});
    m_forward->setShortcuts({QKeySequence(Qt::ALT | Qt::Key_Right), QKeySequence(Qt::Key_Forward)});
    auto *find = new QAction(tr("Find"), this);
    find->setShortcuts({QKeySequence(QKeySequence::Find), QKeySequence(Qt::CTRL | Qt::Key_K)});
    auto *home = new QAction(tr("First page"), this);
    home->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Home));
    for (QAction *action : {m_back, m_forward, find, home})
        addAction(action);
    m_back->setEnabled(false);
    m_forward->setEnabled(false);
    connect(m_back, &QAction::triggered, this, [this] { move(m_behind, m_ahead); });
    connect(m_forward, &QAction::triggered, this, [this] { move(m_ahead, m_behind); });
    connect(home, &QAction::triggered, this, [this] { openPage({}); });
    connect(find, &QAction::triggered, this, [this] {
        m_search->setFocus();
        m_search->selectAll();
    });
}

void GuideWindow::fillContents() {
    QTreeWidgetItem *part = nullptr;
    for (const GuideText &text : m_texts) {
        if (part == nullptr || part->text(0) != text.part) {
            part = new QTreeWidgetItem(m_contents, {text.part});
            part->setFlags(Qt::ItemIsEnabled);
            QFont font = part->font(0);
            font.setWeight(QFont::DemiBold);
            part->setFont(0, font);
            part->setExpanded(true);
        }
        auto *page = new QTreeWidgetItem(part, {text.title});
        page->setData(0, pageRole, text.id);
        page->setToolTip(0, text.title);
        for (const QString &heading : text.headings) {
            auto *item = new QTreeWidgetItem(page, {heading});
            item->setData(0, pageRole, text.id);
            item->setData(0, anchorRole, anchorOf(heading));
            item->setToolTip(0, heading);
        }
    }
}

const GuideText *GuideWindow::textOf(const QString &id) const {
    const auto found =
        std::find_if(m_texts.begin(), m_texts.end(), [&](const GuideText &text) { return text.id == id; });
    return found == m_texts.end() ? nullptr : &*found;
}

void GuideWindow::openPage(const QString &id, const QString &anchor) {
    if (!m_texts.isEmpty())
        goTo(textOf(id) != nullptr ? id : m_texts.first().id, anchor);
}

void GuideWindow::follow(const QString &target) {
    if (target.startsWith(termPrefix)) {
        goTo(target, {});
        return;
    }
    const QString page = target.section(QLatin1Char('#'), 0, 0);
    const QString anchor = target.section(QLatin1Char('#'), 1);
    const QString id = page.isEmpty() ? m_current.page : page.chopped(page.endsWith(QLatin1String(".md")) ? 3 : 0);
    if (textOf(id) != nullptr)
        goTo(id, anchor);
}

void GuideWindow::goTo(const QString &page, const QString &anchor) {
    if (page != m_current.page) {
        if (!m_current.page.isEmpty())
            m_behind.push_back({m_current.page, m_page->scrollPosition()});
        m_ahead.clear();
        render(page);
    }
    m_page->scrollTo(anchor);
    showPlace();
}

void GuideWindow::move(std::vector<Visit> &from, std::vector<Visit> &to) {
    if (from.empty())
        return;
    to.push_back({m_current.page, m_page->scrollPosition()});
    const Visit visit = from.back();
    from.pop_back();
    render(visit.page);
    m_page->setScrollPosition(visit.scrolled);
    showPlace();
}

void GuideWindow::render(const QString &page) {
    m_card.hide();
    m_current = {page};
    if (page.startsWith(termPrefix)) {
        const std::string id = page.mid(termPrefix.size()).toStdString();
        const GlossaryTerm *const term = m_glossary.find(id);
        m_page->showPage(term == nullptr ? QString() : QString::fromStdString(term->term),
                         QString::fromStdString(term_page(id, m_glossary)));
    } else if (const GuideText *const text = textOf(page)) {
        m_page->showPage(text->title, text->markdown);
    }
    if (!m_search->text().isEmpty())
        m_page->mark(m_search->text().simplified());
}

/// Updates the buttons of the history, and expands the page's entry in the contents.
void GuideWindow::showPlace() {
    m_back->setEnabled(!m_behind.empty());
    m_forward->setEnabled(!m_ahead.empty());
    m_showing = true;
    for (int part = 0; part < m_contents->topLevelItemCount(); ++part) {
        QTreeWidgetItem *pages = m_contents->topLevelItem(part);
        for (int i = 0; i < pages->childCount(); ++i) {
            QTreeWidgetItem *item = pages->child(i);
            const bool isCurrent = item->data(0, pageRole).toString() == m_current.page;
            item->setExpanded(isCurrent);
            const QTreeWidgetItem *chosen = m_contents->currentItem();
            if (isCurrent && (chosen == nullptr || (chosen != item && chosen->parent() != item)))
                m_contents->setCurrentItem(item);
        }
    }
    m_showing = false;
}

void GuideWindow::search() {
    m_typing.stop();
    const QString text = m_search->text();
    m_matches = searchGuide(m_texts, text);
    {
        const QSignalBlocker quiet(m_results);
        m_results->clear();
        for (const GuideMatch &match : m_matches)
            m_results->addItem(
                QStringLiteral("%1 (%2)\n%3").arg(m_texts[match.page].title).arg(match.count).arg(match.excerpt));
    }
    const bool isSearching = !text.simplified().isEmpty();
    m_side->setCurrentWidget(isSearching ? static_cast<QWidget *>(m_results) : m_contents);
    m_found->setText(!isSearching                ? QString()
                         : m_matches.isEmpty()   ? tr("Not found")
                         : m_matches.size() == 1 ? tr("1 page")
                                                 : tr("%1 pages").arg(m_matches.size()));
    if (!m_matches.isEmpty())
        m_results->setCurrentRow(0); // selecting the first result opens its page
    else
        m_page->mark({});
}

void GuideWindow::openResult() {
    const int row = m_results->currentRow();
    if (row < 0 || row >= m_matches.size())
        return;
    goTo(m_texts[m_matches[row].page].id, {});
    m_page->mark(m_search->text().simplified());
}

void GuideWindow::showDefinition(const QString &target, const QPoint &at) {
    const GlossaryTerm *const term =
        target.startsWith(termPrefix) ? m_glossary.find(target.mid(termPrefix.size()).toStdString()) : nullptr;
    if (term == nullptr) {
        m_card.hide();
        return;
    }
    m_card.show(m_page, at,
                {.title = QString::fromStdString(term->term),
                 .swatch = {},
                 .rows = {},
                 .footnote = QString::fromStdString(term->definition)});
}

void GuideWindow::keyPressEvent(QKeyEvent *event) {
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEnter && m_search->hasFocus() && m_typing.isActive()) {
        search();
        return;
    }
    if (isEnter && m_search->hasFocus()) {
        m_page->goToNextMark((event->modifiers() & Qt::ShiftModifier) != 0 ? GuidePageView::Direction::Backward
                                                                           : GuidePageView::Direction::Forward);
        return;
    }
    if (event->key() == Qt::Key_Down && m_search->hasFocus()) {
        m_side->currentWidget()->setFocus();
        return;
    }
    if (event->key() == Qt::Key_Escape && !m_search->text().isEmpty()) {
        m_search->clear();
        search();
        return;
    }
    if (isEnter)
        return; // QDialog would press its default button
    QDialog::keyPressEvent(event);
}

} // namespace meshwright
