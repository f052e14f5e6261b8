// English and French. Words of the page stand here, each in both; texts of games (sides, endings,
// captions) come from the program, with the French ones it knows.
import { get, type Game } from "./api";

const english = {
  play: "Play",
  analysis: "Analysis",
  networks: "Networks",
  training: "Training",
  arena: "Arena",
  lab: "Lab",
  skip: "Skip to the content",
  views: "Views",
  language: "Français",
  theme: "Light or dark",
  game: "Game",
  newGame: "New game",
  undo: "Undo",
  hint: "Hint",
  flip: "Turn the board",
  resign: "Resign",
  save: "Save",
  load: "Load",
  share: "Copy the address",
  shared: "The address is copied",
  rules: "Rules",
  moves: "Moves",
  clock: "Clock",
  human: "you",
  level: "Level {}",
  network: "network",
  exact: "exact",
  other: "another …",
  otherPlayer: "A player's name",
  plays: "{} plays {}",
  toMove: "{} to move",
  yourMove: "Your move",
  thinking: "{} is thinking …",
  wins: "{} wins",
  draw: "Draw",
  won: "Won",
  lost: "Lost",
  writeMove: "Write a move",
  playMove: "Play it",
  chooseMove: "Which move?",
  cancel: "Cancel",
  pause: "Pause",
  goOn: "Go on",
  pace: "Pace",
  teach: "Teach me",
  teachHelp: "A move that loses is taken back, with the reason",
  takenBack: "{} is taken back: {} would be better ({} instead of {})",
  evaluation: "Evaluation, move by move",
  judge: "Evaluated by",
  off: "off",
  inaccuracy: "inaccuracy",
  mistake: "mistake",
  blunder: "blunder",
  bestWas: "{}: {} was better",
  board: "Board",
  seed: "Seed",
  flags: "A tap sets a flag",
  firstMove: "First position",
  lastMove: "Last position",
  player: "Player",
  secondPlayer: "Beside",
  none: "nobody",
  stop: "Stop",
  nodes: "{} nodes",
  line: "Best line",
  move: "Move",
  value: "Value",
  visits: "Visits",
  prior: "Prior",
  known: "Exact",
  position: "Position",
  setPosition: "Set",
  fromStart: "From the start",
  bombProbability: "Probability of a bomb",
  exactly: "exact",
  differs: "mean difference {}",
  arrangements: "{} arrangements of the bombs fit",
  win: "wins",
  loss: "loses",
  drawn: "draws",
  inPlies: "{} in {}",
  model: "Model",
  parameters: "{} parameters",
  layers: "Layers",
  weights: "Weights",
  card: "Card",
  origin: "Origin",
  shape: "Shape",
  mean: "Mean",
  deviation: "Deviation",
  lowest: "Lowest",
  highest: "Highest",
  input: "Input",
  output: "Output",
  bytes: "{} on disk",
  bitsEach: "{} bits each",
  trainedHere: "trained here",
  runs: "Runs",
  noRuns: "No runs yet: start one here, or in a terminal.",
  recipe: "Recipe",
  settings: "Settings, as epochs=5 (one a line)",
  startTraining: "Train",
  resume: "Go on",
  smoothing: "Smoothing",
  curves: "Curves",
  jobs: "Started here",
  status: "Status",
  started: "Started",
  closed: "This server is public: trainings, runs and files are closed.",
  startMatch: "Play",
  games: "Games",
  score: "Score",
  interval: "95 % interval",
  replay: "Replay",
  results: "Results",
  anchor: "Elo, {} is {}",
  noAnchor: "Elo, the mean is 0",
  elo: "Elo",
  first: "First",
  second: "Second",
  outcome: "Result",
  published: "Published",
  source: "Source",
  reproduceWith: "Do it again with",
  minutes: "{} min",
  seconds: "{} s",
  hours: "{} h",
  empty: "empty",
  lost_connection: "The server does not answer.",
  legend: "blue + wins, grey = draws, orange − loses; numbers are plies or percent",
  selected: "selected",
  wrong: "This does not work: {}",
  loadWrong: "This is no saved game",
  show: "Show",
  values: "values",
  policy: "policy",
  depth: "depth {}",
  networkMoves: "The network moves",
  whatMatters: "Which squares matter",
  mattersHelp: "Blue +: without this square the network would give less; orange −: it would give more. Choose what is explained.",
  layersHelp: "As wide as what a layer gives; the bar below says how much of it is not zero. Click a layer to look into it.",
  drawing: "Drawing of the layers",
  activations: "Activations",
  filters: "Weights as pictures",
  shownPart: "the first {} outputs of {} inputs are shown",
  ours: "Ours",
  goal: "goal {}",
  reached: "reached",
  within: "within the interval",
  missed: "missed",
  runQuick: "Do it again, quick ({})",
  runFull: "In full ({})",
  report: "Report",
  match: "Match",
  tournament: "Tournament",
  running: "running",
  done: "done",
  stopped: "stopped",
  killed: "killed",
  failed: "failed",
  noGuess: "No guessing",
  dealing: "Looking for a board …",
  noGuessHelp: "After the first cell, everything can be deduced",
  timeLimit: "Time",
  noLimit: "no limit",
  timeUp: "{} is out of time",
  edit: "Edit the board",
  editHelp: "Choose a piece, then point at squares; the same piece again takes it away",
  clear: "Clear",
  sideToMove: "To move",
  heatPolicy: "heat map of the policy",
  heatValue: "heat map of the values",
  hoverLine: "If {}: {}",
  options: "Options of the game",
  noCurves: "The curves of the runs that you choose appear here.",
  noGames: "The table and the games of a match appear here.",
  atRandom: "by chance",
  colon: ":",
  hintIs: "Hint: {} ({})",
  resigned: "resignation",
  step: "Step",
  gamesShown: "{} to {}",
  back: "One move back",
  forward: "One move forward",
  covered: "covered",
  flag: "flag",
  bomb: "bomb",
  disc: "disc",
  movedDisc: "disc that has moved",
  domino: "domino",
  cross: "cross",
  nought: "nought",
  pawn: "pawn",
  knight: "knight",
  bishop: "bishop",
  rook: "rook",
  queen: "queen",
  king: "king",
  donkey: "donkey",
  dog: "dog",
  cat: "cat",
  rooster: "rooster",
} as const;

export type Word = keyof typeof english;

const french: Record<Word, string> = {
  play: "Jouer",
  analysis: "Analyse",
  networks: "Réseaux",
  training: "Entraînement",
  arena: "Arène",
  lab: "Laboratoire",
  skip: "Aller au contenu",
  views: "Vues",
  language: "English",
  theme: "Clair ou sombre",
  game: "Jeu",
  newGame: "Nouvelle partie",
  undo: "Reprendre",
  hint: "Conseil",
  flip: "Tourner le plateau",
  resign: "Abandonner",
  save: "Enregistrer",
  load: "Ouvrir",
  share: "Copier l'adresse",
  shared: "L'adresse est copiée",
  rules: "Règles",
  moves: "Coups",
  clock: "Pendule",
  human: "vous",
  level: "Niveau {}",
  network: "réseau",
  exact: "exact",
  other: "un autre …",
  otherPlayer: "Le nom d'un joueur",
  plays: "{} joue {}",
  toMove: "Trait : {}",
  yourMove: "À vous de jouer",
  thinking: "{} réfléchit …",
  wins: "Gain : {}",
  draw: "Partie nulle",
  won: "Gagné",
  lost: "Perdu",
  writeMove: "Écrire un coup",
  playMove: "Jouer",
  chooseMove: "Quel coup ?",
  cancel: "Annuler",
  pause: "Pause",
  goOn: "Continuer",
  pace: "Rythme",
  teach: "M'apprendre",
  teachHelp: "Un coup perdant est repris, avec la raison",
  takenBack: "{} est repris : {} serait meilleur ({} au lieu de {})",
  evaluation: "Évaluation, coup par coup",
  judge: "Évalué par",
  off: "sans",
  inaccuracy: "imprécision",
  mistake: "erreur",
  blunder: "gaffe",
  bestWas: "{} : {} était meilleur",
  board: "Plateau",
  seed: "Graine",
  flags: "Toucher pose un drapeau",
  firstMove: "Première position",
  lastMove: "Dernière position",
  player: "Joueur",
  secondPlayer: "À côté",
  none: "personne",
  stop: "Arrêter",
  nodes: "{} nœuds",
  line: "Meilleure suite",
  move: "Coup",
  value: "Valeur",
  visits: "Visites",
  prior: "A priori",
  known: "Exact",
  position: "Position",
  setPosition: "Placer",
  fromStart: "Du début",
  bombProbability: "Probabilité d'une bombe",
  exactly: "exacte",
  differs: "écart moyen {}",
  arrangements: "{} dispositions des bombes conviennent",
  win: "gagne",
  loss: "perd",
  drawn: "annule",
  inPlies: "{} en {}",
  model: "Modèle",
  parameters: "{} paramètres",
  layers: "Couches",
  weights: "Poids",
  card: "Fiche",
  origin: "Origine",
  shape: "Forme",
  mean: "Moyenne",
  deviation: "Écart type",
  lowest: "Minimum",
  highest: "Maximum",
  input: "Entrée",
  output: "Sortie",
  bytes: "{} sur le disque",
  bitsEach: "{} bits chacun",
  trainedHere: "entraîné ici",
  runs: "Exécutions",
  noRuns: "Aucune exécution : lancez-en une ici ou dans un terminal.",
  recipe: "Recette",
  settings: "Réglages, comme epochs=5 (un par ligne)",
  startTraining: "Entraîner",
  resume: "Continuer",
  smoothing: "Lissage",
  curves: "Courbes",
  jobs: "Lancé ici",
  status: "État",
  started: "Début",
  closed: "Ce serveur est public : entraînements, exécutions et fichiers sont fermés.",
  startMatch: "Jouer",
  games: "Parties",
  score: "Score",
  interval: "Intervalle à 95 %",
  replay: "Revoir",
  results: "Résultats",
  anchor: "Elo, {} vaut {}",
  noAnchor: "Elo, la moyenne vaut 0",
  elo: "Elo",
  first: "Premier",
  second: "Second",
  outcome: "Résultat",
  published: "Publié",
  source: "Source",
  reproduceWith: "À refaire avec",
  minutes: "{} min",
  seconds: "{} s",
  hours: "{} h",
  empty: "vide",
  lost_connection: "Le serveur ne répond pas.",
  legend: "bleu + gagne, gris = annule, orange − perd ; les nombres sont des demi-coups ou des pour cent",
  selected: "choisi",
  wrong: "Cela ne va pas : {}",
  loadWrong: "Ce n'est pas une partie enregistrée",
  show: "Montrer",
  values: "valeurs",
  policy: "politique",
  depth: "profondeur {}",
  networkMoves: "Le réseau joue",
  whatMatters: "Quelles cases comptent",
  mattersHelp: "Bleu + : sans cette case, le réseau donnerait moins ; orange − : il donnerait plus. Choisissez ce qui est expliqué.",
  layersHelp: "Aussi large que ce qu'une couche donne ; la barre du bas dit quelle part n'est pas nulle. Cliquez une couche pour y regarder.",
  drawing: "Dessin des couches",
  activations: "Activations",
  filters: "Les poids en images",
  shownPart: "les {} premières sorties de {} entrées sont montrées",
  ours: "Ici",
  goal: "but {}",
  reached: "atteint",
  within: "dans l'intervalle",
  missed: "manqué",
  runQuick: "Refaire, version rapide ({})",
  runFull: "En entier ({})",
  report: "Rapport",
  match: "Match",
  tournament: "Tournoi",
  running: "en cours",
  done: "terminé",
  stopped: "arrêté",
  killed: "interrompu",
  failed: "échoué",
  noGuess: "Sans deviner",
  dealing: "Recherche d'un plateau …",
  noGuessHelp: "Après la première case, tout se déduit",
  timeLimit: "Temps",
  noLimit: "sans limite",
  timeUp: "{} n'a plus de temps",
  edit: "Modifier le plateau",
  editHelp: "Choisissez une pièce, puis des cases ; la même pièce encore une fois l'enlève",
  clear: "Vider",
  sideToMove: "Au trait",
  heatPolicy: "carte de la politique",
  heatValue: "carte des valeurs",
  hoverLine: "Après {} : {}",
  options: "Options du jeu",
  noCurves: "Les courbes des exécutions que vous choisissez apparaissent ici.",
  noGames: "Le tableau et les parties d'un match apparaissent ici.",
  atRandom: "au hasard",
  colon: "\u00a0:",
  hintIs: "Conseil\u00a0: {} ({})",
  resigned: "abandon",
  step: "Étape",
  gamesShown: "{} à {}",
  back: "Un coup en arrière",
  forward: "Un coup en avant",
  covered: "couverte",
  flag: "drapeau",
  bomb: "bombe",
  disc: "pion",
  movedDisc: "pion qui a bougé",
  domino: "domino",
  cross: "croix",
  nought: "rond",
  pawn: "pion",
  knight: "cavalier",
  bishop: "fou",
  rook: "tour",
  queen: "dame",
  king: "roi",
  donkey: "âne",
  dog: "chien",
  cat: "chat",
  rooster: "coq",
};

// The options of our games and their values, which the command line calls by the names before the
// colons; another game's are shown by their names.
const optionWords: Record<string, { en: string; fr: string }> = {
  board: { en: "Board", fr: "Plateau" },
  first: { en: "First cell", fr: "Première case" },
  winner: { en: "Four high, who wins", fr: "À quatre, qui gagne" },
  retreat: { en: "Who retreats", fr: "Qui se replie" },
  maxply: { en: "Most plies", fr: "Demi-coups au plus" },
  variant: { en: "Variant", fr: "Variante" },
  start: { en: "Start", fr: "Départ" },
  repetition: { en: "Repetitions", fr: "Répétitions" },
  moves: { en: "Quiet moves", fr: "Coups tranquilles" },
  material: { en: "No mate possible", fr: "Mat impossible" },
  beginner: { en: "beginner", fr: "débutant" },
  intermediate: { en: "intermediate", fr: "intermédiaire" },
  expert: { en: "expert", fr: "expert" },
  safe: { en: "no bomb", fr: "sans bombe" },
  opening: { en: "a zero", fr: "un zéro" },
  any: { en: "any", fr: "quelconque" },
  mover: { en: "the mover", fr: "celui qui joue" },
  rooster: { en: "the rooster's owner", fr: "le maître du coq" },
  stack: { en: "the whole stack", fr: "toute la pile" },
  carried: { en: "the carried", fr: "les portés" },
  standard: { en: "standard", fr: "normale" },
  draw: { en: "a draw", fr: "nulle" },
  play: { en: "play on", fr: "on continue" },
};

// What an option of a game, or its value, is called.
export function optionText(name: string): string {
  return optionWords[name]?.[current.language] ?? name;
}

// Moves have the letters of the language: Nf3 is Cf3 in French.
export function moveText(game: Game, move: string): string {
  const letters = game.letters[current.language] ?? {};
  return [...move].map((letter) => letters[letter] ?? letter).join("");
}

// A move that was written in the language of the page, as the program has it.
export function moveWritten(game: Game, text: string): string {
  const letters = Object.entries(game.letters[current.language] ?? {});
  return [...text].map((letter) => letters.find(([, its]) => its === letter)?.[0] ?? letter).join("");
}

export const dictionaries = { en: english, fr: french } as const;
export type Language = keyof typeof dictionaries;

function preferred(): Language {
  const kept = typeof localStorage === "undefined" ? null : localStorage.getItem("language");
  if (kept === "en" || kept === "fr") return kept;
  const asked = typeof navigator === "undefined" ? "en" : navigator.language;
  return asked.startsWith("fr") ? "fr" : "en";
}

const current = $state({ language: preferred(), words: {} as Record<string, string> });

export function language(): Language {
  return current.language;
}

export async function setLanguage(chosen: Language) {
  current.language = chosen;
  localStorage.setItem("language", chosen);
  await fetchWords();
}

// What the program says in French of games.
export async function fetchWords() {
  document.documentElement.lang = current.language;
  if (current.language === "fr" && Object.keys(current.words).length === 0) {
    current.words = (await get<{ words: Record<string, string> }>("/api/words")).words;
    forms = null;
  }
}

export function filled(form: string, places: (string | number)[]): string {
  let next = 0;
  return form.replace(/\{\}/g, () => String(places[next++] ?? ""));
}

// A word of the page, its places filled in.
export function tr(word: Word, ...places: (string | number)[]): string {
  return filled(dictionaries[current.language][word], places);
}

// How a run or a job stands.
const statuses = ["running", "done", "stopped", "killed", "failed"] as const;
export function statusText(status: string): string {
  const word = statuses.find((one) => one === status);
  return word === undefined ? status : tr(word);
}

let forms: { pattern: RegExp; french: string }[] | null = null;

function formsOf(words: Record<string, string>) {
  return Object.entries(words)
    .filter(([text]) => /\{[^}]*\}/.test(text) && text.replace(/\{[^}]*\}/g, "").trim().length > 2)
    .map(([text, translated]) => ({
      pattern: new RegExp(
        `^${text
          .split(/\{[^}]*\}/)
          .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
          .join("(.*?)")}$`,
      ),
      french: translated.replace(/\{[^}]*\}/g, "{}"),
    }));
}

// A text of a game in the language of the page: found as it stands, or by its form.
export function known(text: string): string {
  if (current.language === "en" || text === "") return text;
  const whole = current.words[text];
  if (whole !== undefined) return whole;
  forms ??= formsOf(current.words);
  for (const { pattern, french: form } of forms) {
    const found = pattern.exec(text);
    if (found) {
      const places = found.slice(1).map(known);
      return filled(form, places);
    }
  }
  return text;
}

// A number as the page's language writes it.
export function number(value: number, digits = 0): string {
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return value.toLocaleString(current.language, fraction);
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
