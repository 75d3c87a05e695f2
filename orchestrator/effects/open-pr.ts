/** open_pr: the gate's last door (G1, G2). Nothing else in the product creates a pull request. */
import { whyDenied } from '../core/facts.ts';
import { readReceipt, withReceipt } from '../core/publish.ts';
import type { Run } from '../core/run.ts';
import { whatMoved, type SealFields } from '../core/seal.ts';
import { seal } from '../digest.ts';
import { LEASE_MS, stepFailed, type Handler, type Outcome } from '../dispatch.ts';
import { OutsideFailure, type Claim, type PullFacts } from '../ports.ts';
import { receiptFor } from '../receipt.ts';
import { need, repoRef, runOf, type EffectParts } from './parts.ts';
import { pullProposal } from './proposal.ts';

type Opening = {
  run: Run;
  claim: Claim;
  approvalId: string;
  digest: string;
  fields: SealFields;
  body: string;
  login: string;
};

export const createOpenPr = (parts: EffectParts): Handler => {
  const { forge, workspaces, ledger } = parts;

  /** The approval must be consumed by exactly this effect, for exactly this digest. */
  const authorised = async (claim: Claim, approvalId: string, digest: string): Promise<boolean> => {
    const row = await ledger.query.approval(approvalId);
    return (
      row?.kind === 'open_pr' &&
      row.runId === claim.runId &&
      row.state === 'consumed' &&
      row.consumedBy === claim.id &&
      row.digest === digest
    );
  };

  /** Everything that would become public is gathered again; whatever moved since the signature stops the opening. */
  const moved = async ({ run, digest, fields }: Opening): Promise<Outcome | null> => {
    const now = await pullProposal(parts, run);
    const repo = repoRef(run, await forge.repo(run.order.repo));
    const head = await workspaces.remoteHead({ runId: run.id, repo, branch: now.fields.branch });
    if (head !== now.fields.headSha) {
      const shown = head?.slice(0, 6) ?? 'gone';
      return stepFailed(
        'open_pr',
        'seal_moved',
        `the branch on the code host moved: ${now.fields.headSha.slice(0, 6)} → ${shown}`,
      );
    }
    if (now.digest === digest && !now.fields.conflicts) return null;
    const { assessment } = now.fields;
    if (assessment.decision === 'deny')
      return stepFailed('open_pr', 'policy_denied', whyDenied(assessment), { assessment });
    const words = whatMoved(fields, now.fields);
    if (now.fields.conflicts) words.push('the change conflicts with the target branch');
    // A conflict cannot be approved away: without a new proposal, a person is asked.
    return stepFailed('open_pr', 'seal_moved', words.join('; '), {
      proposal: now.fields.conflicts ? null : now,
    });
  };

  /** An earlier try may have created it and died before it heard so; anybody else's is not adopted. */
  const existing = async (o: Opening): Promise<Outcome | null> => {
    const pulls = await forge.pullsByHead(o.run.order.repo, o.fields.branch);
    const ours = pulls.find((p) => isOurs(p, o));
    if (ours) return confirmed(o, ours.number, true);
    // L6: one run opens one, also when that one is closed by now and the run was sent back since.
    const earlier = pulls.find((p) => isOfRun(p, o));
    if (earlier)
      return stepFailed(
        'open_pr',
        'forge_refused',
        `this run has opened pull request #${earlier.number} before; make a new run for another one`,
      );
    const other = pulls.find((p) => p.state === 'open');
    if (!other) return null;
    return stepFailed(
      'open_pr',
      'forge_refused',
      `pull request #${other.number} for ${o.fields.branch} exists and is not ours`,
    );
  };

  const live = (claim: Claim): Promise<boolean> => ledger.renew(claim, parts.clock.now() + LEASE_MS);

  const create = async (o: Opening): Promise<Outcome> => {
    // The last look: a lease that was lost, or a run that has moved on, opens nothing.
    if (!(await live(o.claim))) return MOVED_ON;
    try {
      const { title, branch, baseRef, draft, maintainerCanModify } = o.fields;
      const pull = await forge.createPull(o.run.order.repo, {
        title,
        body: o.body,
        head: branch,
        base: baseRef,
        draft,
        maintainerCanModify,
      });
      return await confirmed(o, pull.number, false);
    } catch (error) {
      // The answer may be lost although the request arrived: look before anything else is done.
      const found =
        error instanceof OutsideFailure && error.class === 'forge_refused' ? await existing(o) : null;
      if (found) return found;
      throw error;
    }
  };

  /** Reads back what the forge shows and compares it with what was signed. */
  const confirmed = async (o: Opening, number: number, adopted: boolean): Promise<Outcome> => {
    const pull = await forge.pull(o.run.order.repo, number);
    const wrong = differences(pull, o);
    if (wrong.length > 0) {
      return stepFailed(
        'open_pr',
        'readback_mismatch',
        `pull request #${number} (${pull.url}) differs in ${wrong.join(', ')}`,
      );
    }
    return {
      kind: 'result',
      input: { type: 'worker.pr.opened', approvalId: o.approvalId, number, url: pull.url, adopted },
    };
  };

  return async (claim) => {
    if (claim.do.kind !== 'open_pr') throw new Error(`${claim.do.kind} is not open_pr`);
    const { approvalId, digest } = claim.do;
    const run = await runOf(parts, claim.runId);
    if (!(await authorised(claim, approvalId, digest))) {
      return stepFailed('open_pr', 'permission_denied', 'no live approval stands behind this pull request');
    }
    // What was signed; the run may have gone on to another proposal since this opening was begun.
    const fields =
      run.consumed?.id === approvalId ? run.consumed.fields : need(run.proposal, 'proposal').fields;
    // What is sent is what was signed, whatever became of the row that keeps it.
    if (seal(fields).digest !== digest)
      return stepFailed('open_pr', 'seal_moved', 'what the ledger keeps is not what was approved');
    const receipt = receiptFor(parts.receiptKey, {
      run: run.id,
      digest,
      policyVersion: fields.policyVersion,
      approver: run.consumed?.by ?? '',
    });
    const body = withReceipt(fields.body, receipt);
    const opening: Opening = { run, claim, approvalId, digest, fields, body, login: await forge.login() };
    const found = await existing(opening);
    if (found) return found;
    if (!(await live(claim))) return MOVED_ON;
    return (await moved(opening)) ?? (await create(opening));
  };
};

const MOVED_ON: Outcome = { kind: 'done', result: 'the run has moved on' };

const isOfRun = (pull: PullFacts, { login, run }: Opening): boolean =>
  pull.author === login && readReceipt(pull.body)?.run === run.id;

const isOurs = (pull: PullFacts, o: Opening): boolean =>
  isOfRun(pull, o) && readReceipt(pull.body)?.digest === o.digest;

const differences = (pull: PullFacts, { fields, body, login }: Opening): string[] => {
  const pairs: [string, unknown, unknown][] = [
    ['author', pull.author, login],
    ['target repository', pull.baseRepoId, fields.baseRepoId],
    ['head repository', pull.headRepoId, fields.headRepoId],
    ['target branch', pull.baseRef, fields.baseRef],
    ['branch', pull.headRef, fields.branch],
    ['head', pull.headSha, fields.headSha],
    ['title', pull.title, fields.title],
    ['description', pull.body.replaceAll('\r\n', '\n'), body],
    ['draft flag', pull.draft, fields.draft],
  ];
  return pairs.filter(([, shown, signed]) => shown !== signed).map(([name]) => name);
};
