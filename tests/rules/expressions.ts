/**
 * L9: each regular expression of the product, literal or built, is judged by how its steps grow with
 * the text. `--why <expression> [flags]` judges one. What was found good is remembered by its hash.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { degreeOf, judgeExpression, stepsFor, type Growth } from './expressions/growth.ts';
import { BOUNDS, MOST_STEPS, type Bound } from './expressions/bounds.ts';
import { FILLED } from './expressions/filled.ts';
import { readExpressions, type Expression, type Pattern } from './expressions/literal-expressions.ts';
import { readToolPatterns } from './expressions/tool-patterns.ts';
import { readWordPatterns } from './expressions/word-patterns.ts';

const ROOT = join(import.meta.dirname, '../..');
const CACHE = join(ROOT, 'node_modules/.cache/static/expressions.json');
const PRODUCT =
  '{app,board,bot,cli,db,discovery,executors,forge,governor,model,orchestrator,pull-text,slack,text-safety,tools,webhooks}';
/** For a text whose length nobody states. Twice the length nested still fits. */
const LENGTH = 1_000;

const lengthOf = (bound: Bound | null): number => (bound && 'most' in bound ? bound.most : LENGTH);
const faultOf = (growth: Growth, bound: Bound | null): string | null => {
  if (growth.kind !== 'polynomial')
    return growth.kind === 'too large' ? 'is too large to judge' : 'doubles its steps with each repetition';
  if (degreeOf(growth.factors) > 2) return `has loops in ${degreeOf(growth.factors)} degrees`;
  if (degreeOf(growth.factors) === 2 && bound === null)
    return 'takes the square of its text: make it linear, or say in expressions/bounds.ts how long that may be';
  const length = lengthOf(bound);
  const steps = stepsFor(growth.factors, length);
  return steps > MOST_STEPS ? `takes up to ${steps} steps for ${length} characters` : null;
};

const [, , option, source, flags = ''] = process.argv;
if (option === '--why' && source !== undefined) {
  const growth = judgeExpression(source, flags);
  console.log(growth, faultOf(growth, null) ?? 'is fine');
  process.exit(0);
}

const hashOf = (...parts: readonly string[]): string =>
  createHash('sha1').update(parts.join('\0')).digest('base64').slice(0, 16);
const dataPatterns = [...readToolPatterns(join(ROOT, 'tools/rows')), ...readWordPatterns(ROOT)];
const files = globSync([`${PRODUCT}/**/*.ts`, `${PRODUCT}/**/*.js`], { cwd: ROOT }).sort();
const texts = new Map(files.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
const judges = globSync('tests/rules/expressions{,/*}.ts', { cwd: ROOT }).sort();
const judge = hashOf(...judges.map((path) => readFileSync(join(ROOT, path), 'utf8')));
const whole = hashOf(judge, JSON.stringify(dataPatterns), ...[...texts].flat());

type Kept = { judge: string; whole: string; good: string[] };
const readKept = (): Kept => {
  try {
    const kept = JSON.parse(readFileSync(CACHE, 'utf8')) as Kept;
    return kept.judge === judge ? kept : { judge, whole: '', good: [] };
  } catch {
    return { judge, whole: '', good: [] };
  }
};
const kept = readKept();
if (kept.whole === whole) process.exit(0);

const read = new Map(files.map((path) => [path, readExpressions(path, texts.get(path) ?? '')]));
const program = join(ROOT, 'tests/rules/expressions/built-expressions.ts');
const sources = files.filter((path) => path.endsWith('.ts'));
const built = JSON.parse(
  execFileSync(process.execPath, [program, ...sources], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
) as Expression[];
const made = new Set(built.map(({ at }) => at));
const faults: string[] = [];
const used = new Set<string>();
/** A constant of the file or of another one, or what a row says. */
const fillPattern = ({ parts, holes }: Pattern, path: string, at: string): string => {
  const filled = holes.map((hole) => {
    const [, name = ''] = /^([A-Z][A-Z0-9_]*)(?:\.source)?$/.exec(hole) ?? [];
    const where = [path, ...files].find((one) => read.get(one)?.constants.has(name) === true);
    const constant = where === undefined ? undefined : read.get(where)?.constants.get(name);
    if (where !== undefined && constant) return fillPattern(constant, where, at);
    const key = `${path}: ${hole}`;
    used.add(key);
    const row = FILLED[key];
    if (!row) faults.push(`${at} puts in ${hole}: say in expressions/filled.ts what that may be`);
    return row?.like ?? '';
  });
  return parts.map((part, i) => part + (filled[i] ?? '')).join('');
};
/** Built only when they are used. */
const later = [...read].flatMap(([path, one]) =>
  one.built
    .filter(({ at }) => !made.has(at))
    .map((pattern) => ({ ...pattern, source: fillPattern(pattern, path, pattern.at) })),
);
for (const key of Object.keys(FILLED))
  if (!used.has(key)) faults.push(`expressions/filled.ts: “${key}” is nowhere`);

/** The row of the file, or of the nearest folder. */
const usedBounds = new Set<string>();
const boundOf = (at: string): Bound | null => {
  for (let place = at.replace(/:\d+$/, ''); place !== '.'; place = dirname(place)) {
    const bound = BOUNDS[place];
    if (bound === undefined) continue;
    usedBounds.add(place);
    return bound;
  }
  return null;
};
const sizeOf = (place: string): number | null => {
  const [path = '', name = ''] = place.split(': ');
  const written = new RegExp(`const ${name} = ([\\d_]+);`).exec(texts.get(path) ?? '')?.[1];
  return written === undefined ? null : Number(written.replaceAll('_', ''));
};
for (const [place, bound] of Object.entries(BOUNDS)) {
  if ('most' in bound && sizeOf(bound.by) !== bound.most)
    faults.push(`expressions/bounds.ts: ${place}: ${bound.by} is not ${bound.most}`);
  if ('away' in bound && !texts.has(bound.away))
    faults.push(`expressions/bounds.ts: ${place}: ${bound.away} is nowhere`);
}

const good = new Set(kept.good);
const stillGood = new Set<string>();
const all = [...[...read.values()].flatMap(({ literal }) => literal), ...built, ...later, ...dataPatterns];
for (const one of all) {
  const bound = boundOf(one.at);
  const hash = hashOf(one.source, one.flags, JSON.stringify(bound));
  const fault =
    good.has(hash) || stillGood.has(hash) ? null : faultOf(judgeExpression(one.source, one.flags), bound);
  if (fault === null) stillGood.add(hash);
  else faults.push(`${one.at} ${fault}: /${one.source.slice(0, 200)}/${one.flags}`);
}
for (const place of Object.keys(BOUNDS))
  if (!usedBounds.has(place)) faults.push(`expressions/bounds.ts: nothing stands below “${place}”`);
if (all.length < 3_000 || made.size < 50) faults.push(`only ${all.length} expressions were found`);
mkdirSync(dirname(CACHE), { recursive: true });
writeFileSync(
  CACHE,
  JSON.stringify({ judge, whole: faults.length === 0 ? whole : '', good: [...stillGood] }),
);
if (faults.length > 0) console.error(faults.join('\n'));
process.exitCode = faults.length > 0 ? 1 : 0;
