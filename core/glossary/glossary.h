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
    std::string term; ///< "Tensor parallelism"
    std::vector<std::string> aliases; ///< abbreviations and other spellings: "TP"
    std::string definition; ///< definition in one or two sentences
    std::string formula; ///< formula as plain text; may be empty
    std::string source; ///< paper with its arXiv id, or documentation; may be empty
    std::vector<std::string> see_also; ///< ids of related terms
    std::vector<std::string> fields; ///< JSON pointers of the plan fields that it explains; array indices are 0
    bool in_text = true; ///< false for everyday words, which in_text() does not mark

    /// The term with its aliases in parentheses: "Tensor parallelism (TP, tensor parallel)".
    std::string title() const;
    /// The definition's first sentence.
    std::string_view first_sentence() const;
};

/// Place of a term's name in a text, in bytes.
struct TermSpan {
    std::size_t begin = 0;
    std::size_t length = 0; ///< a plural "s" included
    const GlossaryTerm *term = nullptr; ///< the term, owned by the glossary that found it
};

/// The program's glossary: one definition per term for the command line, tool tips, F1, the report and the guide.
/// Names are compared without regard to case, and hyphens, underscores and spaces are the same.
class Glossary {
public:
    Glossary() = default;
    /// @throws InputError for a document that breaks the schema, names a term twice or refers to an unknown one
    explicit Glossary(const nlohmann::ordered_json &document);
    /// @throws FileError, InputError
    static Glossary read(const std::filesystem::path &file);

    /// The file that comes with the program.
    static std::filesystem::path own_file();
    /// The glossary in own_file(), read once. If reading fails, the glossary is empty and problem() gives the reason.
    static const Glossary &standard();
    /// The problem with the file, in one line with its name; empty if it was read.
    const std::string &problem() const { return m_problem; }

    /// All terms, sorted by name.
    const std::vector<GlossaryTerm> &terms() const { return m_terms; }

    /// The term with this name, alias or id; a plural is accepted. Null if there is none.
    const GlossaryTerm *find(std::string_view name) const;
    /// Terms whose names are similar to an unknown one, the most similar first; at most three.
    std::vector<const GlossaryTerm *> similar(std::string_view name) const;
    /// The term that explains a plan field, given as a JSON pointer, or otherwise the object that holds the field. Null
    /// for none.
    const GlossaryTerm *of_field(std::string_view pointer) const;
    /// The terms that a running text names, from left to right: whole words, the longest name at each place, with or
    /// without a plural "s". Abbreviations ("TP", "MoE") must have their case, and identifiers with underscores are
    /// left alone.
    std::vector<TermSpan> in_text(std::string_view text) const;

private:
    struct Name {
        std::size_t term = 0; ///< index of the term in the glossary
        std::string spelling; ///< spelling with its case; hyphens are spaces
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
