import { z } from 'zod';
import type { DraftedAction, TurnAction } from '../../../orchestrator/model/turn-record.ts';

export type NotedAction = (TurnAction | DraftedAction) & { said: string | null };

const MAX_NOTED_LINES = 60;
const MAX_NOTED_LENGTH = 160;
const Input = z.record(z.string(), z.unknown());

const parsed = (text: string | null): Record<string, unknown> => {
  try {
    return Input.safeParse(JSON.parse(text ?? '')).data ?? {};
  } catch {
    return {};
  }
};

const what = ({ tool, said }: NotedAction): string => {
  const { command, pattern, path } = parsed(said);
  const name = [command, pattern, path].find((one) => typeof one === 'string');
  return `${tool} ${String(name ?? '').replace(/\s+/g, ' ')}`.slice(0, MAX_NOTED_LENGTH).trim();
};

const lineOf = (action: NotedAction): string => {
  const { id, decision, outcome } = action;
  const did = `- ${id} ${what(action)}`;
  if (decision?.verdict === 'rejected')
    return `${did}: refused by ${decision.by.kind === 'policy' ? decision.policies.join(', ') : decision.by.name}`;
  if (decision === null || decision.verdict === 'waits') return `${did}: not done`;
  if (outcome === null) return `${did}: cut off, look before you repeat it`;
  const files = outcome.files.map(({ path, after }) => (after === null ? `${path} (removed)` : path));
  const changed = files.length === 0 ? '' : `; changed ${files.slice(0, 8).join(', ')}`;
  const exit = outcome.exitCode === null ? '' : `, exit ${outcome.exitCode}`;
  return `${did}: ${outcome.ok ? 'done' : 'failed'}${exit}${changed}`;
};

export const summariseTurns = (actions: readonly NotedAction[]): string =>
  [
    'Earlier turns are left out here to save room. What is on record of them:',
    ...(actions.length > MAX_NOTED_LINES
      ? [`- ${actions.length - MAX_NOTED_LINES} actions before these`]
      : []),
    ...actions.slice(-MAX_NOTED_LINES).map(lineOf),
    'What was written to files stands there. Read again what you need.',
  ].join('\n');
