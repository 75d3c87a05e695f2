/**
 * `npm run corpus`: what discovery says of real repositories, held against what people wrote down
 * about them, field by field. `--bodies <folder>` writes bodies of pull requests for reading, and
 * does nothing else. `--field <name>` shows one, `--repo <pattern>` only those repositories, `--from
 * <folder>` labels that lie elsewhere; the misses of the half that nobody looks at are not shown.
 * `--snapshots <folder>` measures the repositories of `strangers.yaml`, or of the file after
 * `--labels`, by bare repositories in that folder, and does nothing else.
 * `--with-model-readings <folder>` compares our reading with a model's, and does nothing else.
 */
import { parseArgs } from 'node:util';
import { judgeBodies, writeBodies } from './bodies.ts';
import { readLabelled, readSmall, readStrangers } from './labels.ts';
import { FIELDS, measure } from './measure.ts';
import { compareReadings, readingsIn, summariseReadings } from './model-readings.ts';
import { RULE_FIELDS } from './rule-fields.ts';

const { values } = parseArgs({
  options: {
    field: { type: 'string' },
    repo: { type: 'string' },
    bodies: { type: 'string' },
    from: { type: 'string' },
    snapshots: { type: 'string' },
    labels: { type: 'string' },
    'with-model-readings': { type: 'string' },
    quiet: { type: 'boolean', default: false },
  },
});
const { bodies, field, from, repo, quiet, snapshots, labels: file, 'with-model-readings': readings } = values;
const known = [...FIELDS, ...RULE_FIELDS];
const fields = known.filter(({ name }) => field === undefined || name === field);
if (fields.length === 0) {
  console.error(`There is no field ${field}; there are ${known.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}
const say = (line: string): void => void process.stdout.write(`${line}\n`);
if (bodies !== undefined) {
  say(`${writeBodies(bodies)} bodies in ${bodies}`);
  process.exit();
}
if (readings !== undefined) {
  const all = readingsIn([...readLabelled('seen', from), ...readLabelled('held', from)], readings);
  const table = [
    ['precision / recall', 'ours', 'model', 'both', 'either', 'asked rightly'],
    ...compareReadings(all),
  ];
  for (const [name = '', ...cells] of table)
    say([name.padEnd(20), ...cells.map((c) => c.padStart(14))].join(' '));
  for (const line of summariseReadings(all)) say(line);
  process.exit();
}
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`.padStart(8);
const columns = (name: string, cells: readonly string[]): string =>
  [name.padEnd(16), ...cells.map((c) => c.padStart(8))].join(' ');

for (const half of snapshots === undefined
  ? (['seen', 'held', 'small'] as const)
  : (['strangers'] as const)) {
  const all =
    half === 'strangers'
      ? readStrangers(snapshots ?? '', file)
      : half === 'small'
        ? readSmall()
        : readLabelled(half, from);
  const labels = all.filter((l) => repo === undefined || new RegExp(repo).test(l.repo));
  const measured = measure(labels, fields);
  say(`\n${half}: ${labels.length} repositories`);
  say(columns('', ['right', 'wrong', 'missed', 'precision', 'recall']));
  for (const { name, figures: f } of measured)
    say(columns(name, [f.right, f.wrong, f.missed].map(String).concat([f.precision, f.recall].map(percent))));
  const sum = (of: 'right' | 'wrong' | 'missed'): number =>
    measured.reduce((n, { figures }) => n + figures[of], 0);
  const [right, wrong, missed] = [sum('right'), sum('wrong'), sum('missed')];
  const shares = [right / (right + wrong), right / (right + missed)].map(percent);
  say(columns('all', [...[right, wrong, missed].map(String), ...shares]));
  if (half === 'held' || quiet) continue;
  for (const { name, misses } of measured)
    for (const { repo: at, judged } of misses) {
      const said = judged.wrong.map((w) => `\n    said:   ${w}`).join('');
      const missed = judged.missed.map((m) => `\n    missed: ${m}`).join('');
      say(`${name} · ${at}${said}${missed}`);
    }
}

if ([field, repo, from, snapshots].every((one) => one === undefined)) {
  const judged = judgeBodies();
  say(`\nunsupported claims in ${judged.bodies} rendered bodies: ${judged.unsupported.length}`);
  for (const claim of judged.unsupported) say(`    ${claim}`);
}
