import { z } from 'zod';
import { judgePermission } from '#governor';
import { permissionContext } from '../kernel/rounds/permission-context.ts';
import type { Run } from '../kernel/run/run.ts';
import type { PolicySettings } from '../model/policy-settings.ts';
import type { TurnAction } from '../model/turn-record.ts';
import { canonicalJson } from '../model/seal.ts';
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

const saidThen = ({
  verdict,
  by,
}: NonNullable<TurnAction['decision']>): TurnDifference['today']['verdict'] => {
  if (by.kind === 'human' || verdict === 'waits' || verdict === 'modified') return 'asks a person';
  return verdict === 'approved' ? 'allowed' : 'denied';
};

export const turnDifferences = (
  run: Run,
  turns: readonly FoldedTurn[],
  settings: PolicySettings,
): TurnDifferences => {
  const found: TurnDifferences = { asked: 0, gone: 0, differences: [] };
  const context = permissionContext(settings, run, run.target.base?.ref ?? '');
  for (const { facts, text } of turns)
    for (const { id, input, request, decision } of facts.actions) {
      if (decision === null) continue;
      const { tool, files, outside } = request;
      const said = tool === 'execute' ? commandIn(text(input.digest)) : null;
      if (tool === 'execute' && said === null) {
        found.gone += 1;
        continue;
      }
      found.asked += 1;
      const asked = said === null ? '' : canonicalJson({ command: said });
      const { kind, governed } = judgePermission(
        { tool, input: asked, command: said, files, outside },
        context,
      );
      const today = TODAY[kind];
      if (today === saidThen(decision)) continue;
      const { verdict, policies, policyVersion } = decision;
      const { policies: names, policyVersion: version } = governed;
      found.differences.push({
        runId: run.id,
        action: id,
        then: { verdict, policies, policyVersion },
        today: { verdict: today, policies: names, policyVersion: version },
      });
    }
  return found;
};
