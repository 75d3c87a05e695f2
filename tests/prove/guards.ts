/**
 * `npm run prove:guards`: breaks each guard in a copy of the tree, and fails if no test notices.
 * `--only <text>` selects guards, `--write` first updates the table in docs/mutants.md.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { broken } from './guards/breaks.ts';
import { findLayer } from '../layers.ts';
import { markersInCode, sayCheck, type Check, type Guard } from './guards/guard.ts';
import { withTable } from './guards/page.ts';
import { GUARDS } from './guards/table.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'docs/mutants.md');
/** A mutant that runs longer counts as noticed (ms). */
const MOST_MS = 150_000;

const FILES = new Map(markersInCode().map(({ id, file }) => [id, file]));

type Said = { failed: boolean; by: string };

const copyTree = (to: string): void => {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const file of listed.split('\0')) {
    if (file === '' || file.startsWith('node_modules')) continue;
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(ROOT, file), join(to, file));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(to, 'node_modules'));
};

const execute = (
  cwd: string,
  args: readonly string[],
): Promise<{ code: number | null; stopped: boolean; output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let stopped = false;
    const clock = setTimeout(() => {
      stopped = true;
      child.kill('SIGKILL');
    }, MOST_MS);
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => void (output += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(clock);
      resolve({ code, stopped, output });
    });
  });

type Results = { testResults: { assertionResults: { status: string; title: string }[] }[] };

/** Fails only if a test fails; a file that cannot be loaded proves nothing. */
const runTest = async (dir: string, { test, named }: Extract<Check, { test: string }>): Promise<Said> => {
  const project = findLayer(test)?.name;
  if (project === undefined) throw new Error(`${test} lies in no layer of tests/layers.ts`);
  const report = join(dir, 'report.json');
  rmSync(report, { force: true });
  const { stopped, output } = await execute(dir, [
    ...['node_modules/vitest/vitest.mjs', 'run', '--project', project, test],
    ...(named === undefined ? [] : ['-t', named]),
    ...['--reporter=json', `--outputFile=${report}`],
  ]);
  if (stopped) return { failed: true, by: 'it does not end' };
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Results;
  const tests = testResults.flatMap((t) => t.assertionResults);
  if (!tests.some((t) => t.status === 'passed' || t.status === 'failed'))
    throw new Error(`${test} ran no test: ${output.slice(-2_000)}`);
  const [first, ...more] = tests.filter((t) => t.status === 'failed');
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return { failed: first !== undefined, by: `${first?.title ?? ''}${others}` };
};

const runClaim = async (dir: string, { claim, trials }: Extract<Check, { claim: string }>): Promise<Said> => {
  const { stopped, output } = await execute(dir, [
    ...['tests/prove/main.ts', '--quick', '--json', '--only', claim, '--trials', String(trials)],
  ]);
  if (stopped) return { failed: true, by: 'it does not end' };
  const start = output.indexOf('{');
  if (start < 0) throw new Error(`claim ${claim} says nothing: ${output.slice(-2_000)}`);
  const said = JSON.parse(output.slice(start)) as Record<string, { value: number; first?: string }>;
  const found = said[claim];
  return { failed: (found?.value ?? 0) > 0, by: found?.first ?? '' };
};

const run = (dir: string, check: Check): Promise<Said> =>
  'test' in check ? runTest(dir, check) : runClaim(dir, check);

type Job = { check: Check; guard: Guard | null };
type Done = Job & { said: Said; ms: number };

const perform = async (dir: string, { check, guard }: Job): Promise<Done> => {
  const began = Date.now();
  const path = guard && FILES.get(guard.id);
  if (guard && path === undefined) throw new Error(`${guard.id} marks no code`);
  const file = path && join(dir, path);
  const whole = file && readFileSync(file, 'utf8');
  try {
    if (file && guard) writeFileSync(file, broken(guard.id, guard.how, whole ?? ''));
    return { check, guard, said: await run(dir, check), ms: Date.now() - began };
  } catch (error) {
    return { check, guard, said: { failed: false, by: String(error) }, ms: Date.now() - began };
  } finally {
    if (file) writeFileSync(file, whole ?? '');
  }
};

const inCopies = async (jobs: readonly Job[], told: (done: Done) => void): Promise<Done[]> => {
  const queue = [...jobs];
  const all: Done[] = [];
  const work = async (): Promise<void> => {
    const dir = mkdtempSync(join(tmpdir(), 'agentpr-guards-'));
    try {
      copyTree(dir);
      for (let job = queue.shift(); job; job = queue.shift()) {
        const done = await perform(dir, job);
        all.push(done);
        told(done);
      }
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return all;
};

const { values } = parseArgs({
  options: { only: { type: 'string' }, write: { type: 'boolean', default: false } },
});
const wanted = GUARDS.filter(
  ({ id, name }) => values.only === undefined || `${id} ${name}`.includes(values.only),
);
if (wanted.length === 0) {
  console.error(`No guard is named ${values.only}; ${PAGE} lists all of them.`);
  process.exit(2);
}
if (values.write) writeFileSync(PAGE, withTable(readFileSync(PAGE, 'utf8')));
const began = Date.now();
const sound = new Map(wanted.map(({ by }) => [sayCheck(by), by]));
const jobs: Job[] = [
  ...[...sound.values()].map((check) => ({ check, guard: null })),
  ...wanted.map((guard) => ({ check: guard.by, guard })),
];
const wrong: string[] = [];
let caught = 0;
const done = await inCopies(jobs, ({ check, guard, said, ms }) => {
  const where = sayCheck(check);
  const took = `${(ms / 1_000).toFixed(1)} s`;
  if (guard === null) {
    if (said.failed || said.by !== '') wrong.push(`${where} fails although nothing is broken: ${said.by}`);
    return;
  }
  console.log(
    `${said.failed ? '✔' : '✘'} ${guard.id} ${guard.name} (${guard.how.how}): ${said.failed ? `${where}: ${said.by}` : `not noticed by ${where}: ${said.by}`} (${took})`,
  );
  if (said.failed) caught += 1;
  else
    wrong.push(
      `${guard.id} was broken in ${FILES.get(guard.id)} (${guard.how.how}), and ${where} did not notice`,
    );
});
for (const what of wrong) console.log(`✘ ${what}`);
console.log(
  `${caught} of ${wanted.length} broken guards noticed, ${sound.size} checks, ${Math.round((Date.now() - began) / 1_000)} s`,
);
process.exitCode = wrong.length > 0 || done.length !== jobs.length ? 1 : 0;
