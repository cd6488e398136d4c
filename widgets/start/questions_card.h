// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"
#include "search/plan_request.h"

#include <map>
#include <memory>

class QGridLayout;
class QPushButton;

namespace meshwright {

struct Accelerator;
class IntegerBox;
class Library;
struct Model;
class OptionalQuantityBox;
class QuantityBox;
class SearchableCombo;
class Segmented;
class TextLabel;
class UnitSpinBox;

/// The questions about a new plan. A run across sites has one more question. All have defaults, so that Enter works
/// immediately.
class QuestionsCard : public Card {
    Q_OBJECT

public:
    explicit QuestionsCard(const Library &library, QWidget *parent = nullptr);

    PlanRequest request() const;
    void showRequest(const PlanRequest &request);
    void setSitesAsked(bool asked);
    /// Sets the model sizes for the list of models, keyed by model id.
    void setModelSizes(const std::map<QString, double> &parameters);
    /// Focuses the first field that accepts typed text.
    void takeFocus();

Q_SIGNALS:
    void changed();
    /// The user pressed Enter in a field, or clicked the button.
    void submitted();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void addMachines(const Library &library);
    void addModel(const Library &library);
    void addLength();
    void addSoftware(const Library &library);
    void addSites();
    /// @returns index of the new row in the grid
    int addRow(const QString &name, QWidget *field, QWidget *second = nullptr);
    TextLabel *addNote();
    /// Null if the preset is invalid; the answer then reports this.
    std::shared_ptr<const Accelerator> chosenAccelerator() const;
    std::shared_ptr<const Model> chosenModel() const;
    void followAccelerator();
    void followModel();
    void followLength();
    void showNotes();

    const Library &m_library;
    QGridLayout *m_grid;
    SearchableCombo *m_accelerator = nullptr;
    IntegerBox *m_count = nullptr;
    TextLabel *m_nodes = nullptr;
    SearchableCombo *m_model = nullptr;
    TextLabel *m_size = nullptr;
    Segmented *m_lengthKind = nullptr;
    OptionalQuantityBox *m_tokens = nullptr;
    UnitSpinBox *m_days = nullptr;
    TextLabel *m_tokensNote = nullptr;
    IntegerBox *m_sequence = nullptr;
    SearchableCombo *m_software = nullptr;
    OptionalQuantityBox *m_budget = nullptr;
    QWidget *m_sitesName = nullptr;
    QWidget *m_sitesFields = nullptr;
    IntegerBox *m_sites = nullptr;
    QuantityBox *m_link = nullptr;
    QPushButton *m_find = nullptr;
    static constexpr qint64 UsualSequence = 8192;
    static constexpr double UsualDays = 30;

    bool m_sequenceChosen = false; ///< whether the user set the sequence length, which another model then keeps
    bool m_softwareChosen = false;
};

} // namespace meshwright
