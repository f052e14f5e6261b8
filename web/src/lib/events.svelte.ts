// What the server tells meanwhile, for whichever view wants to know.
import { listen } from "./api";

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

export function startListening() {
  return listen({
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
