/** A ban on AI changes stops a run; an approver may overrule it (P3). */
import { z } from 'zod';
import { Person } from '#model/order';
import { bansStoppingRun } from './ai-bans.ts';
import { enterState } from '../lifecycle/enter-state.ts';
import type { StepDraft } from '../lifecycle/step-draft.ts';
import { retryOrResume } from '../lifecycle/resume-run.ts';
import { defineCommand, moveFrom, type HandlerRuling } from '../lifecycle/define-input.ts';
import type { InputOf } from '../run/input-types.ts';
import { innerRound } from '../run/round-table.ts';

const onBanOverruled = (draft: StepDraft, { by, reason }: InputOf<'command.ban.overrule'>): HandlerRuling => {
  const { run } = draft;
  const bans = bansStoppingRun(run);
  const [first] = bans;
  if (!first) return { refuse: { kind: 'no_ban', run: run.id } };
  const why = reason.trim();
  // guard: P3-overrule-says-why
  if (why === '') return { refuse: { kind: 'reason_missing' } };
  run.target.overruledBans = [
    ...run.target.overruledBans,
    ...bans.map((ban) => ({ ...ban, by: by.name, why })),
  ];
  // Nothing was begun: read the rules again, because another ban may be there.
  if (run.lifecycle.reason.kind === 'ai_banned')
    return void enterState(draft, 'DISCOVERY', { kind: 'ban_overruled', by: by.name, note: why, ...first });
  // Nothing is wrong with the change: judge it again, without advice to an agent.
  run.agent.round = innerRound(run.agent.round, 'implement', []);
  return retryOrResume(draft, {
    type: 'command.retry',
    by,
    target: run.upstream.pullRequest ? 'ITERATING' : 'LOCAL_VALIDATING',
  });
};

export const BAN_COMMANDS = [
  defineCommand({
    type: 'command.ban.overrule',
    fields: { by: Person, reason: z.string().max(2_000) },
    moves: [
      moveFrom(
        ['NEEDS_HUMAN_REVIEW'],
        ['DISCOVERY', 'LOCAL_VALIDATING', 'ITERATING'],
        'an approver: this rule is about something else; read or judged again',
      ),
    ],
    pushes: true,
    handle: (d, input): HandlerRuling => onBanOverruled(d, input),
  }),
];
