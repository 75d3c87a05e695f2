/** Updates an open pull request's description after a fix, if it is signed and still ours (F9). */
import { normalizeBody, readReceipt, withoutReceipt, withReceipt } from '#pull-text';
import { repositoryOf, type Run } from '../run/run.ts';
import type { InputOf } from '../run/input-types.ts';
import { sealFields } from '../runtime/content-hash.ts';
import { OutsideFailure } from '#ports/forge';
import type { ForgePulls } from '#ports/roles';
import { byKeysOf } from './verify-opened-pull.io.ts';
import type { ReceiptIssuer } from '../handlers/effect-context.ts';

type Description = Pick<InputOf<'worker.push.completed'>, 'description' | 'leaf'>;

/** The description is part of the signed push; an unsigned push changes no text. */
export const updateDescription = async (
  { forge, approvals: { issueReceipt } }: ReceiptIssuer & { forge: ForgePulls },
  run: Run,
  approvalId: string | null,
): Promise<Description> => {
  const { pullRequest: pr } = run.upstream;
  const { consumedApproval: consumed } = run.gate;
  // guard: F9-description-signed
  if (!pr || approvalId === null || consumed?.id !== approvalId) return {};
  const { pullBody } = consumed.fields;
  if (pullBody === undefined || sealFields(consumed.fields).digest !== consumed.digest) return {};
  const { digest, by: approver, signers, at, fields } = consumed;
  const { policyVersion } = fields;
  const claims = { run: run.id, digest, approver, signers, byKeys: byKeysOf(consumed), at, policyVersion };
  const { receipt, leaf } = await issueReceipt(claims, {
    repo: repositoryOf(run),
    base: fields.baseRef,
    commit: fields.headSha,
    tree: fields.tree,
    title: null,
    body: pullBody,
  });
  const body = withReceipt(pullBody, receipt);
  const refreshed: Description = { description: 'refreshed', ...(leaf !== null && { leaf }) };
  try {
    const shown = normalizeBody((await forge.pull(repositoryOf(run), pr.id)).body);
    if (shown === normalizeBody(body)) return refreshed;
    const ours =
      readReceipt(shown)?.run === run.id &&
      normalizeBody(withoutReceipt(shown)) === normalizeBody(pr.body ?? '');
    // guard: F9-description-ours
    if (!ours) return { description: 'edited_by_others' };
    const now = await forge.describe(repositoryOf(run), pr.id, body);
    return normalizeBody(now.body) === normalizeBody(body) ? refreshed : { description: 'failed' };
  } catch (error) {
    if (!(error instanceof OutsideFailure)) throw error;
    return { description: 'failed' };
  }
};
