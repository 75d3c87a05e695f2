/** Writes down the chat and the pull request of a run, for people to judge. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Product } from '../../tests/support/product.ts';
import type { Played } from './person.ts';

export const writeSeen = (
  folder: string,
  product: Product,
  { repo, goal, first }: { repo: string; goal: string; first: number },
  { run, stops }: Played,
): void => {
  const host = product.github.repo(repo);
  const pull = run.upstream.pullRequest ? host.pulls.at(-1) : undefined;
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', host.dir, ...args], { encoding: 'utf8', maxBuffer: 1 << 26 });
  const sha = pull?.headSha ?? '';
  const chat = product.ana
    .messages()
    .slice(first)
    .map(({ from, text, buttons }) => {
      const rows = buttons.flat().map((b) => `[${b.text}]`);
      return `--- ${from}\n${text}\n${rows.join(' ')}`;
    });
  const checks = run.target.baseline?.checks.map(
    (c) => `${c.name} \`${c.command}\`: ${c.outcome}\n${c.tail}`,
  );
  const parts = [
    `# ${repo}: ${goal}\n${run.lifecycle.state}\n\n${stops.join('\n\n')}`,
    `# Installs\n${JSON.stringify(run.target.contract?.installs)}\n# Checks on the base\n${checks?.join('\n') ?? 'none'}`,
    `# Rules\n${JSON.stringify(run.target.contract?.rules, null, 1)}`,
    `# Chat\n${chat.join('\n\n')}`,
    ...(pull
      ? [
          `# Pull request of ${pull.head}: ${pull.title}\n\n${pull.body ?? ''}`,
          `# Commits\n${git('log', '--format=fuller', `${pull.base}..${sha}`, '--')}`,
          `# Diff\n${git('show', '--stat', '-p', sha, '--').slice(0, 6_000)}`,
        ]
      : []),
  ];
  mkdirSync(folder, { recursive: true });
  const name = `${repo}-${goal}`.replaceAll(/\W+/g, '-').slice(0, 60);
  writeFileSync(join(folder, `${name}.md`), `${parts.join('\n\n')}\n`);
};
