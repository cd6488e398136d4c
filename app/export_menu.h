// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/latest_worker.h"
#include "report/report_data.h"
#include "report/report_options.h"
#include "theme/roles.h"
#include "view_table.h"

#include <QMenu>
#include <QTimer>

#include <functional>
#include <memory>
#include <utility>

namespace meshwright {

class Prompts;
class Settings;
struct Result;

/// Menu that exports the current result and the current view's table and picture. Disabled until there is a result.
class ExportMenu : public QMenu {
    Q_OBJECT

public:
    ExportMenu(Settings &settings, Prompts &prompts, QWidget *window);

    void setView(std::function<QWidget *()> view) { m_view = std::move(view); }
    void setTable(std::function<ViewTable()> table) { m_table = std::move(table); }
    /// @param source  returns the content of a report: the current result, its search and the plan's file
    void setReportSource(std::function<ReportInput()> source) { m_source = std::move(source); }
    void setResult(std::shared_ptr<const Result> result, const QString &name);

    bool isBusy() const { return m_worker.isBusy(); }
    /// Cancels the export in progress; an existing file is not changed.
    void stop();
    /// Waits briefly for the export in progress, then cancels it.
    void settle();

Q_SIGNALS:
    /// Emitted when an export takes so long that the user should be able to stop it.
    void writing(const QString &path);
    void noticed(meshwright::Tone tone, const QString &text);
    void written(const QString &path);

private:
    using Writer = std::function<QByteArray(const Result &)>;
    struct Wanted {
        std::shared_ptr<const Result> result;
        Writer writer;
        QString path;
    };
    struct Written {
        QString path;
        QString problem; ///< empty if the file was written
    };
    static Written write(const Wanted &wanted);
    void add(const QString &id, const QString &text, const QString &suffix, const QString &filter,
             const Writer &writer);
    void addReport();
    void openReport();
    /// Content of a report about the current state. Without a report source, it has only the result.
    ReportInput reportInput() const;
    void writeReport(const ReportOptions &options, ReportForm form, const ReportDataPointer &gathered);
    void addOfView();
    void addStop();
    void write(const QString &suffix, const QString &filter, const Writer &writer);
    /// Asks for the file. @returns an empty path if canceled
    QString askForFile(const QString &suffix, const QString &filter);
    void receive(const Written &written);

    Settings &m_settings;
    Prompts &m_prompts;
    QWidget *m_window;
    std::shared_ptr<const Result> m_result;
    QString m_name;
    QString m_path;
    std::function<QWidget *()> m_view;
    std::function<ViewTable()> m_table;
    std::function<ReportInput()> m_source;
    QAction *m_stop = nullptr;
    QTimer m_slow; ///< delay before an export in progress is announced
    /// Last member, so that its thread ends before the other members are destroyed.
    LatestWorker<Wanted, Written> m_worker;
};

} // namespace meshwright
