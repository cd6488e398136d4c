// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/import_account.h"
#include "launch/import_preview.h"
#include "launch/import_question.h"
#include "models/latest_worker.h"

#include <QDialog>

#include <vector>

class QComboBox;
class QPushButton;
class QTableView;

namespace meshwright {

class Library;
class Segmented;
class StatusDot;
class TextLabel;

/// Shows the content of imported files and how each of their options was used, before anything is changed. Assumed
/// values can be edited; their effect is evaluated immediately.
class ImportDialog : public QDialog {
    Q_OBJECT

public:
    /// @param library  must outlive the dialog
    ImportDialog(const ImportQuestion &question, const Library &library, QWidget *parent = nullptr);
    ~ImportDialog() override;

    ImportAnswer answer() const;
    ImportAccount *account() const { return m_account; }
    Segmented *pages() const { return m_pages; }
    QTableView *table() const { return m_table; }
    QPushButton *acceptButton() const { return m_accept; }
    QComboBox *tierChoice() const { return m_tier; }
    const ImportPreview &preview() const { return m_shown; }
    bool isBusy() const { return m_worker.isBusy(); }

private:
    struct Asked {
        std::string what;
        nlohmann::ordered_json document;
    };
    QWidget *newHeading();
    QWidget *newPages();
    QWidget *newButtons();
    ImportAccount::Page firstPage() const;
    void showPage(int page);
    bool take(const std::string &field, const nlohmann::ordered_json &value);
    void receive(const ImportPreview &preview);

    ImportQuestion m_question;
    nlohmann::ordered_json m_document;
    ImportAccount *m_account;
    std::vector<ImportAccount::Page> m_order; ///< pages by the index of their segment
    ImportPreview m_shown;
    TextLabel *m_plan = nullptr;
    TextLabel *m_verdict = nullptr;
    StatusDot *m_dot = nullptr;
    Segmented *m_pages = nullptr;
    TextLabel *m_hint = nullptr;
    QTableView *m_table = nullptr;
    QComboBox *m_tier = nullptr; ///< null unless a tier was measured
    QPushButton *m_accept = nullptr;
    /// Declared last, so that its thread stops before the other members are destroyed.
    LatestWorker<Asked, ImportPreview> m_worker;
};

} // namespace meshwright
