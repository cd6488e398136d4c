// SPDX-License-Identifier: GPL-3.0-or-later
#include "failing_calls.h"
#include "input/diagnostic.h"
#include "input/files.h"
#include "input/left_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <functional>
#include <iterator>
#include <set>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace meshwright {

namespace {

namespace fs = std::filesystem;
using failing_calls::Action;

const std::string old_text(5000, 'o');
const std::string new_text(9000, 'n');

/// The state of a file before it is written.
struct Target {
    const char *name;
    std::function<void(const fs::path &folder)> make;
    std::size_t files; ///< number of files in the folder after the write
};

void make_plain(const fs::path &folder) {
    write_file_atomically(folder / "plan", old_text);
}

const std::array targets{
    Target{"a file", make_plain, 1},
    Target{"a link",
           [](const fs::path &folder) {
               write_file_atomically(folder / "elsewhere", old_text);
               fs::create_symlink("elsewhere", folder / "plan");
           },
           2},
    Target{"one of two hard links",
           [](const fs::path &folder) {
               make_plain(folder);
               fs::create_hard_link(folder / "plan", folder / "other");
           },
           2},
};

/// For every system call of a write in turn, kills the process at that call or makes the call fail; each case runs in a
/// separate process.
class FileFaults : public ::testing::TestWithParam<Target> {
protected:
    FileFaults() {
        std::string name = (fs::temp_directory_path() / "meshwright-XXXXXX").string();
        m_folder = fs::canonical(::mkdtemp(name.data()));
    }
    ~FileFaults() override { fs::remove_all(m_folder); }

    struct End {
        bool killed = false;
        bool refused = false;
        bool struck = false;
        bool interruptible = false;
    };

    /// Writes a new file of this kind with failing calls.
    End write(Action action, int turn, int error = 0) const {
        fs::remove_all(m_folder);
        fs::create_directory(m_folder);
        GetParam().make(m_folder);
        const pid_t child = ::fork();
        if (child == 0) {
            failing_calls::arm({.folder = m_folder.string(), .turn = turn, .action = action, .error = error});
            int status = 0;
            try {
                write_file_atomically(m_folder / "plan", new_text);
            } catch (const FileError &) {
                status |= 1;
            }
            failing_calls::disarm();
            static const std::set<std::string> interruptible{"open", "mkostemps", "write", "fsync"};
            status |= failing_calls::struck().empty() ? 0 : 2;
            status |= interruptible.contains(failing_calls::struck()) ? 4 : 0;
            ::_exit(status);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        if (WIFSIGNALED(status))
            return {.killed = WTERMSIG(status) == SIGKILL, .struck = true};
        const int code = WEXITSTATUS(status);
        return {.refused = (code & 1) != 0, .struck = (code & 2) != 0, .interruptible = (code & 4) != 0};
    }

    std::string text() const { return read_file(m_folder / "plan"); }
    std::size_t count() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(m_folder), fs::directory_iterator()));
    }
    const fs::path &folder() const { return m_folder; }
    bool is_in_place() const { return std::string(GetParam().name) == "one of two hard links"; }

private:
    fs::path m_folder;
};

TEST_P(FileFaults, AKillAtAnyCallLeavesTheOldFileOrTheNewAndNothingElse) {
    for (const Action action : {Action::KillBefore, Action::KillAfter}) {
        int turn = 1;
        for (; write(action, turn).killed; ++turn) {
            if (!is_in_place()) {
                EXPECT_TRUE(text() == old_text || text() == new_text) << "the file is torn after call " << turn;
            }
            settle_folder(folder());
            EXPECT_TRUE(text() == old_text || text() == new_text) << "the file is torn after call " << turn;
            EXPECT_EQ(count(), GetParam().files) << "a temporary file remains after call " << turn;
        }
        EXPECT_GT(turn, 10) << "fewer system calls were counted than a write makes";
        EXPECT_EQ(text(), new_text);
    }
}

TEST_P(FileFaults, ACallThatFailsLeavesTheOldFileAndSaysSo) {
    for (const int error : {ENOSPC, EIO, EDQUOT, EROFS}) {
        int turn = 1;
        for (End end = write(Action::Fail, turn, error); end.struck; end = write(Action::Fail, ++turn, error)) {
            EXPECT_EQ(text() == new_text, !end.refused) << "call " << turn << ", error " << error;
            EXPECT_EQ(text() == old_text, end.refused) << "call " << turn << ", error " << error;
            settle_folder(folder());
            EXPECT_EQ(text() == new_text, !end.refused) << "call " << turn << ", error " << error;
            EXPECT_EQ(count(), GetParam().files) << "call " << turn << ", error " << error;
        }
        EXPECT_GT(turn, 10);
    }
}

TEST_P(FileFaults, AnInterruptedCallIsNoFailure) {
    int interrupted = 0;
    int turn = 1;
    for (End end = write(Action::Fail, turn, EINTR); end.struck; end = write(Action::Fail, ++turn, EINTR)) {
        if (!end.interruptible)
            continue;
        ++interrupted;
        EXPECT_FALSE(end.refused) << "call " << turn;
        EXPECT_EQ(text(), new_text);
    }
    EXPECT_GT(interrupted, 4);
}

TEST_P(FileFaults, ADiskThatStaysFullLosesNothing) {
    int turn = 1;
    for (End end = write(Action::FailOn, turn, ENOSPC); end.struck; end = write(Action::FailOn, ++turn, ENOSPC)) {
        EXPECT_TRUE(end.refused);
        if (!is_in_place()) {
            EXPECT_EQ(text(), old_text);
        }
        settle_folder(folder()); // the disk has room again
        EXPECT_TRUE(text() == old_text || text() == new_text) << "call " << turn;
        EXPECT_EQ(count(), GetParam().files);
    }
    EXPECT_GT(turn, 4);
}

INSTANTIATE_TEST_SUITE_P(Of, FileFaults, ::testing::ValuesIn(targets),
                         [](const ::testing::TestParamInfo<Target> &target) {
                             std::string name = target.param.name;
                             std::replace(name.begin(), name.end(), ' ', '_');
                             return name;
                         });

} // namespace
} // namespace meshwright
