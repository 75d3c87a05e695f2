/** Number of programs that a run starts, from the order to the pull request. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sampleDirectory } from '../../playground/index.ts';
import { startsOf } from '../count-starts.ts';
import { startHost, type Host } from '../host.ts';
import type { Measurement, Row } from '../row.ts';

const LONGEST_MS = 120_000;
const PRELOAD = join(import.meta.dirname, '../count-starts.ts');

const toThePullRequest = async ({ ana }: Host, order: string): Promise<void> => {
  const opened = (): number => ana.messages().filter((m) => m.text.startsWith('Pull request #')).length;
  const has = (label: string) => (): boolean =>
    ana.messages().some((m) => m.buttons.flat().some((b) => b.text.includes(label)));
  const before = opened();
  ana.sends(order);
  await ana.waitFor(has('Open PR'), { deadlineMs: LONGEST_MS });
  ana.taps(/Open PR/);
  await ana.waitFor(has('Confirm'), { deadlineMs: LONGEST_MS });
  ana.taps(/Confirm/);
  await ana.waitFor(() => opened() > before, { deadlineMs: LONGEST_MS });
};

export const runProcesses: Measurement = {
  name: 'run-processes',
  about: 'programs that a run starts, from the order to the pull request',
  run: async (): Promise<Row[]> => {
    const host = await startHost({ argv: ['--import', PRELOAD] });
    const product = await host.start();
    const log = startsOf(product.pid);
    const starts = (): string[][] =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as string[]);
    try {
      const { fullName } = await host.github.addRepo({ owner: 'acme', name: 'one', from: sampleDirectory() });
      const order = `/new ${fullName} Waits start too long`;
      await toThePullRequest(host, order);
      const warm = starts().length;
      await toThePullRequest(host, order);
      const value = starts().length - warm;
      const git = starts()
        .slice(warm)
        .filter(([program]) => program === 'git').length;
      return [
        {
          name: 'run-processes',
          value,
          unit: 'programs',
          bar: { is: '<=', at: 14 } as const,
          note: `the second run of a repository; ${git} of them git; ${warm} in the first, with the start of the product`,
        },
      ];
    } finally {
      await host.close();
      rmSync(log, { force: true });
    }
  },
};
