/** G2, L4: compares a pull request with its approval, also after a lost answer. */
import { headName } from '../../model/push-fork.ts';
import type { Input } from '../run/inputs.ts';
import { readReceipt, withReceipt, type SignedReceipt } from '#pull-text';
import { repositoryOf, type Run } from '../run/run.ts';
import type { SealFields } from '../../model/seal.ts';
import { stepFailed, type HandlerOutcome } from '../runtime/effect-handler.ts';
import type { PullFacts } from '../ports/index.ts';
import type { EffectContext } from '../handlers/effect-context.ts';

export type PullOpening = {
  run: Run;
  approvalId: string;
  digest: string;
  fields: SealFields;
  body: string;
  /** The same, with what a receipt of an earlier try says of its time and page. */
  bodyOf: (signed: Pick<SignedReceipt, 'at' | 'page'>) => Promise<string>;
  login: string;
};

type Needs = Pick<EffectContext, 'forge' | 'issueReceipt'>;

export const openingOf = async (
  { forge, issueReceipt }: Needs,
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
  };
  const publication = {
    repo: repositoryOf(run),
    base: fields.baseRef,
    commit: fields.headSha,
    title: fields.title,
    body: fields.body,
  };
  const bodyWith = async (of: { at: number | undefined; page?: string | null }): Promise<string> =>
    withReceipt(fields.body, await issueReceipt({ ...claims, ...of }, publication));
  return {
    run,
    ...signed,
    body: await bodyWith({ at: approval?.at }),
    // guard: G9-page-then
    bodyOf: ({ at, page = null }) => bodyWith({ at, page }),
    login: await forge.login(repositoryOf(run)),
  };
};

const pullsOf = ({ forge }: Needs, { run, fields }: PullOpening): Promise<PullFacts[]> =>
  forge.pullsByHead(repositoryOf(run), headName(run.target.fork, fields.branch));

const adopt = async (
  parts: Needs,
  o: PullOpening,
  pulls: readonly PullFacts[],
): Promise<HandlerOutcome | null> => {
  // guard: L6-adopt-earlier
  const ours = pulls.find((p) => isOurs(p, o));
  return ours ? confirmOpening(parts, o, ours.id, true) : null;
};

/** Adopts a pull request that an earlier try created before it died, and never one of others. */
export const adoptExistingPull = async (parts: Needs, o: PullOpening): Promise<HandlerOutcome | null> => {
  const pulls = await pullsOf(parts, o);
  const adopted = await adopt(parts, o, pulls);
  if (adopted) return adopted;
  // L6: a run opens one pull request only, even if it was closed and the run was sent back.
  // guard: L6-one-pull-request
  const earlier = pulls.find((p) => isOfRun(p, o));
  if (earlier)
    return stepFailed(
      'open_pr',
      'forge_refused',
      `this run has opened pull request ${earlier.id} before; make a new run for another one`,
    );
  const other = pulls.find((p) => p.state === 'open' && p.headRepoId === o.fields.headRepoId);
  if (!other) return null;
  return stepFailed(
    'open_pr',
    'forge_refused',
    `pull request ${other.id} for ${o.fields.branch} exists and is not ours`,
  );
};

const unheard = async (parts: Needs, run: Run): Promise<PullOpening | null> => {
  const { consumedApproval: consumed } = run.gate;
  // guard: L4-late-opening
  if (run.upstream.pullRequest || consumed?.kind !== 'open_pr') return null;
  const { id: approvalId, digest, fields } = consumed;
  return openingOf(parts, run, { approvalId, digest, fields });
};

const opened = async (parts: Needs, o: PullOpening, pulls: readonly PullFacts[]): Promise<Input | null> => {
  const found = await adopt(parts, o, pulls);
  return found?.kind === 'result' && found.input.type === 'worker.pr.opened' ? found.input : null;
};

/** L4: an opening that succeeded although its answer was lost; null when there is none. */
export const readUnheardOpening = async (parts: Needs, run: Run): Promise<Input | null> => {
  const opening = await unheard(parts, run);
  return opening && opened(parts, opening, await pullsOf(parts, opening));
};

/** G6: a push would change a pull request that the run does not know; null when there is none. */
export const openAlready = async (parts: Needs, run: Run): Promise<HandlerOutcome | null> => {
  const opening = await unheard(parts, run);
  if (!opening) return null;
  const pulls = await pullsOf(parts, opening);
  const input = await opened(parts, opening, pulls);
  if (input) return { kind: 'result', input };
  const open = pulls.find((p) => p.state === 'open' && isOfRun(p, opening));
  if (!open) return null;
  const says = `pull request ${open.id} of this run is open, and is not what was approved; close it first`;
  return stepFailed('push', 'forge_refused', says);
};

export const confirmOpening = async (
  { forge }: Needs,
  o: PullOpening,
  id: string,
  adopted: boolean,
): Promise<HandlerOutcome> => {
  const pull = await forge.pull(repositoryOf(o.run), id);
  const moves = adopted ? ['target branch'] : [];
  // A ledger that was put back has lost when it was approved first, and our address may have changed
  // since; the key says whether it was ours.
  const signed = readReceipt(pull.body)?.signed;
  const body = signed === undefined ? o.body : await o.bodyOf(signed);
  // guard: G1-read-back
  const wrong = differences(pull, { ...o, body }).filter((name) => !moves.includes(name));
  if (wrong.length > 0) {
    return stepFailed(
      'open_pr',
      'readback_mismatch',
      `pull request ${id} (${pull.url}) differs in ${wrong.join(', ')}`,
    );
  }
  return {
    kind: 'result',
    input: { type: 'worker.pr.opened', approvalId: o.approvalId, pull: id, url: pull.url, adopted },
  };
};

// guard: L4-own-pull
const isOfRun = (pull: PullFacts, { login, run }: PullOpening): boolean =>
  pull.author === login && readReceipt(pull.body)?.run === run.id;

// guard: L4-same-bytes
const isOurs = (pull: PullFacts, o: PullOpening): boolean =>
  isOfRun(pull, o) && readReceipt(pull.body)?.digest === o.digest;

const differences = (pull: PullFacts, { fields, body, login }: PullOpening): string[] => {
  // guard: G1-differences
  const pairs: [string, unknown, unknown][] = [
    ['author', pull.author, login],
    ['target repository', pull.baseRepoId, fields.baseRepoId],
    // A fork may be deleted right after the opening; the next poll reports it.
    ['head repository', pull.headRepoId ?? fields.headRepoId, fields.headRepoId],
    ['target branch', pull.baseRef, fields.baseRef],
    ['branch', pull.headRef, fields.branch],
    ['head', pull.headSha, fields.headSha],
    ['title', pull.title, fields.title],
    ['description', pull.body.replaceAll('\r\n', '\n'), body],
    ['draft flag', pull.draft, fields.draft],
    ['permission for maintainers to push', maintainersMayPush(pull), fields.maintainerCanModify],
  ];
  return pairs.filter(([, shown, signed]) => shown !== signed).map(([name]) => name);
};

/** The flag means nothing within one repository, and code hosts return either value. */
const maintainersMayPush = ({ maintainerCanModify, headRepoId, baseRepoId }: PullFacts): boolean =>
  maintainerCanModify && headRepoId !== baseRepoId;
