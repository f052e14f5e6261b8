// French is whole: every text of help, play and report pages has its French one, and no French text
// is left over.

#include "damier/base/text/language.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <set>

#include "tests/app/stored_program.h"
#include <gtest/gtest.h>

#include "damier/app/app.h"
#include "damier/app/context.h"
#include "damier/base/text/text.h"
#include "damier/learn/tasks.h"
#include "damier/play/players/players.h"
#include "damier/play/ratings/strength.h"

namespace damier::app {

namespace {

namespace fs = std::filesystem;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

bool has_french(const std::string& english) { return french_texts().contains(english); }

// --- what the program says ----------------------------------------------------------------------

std::string said_in_french(std::vector<std::string> words) {
  words.insert(words.begin(), "damier");
  words.insert(words.end(), {"--lang", "fr"});
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  testing::internal::CaptureStdout();
  const int code =
      run(learn::builtin_games(), static_cast<int>(arguments.size()), arguments.data());
  std::string said = testing::internal::GetCapturedStdout();
  set_language(Language::english);
  EXPECT_EQ(code, 0) << join(words, " ");
  return said;
}

// A sentence whose French was not asked for.
void expect_no_english(const std::string& said) {
  const std::string text = std::regex_replace(said, std::regex("\\s+"), " ");
  for (const auto& [english, french] : french_texts()) {
    const auto words = std::count(english.begin(), english.end(), ' ') + 1;
    if (words < 4 || contains(english, "{") || english == french.one) continue;
    const std::string line = std::regex_replace(english, std::regex("\\s+"), " ");
    EXPECT_FALSE(contains(text, line)) << line << "\nin\n" << said.substr(0, 400);
  }
}

void expect_french(const Text& text) {
  if (text.empty()) return;
  EXPECT_NE(text.in(Language::french), text.english());
}

// Some of them are moves at times.
void say_wrong_moves(const games::Session& session) {
  for (const char* text : {"zz9", "a1", "!a1", "*a1", "d@a9", "1-9", "Nd2", "Rd1", "O-O", "a8"}) {
    const auto action = session.parse_move(text);
    if (action) continue;
    ASSERT_TRUE(action.error().form) << action.error().text();
    expect_french(*action.error().form);
  }
}

// A page of every kind.
class Pages {
 public:
  Pages() {
    setenv("DAMIER_STATE", folder_.path().c_str(), 1);
    said_in_french({"train", "fanorona-quick", "--set", "epochs=2", "--seed", "1"});
    said_in_french({"train", "fanorona-self-play", "--set", "generations=2", "--set", "games=8",
                    "--set", "simulations=2", "--set", "evaluation.every=1", "--set",
                    "evaluation.games=2", "--seed", "1"});
    said_in_french({"match", "fanorona", "random", "first", "--games", "4", "--seed", "1"});
    said_in_french({"tournament", "fanorona", "random", "first", "--games", "4", "--seed", "1"});
    said_in_french({"eval", "random", "minesweeper", "--games", "20", "--seed", "1"});
    said_in_french(
        {"generate", "fanorona", "--count", "50", "--seed", "1", "-o", file("rows.data")});
    for (const auto& run : runs("")) make({run});
    make(runs("train"));
    make({"fanorona"});
    make({file("rows.data")});
    unsetenv("DAMIER_STATE");
  }

  const std::vector<std::string>& all() const { return pages_; }

 private:
  std::string file(const std::string& name) const { return folder_.path() / name; }
  // Those of a kind, or all.
  static std::vector<std::string> runs(const std::string& kind) {
    std::vector<std::string> names;
    auto store = Store::open_default();
    const auto all = store.value().runs();
    for (const auto& run : all.value()) {
      if (kind.empty() || run.request.kind == kind) names.push_back(run.name);
    }
    return names;
  }
  void make(const std::vector<std::string>& subjects) {
    std::vector<std::string> line = {"report", "-o", file("page.html")};
    line.insert(line.end(), subjects.begin(), subjects.end());
    said_in_french(line);
    pages_.push_back(contents(file("page.html")));
  }

  TemporaryFolder folder_;
  std::vector<std::string> pages_;
};

// --- what the source says -----------------------------------------------------------------------

std::string unescaped(const std::string& literal) {
  std::string text;
  for (std::size_t i = 0; i < literal.size(); ++i) {
    if (literal[i] != '\\' || i + 1 == literal.size()) {
      text += literal[i];
    } else {
      const char c = literal[++i];
      text += c == 'n' ? '\n' : c == 't' ? '\t' : c;
    }
  }
  return text;
}

// A text in the code, literals side by side being one, and the function it is given to.
struct Literal {
  std::string text, call;
};

// The name before the parenthesis that is open at the end of `code`.
std::string open_call(const std::string& code) {
  int closed = 0;
  for (std::size_t i = code.size(); i-- > 0;) {
    if (code[i] == ')' || code[i] == '}') ++closed;
    if (code[i] != '(' && code[i] != '{') continue;
    if (closed-- > 0) continue;
    std::size_t begin = i;
    while (begin > 0 && (std::isalnum(static_cast<unsigned char>(code[begin - 1])) ||
                         code[begin - 1] == '_' || code[begin - 1] == ':')) {
      --begin;
    }
    return code.substr(begin, i - begin);
  }
  return "";
}

// Reads C++ as far as literals go.
std::vector<Literal> literals_of(const std::string& code) {
  std::vector<Literal> literals;
  std::string statement;  // the code before, without what stands in literals
  bool beside = false;    // nothing stands between the last literal and here
  for (std::size_t i = 0; i < code.size();) {
    if (code.compare(i, 2, "//") == 0) {
      i = std::min(code.find('\n', i), code.size());
    } else if (code[i] == '\'' && i > 0 && !std::isalnum(static_cast<unsigned char>(code[i - 1]))) {
      i = code.find('\'', i + (code[i + 1] == '\\' ? 3 : 1)) + 1;
    } else if (code[i] == '"') {
      const bool raw = i > 0 && code[i - 1] == 'R';
      const std::string mark = raw ? code.substr(i + 1, code.find('(', i) - i - 1) : "";
      std::size_t end = i + 1;
      if (raw) {
        end = code.find(")" + mark + "\"", i);
      } else {
        while (code[end] != '"') end += code[end] == '\\' ? 2 : 1;
      }
      const std::string text = raw ? code.substr(i + 2 + mark.size(), end - i - 2 - mark.size())
                                   : unescaped(code.substr(i + 1, end - i - 1));
      if (beside) {
        literals.back().text += text;
      } else {
        literals.push_back({text, open_call(statement)});
      }
      beside = true;
      i = end + (raw ? mark.size() + 2 : 1);
    } else {
      const char c = code[i++];
      if (!std::isspace(static_cast<unsigned char>(c)) && !(c == 'R' && code[i] == '"')) {
        beside = false;
      }
      statement = c == ';' ? "" : statement + c;
    }
  }
  return literals;
}

void for_each_literal(const std::string& folder,
                      const std::function<void(const Literal&, const std::string& file)>& take) {
  for (const auto& entry : fs::recursive_directory_iterator(DAMIER_SOURCE_DIR + folder)) {
    const auto ending = entry.path().extension();
    if (ending != ".cc" && ending != ".h") continue;
    const std::string file = entry.path().string();
    for (const Literal& literal : literals_of(contents(file))) take(literal, file);
  }
}

// Names of values in the help, as GAME: a list of words to be typed is the same in any language.
bool is_value_name(const std::string& text) {
  return std::none_of(text.begin(), text.end(),
                      [](unsigned char c) { return std::islower(c) != 0; });
}

std::vector<std::string> places_of(const std::string& form) {
  static const std::regex kPlace(R"(\{[^{}]*\})");
  std::vector<std::string> places;
  for (std::sregex_iterator at(form.begin(), form.end(), kPlace), end; at != end; ++at) {
    places.push_back(at->str());
  }
  return places;
}

}  // namespace

TEST(French, HelpIsWhole) {
  for (const Command& command : commands()) {
    EXPECT_TRUE(has_french(std::string(command.summary))) << command.summary;
    expect_no_english(said_in_french({"help", std::string(command.name)}));
  }
  for (const std::string& game : learn::builtin_games().names()) {
    expect_no_english(said_in_french({"help", game}));
  }
  const std::vector<std::vector<std::string>> others = {
      {"help", "players"}, {"help"}, {"games"}, {}};
  for (const auto& words : others) {
    expect_no_english(said_in_french(words));
  }
  for (const auto& player : play::player_infos(learn::builtin_games())) {
    EXPECT_TRUE(has_french(player.help)) << player.help;
    for (const auto& [option, games] : player.options) {
      EXPECT_TRUE(has_french(option.help)) << option.help;
      if (!option.values.empty()) expect_french(option.values);
    }
  }
}

TEST(French, TasksAreWhole) {
  const learn::Tasks tasks = learn::builtin_tasks();
  for (const auto& task : tasks.all()) {
    for (const learn::TaskOption& option : task->options()) {
      EXPECT_NE(option.help.in(Language::french), option.help.english()) << option.name;
    }
  }
}

TEST(French, GamesAreWhole) {
  const learn::Registry registry = learn::builtin_games();
  for (const auto& entry : registry.entries()) {
    for (const auto text :
         {entry.facts.title, entry.facts.summary, entry.facts.rules, entry.facts.move_notation,
          entry.facts.sides[0], entry.facts.sides[1]}) {
      EXPECT_TRUE(has_french(std::string(text))) << text;
    }
    for (const auto& option : entry.options) {
      EXPECT_TRUE(has_french(std::string(option.help))) << option.help;
      // Words to be typed, as draw|play, are the same in any language.
      const std::string expected(option.expected);
      EXPECT_TRUE(contains(expected, "|") || has_french(expected)) << expected;
    }
    const auto game = entry.make({});
    ASSERT_TRUE(game);
    const auto toolkit = registry.toolkit(*game);
    for (const play::Level& level : levels_of(*toolkit)) {
      expect_french(strength_in_words(level.player, *toolkit).value_or(""));
    }
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      RandomStream random(Seed{seed}, "language_test");
      const auto session = (*game)->start(Seed{seed});
      while (session->outcome() == games::Outcome::ongoing) {
        const games::Picture picture = session->picture();
        expect_french(picture.caption);
        say_wrong_moves(*session);
        const auto actions = session->legal_actions();
        session->play(actions[random.below(actions.size())]);
      }
      expect_french(session->ending());
      say_wrong_moves(*session);
    }
  }
}

TEST(French, ReportPagesAreWhole) {
  const Pages pages;
  for (const std::string& page : pages.all()) {
    EXPECT_TRUE(contains(page, "lang=\"fr\""));
    expect_no_english(page);
  }
  for_each_literal("/src/pages", [](const Literal& literal, const std::string& file) {
    static const std::regex kSentence("[A-Z][a-z]+( .*)?");
    if (std::regex_match(literal.text, kSentence) && literal.text != "Elo") {
      EXPECT_TRUE(has_french(literal.text)) << literal.text << " in " << file;
    }
  });
}

TEST(French, EveryTextInTheCodeHasItsFrench) {
  int translated = 0;
  for_each_literal("/src", [&](const Literal& literal, const std::string& file) {
    static const std::regex kLookedUp("tr(_format|_counted)?|Text(::of|::counted)?");
    static const std::regex kHelp("add_(option|number|flag)|type_name");
    const std::string& text = literal.text;
    const bool is_key = std::regex_match(literal.call, kLookedUp);
    const bool is_help = std::regex_match(literal.call, kHelp) && !text.starts_with('-') &&
                         (contains(text, " ") || is_value_name(text));
    const bool says =
        std::any_of(text.begin(), text.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
    if (!says || (!is_key && !is_help)) return;
    ++translated;
    EXPECT_TRUE(has_french(text)) << text << " in " << file;
    if (literal.call.ends_with("counted")) {
      EXPECT_FALSE(french_texts().find(text)->second.other.empty()) << text;
    }
  });
  EXPECT_GT(translated, 400) << "the scan finds what it looks for";
}

TEST(French, NoTextIsLeftOver) {
  std::set<std::string> said = {"Options", "TEXT"};  // words of CLI11
  for (const char* folder : {"/src", "/bench"}) {
    for_each_literal(
        folder, [&](const Literal& literal, const std::string&) { said.insert(literal.text); });
  }
  std::string page;
  for (const auto& entry : fs::recursive_directory_iterator(DAMIER_SOURCE_DIR "/web/src")) {
    if (entry.is_regular_file()) page += contents(entry.path().string());
  }
  for (const auto& [english, french] : french_texts()) {
    const bool on_page =
        contains(page, "\"" + english + "\"") || contains(page, "'" + english + "'");
    EXPECT_TRUE(on_page || said.contains(english)) << "nobody says any longer: " << english;
  }
}

TEST(French, BothTextsHaveTheSamePlaces) {
  EXPECT_GT(french_texts().size(), 400u);
  for (const auto& [english, french] : french_texts()) {
    EXPECT_EQ(places_of(english), places_of(french.one)) << english;
    EXPECT_FALSE(french.one.empty()) << english;
  }
}

TEST(French, SpacesBeforeSignsAreFirm) {
  const std::regex loose(" [:;!?]| »|« ");
  for (const auto& [english, french] : french_texts()) {
    EXPECT_FALSE(std::regex_search(french.one, loose)) << french.one;
  }
}

TEST(French, TextsAreLookedUpBeforeTheyAreFilled) {
  const Text caption =
      Text::of("{}; {} has {} more", Text::of("Move {}, {} to move, in check", 5, Text("White")),
               Text("Black"), "Qp");
  EXPECT_EQ(caption, "Move 5, White to move, in check; Black has Qp more");
  EXPECT_EQ(caption.in(Language::french),
            "Coup 5, Blanc au trait, en échec\u00a0; Noir a Qp de plus");
  const Text counts = Text::of("{}, {}, {} of {} safe cells open", Text::counted(3, "bomb"),
                               Text::counted(1, "flag"), 0, 71);
  EXPECT_EQ(counts, "3 bombs, 1 flag, 0 of 71 safe cells open");
  EXPECT_EQ(counts.in(Language::french),
            "3 bombes, 1 drapeau, cases sûres ouvertes\u00a0: 0 sur 71");
  // A name stays, even if it is a word of the dictionary; a text that the dictionary lacks stays.
  EXPECT_EQ(Text::of("{} or {}", "White", Text("my own")).in(Language::french), "White ou my own");
  const Error error = Error::of(Text::of("{} is not a move; {}", "'zz'", Text("the game is over")));
  EXPECT_EQ(error.text(), "'zz' is not a move; the game is over");
  set_language(Language::french);
  EXPECT_EQ(error.shown(), "'zz' n'est pas un coup\u00a0; la partie est finie");
  EXPECT_EQ(tr_counted(0, "move"), "0 coup");
  EXPECT_EQ(tr_counted(2, "inaccuracy"), "2 imprécisions");
  EXPECT_EQ(tr("my_file.json"), "my_file.json");
  set_language(Language::english);
  EXPECT_EQ(tr("Saved."), "Saved.");
  EXPECT_EQ(tr_counted(0, "move"), "0 moves");
}

TEST(French, IsChosenByOptionOrEnvironment) {
  const auto title = [](const std::vector<std::string>& arguments, const Environment& environment) {
    return damier(arguments, "", environment).out.substr(0, 8);
  };
  const Environment none = {{"LC_ALL", ""}, {"LC_MESSAGES", ""}, {"LANG", "C.UTF-8"}};
  const Environment french = {{"LC_ALL", ""}, {"LC_MESSAGES", ""}, {"LANG", "fr_CA.UTF-8"}};
  EXPECT_EQ(title({"help", "solve"}, none), "the exac");
  EXPECT_EQ(title({"help", "solve", "--lang", "fr"}, none), "la valeu");
  EXPECT_EQ(title({"--lang=fr", "help", "solve"}, none), "la valeu");
  EXPECT_EQ(title({"solve", "--help", "--lang", "fr"}, none), "la valeu");
  EXPECT_EQ(title({"help", "solve"}, french), "la valeu");
  EXPECT_EQ(title({"help", "solve", "--lang", "en"}, french), "the exac");
  EXPECT_EQ(title({"help", "solve"}, {{"LC_ALL", "C.UTF-8"}, {"LANG", "fr_FR"}}), "the exac");
  EXPECT_EQ(title({"help", "solve"}, {{"LC_ALL", ""}, {"LC_MESSAGES", "fr_FR"}, {"LANG", "C"}}),
            "la valeu");
  EXPECT_EQ(damier({"help", "--lang", "de"}).err,
            "damier: help: --lang: unknown value 'de' (known: en, fr); see `damier help help`\n");
}

TEST(French, JsonStaysEnglish) {
  const Ran ran =
      damier({"play", "chess", "--vs", "human", "--json", "--lang", "fr"}, "Cf3\nquit\n");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, R"("side":"white","move":"Nf3")")) << ran.out;
}

TEST(French, AGameOfEachKind) {
  const auto play = [](std::vector<std::string> arguments, const std::string& input) {
    arguments.insert(arguments.begin(), "play");
    arguments.insert(arguments.end(), {"--lang", "fr", "--seed", "1", "--ascii"});
    const Ran ran = damier(arguments, input);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.out;
  };
  const std::string fanorona = play({"fanorona", "--vs", "human"},
                                    "aide\n7-4\n9-9\nconseil\nabandonner\nanalyser\nquitter\n");
  for (const char* text : {"Blanc\u00a0: human", "Un coup s'écrit\u00a0: de-vers, comme 7-4.",
                           "énumérer les coups légaux", "'9-9' n'est pas un coup légal ici",
                           "La valeur exacte de chaque coup", "Noir abandonne\u00a0; blanc gagne.",
                           "1 coup", "aussi bons que le meilleur"}) {
    EXPECT_TRUE(contains(fanorona, text)) << text << "\n" << fanorona;
  }
  const std::string bremen =
      play({"bremen", "--as", "bleu", "--vs", "first"}, "coups\nd@a1\nquit\n");
  for (const char* text : {"Rouge joue", "D âne  G chien  C chat  R coq"}) {
    EXPECT_TRUE(contains(bremen, text)) << text << "\n" << bremen;
  }
  const std::string minesweeper = play({"minesweeper"}, "conseil\na1\nzz\nrègles\nquitter\n");
  for (const char* text :
       {"Démineur", "toute case est sûre", "cases sûres ouvertes\u00a0: 0 sur 71",
        "'zz' n'est pas un coup\u00a0; attendu", "Un plateau de lignes x colonnes"}) {
    EXPECT_TRUE(contains(minesweeper, text)) << text << "\n" << minesweeper;
  }
  const std::string domineering =
      play({"domineering", "--board", "2x1", "--vs", "human"}, "a1\nrevanche\na1\nquitter\n");
  EXPECT_TRUE(contains(domineering, "Vertical gagne\u00a0: aucun coup légal.  1 coup"))
      << domineering;
}

TEST(French, ChessIsWrittenWithFrenchLetters) {
  const auto moves = [](const std::string& position, const std::string& input) {
    const Ran ran = damier({"play", "chess", position, "--vs", "human", "--lang", "fr", "--json"},
                           input + "\nquit\n");
    const auto at = ran.out.find("\"move\":\"");
    return at == ran.out.npos ? ran.err
                              : ran.out.substr(at + 8, ran.out.find('"', at + 8) - at - 8);
  };
  const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  EXPECT_EQ(moves(start, "Cf3"), "Nf3");
  EXPECT_EQ(moves(start, "Nf3"), "Nf3") << "English letters go where French ones make no move";
  EXPECT_EQ(moves(start, "g1f3"), "Nf3");
  // King and rook can both go to d1: in French R is the king.
  const std::string both = "7k/8/8/8/8/8/8/R3K3 w - - 0 1";
  EXPECT_EQ(moves(both, "Rd1"), "Kd1");
  EXPECT_EQ(moves(both, "Td1"), "Rd1");
  EXPECT_EQ(moves(both, "Rb1"), "Rb1") << "the king cannot go there";
  EXPECT_EQ(moves("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8=D"), "a8=Q+");
  EXPECT_TRUE(contains(moves("7k/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Cd2"),
                       "'Cd2' peut être plusieurs coups\u00a0; écrivez Cbd2 ou Cfd2"));
  EXPECT_TRUE(contains(moves(start, "Dd3"), "'Dd3' n'est pas un coup légal ici"));

  const Ran ran = damier({"play", "chess", "--vs", "human", "--lang", "fr", "--ascii"},
                         "coups\nCf3\nconseil minimax:2\nquitter\n");
  EXPECT_TRUE(contains(ran.out, "Cf3")) << ran.out;
  EXPECT_FALSE(contains(ran.out, "Nf3")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "Échecs")) << ran.out;
}

TEST(French, ASavedGameGoesOnInItsLanguage) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "partie.json";
  damier({"play", "fanorona", "--vs", "human", "--lang", "fr"},
         "7-4\nenregistrer " + file + "\nquitter\n");
  EXPECT_TRUE(contains(contents(file), "\"language\": \"fr\"")) << contents(file);
  EXPECT_TRUE(contains(damier({"play", "--load", file}, "quit\n").out, "Autres mots"));
  EXPECT_TRUE(
      contains(damier({"play", "--load", file, "--lang", "en"}, "quit\n").out, "Other words"));
  std::string text = contents(file);
  text = std::regex_replace(text, std::regex(R"(,\s*"language": "fr")"), "");
  std::ofstream(file) << text;
  EXPECT_TRUE(contains(damier({"play", "--load", file}, "quit\n").out, "Other words"));
  std::ofstream(file) << std::regex_replace(text, std::regex(R"("schema")"),
                                            R"("language": "de", "schema")");
  EXPECT_TRUE(
      contains(damier({"play", "--load", file}).err, "language: is 'de'; expected en or fr"));
}

TEST(French, BothReadmesShowTheSameCommands) {
  // Files have names in the language of the page.
  const auto commands_in = [](const std::string& file) {
    std::vector<std::string> commands;
    const std::string text = contents(DAMIER_SOURCE_DIR "/" + file);
    bool shell = false;
    for (const std::string_view line : split(text, '\n')) {
      if (line.starts_with("```")) {
        shell = line == "```sh";
      } else if (shell) {
        const auto comment = line.find(" #");
        commands.push_back(std::regex_replace(
            std::string(trim(line.substr(0, comment))),
            std::regex(R"([a-zA-Z]+\.(json|pgn|csv|txt|safetensors|onnx))"), "FILE.$1"));
      }
    }
    return commands;
  };
  const auto english = commands_in("README.md");
  EXPECT_GT(english.size(), 20u);
  EXPECT_EQ(english, commands_in("README.fr.md"));
}

}  // namespace damier::app
