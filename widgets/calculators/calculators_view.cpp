// SPDX-License-Identifier: GPL-3.0-or-later
#include "calculators/calculators_view.h"

#include "controls/combo_delegate.h"
#include "controls/combo_model.h"
#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "theme/control_states.h"
#include "theme/icon.h"
#include "theme/theme.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

constexpr int listWidth = 260;
constexpr int narrowListWidth = 208;
constexpr int narrowBelow = 1000;
constexpr int minCardWidth = 340;
constexpr int spacing = 12;

QVector<ComboItem> allFormulas() {
    QVector<ComboItem> items;
    for (const Formula &formula : formulas())
        items.append({QString::fromStdString(std::string(formula.id)),
                      QString::fromStdString(std::string(formula.title)),
                      {},
                      QString::fromStdString(std::string(formula.topic))});
    return items;
}

QString stateOf(const CalculatorCard &card) {
    const nlohmann::ordered_json json{{"formula", card.calculator().formula().id},
                                      {"result", card.chosenResult()},
                                      {"against", card.chosenSymbol()},
                                      {"values", card.calculator().texts()}};
    return QString::fromStdString(json.dump());
}

} // namespace

CalculatorsView::CalculatorsView(QWidget *parent)
    : View({.name = QStringLiteral("calculatorsView"),
            .title = tr("Formulas"),
            .icon = QStringLiteral("calc"),
            .docks = Docks::Panels},
           parent)
    , m_formulas(new ComboFilter(this))
    , m_filterField(new QLineEdit(this))
    , m_list(new QListView(this))
    , m_closeAll(new QPushButton(tr("Close all"), this))
    , m_scroll(new QScrollArea(this))
    , m_board(new QWidget)
    , m_nothing(new TextLabel(tr("Select a formula from the list. Several can be open side by side."), TypeRole::Body,
                              ColourRole::Text2, TextWeight::Regular, m_board))
    , m_columns(new QHBoxLayout(m_board)) {
    m_columns->setContentsMargins(0, 0, 0, 0);
    m_columns->setSpacing(spacing);
    m_columns->addWidget(m_nothing, 0, Qt::AlignTop);
    m_scroll->setWidget(m_board);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->viewport()->setAutoFillBackground(false);
    m_scroll->viewport()->installEventFilter(this);
    m_board->setAutoFillBackground(false);
    auto *columns = new QHBoxLayout;
    columns->setSpacing(spacing);
    columns->addWidget(newList());
    columns->addWidget(m_scroll, 1);
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(16, 16, 16, 16);
    whole->setSpacing(spacing);
    whole->addLayout(columns, 1);
}

QWidget *CalculatorsView::newList() {
    auto *card = new Card(tr("Formulas"), QString::number(formulas().size()), this);
    card->setObjectName(QStringLiteral("formulaListCard"));
    card->layout()->setContentsMargins(12, 14, 8, 8);
    m_closeAll->setObjectName(QStringLiteral("closeAllCalculators"));
    setButtonRole(m_closeAll, ButtonRole::Flat);
    connect(m_closeAll, &QPushButton::clicked, this, &CalculatorsView::closeAll);
    card->addTrailing(m_closeAll);
    auto *model = new ComboModel(this);
    model->setItems(allFormulas());
    m_formulas->setSourceModel(model);
    m_list->setObjectName(QStringLiteral("formulaList"));
    m_list->setAccessibleName(tr("Formulas"));
    showsNoFigures(m_list, NotFigures::name);
    auto *delegate = new ComboDelegate(m_list);
    delegate->setWrapping(true);
    m_list->setItemDelegate(delegate);
    m_list->setResizeMode(QListView::Adjust);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setMouseTracking(true);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->viewport()->setAutoFillBackground(false);
    m_list->setModel(m_formulas); // set last, because with a model each change of a mode would lay out all rows
    connect(m_list, &QListView::activated, this, &CalculatorsView::openChosen);
    connect(m_list, &QListView::clicked, this, &CalculatorsView::openChosen);
    m_filterField->setObjectName(QStringLiteral("formulaFilter"));
    m_filterField->setAccessibleName(tr("Filter formulas"));
    m_filterField->setPlaceholderText(tr("Filter"));
    m_filterField->setClearButtonEnabled(true);
    m_filterField->addAction(icons::icon(QStringLiteral("search"), ColourRole::Text3), QLineEdit::LeadingPosition);
    m_filterField->installEventFilter(this);
    connect(m_filterField, &QLineEdit::textChanged, this, [this](const QString &words) {
        m_formulas->setWords(words);
        m_list->setCurrentIndex(m_formulas->index(0, 0));
    });
    card->contentLayout()->addWidget(m_filterField);
    card->contentLayout()->addWidget(m_list, 1);
    return card;
}

bool CalculatorsView::eventFilter(QObject *watched, QEvent *event) {
    if (watched == m_scroll->viewport() && event->type() == QEvent::Resize)
        arrange();
    if (watched == m_filterField && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        const int row = std::max(0, m_list->currentIndex().row());
        if (key == Qt::Key_Down || key == Qt::Key_Up) {
            const int next = std::clamp(row + (key == Qt::Key_Down ? 1 : -1), 0, m_formulas->rowCount() - 1);
            m_list->setCurrentIndex(m_formulas->index(next, 0));
            return true;
        }
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            openChosen();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void CalculatorsView::openChosen() {
    if (const QModelIndex index = m_list->currentIndex(); index.isValid())
        openFormula(index.data(ComboModel::IdRole).toString());
}

PlanPlaces CalculatorsView::placesOf(const Formula &formula) const {
    const std::shared_ptr<const Derivation> tree = m_planTree ? m_planTree() : nullptr;
    return tree ? PlanPlaces(valuesFromPlan(*tree, formula)) : std::nullopt;
}

CalculatorCard *CalculatorsView::openFormula(const QString &id) {
    const Formula *formula = find_formula(id.toStdString());
    if (formula == nullptr)
        return nullptr;
    openSaved();
    CalculatorCard *open = cardOf(*formula);
    CalculatorCard *card = open != nullptr ? open : add(*formula, 0);
    arrange();
    m_board->layout()->activate();
    m_scroll->ensureWidgetVisible(card);
    card->focusFirstField();
    Q_EMIT stateChanged();
    return card;
}

CalculatorCard *CalculatorsView::cardOf(const Formula &formula) const {
    const auto open = std::find_if(m_cards.begin(), m_cards.end(), [&formula](const CalculatorCard *card) {
        return &card->calculator().formula() == &formula;
    });
    return open != m_cards.end() ? *open : nullptr;
}

bool CalculatorsView::isOpen(const QString &id) {
    openSaved();
    const Formula *formula = find_formula(id.toStdString());
    return formula != nullptr && cardOf(*formula) != nullptr;
}

CalculatorCard *CalculatorsView::add(const Formula &formula, std::size_t place) {
    auto *card = new CalculatorCard(formula, m_board);
    card->setPlanQuestion([this](const Formula &wanted) { return placesOf(wanted); });
    connect(card, &CalculatorCard::closed, this, [this, card] { close(card); });
    connect(card, &CalculatorCard::changed, this, &CalculatorsView::stateChanged);
    card->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    m_cards.insert(m_cards.begin() + static_cast<std::ptrdiff_t>(place), card);
    return card;
}

void CalculatorsView::close(CalculatorCard *card) {
    m_cards.erase(std::remove(m_cards.begin(), m_cards.end(), card), m_cards.end());
    card->hide();
    card->deleteLater();
    arrange();
    Q_EMIT stateChanged();
}

void CalculatorsView::closeAll() {
    openSaved();
    while (!m_cards.empty())
        close(m_cards.back());
}

QStringList CalculatorsView::state() {
    QStringList state;
    for (const CalculatorCard *card : cards())
        state << stateOf(*card);
    return state;
}

void CalculatorsView::setVisible(bool visible) {
    if (visible)
        openSaved();
    View::setVisible(visible);
}

void CalculatorsView::openSaved() {
    if (m_saved.isEmpty())
        return;
    const QSignalBlocker isNoEdit(this); // otherwise, settings could be saved with only some of the calculators
    for (const QString &text : std::exchange(m_saved, {})) {
        const nlohmann::ordered_json json = nlohmann::ordered_json::parse(text.toStdString(), nullptr, false);
        if (!json.is_object() || !json.contains("formula") || !json["formula"].is_string())
            continue;
        const Formula *formula = find_formula(json["formula"].get<std::string>());
        if (formula == nullptr)
            continue;
        CalculatorCard *card = add(*formula, m_cards.size());
        ArgumentTexts texts;
        if (const auto values = json.find("values"); values != json.end() && values->is_object())
            for (const auto &[name, value] : values->items())
                if (value.is_string())
                    texts[name] = value.get<std::string>();
        card->setTexts(texts);
        if (const auto result = json.find("result"); result != json.end() && result->is_string())
            card->chooseResult(result->get<std::string>());
        if (const auto against = json.find("against"); against != json.end() && against->is_string())
            card->chooseSymbol(against->get<std::string>());
    }
    arrange();
}

void CalculatorsView::arrange() {
    const int room = m_scroll->viewport()->width();
    const auto wanted = static_cast<std::size_t>(std::max(1, (room + spacing) / (minCardWidth + spacing)));
    const std::size_t count = std::max<std::size_t>(1, std::min(wanted, m_cards.size()));
    while (m_stacks.size() > count) {
        m_columns->removeItem(m_stacks.back());
        delete m_stacks.back();
        m_stacks.pop_back();
    }
    while (m_stacks.size() < count) {
        auto *stack = new QVBoxLayout;
        stack->setSpacing(spacing);
        m_columns->addLayout(stack, 1);
        m_stacks.push_back(stack);
    }
    for (QVBoxLayout *stack : m_stacks)
        while (QLayoutItem *item = stack->takeAt(0))
            delete item;
    for (std::size_t i = 0; i < m_cards.size(); ++i) {
        m_stacks[i % count]->addWidget(m_cards[i], 0, Qt::AlignTop);
        m_cards[i]->show();
        if (i > 0)
            setTabOrder(m_cards[i - 1], m_cards[i]);
    }
    for (QVBoxLayout *stack : m_stacks)
        stack->addStretch(1);
    m_nothing->setVisible(m_cards.empty());
    m_closeAll->setVisible(m_cards.size() > 1);
}

void CalculatorsView::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    const int list = width() < narrowBelow ? narrowListWidth : listWidth;
    if (m_list->parentWidget()->maximumWidth() == list)
        return;
    m_list->parentWidget()->setFixedWidth(list);
    // Titles wrap differently at the new width, but the list recalculates row heights only when its own height changes.
    QMetaObject::invokeMethod(m_list, &QListView::doItemsLayout, Qt::QueuedConnection);
}

} // namespace meshwright
