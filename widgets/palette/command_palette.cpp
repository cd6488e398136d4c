// SPDX-License-Identifier: GPL-3.0-or-later
#include "palette/command_palette.h"

#include "controls/small_marks.h"
#include "controls/text_label.h"
#include "palette/palette_delegate.h"
#include "theme/icon.h"
#include "theme/surfaces.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

constexpr int sheetWidth = 880;
constexpr int previewWidth = 420;
constexpr int sheetHeight = 560;
constexpr int sheetTop = 88;
constexpr int pageRows = 8;

class Sheet : public QWidget {
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        const Theme &theme = Theme::of(this);
        surfaces::rounded(painter, rect(), Theme::radius(Corner::Popup), theme.colour(ColourRole::Card),
                          theme.colour(ColourRole::LineStrong));
    }
    void mousePressEvent(QMouseEvent *event) override { event->accept(); }
};

} // namespace

CommandPalette::CommandPalette(QWidget *window)
    : QWidget(window)
    , m_model(new PaletteModel(this))
    , m_sheet(new Sheet(this))
    , m_field(new QLineEdit(m_sheet))
    , m_count(new TextLabel({}, TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, m_sheet))
    , m_list(new QListView(m_sheet))
    , m_nothing(new TextLabel(tr("No matches"), TypeRole::Body, ColourRole::Text3, TextWeight::Regular, m_sheet))
    , m_previewArea(new QScrollArea(m_sheet)) {
    setObjectName(QStringLiteral("commandPalette"));
    setAccessibleName(tr("Find a field, figure, preset, action or formula"));
    m_field->setObjectName(QStringLiteral("paletteField"));
    m_field->setAccessibleName(accessibleName());
    m_field->setPlaceholderText(tr("Find a field, figure, preset, action or formula"));
    m_field->setMinimumHeight(36);
    m_field->addAction(icons::icon(QStringLiteral("search"), ColourRole::Text3), QLineEdit::LeadingPosition);
    m_field->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("paletteList"));
    m_list->setAccessibleName(tr("Matches"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new PaletteDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setMouseTracking(true);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->viewport()->setAutoFillBackground(false);
    m_nothing->setAlignment(Qt::AlignCenter);
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::find);
    connect(m_list, &QListView::clicked, this, &CommandPalette::runChosen);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &CommandPalette::showPreview);
    m_previewArea->setObjectName(QStringLiteral("palettePreview"));
    m_previewArea->setWidgetResizable(true);
    m_previewArea->setFrameShape(QFrame::NoFrame);
    m_previewArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_previewArea->setFocusPolicy(Qt::NoFocus);
    m_previewArea->viewport()->setAutoFillBackground(false);
    m_previewArea->setFixedWidth(previewWidth);
    m_previewArea->hide();
    auto *keys = new TextLabel(tr("↑ ↓ select     Tab preview     Enter open     Esc close"), TypeRole::Caption,
                               ColourRole::Text3, TextWeight::Regular, m_sheet);
    auto *foot = new QHBoxLayout;
    foot->addWidget(keys);
    foot->addStretch(1);
    foot->addWidget(m_count);
    auto *column = new QVBoxLayout(m_sheet);
    column->setContentsMargins(12, 12, 12, 10);
    column->setSpacing(8);
    column->addWidget(m_field);
    auto *matches = new QHBoxLayout;
    matches->setSpacing(12);
    matches->addWidget(m_list, 1);
    matches->addWidget(m_nothing, 1);
    matches->addWidget(m_previewArea);
    column->addLayout(matches, 1);
    column->addWidget(new Rule(m_sheet));
    column->addLayout(foot);
    window->installEventFilter(this);
    hide();
}

void CommandPalette::open(const QVector<PaletteItem> &items) {
    m_before = QApplication::focusWidget();
    m_field->clear();
    m_model->setItems(items);
    find({});
    place();
    show();
    raise();
    m_field->setFocus(Qt::ShortcutFocusReason);
}

void CommandPalette::close() {
    if (isHidden())
        return;
    hide();
    clearPreview();
    if (m_before && m_before->isVisible())
        m_before->setFocus(Qt::OtherFocusReason);
    m_before.clear();
}

void CommandPalette::find(const QString &typed) {
    m_model->setTyped(typed);
    const bool any = m_model->rowCount() > 0;
    m_list->setVisible(any);
    m_nothing->setVisible(!any);
    m_count->setText(tr("%n found", nullptr, m_model->matchCount()));
    choose(0);
    showPreview(); // the same row may now show another item
}

void CommandPalette::choose(int row) {
    const int last = m_model->rowCount() - 1;
    if (last < 0)
        return;
    const QModelIndex index = m_model->index(std::clamp(row, 0, last), 0);
    m_list->setCurrentIndex(index);
    m_list->scrollTo(index);
}

void CommandPalette::clearPreview() {
    if (m_preview) {
        m_preview->hide();
        m_preview->deleteLater();
    }
    m_preview = nullptr;
    m_previewed.clear();
    m_previewArea->hide();
}

void CommandPalette::showPreview() {
    const QModelIndex index = m_list->currentIndex();
    const bool any = index.isValid() && index.row() < m_model->rowCount();
    const PaletteItem none;
    const PaletteItem &item = any ? m_model->itemAt(index.row()) : none;
    const QString shown = item.group + QLatin1Char('\n') + item.title;
    if (shown == m_previewed && (m_preview || !item.preview))
        return;
    clearPreview();
    m_previewed = shown;
    if (!item.preview)
        return;
    m_preview = item.preview(m_previewArea);
    m_preview->setAutoFillBackground(false);
    m_previewArea->setWidget(m_preview);
    m_previewArea->verticalScrollBar()->setValue(0);
    m_previewArea->show();
}

void CommandPalette::keyPressEvent(QKeyEvent *event) {
    switch (event->key()) {
    case Qt::Key_Escape:
        close();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        runChosen();
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void CommandPalette::runChosen() {
    const QModelIndex index = m_list->currentIndex();
    if (!index.isValid() || index.row() >= m_model->rowCount())
        return;
    const std::function<void()> run = m_model->itemAt(index.row()).run;
    const QPointer<QWidget> preview =
        std::exchange(m_preview, nullptr); // kept until run() has read the values that the user typed into it
    close();
    if (run)
        run();
    if (preview)
        preview->deleteLater();
}

void CommandPalette::place() {
    setGeometry(parentWidget()->rect());
    const int width = std::min(sheetWidth, this->width() - 48);
    const int top = std::min(sheetTop, this->height() / 10);
    m_sheet->setGeometry((this->width() - width) / 2, top, width, std::min(sheetHeight, this->height() - 2 * top));
}

bool CommandPalette::takeKey(int key) {
    const int row = m_list->currentIndex().row();
    switch (key) {
    case Qt::Key_Down:
        choose(row + 1);
        return true;
    case Qt::Key_Up:
        choose(row - 1);
        return true;
    case Qt::Key_PageDown:
        choose(row + pageRows);
        return true;
    case Qt::Key_PageUp:
        choose(row - pageRows);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        runChosen();
        return true;
    case Qt::Key_Escape:
        close();
        return true;
    case Qt::Key_Tab:
        if (m_preview)
            m_preview->setFocus(Qt::TabFocusReason);
        return true;
    case Qt::Key_Backtab:
        return true; // the search field is the first widget, so Shift+Tab stays in it
    default:
        return false;
    }
}

bool CommandPalette::eventFilter(QObject *watched, QEvent *event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible())
        place();
    if (watched == m_field && event->type() == QEvent::KeyPress && takeKey(static_cast<QKeyEvent *>(event)->key()))
        return true;
    return QWidget::eventFilter(watched, event);
}

void CommandPalette::mousePressEvent(QMouseEvent *) {
    close();
}

void CommandPalette::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    QColor dim = theme.colour(ColourRole::Window);
    dim.setAlphaF(0.6F);
    painter.fillRect(rect(), dim);
    surfaces::shadow(painter, m_sheet->geometry(), Theme::radius(Corner::Popup), 16, theme);
}

} // namespace meshwright
