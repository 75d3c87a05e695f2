/** Cost of the map of a repository with 10,000 files, without and with what was kept of its blobs (E9). */
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { temporaryDirectory } from '../machine.ts';
import { median, round } from '../measure.ts';
import type { Measurement, Row } from '../row.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ONCE = fileURLToPath(new URL('../load/map-once.ts', import.meta.url));
const Told = z.object({
  ms: z.number(),
  tokens: z.number(),
  files: z.number(),
  peak: z.number(),
  after: z.number(),
});

/** Our own sources again and again, each with a line of its own. */
const createRepository = (dir: string, count: number): string => {
  const sources = globSync('{orchestrator,executors,bot,db,forge,discovery,tests}/**/*.ts', { cwd: ROOT });
  for (let i = 0; i < count; i += 1) {
    const from = sources[i % sources.length] ?? '';
    const place = join(dir, `part${Math.floor(i / sources.length)}`, from);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, `${readFileSync(join(ROOT, from), 'utf8')}// ${i}\n`);
  }
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'gc.auto=0', ...args], {
      cwd: dir,
      encoding: 'utf8',
    });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'All');
  git('gc', '-q');
  return git('rev-parse', 'HEAD').trim();
};

const once = (gitDir: string, commit: string, cache: string): z.infer<typeof Told> => {
  const argv = ['--no-warnings', '--expose-gc', ONCE, gitDir, commit, cache];
  const { stdout, stderr, status } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return Told.parse(JSON.parse(stdout));
};

export const repositoryMap: Measurement = {
  name: 'repository-map',
  about: 'the map of a repository with 10,000 files',
  run: async ({ quick, pairs }): Promise<Row[]> => {
    const { dir, remove } = temporaryDirectory();
    try {
      const count = quick ? 1_000 : 10_000;
      const commit = createRepository(join(dir, 'repository'), count);
      const gitDir = join(dir, 'repository/.git');
      const cache = join(dir, 'maps/one');
      const cold: z.infer<typeof Told>[] = [];
      const warm: z.infer<typeof Told>[] = [];
      for (let i = 0; i < pairs; i += 1) {
        rmSync(join(dir, 'maps'), { recursive: true, force: true });
        cold.push(once(gitDir, commit, cache));
        warm.push(once(gitDir, commit, cache));
      }
      const note = `${round(count)} files; a map of ${warm[0]?.tokens ?? 0} tokens names ${warm[0]?.files ?? 0} of them`;
      const row = (name: string, all: readonly number[], unit: string, at: number | null): Row => ({
        name,
        value: median(all),
        unit,
        bar: at === null ? null : { is: '<=', at },
        note: `${note}; ${all.map((one) => one.toFixed(unit === 's' ? 2 : 1)).join(', ')} ${unit}`,
      });
      return [
        row(
          'map-cold',
          cold.map(({ ms }) => ms / 1_000),
          's',
          3,
        ),
        row(
          'map-warm',
          warm.map(({ ms }) => ms / 1_000),
          's',
          0.2,
        ),
        row(
          'map-memory',
          cold.map(({ peak }) => peak),
          'MB',
          60,
        ),
        row(
          'map-memory-after',
          warm.map(({ after }) => after),
          'MB',
          null,
        ),
      ];
    } finally {
      remove();
    }
  },
};
