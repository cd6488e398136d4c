// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments of a calculator. The first line has its name; each further line has name=value, or the value of the next
// argument.
#include "formulas/formula.h"
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace meshwright;
    return fuzz::refusing([&] {
        std::string_view text = fuzz::text_of(data, size);
        const std::string name(fuzz::take_line(text));
        std::map<std::string, std::string, std::less<>> arguments;
        const Formula *const formula = find_formula(name);
        for (std::size_t i = 0; !text.empty(); ++i) {
            const std::string_view line = fuzz::take_line(text);
            const std::size_t equals = line.find('=');
            if (equals != std::string_view::npos)
                arguments.emplace(line.substr(0, equals), line.substr(equals + 1));
            else if (formula != nullptr && i < formula->symbols.size() && !line.empty())
                arguments.emplace(formula->symbols[i].name, line);
        }
        const Calculation calculation = calculate(name, arguments);
        for (const Calculation::Value &value : calculation.values)
            (void)value_text(value.value, *value.result);
        for (const Symbol &symbol : calculation.formula->symbols)
            if (const auto given = calculation.arguments.find(symbol.name); given != calculation.arguments.end())
                (void)value_text(given->second, symbol);
        fuzz::went_all_the_way();
    });
}
