/** After the story the demo stays up: type as Ana, tap her buttons, be the maintainer. */
import { createInterface } from 'node:readline/promises';
import type { GitHub, Person } from '#playground';
import { print } from '../environment.ts';

const HELP = `Go on by hand. Type:
  /new <repo> <goal>, /status, /help …   a message from Ana to the bot
  tap <text>                             press the newest button with that text
  merge <n>, close <n>                   be the maintainer (or use the pages)
  quit                                   end`;

export const goOnByHand = async (parts: {
  ana: Person;
  github: GitHub;
  repo: string;
  phoneUrl: string;
  dataDir: string;
}): Promise<void> => {
  const { ana, github, repo } = parts;
  print(
    `\nEverything stays up. In a browser: Ana’s phone ${parts.phoneUrl} · the code host ${github.forgeUrl} (repository ${repo}). The ledger is in ${parts.dataDir}.\n${HELP}\n`,
  );
  const seen = new Map<number, string>();
  const news = (): void => {
    for (const m of ana.messages()) {
      const text =
        `${m.text}\n${m.buttons.map((line) => line.map((b) => `[ ${b.text} ]`).join(' ')).join('\n')}`.trimEnd();
      if (m.from !== ana.name && seen.get(m.messageId) !== text) print(text);
      seen.set(m.messageId, text);
    }
  };
  for (const m of ana.messages())
    seen.set(
      m.messageId,
      `${m.text}\n${m.buttons.map((line) => line.map((b) => `[ ${b.text} ]`).join(' ')).join('\n')}`.trimEnd(),
    );
  const watching = setInterval(news, 300);
  const lines = createInterface({ input: process.stdin, terminal: false });
  try {
    for await (const line of lines) {
      const [word = '', ...rest] = line.trim().split(/\s+/);
      const number = Number(rest[0]);
      try {
        if (word === 'quit' || word === 'exit') return;
        if (word === 'tap') ana.taps(rest.join(' '));
        else if (word === 'merge') await github.repo(repo).merge(number);
        else if (word === 'close') await github.repo(repo).close(number);
        else if (line.trim() !== '') ana.sends(line.trim());
      } catch (error) {
        print(error instanceof Error ? error.message : String(error));
      }
    }
  } finally {
    clearInterval(watching);
    lines.close();
  }
};
