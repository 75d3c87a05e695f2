/** F3: GitHub's check runs and commit statuses as facts. Polling and webhooks read them here, so that both give one key to one check. */
import { z } from 'zod';
import { CheckFact } from '../core/machine/verdict.ts';

/** GitHub's times as epoch ms; 0 when there is none. */
export const time = z
  .string()
  .nullish()
  .transform((text) => (text ? Date.parse(text) || 0 : 0));
/** A conclusion that GitHub adds later is nobody's success: a person has to look. */
const conclusion = z.preprocess(
  (value) => value ?? null,
  CheckFact.shape.conclusion.catch('action_required'),
);

export const CheckRun = z.object({
  id: z.number(),
  name: z.string(),
  status: z.string(),
  conclusion,
  started_at: time,
  app: z.object({ slug: z.string().nullish(), id: z.number().nullish() }).nullish(),
});
export type CheckRun = z.infer<typeof CheckRun>;

export const CommitStatus = z.object({
  context: z.string(),
  state: z.string(),
  created_at: time,
  updated_at: time,
});
export type CommitStatus = z.infer<typeof CommitStatus>;

/** One app's checks of a commit; those of a first-time contributor wait, and have no runs before somebody allows them. */
export const CheckSuite = z.object({ status: z.string().nullish(), conclusion: z.string().nullish() });
export const isHeld = ({ status, conclusion }: z.infer<typeof CheckSuite>): boolean =>
  status === 'waiting' || conclusion === 'action_required';

export const checkKey = (app: CheckRun['app'], name: string): string =>
  `${app?.slug ?? app?.id ?? 'unknown'}/${name}`;
export const statusKey = (context: string): string => `status/${context}`;

const STATUSES = ['completed', 'in_progress', 'waiting'] as const;

/** One that waits does so for a person's approval (GitHub, "Check runs", status `waiting`): it has not ended, and is not red. */
export const ofCheckRun = (run: CheckRun): CheckFact => {
  const status = STATUSES.find((known) => known === run.status) ?? 'queued';
  return {
    key: checkKey(run.app, run.name),
    name: run.name,
    status,
    conclusion: status === 'completed' ? (run.conclusion ?? 'action_required') : null,
    startedAt: run.started_at,
  };
};

export const ofStatus = (status: CommitStatus): CheckFact => ({
  key: statusKey(status.context),
  name: status.context,
  status: status.state === 'pending' ? 'in_progress' : 'completed',
  conclusion: status.state === 'pending' ? null : status.state === 'success' ? 'success' : 'failure',
  startedAt: status.created_at || status.updated_at,
});
