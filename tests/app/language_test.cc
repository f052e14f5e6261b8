// French is whole: whatever help, play and report pages say has its French text, and no French text
// is left over.

#include "damier/base/text/language.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "tests/app/stored_program.h"
#include <gtest/gtest.h>

#include "damier/app/app.h"
#include "damier/app/context.h"
#include "damier/base/text/text.h"
#include "damier/play/ratings/strength.h"
#include "damier/play/registry.h"

namespace damier::app {

namespace {

namespace fs = std::filesystem;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

// --- the program in this process, so that the dictionary tells what it was asked for ------------

std::string said_in_french(std::vector<std::string> words) {
  words.insert(words.begin(), "damier");
  words.insert(words.end(), {"--lang", "fr"});
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  testing::internal::CaptureStdout();
  const int code = run(play::builtin_games(), static_cast<int>(arguments.size()), arguments.data());
  std::string said = testing::internal::GetCapturedStdout();
  set_language(Language::english);
  EXPECT_EQ(code, 0) << join(words, " ");
  return said;
}

void ask_for_help() {
  for (const Command& command : commands()) said_in_french({"help", std::string(command.name)});
  for (const std::string& game : play::builtin_games().names()) said_in_french({"help", game});
  said_in_french({"help", "players"});
  said_in_french({"help"});
  said_in_french({"games"});
  said_in_french({});
}

// Some of them are moves at times.
void say_wrong_moves(const games::Session& session) {
  for (const char* text : {"zz9", "a1", "!a1", "*a1", "d@a9", "1-9", "Nd2", "Rd1", "O-O", "a8"}) {
    const auto action = session.parse_move(text);
    if (!action) tr(action.error().text());
  }
}

// What the games themselves say at the keyboard, in games of random moves.
void play_at_random() {
  set_language(Language::french);
  const play::Registry registry = play::builtin_games();
  for (const auto& entry : registry.entries()) {
    for (const auto text :
         {entry.facts.title, entry.facts.summary, entry.facts.rules, entry.facts.move_notation,
          entry.facts.sides[0], entry.facts.sides[1]}) {
      tr(text);
    }
    const auto game = entry.make({});
    ASSERT_TRUE(game);
    const auto toolkit = registry.toolkit(*game);
    for (const play::Level& level : levels_of(*toolkit)) {
      tr(strength_in_words(level.player, *toolkit).value_or(""));
    }
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      RandomStream random(Seed{seed}, "language_test");
      const auto session = (*game)->start(Seed{seed});
      while (session->outcome() == games::Outcome::ongoing) {
        const games::Picture picture = session->picture();
        tr(picture.caption);
        tr(picture.ascii_caption);
        say_wrong_moves(*session);
        const auto actions = session->legal_actions();
        session->play(actions[random.below(actions.size())]);
      }
      tr(session->ending());
      say_wrong_moves(*session);
    }
  }
  set_language(Language::english);
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

// Values to be typed, such as mover|rooster, and numbers are the same in every language.
bool is_text(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return std::isalpha(c); }) &&
         !(contains(text, "|") && !contains(text, " "));
}

void expect_nothing_missing() {
  for (const std::string& text : looked_up_texts().missing) {
    if (is_text(text)) ADD_FAILURE() << "languages/fr.json lacks: " << text;
  }
}

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

struct SourceTexts {
  std::set<std::string> all;         // literals that stand side by side are one
  std::set<std::string> translated;  // what tr and tr_format are given
  std::set<std::string> counted;     // what tr_counted is given
};

// Reads C++ as far as literals go.
void read_source(const std::string& code, SourceTexts& texts) {
  std::string before;   // the code since the last literal
  std::string literal;  // what was read of the one at hand
  std::string call;     // the code before it
  bool open = false;
  const auto finish = [&] {
    if (!open) return;
    texts.all.insert(literal);
    static const std::regex kCall(R"((^|[^a-z_])tr(_format|_known)?\(\s*$)");
    static const std::regex kCount(R"((^|[^a-z_])tr_counted\([^;{]*,\s*$)");
    if (std::regex_search(call, kCall)) texts.translated.insert(literal);
    if (std::regex_search(call, kCount)) texts.counted.insert(literal);
    open = false;
  };
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
      if (raw && !before.empty()) before.pop_back();
      if (open && trim(before).empty()) {
        literal += text;
      } else {
        finish();
        literal = text;
        call = before.size() > 200 ? before.substr(before.size() - 200) : before;
        open = true;
      }
      before.clear();
      i = end + (raw ? mark.size() + 2 : 1);
    } else {
      before += code[i++];
    }
  }
  finish();
}

SourceTexts source_texts() {
  SourceTexts texts;
  for (const auto& entry : fs::recursive_directory_iterator(DAMIER_SOURCE_DIR "/src")) {
    const auto ending = entry.path().extension();
    if (ending == ".cc" || ending == ".h") read_source(contents(entry.path().string()), texts);
  }
  return texts;
}

std::vector<std::string> places_of(const std::string& form) {
  static const std::regex kPlace(R"(\{[^{}]*\})");
  std::vector<std::string> places;
  for (std::sregex_iterator at(form.begin(), form.end(), kPlace), end; at != end; ++at) {
    places.push_back(at->str());
  }
  return places;
}

// Every part of the text between its places stands in some literal.
bool is_made_of(const std::string& form, const std::set<std::string>& literals) {
  static const std::regex kPlace(R"(\{[^{}]*\})");
  for (std::sregex_token_iterator part(form.begin(), form.end(), kPlace, -1), end; part != end;
       ++part) {
    const std::string text = part->str();
    if (std::none_of(literals.begin(), literals.end(), [&](const std::string& literal) {
          return contains(literal, text) || plural(2, literal) == trim(text);
        })) {
      return false;
    }
  }
  return true;
}

}  // namespace

TEST(French, HelpIsWhole) {
  ask_for_help();
  expect_nothing_missing();
}

TEST(French, GamesAreWhole) {
  play_at_random();
  expect_nothing_missing();
}

TEST(French, ReportPagesAreWhole) {
  const Pages pages;
  expect_nothing_missing();
  for (const std::string& page : pages.all()) {
    EXPECT_TRUE(contains(page, "lang=\"fr\""));
    EXPECT_FALSE(contains(page, ">Figure 1</span>How")) << "an English title";
  }
}

TEST(French, EveryTextInTheCodeHasItsFrench) {
  std::set<std::string> keys;
  for (const auto& [english, french] : french_texts()) keys.insert(english);
  const SourceTexts texts = source_texts();
  EXPECT_GT(texts.translated.size(), 100u) << "the scan finds what it looks for";
  for (const std::string& text : texts.translated) EXPECT_TRUE(keys.contains(text)) << text;
  for (const std::string& text : texts.counted) {
    EXPECT_TRUE(keys.contains(text)) << text;
    EXPECT_TRUE(keys.contains(plural(2, text))) << plural(2, text);
  }
}

TEST(French, NoTextIsLeftOver) {
  ask_for_help();
  play_at_random();
  const Pages pages;
  const SourceTexts texts = source_texts();
  for (const auto& [english, french] : french_texts()) {
    EXPECT_TRUE(looked_up_texts().found.contains(english) || is_made_of(english, texts.all))
        << "nobody says any longer: " << english;
  }
}

TEST(French, BothTextsHaveTheSamePlaces) {
  EXPECT_GT(french_texts().size(), 400u);
  for (const auto& [english, french] : french_texts()) {
    EXPECT_EQ(places_of(english), places_of(french)) << english;
    EXPECT_FALSE(french.empty()) << english;
  }
}

TEST(French, SpacesBeforeSignsAreFirm) {
  const std::regex loose(" [:;!?]| »|« ");
  for (const auto& [english, french] : french_texts()) {
    EXPECT_FALSE(std::regex_search(french, loose)) << french;
  }
}

TEST(French, FilledTextsAreFoundByTheirForm) {
  set_language(Language::french);
  EXPECT_EQ(tr("Move 5, White to move, in check; Black has Qp more"),
            "Coup 5, Blanc au trait, en échec\u00a0; Noir a Qp de plus");
  EXPECT_EQ(tr("3 bombs, 1 flag, 0 of 71 safe cells open"),
            "3 bombes, 1 drapeau, cases sûres ouvertes\u00a0: 0 sur 71");
  EXPECT_EQ(tr_counted(0, "move"), "0 coup");
  EXPECT_EQ(tr_counted(2, "inaccuracy"), "2 imprécisions");
  EXPECT_EQ(tr_known("my_file.json"), "my_file.json");
  EXPECT_EQ(tr_known("what to do"), "what to do")
      << "{} to {} says too little to be a form of texts";
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
