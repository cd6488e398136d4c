// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/latest_worker.h"
#include "report/report_data.h"
#include "report/report_options.h"

#include <QDialog>
#include <QImage>

#include <memory>
#include <utility>
#include <vector>

class QCheckBox;
class QComboBox;
class QPushButton;
class QScrollArea;

namespace meshwright {

class PagePreview;
class TextLabel;

/// Lets the user choose the sections, the paper and the format of a report. A preview of the pages follows every
/// choice. Simulations are run once, on another thread.
class ReportDialog : public QDialog {
    Q_OBJECT

public:
    ReportDialog(ReportInput input, const ReportOptions &options, QWidget *parent = nullptr);
    ~ReportDialog() override;

    ReportOptions options() const;
    ReportForm form() const;
    const PagePreview *preview() const { return m_preview; }
    /// Whether the preview shows the current choices.
    bool isSettled() const { return !m_worker->isBusy(); }

Q_SIGNALS:
    /// The user wants to write the report. @param data  content of its sections; never null
    void exportWanted(const meshwright::ReportOptions &options, meshwright::ReportForm form,
                      const meshwright::ReportDataPointer &data);
    /// The preview has changed.
    void previewed();

private:
    struct Asked {
        ReportOptions options;
        qreal scale = 1; ///< pixels per unit of 1/96 inch
    };
    struct Pages {
        ReportDataPointer data;
        std::vector<QImage> images;
        std::vector<ReportChapter> available;
    };
    using Worker = LatestWorker<Asked, Pages>;

    QWidget *newChoices(const ReportOptions &options);
    void ask();
    void receive(const Pages &pages);
    void accept() override;

    std::vector<std::pair<ReportChapter, QCheckBox *>> m_boxes;
    QComboBox *m_paper;
    QComboBox *m_form;
    TextLabel *m_state;
    QScrollArea *m_scroll;
    PagePreview *m_preview;
    QPushButton *m_export;
    ReportDataPointer m_data; ///< null while the data is being gathered
    std::unique_ptr<Worker> m_worker;
};

} // namespace meshwright
