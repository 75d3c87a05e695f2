/** `npm run baseline -- --repos <folder of clones>`: plays orders for real repositories. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { failuresText, toPercent } from '../bot/views/reports/report-screen.ts';
import { enTexts } from '#language';
import { durationText } from '#chat-text';
import { passableEnvironment } from '#process';
import { readRawEnvironment } from '../cli/load-config.ts';
import { ENGINE_NAMES } from '../executors/engines/engine-settings.ts';
import type { MeasuredShare } from '../orchestrator/reports/confidence-interval.ts';
import type { PeriodReport } from '../orchestrator/reports/period-report.ts';
import { createProduct, type Product } from '../tests/support/product.ts';
import { createWorker } from './baseline/engine.ts';
import { playRun, type Played } from './baseline/person.ts';
import { writeSeen } from './baseline/seen.ts';
import { goalsFor } from './baseline/tasks.ts';

const { values } = parseArgs({
  options: {
    repos: { type: 'string' },
    only: { type: 'string' },
    tasks: { type: 'string', default: '3' },
    /** Folders that boxes may read besides the system, for example a local package index. */
    readable: { type: 'string', multiple: true, default: [] },
    engine: { type: 'string', default: 'script' },
    agents: { type: 'string' },
    seen: { type: 'string' },
    svg: { type: 'string' },
  },
});
if (values.repos === undefined) {
  process.stderr.write('Say where the clones are: npm run baseline -- --repos <folder>\n');
  process.exit(2);
}
const folder = resolve(values.repos);
const most = z.coerce.number().int().min(1).parse(values.tasks);
const { only, seen, svg } = values;
const engine = z.enum(ENGINE_NAMES).parse(values.engine);
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
      const first = product.ana.messages().length;
      const one = await playRun(product, fullName, goal);
      played.push(one);
      if (seen !== undefined) writeSeen(seen, product, { repo: fullName, goal, first }, one);
      note(
        `${name}: ${goal}: ${one.run.lifecycle.state} after ${durationText(Date.now() - from, enTexts.calendar)}`,
      );
      for (const stop of one.stops) note(`    ${stop.replaceAll('\n', '\n    ')}`);
    }
  }
  return all;
};

const tell = (cells: readonly string[]): void =>
  void process.stdout.write(`| ${cells.map((cell) => cell.replaceAll('|', '\\|') || '–').join(' | ')} |\n`);

const checksOf = ({
  run: {
    target: { contract, baseline },
  },
}: Played): string => {
  const ran = baseline?.checks.filter(({ outcome }) => outcome === 'passed' || outcome === 'failed') ?? [];
  const green = ran.filter(({ outcome }) => outcome === 'passed');
  return `${contract?.checks.length ?? 0} / ${ran.length} / ${green.length}`;
};
const shareOf = ({ yes, of, low, high }: MeasuredShare): string =>
  low === null || high === null
    ? `${yes} of ${of}`
    : `${yes} of ${of} (${toPercent(low)}–${toPercent(high)} %)`;
const average = (n: number | undefined): string => (n === undefined ? '–' : n.toFixed(1));

const table = ({ all, groups }: PeriodReport, played: ReadonlyMap<string, Played[]>): void => {
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
      first?.run.target.contract?.ecosystems.join(', ') ?? '',
      first ? checksOf(first) : '',
      ...[String(f.runs), String(f.pulls), shareOf(f.firstCi)],
      f.iterations === null ? '–' : f.iterations.toFixed(1),
      shareOf(f.needsHuman),
      f.ready.p50 === null ? '–' : durationText(f.ready.p50, enTexts.calendar),
      ...[average(f.perPull?.taps), average(f.perPull?.pings)],
      f.perPull ? durationText(f.perPull.seconds * 1_000, enTexts.calendar) : '–',
      failuresText(f, enTexts, 20),
    ]);
  }
};

const node = dirname(process.execPath);
const worker = await createWorker(engine, values.agents);
const product = await createProduct({
  script: worker.script,
  bounds: { ciSettleMs: 1_000, noCiMs: 3_000 },
  config: {
    readable: [node, join(import.meta.dirname, 'baseline'), ...values.readable],
    maxRunsPerDay: 1_000,
  },
  env: { ...passableEnvironment(readRawEnvironment()), ...worker.env },
});
try {
  product.start();
  await product.running();
  const played = await playAll(product);
  if (svg !== undefined)
    await product.cli(['report', '--since', 'all', '--by', 'repository', '--svg', resolve(svg)]);
  const said = await product.cli(['report', '--since', 'all', '--by', 'repository', '--json']);
  table(JSON.parse(said.out) as PeriodReport, played);
} finally {
  await product.close();
  await worker.close();
}
