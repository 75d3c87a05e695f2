/** The variables of a campaign's order, filled in for one of its repositories (F5). */
import { variablesOfTarget, type CampaignOrder } from './campaign-order.ts';
import { fillCommand, fillVariables, createUnquotableValueFinder } from '#model/settings';

type FilledField = 'title' | 'branch' | 'base' | 'goal' | 'command';
type FilledExample = { repo: string; filled: { field: FilledField; text: string }[] };

/** Returns the texts with variables as the first repository has them; null without variables. */
export const findFilledOrderExample = ({
  run,
  targets,
}: Pick<CampaignOrder, 'run' | 'targets'>): FilledExample | null => {
  const [first] = targets;
  if (!first) return null;
  const values = variablesOfTarget(first);
  const fixes = run.fixes ?? [];
  const fillFields = (field: FilledField, some: readonly (string | null)[]) =>
    some.flatMap((written) =>
      written === null ? [] : [{ field, written, text: fillVariables(written, values) }],
    );
  const fillCommandField = (written: string) => ({
    field: 'command' as const,
    written,
    text: createUnquotableValueFinder(written)(values) === null ? fillCommand(written, values) : written,
  });
  const differ = targets.some(({ checks = [] }) => checks.join('\n') !== (first.checks ?? []).join('\n'));
  const own = (differ ? (first.checks ?? []) : []).map((text) => ({
    field: 'command' as const,
    written: null,
    text,
  }));
  const all = [
    ...fillFields('title', [run.title, ...fixes.map(({ title }) => title)]),
    ...fillFields('branch', [run.branch]),
    ...fillFields('base', [run.base]),
    ...fillFields('goal', [run.goal, ...fixes.map(({ goal }) => goal)]),
    ...[...run.engineArgs, ...run.checks].map(fillCommandField),
    ...own,
  ];
  const filled = all.flatMap(({ field, written, text }) => (written === text ? [] : [{ field, text }]));
  return filled.length === 0 ? null : { repo: first.repo, filled };
};
