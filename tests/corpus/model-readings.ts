/** Holds the rules that an agent's model read against ours, and both against the labels. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refineContract } from '../../discovery/refine-contract.ts';
import { isSameOrStricter } from '../../discovery/agent-reported-rules.ts';
import type { Contract, ContributionRule, RuleKind } from '#model/contract';
import { contractOf, type Field, type Judged } from './measure.ts';
import { RULE_FIELDS } from './rule-fields.ts';
import { textOf, type Labelled } from './labels.ts';

type Rules = readonly ContributionRule[];
export type Readings = { label: Labelled; contract: Contract; ours: Rules; theirs: Rules; told: number };

const kindIn = (line: string): RuleKind => (JSON.parse(line) as { kind: RuleKind }).kind;

/** Verified a line at a time, so that a ban which becomes a question counts as the ban it was. */
export const readingsIn = (labels: readonly Labelled[], folder: string): Readings[] =>
  labels.flatMap((label) => {
    const file = join(folder, `${label.repo.replace('/', '+')}.jsonl`);
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
    const contract = contractOf(label);
    const bare = { ...contract, rules: [], branchRule: null, titleRule: null };
    const read = (path: string): string | null => {
      const text = Object.hasOwn(label.files, path) ? label.files[path] : undefined;
      return text === undefined ? null : textOf(text);
    };
    const theirs = lines.flatMap((line) =>
      refineContract(bare, line, read).contract.rules.map((rule) => ({ ...rule, kind: kindIn(line) })),
    );
    return [{ label, contract, ours: contract.rules, theirs, told: lines.length }];
  });

const sum = (all: readonly Judged[]): Record<keyof Judged, number> => {
  const of = (kind: keyof Judged): number => all.reduce((n, one) => n + one[kind].length, 0);
  return { right: of('right'), wrong: of('wrong'), missed: of('missed') };
};
const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((part / whole) * 100).toFixed(0)}`;
const figures = (all: readonly Judged[]): string => {
  const { right, wrong, missed } = sum(all);
  return `${percent(right, right + wrong)} / ${percent(right, right + missed)}`;
};

const COMPARED = RULE_FIELDS.filter(({ name }) => name !== 'template');
const isAgreed =
  (others: Rules) =>
  (rule: ContributionRule): boolean =>
    others.some((other) => isSameOrStricter(rule, other) || isSameOrStricter(other, rule));
const both = ({ ours, theirs }: Readings): Rules => ours.filter(isAgreed(theirs));
const theirsAlone = ({ ours, theirs }: Readings): Rules =>
  theirs.filter((rule) => !ours.some((one) => isSameOrStricter(one, rule)));

const judged = (all: readonly Readings[], field: Field, pick: (one: Readings) => Rules): Judged[] =>
  all.map((one) => field.judge(one.label, { ...one.contract, rules: [...pick(one)] }));

export const compareReadings = (all: readonly Readings[]): string[][] =>
  COMPARED.map((field) => {
    const asked = judged(all, field, (one) => theirsAlone(one).filter((r) => r.kind === field.name));
    return [
      field.name,
      figures(judged(all, field, ({ ours }) => ours)),
      figures(judged(all, field, ({ theirs }) => theirs)),
      figures(judged(all, field, both)),
      figures(judged(all, field, (one) => [...one.ours, ...theirsAlone(one)])),
      `${sum(asked).right} of ${sum(asked).right + sum(asked).wrong}`,
    ];
  });

export const summariseReadings = (all: readonly Readings[]): string[] => {
  const told = all.reduce((n, one) => n + one.told, 0);
  const verified = all.reduce((n, { theirs }) => n + theirs.length, 0);
  const asked = all.filter((one) => theirsAlone(one).length > 0);
  const rules = asked.flatMap(theirsAlone);
  return [
    `${verified} of ${told} rules stand where the model says`,
    `${asked.length} of ${all.length} repositories have a rule that the model alone read, ${rules.length} in all`,
  ];
};
