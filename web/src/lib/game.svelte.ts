// A game on the page: its moves, where in it we look, who plays, and what the positions are worth.
import * as api from "./api";
import { addressText, parseRules, rulesText } from "./address";
import { awaiting } from "./events.svelte";
import { moveText, tr } from "./language.svelte";

export class PlayedGame {
  game = $state("");
  rules = $state<Record<string, string>>({});
  seed = $state(1);
  start = $state<string | undefined>(undefined);
  line = $state<string[]>([]);
  at = $state(0);
  resigned = $state<string | undefined>(undefined);
  players = $state<[string, string]>(["human", "human"]);
  position = $state.raw<api.Position | null>(null);
  judged = $state<(api.JudgedMove | undefined)[]>([]); // by ply: the move played there
  fault = $state("");
  private turn = 0;

  constructor(private readonly games: () => api.Game[]) {}

  // The rules that are not the usual ones.
  get ownRules(): Record<string, string> {
    const options = this.games().find((one) => one.name === this.game)?.options ?? [];
    return Object.fromEntries(
      Object.entries(this.rules).filter(([name, value]) => options.find((one) => one.name === name)?.default !== value),
    );
  }

  state(ply = this.at): api.GameState {
    const state: api.GameState = {
      schema: "damier/game/1",
      game: this.game,
      rules: this.rules,
      seed: this.seed,
      moves: this.line.slice(0, ply),
    };
    if (this.start !== undefined) state.position = this.start;
    if (this.resigned !== undefined && ply === this.line.length) state.resigned = this.resigned;
    return state;
  }

  // To be compared later: whether something else has happened since.
  get moment() {
    return this.turn;
  }

  async begin(
    game: string,
    rules: Record<string, string>,
    seed: number,
    start?: string,
    line: string[] = [],
    at = line.length,
  ) {
    this.game = game;
    this.rules = rules;
    this.seed = seed;
    this.start = start === "" ? undefined : start;
    this.line = line;
    this.resigned = undefined;
    this.judged = [];
    await this.go(at);
  }

  async go(ply: number) {
    const turn = ++this.turn;
    this.at = Math.max(0, Math.min(this.line.length, ply));
    try {
      const position = await api.position(this.state());
      if (turn === this.turn) this.show(position);
    } catch (fault) {
      if (turn !== this.turn) return;
      this.fault = (fault as Error).message;
      if ((fault as api.Refusal).status === 422) await this.showWhatCanBePlayed(turn);
    }
  }

  // A link may hold a move that cannot be played, or a start that cannot be: the game up to there is
  // shown, and the error stays.
  private async showWhatCanBePlayed(turn: number) {
    const positionAt = (ply: number) => api.position(this.state(ply)).catch(() => null);
    let good = 0;
    let position = await positionAt(0);
    if (position === null) {
      this.start = undefined;
      this.rules = {};
      this.line = [];
      position = await positionAt(0);
    }
    for (let bad = this.at; position !== null && bad - good > 1; ) {
      const middle = (good + bad) >> 1;
      const found = await positionAt(middle);
      if (found === null) bad = middle;
      else [good, position] = [middle, found];
    }
    if (turn !== this.turn || position === null) return;
    const wrong = this.line[good];
    const its = this.games().find((one) => one.name === this.game);
    const error =
      wrong === undefined || its === undefined
        ? this.fault
        : good === 0
          ? tr("Move 1 ({}) cannot be played: the game is shown from its start.", moveText(its, wrong))
          : tr("Move {} ({}) cannot be played: the game is shown up to move {}.", good + 1, moveText(its, wrong), good);
    this.line = this.line.slice(0, good);
    this.at = good;
    this.show(position);
    this.fault = error;
  }

  private show(position: api.Position) {
    this.position = position;
    this.fault = "";
    this.rules = position.state.rules ?? {};
  }

  // A move at the place where we look; what followed there is forgotten. False: it is not legal.
  async play(move: string): Promise<boolean> {
    const turn = ++this.turn;
    try {
      this.take(await api.position(this.state(), move), turn);
      return true;
    } catch (fault) {
      this.fault = (fault as Error).message;
      return false;
    }
  }

  // What a player answers: to the position, or to a move that is played before, and shown as soon as
  // it is known to be legal.
  async ask(player: string, move?: string, onplayed = () => {}): Promise<boolean> {
    const turn = ++this.turn;
    let shown = move === undefined;
    awaiting.played = (position) => {
      if (shown || !this.take(position, turn)) return;
      shown = true;
      onplayed();
    };
    try {
      const answer = await api.answer(this.state(), player, move);
      if (answer.played !== null) awaiting.played(answer.played);
      return this.take(answer.position, turn);
    } catch (fault) {
      if (turn === this.turn && (fault as api.Refusal).status !== 409) {
        this.fault = (fault as Error).message;
      }
      return false;
    }
  }

  private take(position: api.Position, turn: number): boolean {
    if (turn !== this.turn) return false;
    this.line = position.state.moves;
    this.at = this.line.length;
    this.judged = this.line.map((move, ply) => (this.judged[ply]?.move === move ? this.judged[ply] : undefined));
    this.show(position);
    return true;
  }

  // Back before the last move of a person; between players that are none, before the last move.
  async undo(alone: boolean) {
    let ply = this.at - 1;
    if (!alone && this.players.includes("human")) {
      while (ply > 0 && this.players[this.sideAt(ply)] !== "human") --ply;
    }
    this.line = this.line.slice(0, Math.max(0, ply));
    this.resigned = undefined;
    this.judged = this.judged.slice(0, this.line.length);
    await this.go(this.line.length);
  }

  async resign(side: string) {
    this.resigned = side;
    await this.go(this.line.length);
  }

  // Sides alternate.
  sideAt(ply: number): 0 | 1 {
    const now = this.position?.to_move ?? 0;
    return (Math.abs(ply - this.at) % 2 === 0 ? now : 1 - now) as 0 | 1;
  }

  // What the moves are worth that have not been judged yet. A newer question of the same task ends this
  // one.
  async judge(player: string, task = "judge", from = 0): Promise<void> {
    const line = [...this.line];
    const state = { ...this.state(line.length), resigned: undefined };
    const take = (move: api.JudgedMove) => {
      if (this.line[move.ply - 1] === move.move) this.judged[move.ply - 1] = move;
    };
    awaiting.judged[task] = take;
    try {
      for (;;) {
        while (this.judged[from] !== undefined) ++from;
        if (from >= line.length || line.some((move, ply) => this.line[ply] !== move)) return;
        const { moves } = await api.analyzeGame(state, player, from, task);
        moves.forEach(take);
        if (moves.length === 0) return;
      }
    } catch {
      // Something newer was asked.
    }
  }

  // What each position was worth to the first side.
  get values(): (number | null)[] {
    const forFirst = (value: number | null | undefined, ply: number) =>
      value === null || value === undefined ? null : this.sideAt(ply) === 0 ? value : -value;
    return [
      forFirst(this.judged[0]?.best_value, 0),
      ...this.line.map((_, ply) => forFirst(this.judged[ply]?.value, ply)),
    ];
  }

  address(view: string): string {
    return addressText(view, {
      game: this.game,
      rules: rulesText(this.ownRules),
      seed: String(this.seed),
      position: this.start,
      moves: this.line.join(" "),
      at: this.at === this.line.length ? undefined : String(this.at),
      players: view === "play" ? this.players.join(";") : undefined,
    });
  }

  async fromAddress(words: Record<string, string>) {
    const players = words.players?.split(";");
    if (players?.length === 2) this.players = [players[0]!, players[1]!];
    const line = (words.moves ?? "").split(" ").filter((move) => move !== "");
    await this.begin(
      words.game ?? this.game,
      parseRules(words.rules),
      Number(words.seed ?? "1") || 1,
      words.position,
      line,
      words.at === undefined ? line.length : Number(words.at),
    );
  }
}

export function freshSeed(): number {
  return 1 + Math.floor(Math.random() * 0x7ffffffe);
}
