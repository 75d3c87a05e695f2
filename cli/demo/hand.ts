/** The visitor's own hands: type as Ana, tap her buttons, be the maintainer. Ends with `quit` or a signal. */
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { ChatMessage, GitHub, Person } from '#playground';
import { print } from '../environment.ts';

type Task = { goal: string; about: string };
type Hands = {
  ana: Person;
  github: GitHub;
  repo: string;
  phoneUrl: string;
  dataDir: string;
  /** It was played up to here; else it waits for the visitor from the start. */
  plays: boolean;
  tasks: readonly Task[];
};

const HELP = `Type here, or use the pages:
  tap <text>                             press the newest button with that text
  /new <repo> <goal>, /status, /help …   a message from Ana to the bot
  merge <n>, close <n>                   be the maintainer
  an issue of the code host’s page, labelled agentpr, asks for a change too
  quit                                   end`;

const greeting = ({ github, repo, phoneUrl, dataDir, plays, tasks }: Hands): string =>
  [
    plays
      ? `\nEverything stays up. In a browser: Ana’s phone ${phoneUrl} · the code host ${github.forgeUrl} (repository ${repo}). The ledger is in ${dataDir}.`
      : 'You are Ana. She has just ordered a change; its card comes to her phone, and it is yours to decide. Nothing is tapped for you (--play shows it as a film).',
    HELP,
    ...tasks.map(({ goal, about }, i) => `  ${i + 1}  ${goal} (${about})`),
    '',
  ].join('\n');

const textOf = ({ text, buttons }: ChatMessage): string =>
  `${text}\n${buttons.map((line) => line.map((b) => `[ ${b.text} ]`).join(' ')).join('\n')}`.trimEnd();

export const goOnByHand = async (hands: Hands): Promise<void> => {
  const { ana, github, repo, plays, tasks } = hands;
  print(greeting(hands));
  const seen = new Map<number, string>();
  const news = (): void => {
    for (const m of ana.messages()) {
      const text = textOf(m);
      if (m.from !== ana.name && seen.get(m.messageId) !== text) print(text);
      seen.set(m.messageId, text);
    }
  };
  if (plays) for (const m of ana.messages()) seen.set(m.messageId, textOf(m));
  const watching = setInterval(news, 300);
  const lines = createInterface({ input: process.stdin, terminal: false });
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, leave);
  const obey = async (line: string): Promise<void> => {
    const [word = '', ...rest] = line.trim().split(/\s+/);
    const number = Number(rest[0]);
    const task = rest.length === 0 ? tasks[Number(word) - 1] : undefined;
    if (task) ana.sends(`/new ${repo} ${task.goal}`);
    else if (word === 'quit' || word === 'exit') leave();
    else if (word === 'tap') ana.taps(rest.join(' '));
    else if (word === 'merge') await github.repo(repo).merge(number);
    else if (word === 'close') await github.repo(repo).close(number);
    else if (line.trim() !== '') ana.sends(line.trim());
  };
  lines.on('line', (line) => {
    obey(line).catch((error: unknown) => print(error instanceof Error ? error.message : String(error)));
  });
  // Nobody may sit at a keyboard: the pages are there all the same, until somebody ends it.
  try {
    if (!leaving.signal.aborted) await once(leaving.signal, 'abort');
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, leave);
    clearInterval(watching);
    lines.close();
  }
};
