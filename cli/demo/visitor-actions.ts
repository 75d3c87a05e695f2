/** Reads the visitor's commands: chat as Ana, tap her buttons, act as the maintainer. */
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { GitHub, Person } from '#playground';
import type { DemoWords } from './demo-stage.ts';
import { wrapLines, type DemoTranscript } from './demo-transcript.ts';

type Task = { goal: string; about: string };
type Hands = {
  ana: Person;
  github: GitHub;
  repo: string;
  transcript: DemoTranscript;
  tasks: readonly Task[];
  played: boolean;
  leaving: AbortController;
  words: DemoWords;
};

const MAX_LINE_COLUMNS = 100;

const formatGreeting = ({ tasks, played, words }: Hands): string =>
  [
    played ? words.filmOver() : words.youAreAna(),
    words.usePages(),
    ...tasks.map((task, i) => `  ${i + 1}                      ${words.order(task)}`),
    words.keys(),
    '',
  ].join('\n');

const readAloud = ({ ana, transcript }: Hands): (() => void) => {
  const showNewMessages = (): void => {
    for (const m of ana.messages()) if (m.from !== ana.name) transcript.showMessage(m);
  };
  const watching = setInterval(showNewMessages, 300);
  return () => clearInterval(watching);
};

export const followVisitorCommands = async (hands: Hands): Promise<void> => {
  const { ana, github, repo, tasks, transcript, leaving } = hands;
  if (leaving.signal.aborted) return;
  for (const line of wrapLines(formatGreeting(hands), MAX_LINE_COLUMNS)) transcript.note(line);
  const hush = readAloud(hands);
  const lines = createInterface({ input: process.stdin, terminal: false });
  const performLine = async (line: string): Promise<void> => {
    const [word = '', ...rest] = line.trim().split(/\s+/);
    const number = Number(rest[0]);
    const task = rest.length === 0 ? tasks[Number(word) - 1] : undefined;
    if (task) ana.sends(`/new ${repo} ${task.goal}`);
    else if (word === 'quit' || word === 'exit') leaving.abort();
    else if (word === 'tap') ana.taps(rest.join(' '));
    else if (word === 'merge') await github.repo(repo).merge(number);
    else if (word === 'close') await github.repo(repo).close(number);
    else if (line.trim() !== '') ana.sends(line.trim());
  };
  lines.on('line', (line) => {
    performLine(line).catch((error: unknown) =>
      transcript.note(error instanceof Error ? error.message : String(error)),
    );
  });
  // The servers stay up without a terminal until a signal.
  try {
    await once(leaving.signal, 'abort');
  } finally {
    hush();
    lines.close();
  }
};
