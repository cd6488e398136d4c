// SPDX-License-Identifier: GPL-3.0-or-later
// How the fields of QuestionsCard form a request, and how one field affects another.
#include "catalog/accelerator.h"
#include "catalog/architectures.h"
#include "catalog/library.h"
#include "catalog/model.h"
#include "catalog/weights.h"
#include "controls/integer_box.h"
#include "controls/optional_quantity_box.h"
#include "controls/searchable_combo.h"
#include "controls/segmented.h"
#include "controls/text_label.h"
#include "figures/figure_text.h"
#include "start/questions_card.h"

#include <algorithm>

namespace meshwright {

std::shared_ptr<const Accelerator> QuestionsCard::chosenAccelerator() const {
    try {
        return m_library.accelerator(m_accelerator->currentId().toStdString());
    } catch (const std::exception &) {
        return nullptr;
    }
}

std::shared_ptr<const Model> QuestionsCard::chosenModel() const {
    try {
        return m_library.model(m_model->currentId().toStdString());
    } catch (const std::exception &) {
        return nullptr;
    }
}

PlanRequest QuestionsCard::request() const {
    const auto optional = [](const UnitSpinBox *box) {
        return box->value() == OptionalQuantityBox::LeftOut ? std::nullopt : std::optional(box->value());
    };
    const bool days = m_lengthKind->currentIndex() == 1;
    const bool sites = !m_sitesFields->isHidden();
    return {.accelerator = m_accelerator->currentId().toStdString(),
            .accelerators = m_count->value(),
            .sites = sites ? m_sites->value() : 1,
            .link_bits_per_second = m_link->value(),
            .model = m_model->currentId().toStdString(),
            .tokens = days ? std::nullopt : optional(m_tokens),
            .days = days ? std::optional(m_days->value()) : std::nullopt,
            .sequence_length = m_sequence->value(),
            .stack = m_software->currentId().toStdString(),
            .budget_dollars = optional(m_budget)};
}

void QuestionsCard::showRequest(const PlanRequest &request) {
    m_accelerator->setCurrentId(QString::fromStdString(request.accelerator));
    m_count->setValue(request.accelerators);
    if (request.sites > 1)
        m_sites->setValue(request.sites);
    m_link->showQuantity(request.link_bits_per_second);
    m_model->setCurrentId(QString::fromStdString(request.model));
    m_lengthKind->setCurrentIndex(request.days ? 1 : 0);
    m_tokens->showOptional(request.tokens);
    m_days->setValue(request.days.value_or(UsualDays));
    m_sequence->setValue(request.sequence_length);
    m_budget->showOptional(request.budget_dollars);
    m_softwareChosen = false;
    followAccelerator();
    if (const QString stack = QString::fromStdString(request.stack);
        !stack.isEmpty() && stack != m_software->currentId()) {
        m_softwareChosen = true;
        m_software->setCurrentId(stack);
    }
    followLength();
}

void QuestionsCard::followAccelerator() {
    const auto accelerator = chosenAccelerator();
    if (!accelerator)
        return;
    m_count->setValue(whole_nodes(*accelerator, m_count->value()));
    // Select the default software of a plan with this accelerator.
    if (!m_softwareChosen)
        m_software->setCurrentId(
            QString::fromStdString(std::string(architecture_of(accelerator->architecture).usual_stack)));
    showNotes();
}

void QuestionsCard::followModel() {
    const auto model = chosenModel();
    if (model && !m_sequenceChosen)
        m_sequence->setValue(model->longest_sequence > 0 ? std::min<qint64>(UsualSequence, model->longest_sequence)
                                                         : UsualSequence);
    showNotes();
}

void QuestionsCard::followLength() {
    const bool days = m_lengthKind->currentIndex() == 1;
    m_tokens->setVisible(!days);
    m_days->setVisible(days);
    showNotes();
}

void QuestionsCard::showNotes() {
    if (const auto accelerator = chosenAccelerator()) {
        const qint64 node = std::max<qint64>(1, accelerator->accelerators_per_node);
        const qint64 nodes = m_count->value() / node;
        const QString between = figureText(accelerator->nic_bandwidth_bytes_per_second, Quantity::bytes_per_second);
        m_nodes->setText(nodes < 1        ? tr("part of one node (%1 GPUs)").arg(node)
                             : nodes == 1 ? tr("1 node of %1 GPUs").arg(node)
                                          : tr("%1 nodes of %2 GPUs, network: %3 per GPU")
                                                .arg(countText(static_cast<double>(nodes)))
                                                .arg(node)
                                                .arg(between));
    }
    const auto model = chosenModel();
    if (!model)
        return;
    const Parameters parameters = parameters_of(*model);
    const QString total = figureText(parameters.total, Quantity::parameters);
    m_size->setText(
        parameters.active < parameters.total
            ? tr("%1 parameters, %2 active per token").arg(total, figureText(parameters.active, Quantity::parameters))
            : tr("%1 parameters").arg(total));
    const bool days = m_lengthKind->currentIndex() == 1;
    const double tokens =
        m_tokens->value() == OptionalQuantityBox::LeftOut ? 20 * parameters.active : m_tokens->value();
    m_tokensNote->setText(
        days ? tr("as many tokens as the run time allows")
             : tr("%1 tokens, %2 per parameter")
                   .arg(figureText(tokens, Quantity::tokens), plainText(tokens / std::max(1.0, parameters.active))));
}

} // namespace meshwright
