/**
 * F9: the description of an open pull request after a fix: signed with the push, in place of our
 * own words and nobody else's.
 */
import { receiptsWith } from '../support/receipts.ts';
import { describe, expect, it } from 'vitest';
import { publicParts } from '../../bot/views/public-text.ts';
import { LANGUAGE_TEXTS, ENGLISH_WORDING } from '#language';
import type { Run } from '#run';
import { withoutReceipt, withReceipt, readReceipt } from '../../pull-text/pull-body.ts';
import { bodyFingerprint } from '#model/pull';
import { toPullShown } from '../../forge/github-facts.ts';
import { updateDescription } from '../../orchestrator/kernel/gate/update-description.io.ts';
import { updatedPullBody } from '../../orchestrator/kernel/gate/write-pull-text.io.ts';
import type { EffectContext } from '#kernel';
import { sealFields } from '../../orchestrator/kernel/runtime/content-hash.ts';
import { createReceipt } from '../../orchestrator/receipts/pull-receipt.ts';
import { OutsideFailure } from '#ports/forge';
import {
  approvePush,
  at,
  implemented,
  noted,
  notes,
  proposal,
  pushed,
  sha,
  validated,
} from '../support/core.ts';

const key = Buffer.alloc(32, 7);
const OLD = 'Say hello in French.';
const NEW = `${OLD}\n\nSince it was opened:\n\n- Bonjour has a capital.`;

/** A run whose fix was signed with `pullBody`, and what the code host shows of its pull request. */
const world = (pullBody: string | null = NEW) => {
  const { fields } = proposal('push', sha('b'));
  const { digest, fields: signed } = sealFields({ ...fields, ...(pullBody === null ? {} : { pullBody }) });
  const before = at('ITERATING').run;
  const run: Run = {
    ...before,
    upstream: { ...before.upstream, pullRequest: { id: '#7', url: 'u', body: OLD } },
    gate: {
      ...before.gate,
      consumedApproval: {
        id: 'a1',
        digest,
        kind: 'push',
        by: 'Ana',
        epoch: before.lifecycle.epoch,
        fields: signed,
      },
    },
  };
  const receipt = createReceipt(key, {
    run: run.id,
    digest: 'f'.repeat(64),
    policyVersion: 'p',
    approver: 'Ana',
  });
  const host = { body: withReceipt(OLD, receipt), written: 0, down: false };
  const forge = {
    pull: async () => {
      if (host.down) throw new OutsideFailure('forge_unavailable', 'down');
      return { body: host.body };
    },
    describe: async (_: string, __: string, body: string) => {
      host.written += 1;
      host.body = body.replaceAll('\n', '\r\n');
      return { body: host.body };
    },
  };
  const parts = { forge, approvals: { issueReceipt: receiptsWith(key) } } as unknown as EffectContext;
  return { run, host, digest, go: (id: string | null = 'a1', of = run) => updateDescription(parts, of, id) };
};

describe('the description of an open pull request', () => {
  it('F9: becomes what was signed with the push, with the receipt of that signature', async () => {
    const { go, host, digest } = world();
    expect(await go()).toEqual({ description: 'refreshed' });
    const shown = host.body.replaceAll('\r\n', '\n');
    expect(withoutReceipt(shown)).toBe(NEW);
    expect(readReceipt(shown)?.digest).toBe(digest);
  });

  it('F8: is known again as ours on the code host, with its receipt and other ends of lines', async () => {
    const { go, host } = world();
    await go();
    const base = { ref: 'main' };
    const pull = { title: 'Fix', updated_at: 1, body: host.body, base };
    expect(toPullShown(pull).bodyDigest).toBe(bodyFingerprint(NEW));
    expect(toPullShown({ ...pull, body: host.body.replace('French', 'Latin') }).bodyDigest).not.toBe(
      bodyFingerprint(NEW),
    );
  });

  it('L4: is written once, however often the push is tried', async () => {
    const { go, host } = world();
    expect([await go(), await go()]).toEqual([{ description: 'refreshed' }, { description: 'refreshed' }]);
    expect(host.written).toBe(1);
  });

  it('G6: is left alone by a push that nobody signed, by another signature, and by one that held no text', async () => {
    const { go, host, run } = world();
    expect(await go(null)).toEqual({});
    expect(await go('a2')).toEqual({});
    expect(await world(null).go()).toEqual({});
    expect(await go('a1', { ...run, upstream: { ...run.upstream, pullRequest: null } })).toEqual({});
    expect(host.written).toBe(0);
  });

  it('G2: is not written when what is kept is not what was signed', async () => {
    const { go, host, run } = world();
    const {
      gate: { consumedApproval: consumed },
    } = run;
    if (!consumed) throw new Error('nothing was signed');
    const other = { ...consumed, fields: { ...consumed.fields, pullBody: 'Buy this.' } };
    expect(await go('a1', { ...run, gate: { ...run.gate, consumedApproval: other } })).toEqual({});
    expect(host.written).toBe(0);
  });

  it('F9: keeps what somebody wrote into it, above, below or in place of ours', async () => {
    for (const edit of [
      (t: string) => `Note of a maintainer.\n${t}`,
      (t: string) => `${t}\nPS`,
      () => 'Mine.',
    ]) {
      const { go, host } = world();
      host.body = edit(host.body);
      expect(await go()).toEqual({ description: 'edited_by_others' });
      expect(host.written).toBe(0);
    }
  });

  it('F9: a code host that is away takes nothing from the push', async () => {
    const { go, host } = world();
    host.down = true;
    expect(await go()).toEqual({ description: 'failed' });
  });

  it('G8: stands in full among what the card makes public, and is part of the seal', () => {
    const { run } = world();
    const fix = proposal('push', sha('b'), { pullBody: NEW });
    const parts = publicParts({ ...run, gate: { ...run.gate, proposal: fix } }, ['Fix'], LANGUAGE_TEXTS.en);
    expect(parts.at(-1)?.[0]).toBe('New description of the pull request');
    expect(parts.at(-1)?.[1]).toContain(NEW);
    expect(sealFields(fix.fields).digest).not.toBe(sealFields(proposal('push', sha('b')).fields).digest);
  });

  it('F9: is made anew from what the fix did, and only where it says something else then', async () => {
    const parts = {
      workspaces: { patch: async () => ({ text: '+bonjour', omitted: 0, messages: ['a', 'b'] }) },
      texts: { wording: ENGLISH_WORDING },
    } as unknown as EffectContext;
    const { run: silent } = world();
    const goal = 'Say hello in French. Guests asked for it.';
    const run = { ...silent, order: { ...silent.order, goal } };
    const seen = { checks: [], grade: null };
    const { body = '' } = await updatedPullBody(parts, run, seen);
    expect(body).toContain('Guests asked for it.');
    expect(
      await updatedPullBody(
        parts,
        { ...run, upstream: { ...run.upstream, pullRequest: { id: '#7', url: 'u', body } } },
        seen,
      ),
    ).toEqual({});
    expect(
      await updatedPullBody(parts, { ...run, upstream: { ...run.upstream, pullRequest: null } }, seen),
    ).toEqual({});
  });
});

describe('a fix whose push was signed', () => {
  const fixed = at('ITERATING').when(
    implemented('b'),
    validated({ decision: 'escalate', pullBody: NEW }),
    approvePush(),
  );

  it('F9: the run knows the description that is shown from then on', () => {
    expect(fixed.when(pushed('b')).run.upstream.pullRequest?.body).not.toBe(NEW);
    expect(fixed.when(noted('refreshed')).run.upstream.pullRequest?.body).toBe(NEW);
  });

  it('F9: people are told when it stayed as it was, and why', () => {
    expect(notes(fixed.when(noted('edited_by_others')).effects)).toEqual([
      'The fix is pushed. Somebody wrote into the description of #7, so it was left as it is.',
    ]);
    expect(fixed.when(noted('failed')).run.upstream.pullRequest?.body).not.toBe(NEW);
  });
});
