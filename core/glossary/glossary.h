// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// One entry of the glossary. All texts are UTF-8 and plain, never markup.
struct GlossaryTerm {
    std::string id; ///< lower-case letters, digits and hyphens: "tensor-parallelism"
    std::string term; ///< such as "Tensor parallelism"
    std::vector<std::string> aliases; ///< abbreviations and other spellings: "TP"
    std::string definition; ///< definition in one or two sentences
    std::string formula; ///< formula as plain text; may be empty
    std::string source; ///< paper with its arXiv id, or documentation; may be empty
    std::vector<std::string> see_also;
    std::vector<std::string> fields; ///< JSON pointers of the plan fields that it explains; array indices are 0
    bool in_text = true; ///< false for everyday words, which in_text() does not mark

    /// The term with its aliases in parentheses: "Tensor parallelism (TP, tensor parallel)".
    std::string title() const;
    std::string_view first_sentence() const;
};

struct TermSpan {
    std::size_t begin = 0;
    std::size_t length = 0; ///< length, including a plural "s"
    const GlossaryTerm *term = nullptr; ///< owned by the glossary that found it
};

/// The program's glossary: one definition per term for the command line, tool tips, F1, the report and the guide.
/// Comparisons of names ignore case, and treat hyphens, underscores and spaces alike.
class Glossary {
public:
    Glossary() = default;
    /// @throws InputError if the document breaks the schema, defines a term twice or refers to an unknown term
    explicit Glossary(const nlohmann::ordered_json &document);
    /// @throws FileError, InputError
    static Glossary read(const std::filesystem::path &file);

    static std::filesystem::path own_file();
    /// The glossary in own_file(), read once. If reading fails, it is empty, and problem() states the reason.
    static const Glossary &standard();
    /// The problem with the file, in one line with the file's name; empty if the file was read.
    const std::string &problem() const { return m_problem; }

    /// All terms, sorted by name.
    const std::vector<GlossaryTerm> &terms() const { return m_terms; }

    /// The term with this name, alias or id; a plural is accepted. Null if there is none.
    const GlossaryTerm *find(std::string_view name) const;
    /// Terms whose names are similar to an unknown one, the most similar first; at most three.
    std::vector<const GlossaryTerm *> similar(std::string_view name) const;
    /// The term that explains a plan field (given as a JSON pointer), or else the term that explains the object
    /// containing the field. Null if there is neither.
    const GlossaryTerm *of_field(std::string_view pointer) const;
    /// The terms named in a text, from left to right. Only whole words match, with or without a plural "s", and the
    /// longest name at each position is taken. Abbreviations ("TP", "MoE") must match in case. Identifiers with
    /// underscores are skipped.
    std::vector<TermSpan> in_text(std::string_view text) const;

private:
    struct Name {
        std::size_t term = 0; ///< index of the term in the glossary
        std::string spelling; ///< original spelling, with hyphens replaced by spaces
        bool needs_case = false;
    };

    void index();
    const Name *name_of(std::string_view folded, std::size_t &length) const;
    std::optional<TermSpan> longest_at(std::string_view text, std::string_view folded, std::size_t begin) const;

    std::vector<GlossaryTerm> m_terms;
    std::map<std::string, Name, std::less<>> m_names; ///< terms by case-folded name
    std::map<std::string, std::size_t, std::less<>> m_ids;
    std::map<std::string, std::size_t, std::less<>> m_fields;
    std::size_t m_longest = 0; ///< length of the longest name, in bytes
    std::string m_problem;
};

} // namespace meshwright
