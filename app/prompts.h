// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

class QWidget;

namespace meshwright {

enum class SaveAnswer { Save, Discard, Cancel };

/// Everything that the window asks in a dialog of its own. Tests answer in its place, so that nothing blocks.
class Prompts {
public:
    virtual ~Prompts() = default;
    /// What to do with unsaved changes to the plan of this name.
    virtual SaveAnswer askToSave(QWidget *parent, const QString &name) = 0;
    /// A file to read; empty if cancelled.
    virtual QString fileToOpen(QWidget *parent, const QString &title, const QString &folder, const QString &filter) = 0;
    /// A file to write; empty if cancelled.
    virtual QString fileToSave(QWidget *parent, const QString &title, const QString &suggestion,
                               const QString &filter) = 0;
};

/// Asks in dialogs.
class DialogPrompts : public Prompts {
public:
    SaveAnswer askToSave(QWidget *parent, const QString &name) override;
    QString fileToOpen(QWidget *parent, const QString &title, const QString &folder, const QString &filter) override;
    QString fileToSave(QWidget *parent, const QString &title, const QString &suggestion,
                       const QString &filter) override;
};

} // namespace meshwright
