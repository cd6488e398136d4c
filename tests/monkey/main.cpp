// SPDX-License-Identifier: GPL-3.0-or-later
#include "application.h"
#include "freed_memory.h"
#include "kept_memory.h"
#include "models/work_guard.h"
#include "monkey.h"

#include <QCommandLineParser>
#include <QDesktopServices>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace meshwright;

/// Number of messages on standard error, from Qt or from failed background work.
int complaints = 0;
const Monkey *running = nullptr; ///< whose last action a message names

void count(QtMsgType, const QMessageLogContext &context, const QString &text) {
    if (QLatin1String(context.category) == QLatin1String("meshwright.autosave"))
        return; // expected: autosave warns about copies that it cannot read or write
    if (text.startsWith(QStringLiteral("This plugin does not support")))
        return; // a message of the offscreen platform
    ++complaints;
    std::fprintf(stderr, "%s (after: %s)\n", qPrintable(text), running ? qPrintable(running->last()) : "nothing");
}

double middleOf(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + long(values.size() / 2), values.end());
    return values[values.size() / 2];
}

std::vector<double> amounts(const std::vector<Monkey::Memory> &memory, double Monkey::Memory::*kind) {
    std::vector<double> all;
    for (const Monkey::Memory &each : memory)
        all.push_back(each.*kind);
    return all;
}

void printTwenty(const char *what, const std::vector<double> &memory) {
    std::printf("; MiB %s", what);
    for (std::size_t i = 0; i < memory.size(); i += std::max<std::size_t>(1, memory.size() / 20))
        std::printf(" %.0f", memory[i]);
}

/// Relative growth of memory from the third to the last quarter of the run: 0.1 for 10%.
double growth(const std::vector<double> &memory) {
    const auto quarter = long(memory.size() / 4);
    if (quarter == 0)
        return 0;
    return middleOf({memory.end() - quarter, memory.end()})
        / middleOf({memory.end() - 2 * quarter, memory.end() - quarter})
        - 1;
}

/// Prevents clicks from opening other programs.
class NothingElse : public QObject {
    Q_OBJECT

public:
    NothingElse() {
        for (const QString &scheme : schemes)
            QDesktopServices::setUrlHandler(scheme, this, "open");
    }
    ~NothingElse() override {
        for (const QString &scheme : schemes)
            QDesktopServices::unsetUrlHandler(scheme);
    }

public Q_SLOTS:
    void open(const QUrl &) { }

private:
    const QStringList schemes{QStringLiteral("file"), QStringLiteral("http"), QStringLiteral("https")};
};

} // namespace

int main(int argc, char **argv) {
    Application application(argc, argv);
    QCommandLineParser options;
    options.setApplicationDescription(QStringLiteral("Uses the window at random."));
    options.addHelpOption();
    options.addOptions(
        {{QStringLiteral("actions"), QStringLiteral("How many."), QStringLiteral("N"), QStringLiteral("1000")},
         {QStringLiteral("seed"), QStringLiteral("Which."), QStringLiteral("N"), QStringLiteral("1")},
         {QStringLiteral("log"), QStringLiteral("Writes every action there."), QStringLiteral("FILE")},
         {QStringLiteral("grows"),
          QStringLiteral("Most that the last quarter may hold more than the "
                         "one before, %."),
          QStringLiteral("PERCENT")}});
    options.process(application);
    const NothingElse nothing;
    keep_freed_memory();
    const FreedMemory freed;
    qInstallMessageHandler(count);
    QObject::connect(&WorkFailures::instance(), &WorkFailures::failed, [](const QString &notice) {
        ++complaints;
        std::fprintf(stderr, "%s\n", qPrintable(notice));
    });

    Monkey monkey({.actions = options.value(QStringLiteral("actions")).toInt(),
                   .seed = options.value(QStringLiteral("seed")).toUInt(),
                   .log = options.value(QStringLiteral("log"))});
    running = &monkey;
    monkey.run();
    std::printf("%s actions, seed %s: longest %.2f s (%s)", qPrintable(options.value(QStringLiteral("actions"))),
                qPrintable(options.value(QStringLiteral("seed"))), monkey.longestSeconds(),
                qPrintable(monkey.longest()));
    const std::vector<double> resident = amounts(monkey.memory(), &Monkey::Memory::resident);
    printTwenty("resident", resident);
    printTwenty("used", amounts(monkey.memory(), &Monkey::Memory::used));
    const double grown = 100 * growth(resident);
    std::printf("; last quarter %+.1f %%; %d lines on standard error\n", grown, complaints);
    const bool tooMuch =
        options.isSet(QStringLiteral("grows")) && grown > options.value(QStringLiteral("grows")).toDouble();
    return complaints > 0 || tooMuch ? EXIT_FAILURE : EXIT_SUCCESS;
}

#include "main.moc"
