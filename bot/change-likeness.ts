/** Compares the changes of one campaign, so that alike ones share a cluster card. */
import { likenessOf, varyingValuesOf, type SampleLikeness, type VaryingValue } from '#clusters';
import type { CampaignOrder } from '#model/campaign';
import { digestFor, type Run } from '#run';
import { sha256Hex } from '#runtime';
import type { ChangePatch } from '#ports/workspaces';

const MOST_KNOWN = 2_000;
type ReadPatch = (runId: string, since: 'base') => Promise<ChangePatch | null>;
export type ChangeLikeness = { key: string; around: string } | null;

const linkValues = ({ order: { follows = [] }, target: { mergedPull } }: Run): Record<string, string> => {
  const commits = [...(mergedPull ? [mergedPull.commit] : []), ...follows.map(({ commit }) => commit)];
  const all = [
    ...commits.flatMap((commit) => [commit, commit.slice(0, 12)]),
    ...follows.flatMap(({ url, tag }) => [url, ...(tag === undefined ? [] : [tag])]),
  ];
  return Object.fromEntries(all.map((value, i) => [`link-${i}`, value]));
};

export const listVaryingValues = (run: Run, { targets }: Pick<CampaignOrder, 'targets'>): VaryingValue[] =>
  varyingValuesOf(
    { id: run.id, repo: run.order.repo },
    {
      ...targets.find(({ repo }) => repo === run.order.repo)?.vars,
      ...linkValues(run),
    },
  );

export const readChangeLikeness = async (
  patch: ReadPatch,
  run: Run,
  varying: readonly VaryingValue[],
): Promise<SampleLikeness | null> => {
  const {
    gate: { approval, proposal },
    change: { commit },
  } = run;
  if (!approval || approval.kind === 'reply' || !commit || !proposal) return null;
  if (digestFor(run, approval.kind) !== approval.digest) return null;
  const text = await patch(run.id, 'base');
  if (!text) return null;
  const { kind, needed } = approval;
  return likenessOf({ kind, needed, fields: proposal.fields, commit, patch: text, run }, varying);
};

export const createLikeness = (patch: ReadPatch) => {
  const known = new Map<string, ChangeLikeness>();
  return async (run: Run, varying: readonly VaryingValue[]): Promise<ChangeLikeness> => {
    const name = `${run.id} ${run.gate.approval?.digest ?? ''} ${run.gate.approval?.needed ?? 0}`;
    const before = known.get(name);
    if (before !== undefined) return before;
    const like = await readChangeLikeness(patch, run, varying);
    const short = like && {
      key: sha256Hex(like.key).slice(0, 32),
      around: sha256Hex(like.around).slice(0, 8),
    };
    if (known.size >= MOST_KNOWN) known.clear();
    // Failures are not cached: a patch may become readable later.
    if (short) known.set(name, short);
    return short;
  };
};
