/**
 * `npm run mutants [-- gate seal …]`: changes each operator, condition, text and call of what the
 * promises stand on, one at a time, and runs the tests that come by it. Lists the mutants that
 * survive and that `survivors.ts` does not explain, and fails when they are more than 5 of 100.
 * `--only open-pr` tries the files of these groups whose path contains it; `--workers 1` leaves the
 * other core to others. `--static` tries what is made while modules are loaded as well, each in a
 * process of its own: that takes an hour.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installLocked } from '../../bench/peers.ts';
import { GROUPS, groupNames, type GroupName } from './groups.ts';
import { explained } from './survivors.ts';
import { alive, killed, read, type Mutant } from './report.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Stryker has its own lockfile, so that the normal install need not bring it. */
const STRYKER = join(import.meta.dirname, 'stryker');
/** Of 100. */
const MOST = 5;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    static: { type: 'boolean', default: false },
    workers: { type: 'string', default: '2' },
    only: { type: 'string', multiple: true },
  },
});

/** The files of a group that were asked for. */
const filesOf = (group: GroupName): string[] => {
  const { files } = GROUPS[group];
  const all = globSync(
    files.filter((f) => !f.startsWith('!')),
    { cwd: ROOT, exclude: files.filter((f) => f.startsWith('!')).map((f) => f.slice(1)) },
  );
  return all.filter((file) => values.only?.some((part) => file.includes(part)) ?? true).sort();
};

const tried = (group: GroupName): Mutant[] => {
  const files = filesOf(group);
  if (files.length === 0) return [];
  const dir = mkdtempSync(join(tmpdir(), 'agentpr-mutants-'));
  const report = join(dir, 'report.json');
  const { tests } = GROUPS[group];
  try {
    execFileSync(
      process.execPath,
      [
        join(STRYKER, 'node_modules/@stryker-mutator/core/bin/stryker.js'),
        'run',
        'tests/mutants/stryker.config.js',
      ],
      {
        cwd: ROOT,
        stdio: 'inherit',
        env: {
          ...process.env,
          MUTANT_FILES: files.join(),
          MUTANT_TESTS: tests.join(),
          MUTANT_STATIC: values.static ? '1' : '0',
          MUTANT_WORKERS: values.workers,
          MUTANT_REPORT: report,
        },
      },
    );
    return read(readFileSync(report, 'utf8'));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
};

const chosen = positionals.length === 0 ? groupNames : groupNames.filter((g) => positionals.includes(g));
const strange = positionals.filter((p) => !groupNames.some((g) => g === p));
if (strange.length > 0) throw new Error(`There is no group ${strange.join(', ')}: ${groupNames.join(', ')}.`);
if (chosen.every((group) => filesOf(group).length === 0))
  throw new Error(`No file of ${chosen.join(', ')} has ${values.only?.join(' or ') ?? ''} in its path.`);

installLocked(STRYKER, () => console.error('Installing Stryker (tests/mutants/stryker) …'));
const mutants = chosen.flatMap(tried);
const files = [...new Set(mutants.map((m) => m.file))].sort();
const left = mutants.filter((m) => alive(m) && explained(m) === null);
for (const m of left) console.log(`survived: ${m.file}:${m.line} ${m.code} => ${m.put}`);
console.log('| file | killed | of | survivors explained |\n|---|---|---|---|');
const row = (name: string, of: readonly Mutant[]): void => {
  const dead = of.filter(killed).length;
  const all = dead + of.filter(alive).length;
  const said = of.filter((m) => alive(m) && explained(m) !== null).length;
  console.log(`| ${name} | ${all === 0 ? '-' : ((100 * dead) / all).toFixed(1)} % | ${all} | ${said} |`);
};
for (const file of files)
  row(
    `\`${file}\``,
    mutants.filter((m) => m.file === file),
  );
row('together', mutants);
const all = mutants.filter((m) => killed(m) || alive(m)).length;
if (!((100 * left.length) / all <= MOST)) process.exitCode = 1;
