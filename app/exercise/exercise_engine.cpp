// SPDX-License-Identifier: GPL-3.0-or-later
#include "exercise/exercise_engine.h"

#include "exercise/confinement.h"
#include "exercise/exercise_messages.h"
#include "input/diagnostic.h"
#include "input/printable.h"

#include <QCoreApplication>
#include <QJSEngine>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <csignal>
#include <cstring>
#include <map>
#include <string>

namespace meshwright {

namespace {

QString textOf(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

std::string readRequest() {
    constexpr std::size_t most = 2u << 20;
    std::string all;
    std::array<char, 65536> piece;
    for (ssize_t now = 0; (now = ::read(STDIN_FILENO, piece.data(), piece.size())) > 0 && all.size() < most;)
        all.append(piece.data(), static_cast<std::size_t>(now));
    return all;
}

bool isName(const std::string &text) {
    const auto isLetter = [](unsigned char c) { return std::isalpha(c) != 0 || c == '_' || c == '$'; };
    return !text.empty() && text.size() <= 100 && isLetter(static_cast<unsigned char>(text.front()))
        && std::all_of(text.begin(), text.end(), [&](unsigned char c) { return isLetter(c) || std::isdigit(c) != 0; });
}

class Exercise {
public:
    explicit Exercise(ProgramCall call)
        : m_call(std::move(call)) {
        for (const std::vector<double> &arguments : m_call.cases)
            if (!m_callers.contains(arguments.size()))
                m_callers[arguments.size()] = callerOf(arguments.size());
    }

    std::string problem() {
        if (!isName(m_call.function))
            return "\"" + m_call.function + "\" is not a valid function name";
        // `const` names are visible only in the script that declares them, so the function's name is appended to that
        // script.
        QString text = textOf(m_call.program) + QStringLiteral("\n;") + textOf(m_call.function);
        text.replace(QStringLiteral("\r\n"), QStringLiteral("\n")).replace(QLatin1Char('\r'), QLatin1Char('\n'));
        m_lines = static_cast<int>(text.count(QLatin1Char('\n')));
        QStringList trace;
        const QJSValue function = m_engine.evaluate(text, QStringLiteral("program"), 1, &trace);
        if (!trace.isEmpty() || function.isError())
            return thrown(function);
        if (!function.isCallable())
            return m_call.function + " is not a function";
        for (const std::vector<double> &arguments : m_call.cases)
            if (std::string found = problemOf(function, arguments); !found.empty())
                return found;
        return {};
    }

private:
    /// Returns a script function that calls a given function with `count` arguments. Unlike QJSValue::call(), it
    /// distinguishes `throw 5` from `return 5`. It uses nothing that a program could redefine.
    QJSValue callerOf(std::size_t count) {
        QString names;
        for (std::size_t i = 0; i < count; ++i)
            names += QStringLiteral("%1a%2").arg(i == 0 ? QString() : QStringLiteral(",")).arg(i);
        const QString parameters = count == 0 ? QString() : QLatin1Char(',') + names;
        return m_engine.evaluate(QStringLiteral("(function(f%1){try{return{value:f(%2)}}catch(e){return{thrown:e}}})")
                                     .arg(parameters, names));
    }
    /// Calls the function and writes its value. @returns the problem; empty on success
    std::string problemOf(const QJSValue &function, const std::vector<double> &arguments) {
        QJSValueList all{function};
        for (const double argument : arguments)
            all << QJSValue(argument);
        const QJSValue result = m_callers[arguments.size()].call(all);
        if (result.isError())
            return thrown(result);
        if (result.hasOwnProperty(QStringLiteral("thrown")))
            return thrown(result.property(QStringLiteral("thrown")));
        const QJSValue value = result.property(QStringLiteral("value"));
        if (!value.isNumber())
            return m_call.function + " returned " + kindOf(value) + "; expected a number";
        writeOrEnd(valueLine(value.toNumber()));
        return {};
    }
    static std::string kindOf(const QJSValue &value) {
        if (value.isUndefined())
            return "undefined";
        if (value.isNull())
            return "null";
        if (value.isBool())
            return value.toBool() ? "true" : "false";
        if (value.isString())
            return "a string";
        if (value.isArray())
            return "an array";
        return value.isCallable() ? "a function" : "an object";
    }
    std::string thrown(const QJSValue &value) const {
        if (!value.isError())
            return "exception: " + value.toString().toStdString();
        const int line = value.property(QStringLiteral("lineNumber")).toInt();
        if (value.errorType() == QJSValue::ReferenceError && line > m_lines)
            return "the program defines no function " + m_call.function;
        // For a syntax error at the end of the program, the engine reports the following line, which contains only the
        // function's name. The error is therefore attributed to the program's last line.
        return "line " + std::to_string(std::clamp(line, 1, m_lines)) + ": " + value.toString().toStdString();
    }

    QJSEngine m_engine; // the engine has no extensions such as console or gc()
    ProgramCall m_call;
    std::map<std::size_t, QJSValue> m_callers; ///< functions that call the program, by number of arguments
    int m_lines = 1;
};

} // namespace

bool asksForExercise(int argc, char **argv) {
    return argc == 2 && exerciseVerb == argv[1];
}

int runExercise(char **argv) {
    std::signal(SIGPIPE, SIG_IGN);
    try {
        ProgramCall call = callOf(readRequest());
        // Disables the just-in-time compiler, because only it needs memory that is both writable and executable.
        qputenv("QV4_FORCE_INTERPRETER", "1");
        int one = 1; // pass only the program's name, so that Qt ignores debugger options
        const QCoreApplication application(one, argv);
        Exercise exercise(std::move(call));
        endWithALine({.outOfMemory = problemLine(tookTooMuchMemory),
                      .tooDeep = problemLine("exceeds the limit on recursion or nesting depth"),
                      .failed = problemLine("the JavaScript engine failed")});
        confine(exerciseMemory, exerciseTime);
        writeOrEnd(readyLine());
        writeOrEnd(problemLine(printable(exercise.problem())));
        ::_exit(0); // a normal exit would make system calls that the seccomp filter forbids
    } catch (const std::bad_alloc &) {
        writeOrEnd(problemLine(tookTooMuchMemory));
    } catch (const std::exception &error) {
        std::fprintf(stderr, "meshwright exercise: %s\n", error.what());
    }
    return 1;
}

} // namespace meshwright
