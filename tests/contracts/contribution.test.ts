/** G8: what a repository asks is looked up, or is hidden from us; what nobody answered is neither. */
import { expect, it } from 'vitest';
import type { FailureClass } from '#model/failure';
import {
  readOrderedIssue,
  ownerFiles,
} from '../../orchestrator/kernel/preparation/read-contribution-rules.io.ts';
import { OutsideFailure } from '#ports/forge';
import type { ForgePort } from '#ports/roles';

const saying = (kind: FailureClass): { forge: ForgePort } => {
  const fails = (): Promise<never> => Promise.reject(new OutsideFailure(kind, 'so it is'));
  return { forge: { files: fails, issue: fails, login: async () => 'me' } as unknown as ForgePort };
};
const RUN = {
  order: { repo: 'acme/x', goal: 'Fix #5' },
  target: { requirementAnswers: [] },
} as unknown as Parameters<typeof readOrderedIssue>[1];

it.each(['repository_missing', 'forge_refused', 'not_allowed'] as const)(
  'G8: an owner whose files are hidden from us (%s) has none for us, and an issue is unread',
  async (kind) => {
    expect(await ownerFiles(saying(kind), 'acme/x')).toBeNull();
    expect(await readOrderedIssue(saying(kind), RUN)).toMatchObject({ state: 'unread' });
  },
);

it.each(['rate_limited', 'forge_unavailable', 'account_suspended', 'auth_missing'] as const)(
  'G8: an owner whose files nobody showed us (%s) may forbid it, so they are asked for again',
  async (kind) => {
    await expect(ownerFiles(saying(kind), 'acme/x')).rejects.toMatchObject({ class: kind });
    await expect(readOrderedIssue(saying(kind), RUN)).rejects.toMatchObject({ class: kind });
  },
);
