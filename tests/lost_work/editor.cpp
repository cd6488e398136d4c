// SPDX-License-Identifier: GPL-3.0-or-later
// Drives the program's own document, autosave, settings and window by commands on standard input. lost_work.py kills it
// at any moment and knows from its answers which commands were done. Each command is answered with one line:
//   edit N     changes the sequence length to N; answers "edit N" once a user would see the edit
//   open FILE
//   save FILE
//   reset      opens a new plan, as after the answer Discard
//   recover    opens the plan that a crash left behind; answers "left N" for the next such plan, or "left none"
//   discard    deletes it, with the same answers
//   state      answers "state N notice on" or "state N notice off"
// The program starts with the line "left N" or "left none". The option --window drives the whole window with keys
// instead of its document alone.
#include "autosave.h"
#include "catalog/library.h"
#include "controls/folding_section.h"
#include "controls/integer_box.h"
#include "controls/notice_strip.h"
#include "file_controller.h"
#include "main_window.h"
#include "plan_document.h"
#include "prompts.h"
#include "settings.h"
#include "termination.h"
#include "theme/theme.h"

#include <QApplication>
#include <QPushButton>
#include <QSocketNotifier>
#include <QTest>

#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <string>

#include <unistd.h>

using namespace meshwright;
using nlohmann::ordered_json;

namespace {

/// Writes the line in one call, so that a killed process leaves only complete lines.
void answer(const std::string &line) {
    const std::string text = line + "\n";
    (void)!::write(STDOUT_FILENO, text.data(), text.size());
}

std::string lengthIn(const ordered_json &document) {
    const ordered_json::json_pointer length("/batch/sequence_length");
    return document.contains(length) ? document.at(length).dump() : "none";
}

ordered_json smallPlan() {
    return {{"schema", "meshwright.plan/1"}, {"name", "Small"}, {"cluster", "dgx-h100"}, {"model", "llama-3.1-8b"}};
}

/// Commands of the script, for the window or for its document alone.
class Editor {
public:
    Editor() = default;
    virtual ~Editor() = default;
    Editor(const Editor &) = delete;
    Editor &operator=(const Editor &) = delete;

    virtual void edit(int length) = 0;
    virtual void open(const QString &file) = 0;
    virtual void save(const QString &file) = 0;
    virtual void reset() = 0;
    virtual void recover() = 0;
    virtual void discard() = 0;
    virtual std::string left() const = 0;
    virtual std::string state() const = 0;
};

class DocumentEditor : public Editor {
public:
    DocumentEditor()
        : m_document(Library::standard())
        , m_autosave(m_document, Autosave::standardFolder()) {
        QObject::connect(&m_autosave, &Autosave::failed, [this] { m_failing = true; });
        QObject::connect(&m_autosave, &Autosave::recovered, [this] { m_failing = false; });
        m_document.replace(smallPlan(), PlanOrigin::New);
        m_left = m_autosave.leftBehind();
    }

    Autosave *autosave() { return &m_autosave; }
    void edit(int length) override {
        const ordered_json patch{{"batch", {{"sequence_length", length}}}};
        m_document.apply({.subject = QStringLiteral("length"), .patch = patch.dump()});
    }
    void open(const QString &file) override { m_document.open(file); }
    void save(const QString &file) override { m_document.save(file); }
    void reset() override { m_document.replace(smallPlan(), PlanOrigin::New); }
    void recover() override {
        m_document.recover(*m_left->document, m_left->origin);
        m_autosave.adopt(*m_left);
        m_left = m_autosave.leftBehind();
    }
    void discard() override {
        Autosave::discard(*m_left);
        m_left = m_autosave.leftBehind();
    }
    std::string left() const override { return m_left ? lengthIn(*m_left->document) : "none"; }
    std::string state() const override {
        return lengthIn(*m_document.json()) + (m_failing ? " notice on" : " notice off");
    }

private:
    PlanDocument m_document;
    Autosave m_autosave;
    std::optional<LeftBehind> m_left;
    bool m_failing = false;
};

/// Never opens a dialog: the script sends the answers as commands.
class NoPrompts : public DialogPrompts {
public:
    SaveAnswer askToSave(QWidget *, const QString &) override { return SaveAnswer::Discard; }
    QString fileToSave(QWidget *, const QString &, const QString &, const QString &) override { return file; }

    QString file;
};

class WindowEditor : public Editor {
public:
    WindowEditor()
        : m_window(Library::standard(), m_settings, m_prompts, Autosave::standardFolder()) {
        Theme::setReducedMotion(true);
        m_window.openAtStart({});
        m_window.files()->openDocument(smallPlan());
        m_window.show();
        m_window.offerRecovery();
        m_window.files()->settleFolders();
    }

    MainWindow &window() { return m_window; }
    void edit(int length) override {
        auto *field = m_window.findChild<IntegerBox *>(QStringLiteral("batch/sequence_length"));
        for (QWidget *each = field; each != nullptr; each = each->parentWidget())
            if (auto *section = qobject_cast<FoldingSection *>(each))
                section->setFolded(false);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QString::number(length));
        QTest::keyClick(field, Qt::Key_Return);
        const std::string taken = lengthIn(*m_window.session()->document()->json());
        if (taken != std::to_string(length))
            throw std::runtime_error("the field shows " + taken + " for " + std::to_string(length));
    }
    void open(const QString &file) override { m_window.files()->openFile(file); }
    void save(const QString &file) override {
        m_prompts.file = file;
        if (!m_window.files()->saveAs())
            throw std::runtime_error("refused");
    }
    void reset() override { m_window.files()->openDocument(smallPlan()); }
    void recover() override { press("noticeAction"); }
    void discard() override { press("noticeDismiss"); }
    std::string left() const override { return strip("recoveryBar")->isVisible() ? "offered" : "none"; }
    std::string state() const override {
        const bool notice = strip("autosaveBar")->isVisible();
        return lengthIn(*const_cast<MainWindow &>(m_window).session()->document()->json())
            + (notice ? " notice on" : " notice off");
    }

private:
    NoticeStrip *strip(const char *name) const { return m_window.findChild<NoticeStrip *>(QLatin1String(name)); }
    void press(const char *button) {
        QTest::mouseClick(strip("recoveryBar")->findChild<QPushButton *>(QLatin1String(button)), Qt::LeftButton);
    }

    Settings m_settings;
    NoPrompts m_prompts;
    MainWindow m_window;
};

/// Reads command lines and executes each as it arrives.
class Commands : public QObject {
public:
    explicit Commands(Editor &editor)
        : m_editor(editor)
        , m_input(STDIN_FILENO, QSocketNotifier::Read) {
        connect(&m_input, &QSocketNotifier::activated, this, &Commands::receive);
    }

private:
    void receive() {
        char piece[4096]; // NOLINT: for read()
        const ssize_t got = ::read(STDIN_FILENO, piece, sizeof piece);
        if (got <= 0) {
            QCoreApplication::exit(0);
            m_input.setEnabled(false);
            return;
        }
        m_text.append(piece, static_cast<std::size_t>(got));
        for (std::size_t end = m_text.find('\n'); end != std::string::npos; end = m_text.find('\n')) {
            const std::string line = m_text.substr(0, end);
            m_text.erase(0, end + 1);
            const std::size_t space = std::min(line.find(' '), line.size());
            obey(line.substr(0, space), line.substr(std::min(space + 1, line.size())));
        }
    }

    void obey(const std::string &command, const std::string &argument) {
        const QString file = QString::fromStdString(argument);
        try {
            if (command == "edit")
                m_editor.edit(std::stoi(argument));
            else if (command == "open")
                m_editor.open(file);
            else if (command == "save")
                m_editor.save(file);
            else if (command == "reset")
                m_editor.reset();
            else if (command == "recover")
                m_editor.recover();
            else if (command == "discard")
                m_editor.discard();
            if (command == "recover" || command == "discard")
                answer("left " + m_editor.left());
            else if (command == "state")
                answer("state " + m_editor.state());
            else
                answer(command + " " + argument);
        } catch (const std::exception &error) {
            answer("refused " + std::string(error.what()));
        }
    }

    Editor &m_editor;
    QSocketNotifier m_input;
    std::string m_text;
};

int run(Editor &editor, const std::function<void(int)> &end) {
    const Termination termination;
    QObject::connect(&termination, &Termination::requested, end);
    const Commands commands(editor);
    answer("left " + editor.left());
    return QCoreApplication::exec();
}

} // namespace

int main(int argc, char **argv) {
    const bool hasWindow = argc > 1 && std::string(argv[1]) == "--window";
    QCoreApplication::setApplicationName(QStringLiteral("meshwright"));
    if (hasWindow) {
        const QApplication application(argc, argv);
        WindowEditor editor;
        return run(editor, [&editor](int signal) { editor.window().endKeepingWork(signal); });
    }
    const QCoreApplication application(argc, argv);
    DocumentEditor editor;
    return run(editor, [&editor](int signal) {
        editor.autosave()->leaveBehind();
        QCoreApplication::exit(128 + signal);
    });
}
