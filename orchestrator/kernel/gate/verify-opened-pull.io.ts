/** Compares a pull request with its approval, also after a lost answer (G2, L4). */
import { headName } from '#model/pull';
import { canonicalJson, type SealFields } from '#model/seal';
import type { Input } from '../run/input-types.ts';
import { findReceipt, withReceipt, type SignedReceipt } from '#pull-text';
import { repositoryOf, type ConsumedApproval, type Run } from '../run/run.ts';
import type { IssuedReceipt, ReceiptClaims } from '#ports/records';
import { toStepFailure, type HandlerOutcome } from '../runtime/effect-handler.ts';
import type { PullFacts } from '#ports/forge';
import type { ForgePulls, ForgeRepository } from '#ports/roles';
import type { ReceiptIssuer } from '../handlers/effect-context.ts';

export type PullOpening = {
  run: Run;
  approvalId: string;
  digest: string;
  fields: SealFields;
  body: string;
  /** Its receipt, with what one of an earlier try says of its time and page, and in the form of that one. */
  receiptOf: (signed: Pick<SignedReceipt, 'at' | 'page' | 'tree'> | undefined) => Promise<IssuedReceipt>;
  leaf: IssuedReceipt['leaf'];
  login: string;
};

type Needs = ReceiptIssuer & { forge: ForgeRepository & ForgePulls };

/** G11: what the receipt shows of keys, without anybody's id in the chat. */
export const byKeysOf = (consumed: ConsumedApproval | null): ReceiptClaims['byKeys'] =>
  consumed?.ownKeys && {
    approval: consumed.id,
    keys: Object.fromEntries(
      consumed.ownKeys.map(({ signature: { person, ...signature } }) => [person, signature]),
    ),
  };

export const createPullOpening = async (
  { forge, approvals: { issueReceipt } }: Needs,
  run: Run,
  signed: Pick<PullOpening, 'approvalId' | 'digest' | 'fields'>,
): Promise<PullOpening> => {
  const { fields } = signed;
  const approval = run.gate.consumedApproval;
  const claims = {
    run: run.id,
    digest: signed.digest,
    policyVersion: fields.policyVersion,
    approver: approval?.by ?? '',
    signers: approval?.signers,
    byKeys: byKeysOf(approval),
  };
  const publication = {
    repo: repositoryOf(run),
    base: fields.baseRef,
    commit: fields.headSha,
    title: fields.title,
    body: fields.body,
  };
  const { tree } = fields;
  const issueOwnReceipt = (
    of: { at: number | undefined; page?: string | null },
    form: { tree?: string } = { tree },
  ): Promise<IssuedReceipt> => issueReceipt({ ...claims, ...of }, { ...publication, ...form });
  const first = await issueOwnReceipt({ at: approval?.at });
  return {
    run,
    ...signed,
    body: withReceipt(fields.body, first.receipt),
    leaf: first.leaf,
    // guard: G9-page-then
    receiptOf: async (then) =>
      then
        ? issueOwnReceipt({ at: then.at, page: then.page ?? null }, then.tree === undefined ? {} : { tree })
        : first,
    login: await forge.login(repositoryOf(run)),
  };
};

const pullsOf = ({ forge }: Needs, { run, fields }: PullOpening): Promise<PullFacts[]> =>
  forge.pullsByHead(repositoryOf(run), headName(run.target.fork, fields.branch));

const adoptPull = async (
  parts: Needs,
  opening: PullOpening,
  pulls: readonly PullFacts[],
): Promise<HandlerOutcome | null> => {
  const bearing = pulls.filter((pull) => isOfRun(pull, opening));
  const own = await Promise.all(bearing.map((pull) => findOurReceipt(pull, opening)));
  // guard: L6-adopt-earlier
  const at = own.findIndex((issued) => issued !== null);
  const [ours, issued] = [bearing[at], own[at]];
  return ours && issued
    ? confirmOpening(parts, { ...opening, leaf: issued.leaf }, ours.id, { adopted: true })
    : null;
};

/** Adopts a pull request that an earlier try created before it died, and never one of others. */
export const adoptExistingPull = async (
  parts: Needs,
  opening: PullOpening,
): Promise<HandlerOutcome | null> => {
  const pulls = await pullsOf(parts, opening);
  const adopted = await adoptPull(parts, opening, pulls);
  if (adopted) return adopted;
  // L6: a run opens one pull request only, even if it was closed and the run was sent back.
  // guard: L6-one-pull-request
  const earlier = pulls.find((p) => isOfRun(p, opening));
  if (earlier)
    return toStepFailure(
      'open_pr',
      'forge_refused',
      `this run has opened pull request ${earlier.id} before; make a new run for another one`,
    );
  const other = pulls.find((p) => p.state === 'open' && p.headRepoId === opening.fields.headRepoId);
  if (!other) return null;
  return toStepFailure(
    'open_pr',
    'forge_refused',
    `pull request ${other.id} for ${opening.fields.branch} exists and is not ours`,
  );
};

const findUnheardOpening = async (parts: Needs, run: Run): Promise<PullOpening | null> => {
  const { consumedApproval: consumed } = run.gate;
  // guard: L4-late-opening
  if (run.upstream.pullRequest || consumed?.kind !== 'open_pr') return null;
  const { id: approvalId, digest, fields } = consumed;
  return createPullOpening(parts, run, { approvalId, digest, fields });
};

const findOpenedInput = async (
  parts: Needs,
  opening: PullOpening,
  pulls: readonly PullFacts[],
): Promise<Input | null> => {
  const found = await adoptPull(parts, opening, pulls);
  return found?.kind === 'result' && found.input.type === 'worker.pr.opened' ? found.input : null;
};

/** L4: an opening that succeeded although its answer was lost; null when there is none. */
export const readUnheardOpening = async (parts: Needs, run: Run): Promise<Input | null> => {
  const opening = await findUnheardOpening(parts, run);
  return opening && findOpenedInput(parts, opening, await pullsOf(parts, opening));
};

/** G6: a push would change a pull request that the run does not know; null when there is none. */
export const findOpenPullOutcome = async (parts: Needs, run: Run): Promise<HandlerOutcome | null> => {
  const opening = await findUnheardOpening(parts, run);
  if (!opening) return null;
  const pulls = await pullsOf(parts, opening);
  const input = await findOpenedInput(parts, opening, pulls);
  if (input) return { kind: 'result', input };
  const open = pulls.find((p) => p.state === 'open' && isOfRun(p, opening));
  if (!open) return null;
  const says = `pull request ${open.id} of this run is open, and is not what was approved; close it first`;
  return toStepFailure('push', 'forge_refused', says);
};

/** S12: what others change at once (title, draft, base) is told by the next poll (`pull-changes.ts`). */
export const confirmOpening = async (
  { forge }: Needs,
  opening: PullOpening,
  id: string,
  { adopted }: { adopted: boolean },
): Promise<HandlerOutcome> => {
  const pull = await forge.pull(repositoryOf(opening.run), id);
  // guard: G1-read-back
  const wrong = findUnsignedParts(pull, opening);
  if (wrong.length > 0) {
    return toStepFailure(
      'open_pr',
      'readback_mismatch',
      `pull request ${id} (${pull.url}) differs in ${wrong.join(', ')}`,
    );
  }
  return {
    kind: 'result',
    input: {
      type: 'worker.pr.opened',
      approvalId: opening.approvalId,
      pull: id,
      url: pull.url,
      adopted,
      ...(opening.leaf !== null && { leaf: opening.leaf }),
    },
  };
};

// guard: L4-own-pull
const isOfRun = (pull: PullFacts, { login, run }: PullOpening): boolean =>
  pull.author === login && findReceipt(pull.body)?.run === run.id;

/**
 * L4: our keys made its receipt, for what was signed. A ledger that was put back has lost when that
 * was, and our address may have changed since.
 */
const findOurReceipt = async (pull: PullFacts, o: PullOpening): Promise<IssuedReceipt | null> => {
  const receipt = findReceipt(pull.body);
  const own = receipt && (await o.receiptOf(receipt.signed));
  // guard: L4-same-bytes
  return own !== null && canonicalJson(receipt) === canonicalJson(own.receipt) ? own : null;
};

/** G1: whose it is, and which commit it shows where: nobody but us decides about these. */
const findUnsignedParts = (pull: PullFacts, { fields, login }: PullOpening): string[] => {
  // guard: G1-differences
  const pairs: [string, unknown, unknown][] = [
    ['author', pull.author, login],
    ['target repository', pull.baseRepoId, fields.baseRepoId],
    // A fork may be deleted right after the opening; the next poll reports it.
    ['head repository', pull.headRepoId ?? fields.headRepoId, fields.headRepoId],
    ['branch', pull.headRef, fields.branch],
    ['head', pull.headSha, fields.headSha],
    ['permission for maintainers to push', grantsPushes(pull, fields), false],
  ];
  return pairs.filter(([, shown, signed]) => shown !== signed).map(([name]) => name);
};

/** The flag means nothing within one repository, and code hosts return either value. */
const grantsPushes = (
  { maintainerCanModify, headRepoId, baseRepoId }: PullFacts,
  signed: Pick<SealFields, 'maintainerCanModify'>,
): boolean => maintainerCanModify && headRepoId !== baseRepoId && !signed.maintainerCanModify;
