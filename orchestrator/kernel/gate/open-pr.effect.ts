/** `open_pr` is the last step of the gate; nothing else creates a pull request (G1, G2). */
import { headName } from '#model/pull';
import type { HostRefusalKind } from '#model/failure';
import { findSealDifferences, type SealDifference, type Proposal } from '#model/seal';
import { sealFields } from '../runtime/content-hash.ts';
import {
  LEASE_MS,
  toStepFailure,
  type EffectHandler,
  type HandlerOutcome,
} from '../runtime/effect-handler.ts';
import { findHostRefusal, OutsideFailure } from '#ports/forge';
import type { ClaimedEffect } from '#ports/steps';
import {
  confirmOpening,
  adoptExistingPull,
  createPullOpening,
  type PullOpening,
} from './verify-opened-pull.io.ts';
import { readHeadRepository, headRepoRef } from './ensure-fork.io.ts';
import {
  assertTakesPulls,
  requireValue,
  readRunRepository,
  requireRunOf,
  type EffectContext,
} from '../handlers/effect-context.ts';
import { checkOwnKeysAgain } from './check-own-keys-again.io.ts';
import { checkSignersAgain } from './check-signers-again.io.ts';
import { createReadBacks } from './retry-read-back.io.ts';
import { gatherPullProposal, branchToPush } from './gather-proposal.io.ts';
import { repositoryOf, type Run } from '../run/run.ts';

type Signed = Pick<PullOpening, 'run' | 'approvalId' | 'digest' | 'fields'>;
type Own = PullOpening & { claim: ClaimedEffect };

export const createOpenPrHandler = (parts: EffectContext): EffectHandler<'open_pr'> => {
  const { forge, workspaces, ledger } = parts;
  const readBacks = createReadBacks<Made>(parts.clock);
  const searches = createReadBacks<null>(parts.clock);
  const headLags = createReadBacks<null>(parts.clock, HEAD_LAG_MS);

  /** The approval must be consumed by this effect, or passed on to it, for exactly this digest. */
  const isAuthorised = async (claim: ClaimedEffect, approvalId: string, digest: string): Promise<boolean> => {
    const row = await ledger.query.approval(approvalId);
    // guard: G1-consumed-row
    return (
      row?.kind === 'open_pr' &&
      row.runId === claim.runId &&
      row.state === 'consumed' &&
      [row.consumedBy, row.passedTo].includes(claim.id) &&
      row.digest === digest
    );
  };

  const headThere = async (run: Run): Promise<string | null> => {
    const facts = await readRunRepository(parts, run);
    assertTakesPulls(facts);
    const repo = headRepoRef(run, await readHeadRepository(parts, run, facts));
    return workspaces.remoteHead({ runId: run.id, repo, branch: branchToPush(run) });
  };

  /** Recomputes the proposal; any difference from the signed one stops the opening. */
  const checkSeal = async ({ run, approvalId, digest, fields }: Signed): Promise<HandlerOutcome | null> => {
    const [now, head] = await Promise.all([gatherPullProposal(parts, run, fields), headThere(run)]);
    // guard: G2-branch-head
    if (head !== now.fields.headSha) {
      const [from, to] = [now.fields.headSha.slice(0, 6), head?.slice(0, 6) ?? null];
      return sealMoved([{ kind: 'branch_head', from, to }]);
    }
    // guard: G2-digest-again
    if (now.digest === digest && !now.fields.conflicts) {
      const lapsed = await checkSignersAgain(parts, run, { step: 'open_pr', approvalId }, now);
      // guard: G10-signers-again
      if (lapsed) return lapsed;
      // guard: G11-opening
      return checkOwnKeysAgain(parts, run, { step: 'open_pr', action: 'open_pr', approvalId }, now);
    }
    const { assessment } = now.fields;
    // guard: P3-denied-by-now
    if (assessment.decision === 'deny') return toStepFailure('open_pr', 'policy_denied', '', { assessment });
    // Approvals do not cover conflicts, so the machine asks a person.
    return sealMoved(findSealDifferences(fields, now.fields), now);
  };

  // guard: G1-lease-last
  const isLeaseLive = (claim: ClaimedEffect): Promise<boolean> =>
    ledger.renew(claim, parts.clock.now() + LEASE_MS);

  const createPullOnce = async (own: Own): Promise<HandlerOutcome> => {
    // Last check: open nothing after a lost lease or a newer state.
    // guard: G1-live-lease
    if (!(await isLeaseLive(own.claim))) return MOVED_ON;
    try {
      const { title, branch, baseRef, draft, maintainerCanModify } = own.fields;
      const pull = await forge.createPull(repositoryOf(own.run), {
        title,
        body: own.body,
        head: headName(own.run.target.fork, branch),
        base: baseRef,
        draft,
        maintainerCanModify,
      });
      return await readBack(own, { id: pull?.id ?? null });
    } catch (error) {
      // The request may have arrived although its answer was lost, so look first.
      // guard: L6-lost-answer
      const found =
        error instanceof OutsideFailure && error.class === 'forge_refused'
          ? await adoptExistingPull(parts, own)
          : null;
      if (found) return found;
      // guard: F8-head-asked-again
      const again = lagsBehind(error)
        ? await headLags.read<HandlerOutcome>(own.claim, null, async () => 'unseen')
        : 'unseen';
      if (again !== 'unseen') return again;
      throw error;
    }
  };

  /** An unknown id is searched in the list, which may lag. */
  const readBack = async (own: Own, made: Made): Promise<HandlerOutcome> => {
    const { id } = made;
    const what = id === null ? `a pull request for ${own.fields.branch} exists` : `${id} was opened`;
    try {
      const outcome = await readBacks.read(own.claim, made, async () =>
        id === null
          ? ((await adoptExistingPull(parts, own)) ?? 'unseen')
          : confirmOpening(parts, own, id, { adopted: false }),
      );
      return outcome === 'unseen' ? unreadOutcome(`${what}, and the code host does not show it`) : outcome;
    } catch (error) {
      if (!(error instanceof OutsideFailure)) throw error;
      return unreadOutcome(`${what}, and cannot be read back: ${error.message}`);
    }
  };

  /** An earlier try may have opened it, so an unreadable answer neither fails nor opens another. */
  const findOpenedPull = async (own: Own): Promise<HandlerOutcome | null> => {
    if (own.claim.tries === 1) return adoptExistingPull(parts, own);
    const found = await searches.read(own.claim, null, () => adoptExistingPull(parts, own));
    return found === 'unseen' ? null : found;
  };

  const searchExistingPull = async (own: Own): Promise<{ own: Own; found: HandlerOutcome | null }> => ({
    own,
    found: await findOpenedPull(own),
  });

  return async (claim) => {
    const { approvalId, digest } = claim.do;
    const run = await requireRunOf(parts, claim.runId);
    // guard: G1-opening-authorised
    if (!(await isAuthorised(claim, approvalId, digest))) {
      return toStepFailure(
        'open_pr',
        'permission_denied',
        'no live approval stands behind this pull request',
      );
    }
    // Uses the signed fields, as the run may have a newer proposal.
    // guard: G2-signed-fields
    const fields =
      run.gate.consumedApproval?.id === approvalId
        ? run.gate.consumedApproval.fields
        : requireValue(run.gate.proposal, 'proposal').fields;
    // Checks the digest again, in case the stored row was altered.
    // guard: G2-kept-fields
    if (sealFields(fields).digest !== digest) return sealMoved([{ kind: 'stored_proposal' }]);
    const signed = { run, approvalId, digest, fields };
    const readOpening = async (): Promise<Own> => ({
      ...(await createPullOpening(parts, run, signed)),
      claim,
    });
    const made = readBacks.made(claim);
    if (made) return readBack(await readOpening(), made);
    if (!(await isLeaseLive(claim))) return MOVED_ON;
    const [search, again] = await Promise.allSettled([
      readOpening().then(searchExistingPull),
      checkSeal(signed),
    ]);
    const { own, found } = orThrow(search);
    if (found) return found;
    return orThrow(again) ?? (await createPullOnce(own));
  };
};

const orThrow = <T>(settled: PromiseSettledResult<T>): T => {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
};

type Made = { id: string | null };

/** The branch was just seen at what is signed, so these are believed only after some seconds (ms). */
const HEAD_LAG_MS = 20_000;
const LAGGING: readonly (HostRefusalKind | undefined)[] = ['head_unseen', 'nothing_to_merge'];
const lagsBehind = (error: unknown): boolean => LAGGING.includes(findHostRefusal(error)?.kind);

const unreadOutcome = (says: string): HandlerOutcome => toStepFailure('open_pr', 'readback_mismatch', says);

const sealMoved = (moved: SealDifference[], proposal: Proposal | null = null): HandlerOutcome =>
  toStepFailure('open_pr', 'seal_moved', '', { differences: moved, proposal });

const MOVED_ON: HandlerOutcome = { kind: 'done', result: 'the run has moved on' };
