// A game on the page: its moves, where in it we look, who plays, and what the positions are worth.
import * as api from "./api";
import { addressText, parseRules, rulesText } from "./address";
import { askedOfAll } from "./players";
import { worth } from "./values";

export interface Judged {
  value: number | null; // for the first side
  best: string | null;
  bestWorth: number | null; // for the side to move
  worths: Map<string, number>;
}

// For the first side; null while the game goes on.
function resultOf(outcome: api.Outcome): number | null {
  return { ongoing: null, first: 1, second: -1, draw: 0 }[outcome];
}

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
  judged = $state<(Judged | null)[]>([]);
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
      if (turn === this.turn) this.fault = (fault as Error).message;
    }
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

  async ask(player: string): Promise<boolean> {
    const turn = ++this.turn;
    try {
      const answer = await api.answer(this.state(), player);
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
    this.judged = this.judged.slice(0, this.at);
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
    this.judged = this.judged.slice(0, this.line.length + 1);
    await this.go(this.line.length);
  }

  async resign(side: string) {
    this.resigned = side;
    await this.go(this.line.length);
  }

  // Sides alternate from whoever began.
  sideAt(ply: number): 0 | 1 {
    const now = this.position?.to_move ?? 0;
    return (Math.abs(ply - this.at) % 2 === 0 ? now : 1 - now) as 0 | 1;
  }

  // What the position at a ply is worth, asked once. A newer question of the same task ends this one.
  async judge(ply: number, player: string, task = "judge"): Promise<Judged | null> {
    const kept = this.judged[ply];
    if (kept) return kept;
    const state = this.state(ply);
    const side = this.sideAt(ply);
    const asked = state.moves.join(" ");
    try {
      const analysis = await api.analyze(state, askedOfAll(player), task);
      const first = analysis.moves?.[0];
      const result = first ? null : resultOf((await api.position(state)).outcome);
      if (this.line.slice(0, ply).join(" ") !== asked) return null;
      const value = first ? worth(first) : null;
      const worths = new Map<string, number>();
      for (const move of analysis.moves) {
        const its = worth(move);
        if (its !== null) worths.set(move.move, its);
      }
      const judged: Judged = {
        value: value === null ? result : side === 0 ? value : -value,
        best: first?.move ?? null,
        bestWorth: value,
        worths,
      };
      this.judged[ply] = judged;
      return judged;
    } catch {
      return null;
    }
  }

  // What the move played at a ply gave away: beside the best one, as it was valued there or else as the
  // position after it is.
  loss(ply: number): number | null {
    const judged = this.judged[ply];
    const move = this.line[ply];
    if (!judged || move === undefined || judged.bestWorth === null) return null;
    const after = this.judged[ply + 1]?.value ?? null;
    const its = judged.worths.get(move) ?? (after === null ? null : this.sideAt(ply) === 0 ? after : -after);
    return its === null ? null : Math.max(0, judged.bestWorth - its);
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
