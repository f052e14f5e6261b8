// `damier completion`: scripts that let a shell ask the program what can stand where the tab key
// was pressed (candidates.h). They know no command and no game themselves, so they are never out of
// date, and serve a program of one's own by its name.

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/base/text/language.h"
#include "damier/base/text/names.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"

namespace damier::app {

namespace {

// Bash takes words apart at : and =, as in net:MODEL,mcts=40. They are put together again, and what
// stands before the last part is taken off the answers, which Bash puts behind it.
constexpr std::string_view kBashScript = R"(# bash completion: source <({program} completion bash)
_@function@() {
  local i word='' glue='' line candidate rest files='' before
  local -a words=()
  COMPREPLY=()
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ -n $word && -z ${word//[:=]/} && ${#words[@]} -gt 0 ]]; then
      words[-1]+=$word glue=1
    elif [[ -n $glue ]]; then
      words[-1]+=$word glue=''
    else
      words+=("$word")
    fi
  done
  [[ ${#words[@]} -gt 0 ]] || words=('')
  before=${words[-1]}
  if [[ -z $glue ]]; then before=${before%"$word"}; fi
  local program=${COMP_WORDS[0]/#\~/$HOME}
  type -P "$program" >/dev/null || program=@path@
  while IFS= read -r line; do
    if [[ $line == :files ]]; then files=1; continue; fi
    candidate=${line%%$'\t'*}
    candidate=${candidate#"$before"}
    [[ $candidate != *[[:space:]\'\"\\\$\&\;\(\)\|\<\>]* ]] || printf -v candidate %q "$candidate"
    COMPREPLY+=("$candidate")
  done < <("$program" complete "${words[@]}" 2>/dev/null)
  if [[ -n $files ]]; then
    rest=${words[-1]#"$before"}
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$rest")
    compopt -o filenames 2>/dev/null
  fi
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[:=/] ]]; then
    compopt -o nospace 2>/dev/null
  fi
  return 0
}
complete -F _@function@ @name@
)";

constexpr std::string_view kZshScript = R"(# zsh completion: source <({program} completion zsh)
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
_@function@() {
  local line word about files=0 program=${(Q)words[1]/#\~/$HOME}
  local -a whole whole_shown open open_shown
  (( $+commands[$program] )) || [[ -x $program ]] || program=@path@
  for line in "${(@f)$("$program" complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then files=1; continue; fi
    [[ -n $line ]] || continue
    word=${line%%$'\t'*} about=${line#*$'\t'}
    if [[ $word == *[:=/] ]]; then
      open+=("$word") open_shown+=("$word${about:+  -- $about}")
    else
      whole+=("$word") whole_shown+=("$word${about:+  -- $about}")
    fi
  done
  (( ${#whole} )) && compadd -l -d whole_shown -a whole
  (( ${#open} )) && compadd -S '' -l -d open_shown -a open
  (( files )) && _files
  return 0
}
compdef _@function@ @name@
)";

constexpr std::string_view kFishScript = R"(# fish completion: {program} completion fish | source
function __@function@_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program (string replace -r '^~' $HOME -- $words[1])
    type -q $program; or set program @path@
    for line in ($program complete $words[2..-1] "$current" 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path "$current"
        else
            echo $line
        end
    end
end
complete -c @name@ -f -a '(__@function@_complete)'
)";

struct CompletionShell {
  std::string_view name;
  std::string_view script;
};
constexpr auto kCompletionShells = std::to_array<CompletionShell>(
    {{"bash", kBashScript}, {"zsh", kZshScript}, {"fish", kFishScript}});

std::string replaced(std::string text, std::string_view mark, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(mark, at)) != text.npos; at += by.size()) {
    text.replace(at, mark.size(), by);
  }
  return text;
}

// For a word that is no command, as where a shell function of the user's stands for the program.
std::string path_of_program() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return shell_word(error ? short_program_name() : path.string());
}

std::string script_text(std::string_view script) {
  std::string function = short_program_name();
  for (char& c : function) {
    const bool is_plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!is_plain) c = '_';
  }
  std::string text = replaced(with_program_name(script), "@function@", function);
  text = replaced(std::move(text), "@path@", path_of_program());
  return replaced(std::move(text), "@name@", shell_word(short_program_name()));
}

}  // namespace

Action setup_completion(CommandLine line, Context&) {
  auto asked = std::make_shared<std::string>();
  line.add_option("SHELL", *asked, "bash, zsh or fish").required();
  line.add_notes(
      tr("To enable it permanently, add the line for your shell to ~/.bashrc, ~/.zshrc "
         "or\n~/.config/fish/config.fish, with the program's full path if it is not on the PATH.") +
      "\n");
  return [asked]() -> Result<int> {
    const auto* shell = std::ranges::find(kCompletionShells, *asked, &CompletionShell::name);
    if (shell == kCompletionShells.end()) {
      return unknown_name("shell", *asked, listed_names(kCompletionShells, &CompletionShell::name));
    }
    write_output(script_text(shell->script));
    return kDone;
  };
}

}  // namespace damier::app
