/**
 * `npm run baseline -- --repos <folder of clones>`: three small orders for each real repository, from
 * the chat to the merge, by the real process on the local servers; and what its report says of them.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { failuresIn } from '../bot/views/report.ts';
import { duration } from '../bot/text/text.ts';
import { readEnvironment } from '../cli/environment.ts';
import { passable } from '../executors/process/environment.ts';
import type { Report } from '../orchestrator/core/figures/table.ts';
import { createProduct, type Product } from '../tests/support/product.ts';
import { playRun, type Played } from './baseline/person.ts';
import { goalsFor } from './baseline/tasks.ts';

const { values } = parseArgs({
  options: {
    repos: { type: 'string' },
    only: { type: 'string' },
    tasks: { type: 'string', default: '3' },
    /** Folders beside the system that boxes may read: a package index of this machine. */
    readable: { type: 'string', multiple: true, default: [] },
  },
});
if (values.repos === undefined) {
  process.stderr.write('Say where the clones are: npm run baseline -- --repos <folder>\n');
  process.exit(2);
}
const folder = resolve(values.repos);
const most = z.coerce.number().int().min(1).parse(values.tasks);
const { only } = values;
const names = readdirSync(folder).filter((name) => only === undefined || only.split(',').includes(name));
const note = (line: string): void => void process.stderr.write(`${line}\n`);

const goalsOf = (clone: string): string[] => {
  const scratch = mkdtempSync(join(tmpdir(), 'agentpr-baseline-'));
  try {
    execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${clone}`, scratch], { stdio: 'pipe' });
    return goalsFor(scratch, most);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

const playAll = async (product: Product): Promise<Map<string, Played[]>> => {
  const all = new Map<string, Played[]>();
  for (const name of names) {
    const clone = join(folder, name);
    const { fullName } = await product.github.addRepo({ owner: 'acme', name, from: clone });
    const played: Played[] = [];
    all.set(fullName.toLowerCase(), played);
    for (const goal of goalsOf(clone)) {
      const from = Date.now();
      const one = await playRun(product, fullName, goal);
      played.push(one);
      note(`${name}: ${goal}: ${one.run.state} after ${duration(Date.now() - from)}`);
      for (const stop of one.stops) note(`    ${stop.replaceAll('\n', '\n    ')}`);
    }
  }
  return all;
};

const tell = (cells: readonly string[]): void =>
  void process.stdout.write(`| ${cells.map((cell) => cell.replaceAll('|', '\\|') || '–').join(' | ')} |\n`);

const checksOf = ({ run: { contract, baseline } }: Played): string => {
  const ran = baseline?.checks.filter(({ outcome }) => outcome === 'passed' || outcome === 'failed') ?? [];
  const green = ran.filter(({ outcome }) => outcome === 'passed');
  return `${contract?.checks.length ?? 0} / ${ran.length} / ${green.length}`;
};
const average = (n: number | undefined): string => (n === undefined ? '–' : n.toFixed(1));

const table = ({ all, groups }: Report, played: ReadonlyMap<string, Played[]>): void => {
  const head = [
    'repository',
    'ecosystem',
    'checks found / run / green',
    'runs',
    'pull requests',
    'first CI passed',
  ];
  const more = ['iterations', 'needed a human', 'ready (median)', 'taps', 'pings', 'attention', 'failures'];
  tell([...head, ...more]);
  tell([...head, ...more].map(() => '---'));
  const rows = [...groups].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, figures: f } of [...rows, { name: 'all', figures: all }]) {
    const [first] = played.get(name) ?? [];
    tell([
      name.replace(/^acme\//, ''),
      first?.run.contract?.ecosystems.join(', ') ?? '',
      first ? checksOf(first) : '',
      ...[String(f.runs), String(f.pulls), `${f.firstCi.yes} of ${f.firstCi.of}`],
      f.iterations === null ? '–' : f.iterations.toFixed(1),
      `${f.needsHuman.yes} of ${f.needsHuman.of}`,
      f.ready.p50 === null ? '–' : duration(f.ready.p50),
      ...[average(f.perPull?.taps), average(f.perPull?.pings)],
      f.perPull ? duration(f.perPull.seconds * 1_000) : '–',
      failuresIn(f, 20),
    ]);
  }
};

const node = dirname(process.execPath);
const product = await createProduct({
  script: `'${process.execPath}' '${join(import.meta.dirname, 'baseline/tasks.ts')}'`,
  bounds: { ciSettleMs: 1_000, noCiMs: 3_000 },
  config: {
    readable: [node, join(import.meta.dirname, 'baseline'), ...values.readable],
    maxRunsPerDay: 1_000,
  },
  env: passable(readEnvironment()),
});
try {
  product.start();
  await product.running();
  const played = await playAll(product);
  const said = await product.cli(['report', '--since', 'all', '--by', 'repository', '--json']);
  table(JSON.parse(said.out) as Report, played);
} finally {
  await product.close();
}
