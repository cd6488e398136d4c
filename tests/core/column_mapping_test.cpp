// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/column_mapping.h"

#include "catalog/library.h"
#include "evidence/measured_run.h"
#include "evidence/row_reading.h"
#include "input/diagnostic.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

namespace meshwright {
namespace {

/// A table by an author who has never seen the program's column names.
constexpr auto naive = "model,gpus,tp,pp,dp,step_time_ms,seq_len,gbs,peak mem [GB]\n"
                       "llama-3.1-8b,16,2,1,8,1720,8192,64,61.5\n"
                       "llama-3.1-8b,16,4,1,4,\"1,810\",8192,64,48\n";

ColumnMapping mapping_with_gpu(const CsvTable &table) {
    ColumnMapping mapping = guessed_mapping(table);
    mapping.for_all_rows["accelerator"] = "h100-sxm-80gb";
    return mapping;
}

TEST(ColumnMapping, GuessesWhatOthersCallTheColumns) {
    const ColumnMapping mapping = guessed_mapping(read_csv(naive));
    std::vector<std::string> targets;
    for (const MappedColumn &column : mapping.columns)
        targets.push_back(column.target);
    EXPECT_EQ(targets,
              (std::vector<std::string>{"model", "accelerators", "tensor", "pipeline", "data", "step_seconds",
                                        "sequence_length", "global_batch", "peak_memory_bytes"}));
    EXPECT_EQ(mapping.columns[5].factor, 1e-3);
    EXPECT_EQ(mapping.columns[8].factor, 1e9);
}

TEST(ColumnMapping, SaysWhatIsMissing) {
    const CsvTable table = read_csv(naive);
    EXPECT_EQ(missing_columns(guessed_mapping(table)), std::vector<std::string>{"accelerator"});
    EXPECT_TRUE(missing_columns(mapping_with_gpu(table)).empty());
    EXPECT_FALSE(is_run_table(table));
    EXPECT_EQ(missing_columns(guessed_mapping(read_csv("a,b\n1,2\n"))).size(), 6U);
}

TEST(ColumnMapping, RefusesATableThatLacksSomethingByItsNames) {
    try {
        as_run_table(read_csv(naive));
        FAIL() << "the mapping is complete without a GPU column";
    } catch (const InputError &error) {
        EXPECT_EQ(error.diagnostics().front().message.text, "no column for: GPU");
        EXPECT_NE(error.diagnostics().front().expected.text.find("accelerator"), std::string::npos);
    }
    EXPECT_EQ(as_run_table(read_csv("id,x\n1,2\n")).columns, (std::vector<std::string>{"id", "x"}));
}

TEST(ColumnMapping, GivesRunsThatCanBePredicted) {
    const CsvTable table = read_csv(naive);
    const CsvTable mapped = mapped_table(table, mapping_with_gpu(table));
    EXPECT_TRUE(is_run_table(mapped));
    const std::vector<MeasuredRun> runs = measured_runs(mapped);
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0].id, "row 1");
    EXPECT_DOUBLE_EQ(*runs[0].step_seconds, 1.72);
    EXPECT_DOUBLE_EQ(*runs[1].step_seconds, 1.81);
    EXPECT_DOUBLE_EQ(*runs[0].peak_memory_bytes, 61.5e9);
    EXPECT_EQ(*runs[1].tensor, 4);
    for (const RowReading &row : rows_as_read(mapped, 10, RunRules::standard(), Library::standard()))
        EXPECT_EQ(row.problem, "");
}

TEST(ColumnMapping, SaysWhyARowCannotBePredicted) {
    const CsvTable table =
        read_csv("id,model,accelerator,accelerators,tensor,global_batch,sequence_length,step_seconds\n"
                 "a,llama-3.1-8b,no-such-gpu,8,1,8,8192,1.7\n"
                 "b,no such model,h100-sxm-80gb,8,1,8,8192,1.7\n"
                 "c,llama-3.1-8b,h100-sxm-80gb,8,1,8,8192,n/a\n"
                 "d,llama-3.1-8b,h100-sxm-80gb,8,1,8,8192,1.7\n");
    std::vector<std::string> verdicts;
    for (const RowReading &row : rows_as_read(table, 10, RunRules::standard(), Library::standard()))
        verdicts.push_back(row.problem);
    ASSERT_EQ(verdicts.size(), 4U);
    EXPECT_NE(verdicts[0].find("accelerator"), std::string::npos) << verdicts[0];
    EXPECT_NE(verdicts[1].find("model"), std::string::npos) << verdicts[1];
    EXPECT_NE(verdicts[2].find("step time"), std::string::npos) << verdicts[2];
    EXPECT_EQ(verdicts[3], "");
    EXPECT_EQ(rows_as_read(table, 2, RunRules::standard(), Library::standard()).size(), 2U);
}

/// Returns the problem reported for a run to which a column with this name and cell was added.
std::string problem_of_row(const std::string &name, const std::string &cell) {
    const CsvTable table = read_csv("id,model,accelerator,accelerators,tensor,global_batch,sequence_length," + name
                                    + "\na,llama-3.1-8b,h100-sxm-80gb,8,1,8,8192," + cell + "\n");
    return rows_as_read(table, 1, RunRules::standard(), Library::standard()).front().problem;
}

TEST(ColumnMapping, DoubtsAFigureInTheWrongUnit) {
    EXPECT_EQ(problem_of_row("step_seconds", "1.7"), "");
    EXPECT_NE(problem_of_row("step_seconds", "0.0017").find("below what the GPUs' peak"), std::string::npos);
    EXPECT_NE(problem_of_row("step_seconds", "1700").find("under 2%"), std::string::npos);
    EXPECT_EQ(problem_of_row("peak_memory_bytes", "61e9"), "");
    EXPECT_NE(problem_of_row("peak_memory_bytes", "61e12").find("exceeds the GPU's memory"), std::string::npos);
}

TEST(ColumnMapping, GivesACommentItsOwnVerdict) {
    const CsvTable table =
        read_csv("id,model,accelerator,accelerators,tensor,global_batch,sequence_length,step_seconds\n"
                 "# warm caches,,,,,,,\n"
                 "a,llama-3.1-8b,h100-sxm-80gb,8,1,8,8192,1.7\n");
    const std::vector<RowReading> rows = rows_as_read(table, 10, RunRules::standard(), Library::standard());
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_NE(rows[0].problem.find("comment"), std::string::npos);
    EXPECT_EQ(rows[1].problem, "");
    EXPECT_EQ(rows[1].run.id, "a");
}

TEST(ColumnMapping, SharesOutARateOfAllGpus) {
    const CsvTable table = read_csv("model,gpu,gpus,tp,gbs,seq,tokens/s\n"
                                    "llama-3.1-8b,h100-sxm-80gb,16,1,64,8192,160000\n"
                                    "llama-3.1-8b,h100-sxm-80gb,?,1,64,8192,160000\n");
    const ColumnMapping mapping = guessed_mapping(table);
    EXPECT_EQ(mapping.columns[6].rate, RateOf::all_gpus);
    const std::vector<MeasuredRun> runs = measured_runs(mapped_table(table, mapping));
    EXPECT_DOUBLE_EQ(*runs[0].tokens_per_second_per_accelerator, 10000);
    EXPECT_FALSE(runs[1].tokens_per_second_per_accelerator);
    EXPECT_EQ(parse_mapping(text_of(mapping), table), mapping);
}

TEST(ColumnMapping, ReadsTheUnitBehindANumber) {
    const CsvTable table = read_csv("model,params,step time,peak memory [MiB]\nmine,8B,1720 ms,61.5 GB\nx,8e9,1.7,2\n");
    const std::vector<MeasuredRun> runs = measured_runs(mapped_table(table, guessed_mapping(table), "mine"));
    EXPECT_DOUBLE_EQ(*runs[0].parameters, 8e9);
    EXPECT_DOUBLE_EQ(*runs[0].step_seconds, 1.72);
    EXPECT_DOUBLE_EQ(*runs[0].peak_memory_bytes, 61.5e9);
    EXPECT_DOUBLE_EQ(*runs[1].step_seconds, 1.7);
    EXPECT_DOUBLE_EQ(*runs[1].peak_memory_bytes, 2.0 * 1024 * 1024);
    EXPECT_EQ(runs[1].id, "mine 2");
}

TEST(ColumnMapping, AsksNothingOfTheProgramsOwnColumns) {
    EXPECT_TRUE(reads_without_mapping(read_csv(run_table_template())));
    EXPECT_TRUE(reads_without_mapping(read_csv("id,model,layers,year,quality\n1,2,3,4,5\n")));
    EXPECT_FALSE(reads_without_mapping(read_csv("id,gpus,step_time_ms\n1,2,3\n")));
    EXPECT_FALSE(reads_without_mapping(read_csv(naive)));
}

TEST(ColumnMapping, TakesEachOfTheProgramsColumnsOnce) {
    const ColumnMapping mapping = guessed_mapping(read_csv("tp,tensor,step_seconds,step_time_ms\n1,2,3,4\n"));
    EXPECT_EQ(mapping.columns[0].target, "");
    EXPECT_EQ(mapping.columns[1].target, "tensor");
    EXPECT_EQ(mapping.columns[2].target, "step_seconds");
    EXPECT_EQ(mapping.columns[3].target, "");
}

TEST(ColumnMapping, TheTemplateIsATableWithOneRun) {
    const CsvTable table = read_csv(run_table_template());
    EXPECT_TRUE(is_run_table(table));
    EXPECT_EQ(table.rows.size(), 2U);
    EXPECT_TRUE(table.rows[0][0].starts_with("#")) << table.rows[0][0];
    const std::vector<MeasuredRun> runs = measured_runs(table);
    ASSERT_EQ(runs.size(), 1U); // the line with explanations is not a run
    EXPECT_EQ(runs[0].id, "run-1");
    EXPECT_TRUE(runs[0].measured_seconds());
}

TEST(ColumnMapping, EveryColumnHasAUnitOfItsOwn) {
    std::set<std::string_view> names;
    for (const RunColumn &column : run_columns()) {
        EXPECT_TRUE(names.insert(column.name).second) << column.name;
        EXPECT_EQ(column_units(column.name).front().factor, 1) << column.name;
        EXPECT_EQ(&run_column(column.name), &column);
    }
}

TEST(ColumnMapping, IsRememberedAsText) {
    const CsvTable table = read_csv(naive);
    const ColumnMapping mapping = mapping_with_gpu(table);
    EXPECT_EQ(parse_mapping(text_of(mapping), table), mapping);
}

TEST(ColumnMapping, RemembersNothingThatIsNotOfTheTable) {
    const CsvTable table = read_csv(naive);
    const ColumnMapping guess = guessed_mapping(table);
    for (const char *spoiled :
         {"", "null", "[]", "{", R"({"columns":[],"for_all_rows":{}})", R"({"columns":5,"for_all_rows":{}})",
          R"({"columns":[{"target":"no_such","factor":1}],"for_all_rows":{}})",
          R"({"columns":[{"target":7,"factor":"x"}],"for_all_rows":[]})"})
        EXPECT_EQ(parse_mapping(spoiled, table), guess) << spoiled;
}

RC_GTEST_PROP(ColumnMapping, TakesAnyTable, (const std::string &a, const std::string &b, const std::string &cell)) {
    CsvTable table{.columns = {a, b + "_", "step_time_ms"}, .rows = {{cell, "-1e400", "nan"}, {"", cell, cell}}};
    const ColumnMapping mapping = guessed_mapping(table);
    RC_ASSERT(mapping.columns.size() == 3U);
    const CsvTable mapped = mapped_table(table, mapping);
    RC_ASSERT(mapped.rows.size() == table.rows.size());
    for (const std::vector<std::string> &row : mapped.rows)
        RC_ASSERT(row.size() == mapped.columns.size());
    RC_ASSERT(measured_runs(mapped).size() <= table.rows.size());
    RC_ASSERT(parse_mapping(text_of(mapping), table).columns.size() == 3U);
    RC_ASSERT(parse_mapping(cell, table).columns.size() == 3U);
}

} // namespace
} // namespace meshwright
