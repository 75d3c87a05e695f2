/**
 * O2: somebody who has just got the command, in an empty folder, and asks for what is not there:
 * a sentence, the documented exit code, and no file made.
 */
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runCommandHere } from '../../support/command-here.ts';
import { temporaryDirectory } from '../../support/ledger.ts';

const agentpr = (dir: string, line: string) =>
  runCommandHere(line.split(' '), { cwd: dir, env: { PATH: process.env.PATH, HOME: dir } });

it('O2: a stranger who asks for what is not there hears so, by the documented codes, and leaves nothing behind', async () => {
  const { dir, remove } = temporaryDirectory();
  const rows: [line: string, code: number, says: string][] = [
    ['run list', 4, 'There is no ledger in'],
    ['report', 4, 'There is no ledger in'],
    ['replay --all', 4, 'There is no ledger in'],
    ['audit accept', 4, 'There is no ledger in'],
    ['backup copy.tar.gz --plain', 4, 'There is no ledger in'],
    ['ledger copy --from old --to new', 4, 'There is no ledger in'],
    ['migrate --dry-run', 0, 'There is no database in'],
    ['run agent-step --prompt x --dir gone', 4, 'There is no directory'],
    ['policy list --repo ../x', 2, '../x is not of the form owner/name'],
    ['report --json --csv', 2, "'--json' cannot be used with option '--csv'"],
  ];
  try {
    for (const [line, code, says] of rows) {
      const { out, err, ...end } = await agentpr(dir, line);
      expect({ line, ...end }).toEqual({ line, code });
      expect(out + err).toContain(says);
    }
    expect(readdirSync(dir)).toEqual([]);
  } finally {
    remove();
  }
});
