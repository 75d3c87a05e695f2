/** L4, G6: answers to reviewers are posted once each, and only what was signed. */
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createReplyHandler,
  createSealRepliesHandler,
} from '../../orchestrator/kernel/reviews/post-replies.effect.ts';
import type { EffectContext } from '#kernel';
import type { Run } from '#run';
import { ENGLISH_WORDING } from '#language';
import { DEFAULT_POLICY_SETTINGS } from '#model/settings';
import { replyMark } from '#model/review';
import { sealFields } from '../../orchestrator/kernel/runtime/content-hash.ts';
import type { ClaimOf } from '../../orchestrator/kernel/runtime/effect-handler.ts';
import { OutsideFailure, TurnAwaited } from '#ports/forge';
import { approveReply, at, begin, choose, remark, review, type Act } from '../support/core.ts';

type Posted = { thread: string; body: string; url: string };
let now = 0;
let there: Posted[] = [];
let asked: string[][] = [];
/** What the next calls meet: before or after the code host has done what it was asked for. */
let trouble: { when: 'before' | 'after'; error: OutsideFailure }[] = [];
let lag = 0;
let live = true;
let signed: string | undefined;

const forge = {
  repo: async () => ({ id: '1', name: 'ana/app', defaultBranch: 'main', cloneUrl: '' }),
  ourReplies: async () => (lag-- > 0 ? [] : there),
  reply: async (_: string, __: string, thread: string, body: string) => {
    const next = trouble.shift();
    if (next?.when === 'before') throw next.error;
    const url = `https://forge/ana/app/pull/7#r${there.length}`;
    there.push({ thread, body, url });
    if (next) throw next.error;
    return { url };
  },
  askAgain: async (_: string, __: string, who: readonly string[]) => void asked.push([...who]),
};

const waiting = at('REVIEW_WAIT').when(
  review({ body: '', hasAllRemarks: true, remarks: [remark('c1', 'Why?'), remark('c2', 'Why not?')] }),
  choose('c1', 'reply', 'Because of it.'),
  choose('c2', 'reply', 'It is @mia’s wish.'),
  begin,
);
let run: Run = waiting.run;
const parts = {
  forge,
  clock: { now: () => now },
  settings: { policies: DEFAULT_POLICY_SETTINGS },
  texts: { wording: ENGLISH_WORDING },
  ledger: {
    renew: async () => live,
    query: {
      run: async () => run,
      approval: async (id: string) => ({
        id,
        kind: 'reply',
        runId: 'r1',
        state: 'consumed',
        consumedBy: 'r1:9:0',
        digest: signed,
      }),
    },
  },
} as unknown as EffectContext;

const claim = (tries = 1, change: object = {}): ClaimOf<'reply'> =>
  ({
    id: 'r1:9:0',
    n: 9,
    runId: 'r1',
    tries,
    leaseEpoch: tries,
    epoch: run.lifecycle.epoch,
    do: {
      kind: 'reply',
      approvalId: run.review.pendingReplies?.signature?.id,
      digest: run.review.pendingReplies?.proposal.digest,
    },
    ...change,
  }) as unknown as ClaimOf<'reply'>;
const signal = new AbortController().signal;

const sealing = async () => {
  const made = await createSealRepliesHandler(parts)(
    { id: 'r1:8:0', n: 8, runId: 'r1', do: { kind: 'seal_replies' } } as never,
    signal,
  );
  if (made.kind !== 'result' || made.input.type !== 'worker.replies.sealed') throw new Error(made.kind);
  return made.input;
};

beforeEach(async () => {
  [now, there, asked, trouble, lag, live] = [0, [], [], [], 0, true];
  run = waiting.run;
  const input = await sealing();
  const sealed: Act = () => ({ input });
  run = waiting.when(sealed, approveReply()).run;
  signed = run.review.pendingReplies?.proposal.digest;
});

const outage = (when: 'before' | 'after') =>
  ({ when, error: new OutsideFailure('forge_unavailable', 'It failed (502)', { status: 502 }) }) as const;
const refused = (status: number, message: string) =>
  ({ when: 'before', error: new OutsideFailure('forge_refused', message, { status }) }) as const;

/** As the dispatcher does: an outside failure is tried again, what is put off comes later. */
const carried = async (handler = createReplyHandler(parts), first = 1, most = 40) => {
  for (let tries = first; tries <= most; tries += 1) {
    try {
      const outcome = await handler(claim(tries), signal);
      if (outcome.kind !== 'later') return outcome;
      now = outcome.at;
    } catch (error) {
      if (!(error instanceof OutsideFailure)) throw error;
      now += 1_000;
    }
  }
  throw new Error('it never ended');
};
const hows = async (...args: Parameters<typeof carried>) => {
  const outcome = await carried(...args);
  if (outcome.kind !== 'result' || outcome.input.type !== 'worker.replies.posted')
    throw new Error(JSON.stringify(outcome));
  return outcome.input.outcomes.map(({ outcome: how }) => how);
};

describe('what is sealed', () => {
  it('G6: exactly the bytes, their threads and the target, each with its mark', () => {
    const fields = run.review.pendingReplies?.proposal.fields;
    expect(fields?.answers.map(({ thread, body }) => [thread, body])).toEqual([
      ['c1', `Because of it.\n\n${replyMark('r1', 'c1')}`],
      ['c2', `It is @mia’s wish.\n\n${replyMark('r1', 'c2')}`],
    ]);
    expect(fields).toMatchObject({ repoId: '1', pull: run.upstream.pullRequest?.id });
    expect(fields && sealFields(fields).digest).toBe(run.review.pendingReplies?.proposal.digest);
  });

  it('G6, P3: is assessed: a secret in an answer is denied, a mention is pointed out', async () => {
    expect(run.review.pendingReplies?.proposal.fields.assessment.reasons).toContainEqual(
      expect.objectContaining({
        verdict: 'escalate',
        reason: expect.objectContaining({ kind: 'public_text_signal' }) as unknown,
      }),
    );
    const [first, second] = waiting.run.review.chosenRemarks;
    if (!first || !second) throw new Error('nothing to answer');
    run = {
      ...waiting.run,
      review: {
        ...waiting.run.review,
        chosenRemarks: [{ ...first, answer: `ghp_${'a1B2'.repeat(9)}` }, second],
      },
    };
    expect((await sealing()).proposal.fields.assessment.decision).toBe('deny');
  });
});

describe('posting', () => {
  it('L4: each once, where nothing goes wrong', async () => {
    expect(await hows()).toEqual(['posted', 'posted']);
    expect(there.map(({ thread }) => thread)).toEqual(['c1', 'c2']);
  });

  it.each<[string, (typeof trouble)[number][]]>([
    ['the answer is lost after it was done', [outage('after')]],
    ['both answers are lost', [outage('after'), outage('after')]],
    ['it fails before anything is done', [outage('before')]],
    ['it fails before and after', [outage('before'), outage('after'), outage('before')]],
  ])('L4: each once, when %s', async (_, what) => {
    trouble = what;
    expect(await hows()).toEqual(['posted', 'posted']);
    expect(there.map(({ thread }) => thread)).toEqual(['c1', 'c2']);
  });

  it('L4, L6: each once, when the process dies after a post and its copies lag', async () => {
    trouble = [outage('after')];
    await createReplyHandler(parts)(claim(1), signal).catch(() => undefined);
    lag = 2;
    // Another process: nothing is remembered.
    expect(await hows(createReplyHandler(parts), 2)).toEqual(['posted', 'posted']);
    expect(there.map(({ thread }) => thread)).toEqual(['c1', 'c2']);
  });

  it('L4: each once, when a copy that lags does not show the first and the second is in doubt', async () => {
    lag = 3;
    trouble = [outage('after')];
    const post = forge.reply;
    const handler = createReplyHandler(parts);
    forge.reply = async (...at) => {
      // The first goes through; the answer to the second is lost.
      if (there.length === 0) trouble.unshift(undefined as never);
      return post(...at);
    };
    expect(await hows(handler)).toEqual(['posted', 'posted']);
    forge.reply = post;
    expect(there.map(({ thread }) => thread)).toEqual(['c1', 'c2']);
  });

  it.each<[string, (typeof trouble)[number], string]>([
    ['locked', refused(403, 'Unable to create comment because issue is locked.'), 'locked'],
    ['forbidden', refused(403, 'Resource not accessible'), 'refused'],
    ['refused', refused(422, 'Validation Failed'), 'refused'],
    [
      'deleted',
      { when: 'before', error: new OutsideFailure('repository_missing', 'no', { status: 404 }) },
      'deleted',
    ],
  ])('F7: an answer that is %s is told, and the others are posted', async (_, what, how) => {
    trouble = [what];
    expect(await hows()).toEqual([how, 'posted']);
  });

  it('G6: nothing, where what is kept is not what was signed', async () => {
    const {
      review: { pendingReplies: replying },
    } = run;
    if (!replying) throw new Error('nothing signed');
    const [first, ...others] = replying.proposal.fields.answers;
    if (!first) throw new Error('no answer');
    const fields = { ...replying.proposal.fields, answers: [{ ...first, body: 'Merge it.' }, ...others] };
    run = {
      ...run,
      review: { ...run.review, pendingReplies: { ...replying, proposal: { ...replying.proposal, fields } } },
    };
    expect(await carried()).toMatchObject({ input: { type: 'worker.step.failed', class: 'seal_moved' } });
    expect(there).toEqual([]);
  });

  it('G6: nothing, without the approval that it used up', async () => {
    const other = { do: { kind: 'reply', approvalId: 'other', digest: 'other' } };
    const outcome = await createReplyHandler(parts)(claim(1, other), signal);
    expect(outcome).toMatchObject({ input: { type: 'worker.step.failed', class: 'permission_denied' } });
    expect(there).toEqual([]);
  });

  it('G1: nothing more, once the lease is lost', async () => {
    live = false;
    expect(await carried()).toMatchObject({ kind: 'done' });
    expect(there).toEqual([]);
  });

  const losesLease = (meanwhile: () => void) =>
    createReplyHandler({
      ...parts,
      forge: {
        ...forge,
        reply: async (...of: Parameters<typeof forge.reply>) => {
          live = false;
          const said = await forge.reply(...of);
          meanwhile();
          return said;
        },
      },
    } as unknown as EffectContext);

  it('L4: nothing more, once the run has moved on, and what was posted by then is told', async () => {
    const { lifecycle, ...rest } = run;
    const began = claim();
    const outcome = await losesLease(() => {
      run = { ...rest, lifecycle: { ...lifecycle, epoch: lifecycle.epoch + 1 } };
    })(began, signal);
    expect(outcome).toMatchObject({ input: { outcomes: [{ outcome: 'posted' }], reviewRequest: null } });
    expect(there).toHaveLength(1);
    expect(asked).toEqual([]);
  });

  it.each([
    ['moves on', {}],
    ['asks for the answers anew', { pendingReplies: null }],
  ])('F7: put off between two answers while the run %s, it tells what was posted', async (_, review) => {
    const began = claim();
    let posts = 0;
    const reply = async (...of: Parameters<typeof forge.reply>) => {
      if ((posts += 1) === 2) throw new TurnAwaited(60_000);
      return forge.reply(...of);
    };
    const handler = createReplyHandler({ ...parts, forge: { ...forge, reply } } as unknown as EffectContext);
    await expect(handler(began, signal)).rejects.toThrow(TurnAwaited);
    const { lifecycle } = run;
    run = {
      ...run,
      review: { ...run.review, ...review },
      lifecycle: { ...lifecycle, epoch: lifecycle.epoch + 1 },
    };
    live = false;
    expect(await handler(began, signal)).toMatchObject({
      input: { outcomes: [{ outcome: 'posted', thread: 'c1' }], reviewRequest: null },
    });
    expect(there).toHaveLength(1);
  });

  it('L4: a lease that is lost alone is no news: whoever has it posts the rest', async () => {
    expect(await losesLease(() => {})(claim(), signal)).toMatchObject({ kind: 'done' });
    expect(there).toHaveLength(1);
    live = true;
    const next = await carried(createReplyHandler(parts), 2);
    expect(next).toMatchObject({ input: { outcomes: [{ outcome: 'posted' }, { outcome: 'posted' }] } });
    expect(there).toHaveLength(2);
  });
});
