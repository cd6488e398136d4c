// SPDX-License-Identifier: GPL-3.0-or-later
// Launch scripts are interpreted without running any command.
#include "launch/shell_script.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

using namespace meshwright;

namespace {

/// Returns the words of the script's last command, joined by spaces.
std::string last_command(const std::string &script) {
    const ShellScript read = read_shell_script(script);
    std::string words;
    if (!read.commands.empty())
        for (const std::string &word : read.commands.back())
            words += (words.empty() ? "" : " ") + word;
    return words;
}

long long value_of(const std::string &expression) {
    long long value = -1;
    return shell_arithmetic(expression, {{"A", "6"}, {"B", "4"}}, value) ? value : -1;
}

} // namespace

TEST(ShellScript, words_are_expanded_as_the_shell_does) {
    EXPECT_EQ(last_command("A=3\nrun --x $A --y=\"${A}0\" '--z=$A'"), "run --x 3 --y=30 --z=$A");
    EXPECT_EQ(last_command("ARGS=\"--a 1 \\\n --b 2\"\nrun $ARGS"), "run --a 1 --b 2");
    EXPECT_EQ(last_command("A=(--a 1  # one\n --b 'x y')\nA+=(--c)\nrun \"${A[@]}\""), "run --a 1 --b x y --c");
    EXPECT_EQ(last_command("run ${N:-8} ${M-4} ${K:=2}"), "run 8 4 2");
    EXPECT_EQ(last_command("N=\nrun ${N:-8} x${N-4}"), "run 8 x");
    EXPECT_EQ(last_command("run $1 ${HOME} $(hostname)"), "run $1 ${HOME} $(hostname)");
}

TEST(ShellScript, arithmetic_is_the_shells) {
    EXPECT_EQ(value_of("A * B / 3"), 8);
    EXPECT_EQ(value_of("(A + B) % 7"), 3);
    EXPECT_EQ(value_of("2 ** 10"), 1024);
    EXPECT_EQ(value_of("A > B"), 1);
    EXPECT_EQ(value_of("A / 0"), -1);
    EXPECT_EQ(value_of("9223372036854775807 + 1"), -1);
    EXPECT_EQ(last_command("G=$((4 * 2))\nrun $((G / 4))"), "run 2");
}

TEST(ShellScript, conditions_choose_what_runs) {
    EXPECT_EQ(last_command("A=2\nif [ $A -gt 1 ]; then B=x; else B=y; fi\nrun $B"), "run x");
    EXPECT_EQ(last_command("A=2\nif [[ $A == 3 ]]\nthen\n B=x\nelif [ \"$A\" = \"2\" ]; then\n B=z\nfi\nrun $B"),
              "run z");
    EXPECT_EQ(last_command("case small in\n big) A=1 ;;\n small|tiny) A=2 ;;\n *) A=3 ;;\nesac\nrun $A"), "run 2");
    EXPECT_EQ(last_command("if [ -z \"$X\" ]; then X=7; fi\nrun $X"), "run 7");
    EXPECT_EQ(last_command("A=1\n[ $A -eq 1 ] && B=yes\nrun $B"), "run yes");
}

TEST(ShellScript, here_documents_and_directives_are_kept) {
    const ShellScript script = read_shell_script("#!/bin/bash\n#SBATCH --nodes=4 # as many\nZ=2\ncat <<EOT > ds.json\n"
                                                 "{\"stage\": $Z, \"cost\": \"\\$5\"}\nEOT\nrun\n");
    ASSERT_EQ(script.documents.size(), 1u);
    EXPECT_EQ(script.documents.front().first, "ds.json");
    EXPECT_EQ(script.documents.front().second, "{\"stage\": 2, \"cost\": \"$5\"}\n");
    EXPECT_EQ(script.directives, std::vector<std::string>{"--nodes=4"});
}

TEST(ShellScript, documents_and_here_strings_fill_variables) {
    EXPECT_EQ(last_command("IFS=',' read -r A B <<< \"4,2\"\nrun $A $B"), "run 4 2");
    EXPECT_EQ(last_command("N=8\nC=$(cat <<EOF\nrun --n $N\nEOF\n)\nsh $C"), "sh run --n 8");
    EXPECT_EQ(last_command("N=8\nread -r -d '' C <<EOF || true\nrun --n $N \"x\"\nEOF\nsh $C"), "sh run --n 8 \"x\"");
    EXPECT_EQ(last_command("read -r -d '' C <<'EOF'\nit's $N\nEOF\nsh $C"), "sh it's $N");
}

TEST(ShellScript, commands_that_only_a_running_shell_replaces_stay_one_word) {
    EXPECT_EQ(read_shell_script("A=\"run --h $(hosts list | head -n 1) --x\"\n$A").commands.back(),
              (std::vector<std::string>{"run", "--h", "$(hosts list | head -n 1)", "--x"}));
    EXPECT_EQ(last_command("A='run $( `'\n$A --x"), "run $( ` --x");
}

TEST(ShellScript, an_echo_whose_blanks_are_changed_is_its_words) {
    EXPECT_EQ(last_command("A=\"--a 1 \\\n  --b 2\"\nC=\"run $(echo \"$A\" | tr '\\n' ' ' | sed 's/  \\+/ /g')\"\n$C"),
              "run --a 1 --b 2");
    EXPECT_EQ(last_command("run $(echo \" 8 \" | xargs)"), "run 8");
    EXPECT_EQ(last_command("run $(echo a-b | tr '-' '_')"), "run $(echo a-b | tr '-' '_')");
    EXPECT_EQ(last_command("run $(echo a b | sed 's/a/ /g')"), "run $(echo a b | sed 's/a/ /g')");
}

TEST(ShellScript, redirections_and_pipes_are_no_options) {
    const ShellScript script = read_shell_script("run --a 1 2>&1 > log.txt | tee log\n");
    ASSERT_FALSE(script.commands.empty());
    EXPECT_EQ(script.commands.front(), (std::vector<std::string>{"run", "--a", "1"}));
}

TEST(ShellScript, any_text_is_read_to_its_end) {
    rc::check([] {
        const std::vector<std::string> pieces{
            "if", "fi", "then", "case", "esac", "for", "in", "do",  "done", "((", "))",  "${", "}",   "$(",
            ")",  "\"", "'",    "\\",   "\n",   ";",   ";;", "<<E", "<<<",  "E",  "A=",  "$A", "A+=", "(",
            "[",  "]",  "&&",   "||",   "|",    "`",   "#",  "x",   "1",    "{",  "f()", "=",  " "};
        std::string text;
        const int count = *rc::gen::inRange(0, 60);
        for (int i = 0; i < count; ++i)
            text += *rc::gen::elementOf(pieces);
        RC_ASSERT(read_shell_script(text).commands.size() <= 20'000u);
    });
}
