import { z } from 'zod';
import { assessPermission } from '#governor';
import { permissionContext } from '../kernel/rounds/permission-context.ts';
import type { Run } from '../kernel/run/run.ts';
import type { PolicySettings } from '#model/settings';
import type { TurnAction } from '#model/turn';
import { canonicalJson } from '#model/seal';
import type { FoldedTurn } from './replay-turns.ts';

export type TurnDifference = {
  runId: string;
  action: string;
  then: { verdict: string; policies: readonly string[]; policyVersion: string };
  today: {
    verdict: 'allowed' | 'denied' | 'asks a person';
    policies: readonly string[];
    policyVersion: string;
  };
};
export type TurnDifferences = { asked: number; gone: number; differences: TurnDifference[] };

const Command = z.object({ command: z.string() });
const commandIn = (text: string | null): string | null => {
  try {
    return Command.safeParse(JSON.parse(text ?? '')).data?.command ?? null;
  } catch {
    return null;
  }
};

const TODAY = { allow: 'allowed', deny: 'denied', unreadable: 'denied', ask: 'asks a person' } as const;

const pastVerdictOf = ({
  verdict,
  by,
}: NonNullable<TurnAction['decision']>): TurnDifference['today']['verdict'] => {
  if (by.kind === 'human' || verdict === 'waits' || verdict === 'modified') return 'asks a person';
  return verdict === 'approved' ? 'allowed' : 'denied';
};

type AskedOnce = {
  action: string;
  input: { digest: string };
  request: TurnAction['request'];
  then: TurnDifference['then'];
  saidThen: TurnDifference['today']['verdict'];
};

const decisionsIn = ({ facts: { actions } }: FoldedTurn): AskedOnce[] =>
  actions.flatMap(({ id, input, request, decision }) => {
    if (decision === null) return [];
    const { verdict, policies, policyVersion } = decision;
    const then = { verdict, policies, policyVersion };
    return [{ action: id, input, request, then, saidThen: pastVerdictOf(decision) }];
  });

const WEIGHED = {
  allow: 'allowed',
  granted: 'asks a person',
  ask: 'asks a person',
  refused: 'asks a person',
  deny: 'denied',
} as const;

const draftDecisionsIn = ({ row, facts: { choice } }: FoldedTurn): AskedOnce[] =>
  (choice?.proposals ?? []).flatMap(({ proposer, result, actions }) =>
    result === 'chosen'
      ? []
      : actions.map(({ input, request, verdict, policies, policyVersion }, i) => ({
          action: `${row.seq}.${proposer}.${i + 1}`,
          input,
          request,
          then: { verdict: WEIGHED[verdict], policies, policyVersion },
          saidThen: WEIGHED[verdict],
        })),
  );

export const findTurnDifferences = (
  run: Run,
  turns: readonly FoldedTurn[],
  settings: PolicySettings,
): TurnDifferences => {
  const found: TurnDifferences = { asked: 0, gone: 0, differences: [] };
  const context = permissionContext(settings, run, run.target.base?.ref ?? '');
  for (const turn of turns)
    for (const { action, input, request, then, saidThen: before } of [
      ...decisionsIn(turn),
      ...draftDecisionsIn(turn),
    ]) {
      const { tool, files, outside } = request;
      const said = tool === 'execute' ? commandIn(turn.text(input.digest)) : null;
      if (tool === 'execute' && said === null) {
        found.gone += 1;
        continue;
      }
      found.asked += 1;
      const asked = said === null ? '' : canonicalJson({ command: said });
      const { kind, governed } = assessPermission(
        { tool, input: asked, command: said, files, outside },
        context,
      );
      const verdict = TODAY[kind];
      if (verdict === before) continue;
      const { policies, policyVersion } = governed;
      found.differences.push({ runId: run.id, action, then, today: { verdict, policies, policyVersion } });
    }
  return found;
};
