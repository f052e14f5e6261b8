// What the server tells meanwhile, for whichever view wants to know.
import { listen, type JudgedMove, type Position } from "./api";

export interface Progress {
  task: string;
  nodes: number;
  depth: number;
  best: string | null;
}

export const news = $state({
  progress: {} as Record<string, Progress>, // by task
  run: "", // the last run that moved on
  runs: 0, // how often one did
  jobs: 0,
});

// What follows a question before its answer: the position after a move that was sent, the moves of a
// game that is analysed.
export const awaiting = {
  played: (_: Position) => {},
  judged: {} as Record<string, (move: JudgedMove) => void>, // by task
};

export function startListening() {
  return listen({
    played: (data) => awaiting.played(data.position as Position),
    judged: (data) => awaiting.judged[String(data.task)]?.(data.move as JudgedMove),
    search: (data) => {
      const progress = data as unknown as Progress;
      news.progress[progress.task] = progress;
    },
    run: (data) => {
      news.run = String(data.run);
      ++news.runs;
    },
    jobs: () => void ++news.jobs,
    missed: () => {
      ++news.runs;
      ++news.jobs;
    },
  });
}
