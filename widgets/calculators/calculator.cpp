// SPDX-License-Identifier: GPL-3.0-or-later
#include "calculators/calculator.h"

#include "input/diagnostic.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

struct Example {
    std::string_view name;
    double value;
};

/// Typical values of symbols by name. Other symbols get a value typical of their quantity.
constexpr Example namedExamples[] = {{"layers", 32},
                                     {"flops", 1e24},
                                     {"hidden", 4096},
                                     {"sequence", 4096},
                                     {"microbatches", 32},
                                     {"capacity_bytes", 80e9},
                                     {"peak_bytes", 70e9},
                                     {"end_bytes", 76e9},
                                     {"accelerators", 1024},
                                     {"batch", 512},
                                     {"target_batch", 512},
                                     {"accumulation_steps", 16},
                                     {"vocabulary", 128e3},
                                     {"heads", 32},
                                     {"query_heads", 32},
                                     {"head_dim", 128},
                                     {"feed_forward", 14336},
                                     {"quorum", 6},
                                     {"micro_batch", 1},
                                     {"total_steps", 100e3},
                                     {"warmup_steps", 2000},
                                     {"step", 1000},
                                     {"steps", 100e3},
                                     {"inner_steps", 100},
                                     {"peak_rate", 3e-4},
                                     {"base_rate", 3e-4},
                                     {"rank", 0},
                                     {"stage", 0},
                                     {"loss_probability", 1e-4},
                                     {"density", 0.01},
                                     {"efficiency", 0.5},
                                     {"days", 30},
                                     {"batch_tokens", 4e6},
                                     {"start_batch", 1e6},
                                     {"document_tokens", 1500},
                                     {"microbatch_tokens", 2000},
                                     {"median", 1e-6},
                                     {"spread", 2},
                                     {"kv_width", 1024},
                                     {"checkpoint_steps", 400},
                                     {"memory_bytes", 80e9},
                                     {"ramp_tokens", 1e11},
                                     {"latency", 5e-6},
                                     {"mtbf_seconds", 86400},
                                     {"write_seconds", 60},
                                     {"interval_seconds", 3600},
                                     {"recovery_seconds", 600}};

double usualSize(const Symbol &symbol) {
    const auto *const named = std::find_if(std::begin(namedExamples), std::end(namedExamples),
                                           [&](const Example &example) { return example.name == symbol.name; });
    if (named != std::end(namedExamples))
        return named->value;
    switch (symbol.quantity) {
    case Quantity::share:
        return 0.5;
    case Quantity::bytes:
        return symbol.unit.empty() ? 1e9 : 16; // a number of bytes has its own unit only if it is given in bits
    case Quantity::bytes_per_second:
        return 50e9;
    case Quantity::bits_per_second:
    case Quantity::tokens:
        return 1e9;
    case Quantity::flops:
    case Quantity::flops_per_second:
        return 1e15;
    case Quantity::watts:
        return 700;
    case Quantity::joules:
        return 3.6e9;
    case Quantity::parameters:
        return 7e9;
    case Quantity::dollars_per_hour:
        return 2;
    case Quantity::dollars_per_kilowatt_hour:
        return 0.1;
    case Quantity::seconds:
    case Quantity::dollars:
        return 1;
    default:
        return symbol.whole || symbol.high > 100 ? 8 : 0.5;
    }
}

} // namespace

std::string Calculator::exampleOf(const Symbol &symbol) {
    if (symbol.otherwise)
        return value_text(*symbol.otherwise, symbol);
    if (!symbol.choices.empty())
        return std::string(symbol.choices.front());
    const double value = std::clamp(usualSize(symbol), symbol.low, symbol.high);
    return value_text(symbol.whole ? std::round(value) : value, symbol);
}

Calculator::Calculator(const Formula &formula)
    : m_formula(&formula) {
    for (const Symbol &symbol : formula.symbols)
        m_texts[std::string(symbol.name)] = exampleOf(symbol);
    calculate();
}

void Calculator::setText(std::string_view symbol, const QString &text) {
    m_texts[std::string(symbol)] = text.trimmed().toStdString();
    calculate();
}

void Calculator::setTexts(const ArgumentTexts &texts) {
    for (const auto &[name, text] : texts)
        if (m_formula->find_symbol(name) != nullptr)
            m_texts[name] = text;
    calculate();
}

const Calculation::Value *Calculator::value(std::string_view result) const {
    if (!m_calculation)
        return nullptr;
    for (const Calculation::Value &value : m_calculation->values)
        if (value.result->name == result)
            return &value;
    return nullptr;
}

void Calculator::calculate() {
    ArgumentTexts given;
    for (const auto &[name, text] : m_texts)
        if (!text.empty())
            given.emplace(name, text);
    m_calculation.reset();
    m_problem.reset();
    try {
        m_calculation = meshwright::calculate(m_formula->id, given);
    } catch (const InputError &error) {
        const Diagnostic &first = error.diagnostics().front();
        const std::string field = first.fields.empty() ? std::string() : first.fields.front();
        m_problem = Problem{QString::fromStdString(first.message.text + "; " + first.expected.text),
                            field.empty() ? field : field.substr(1)};
    }
}

} // namespace meshwright
