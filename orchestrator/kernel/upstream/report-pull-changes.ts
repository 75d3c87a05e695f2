/** Tells people what others did to the pull request of a run (F8). */
import {
  changesBetween,
  findProtectionChanges,
  bodyFingerprint,
  type PullChange,
  type PullShown,
} from '#model/pull';
import { isTerminal } from '#model/run';
import { addMessage, type StepDraft } from '../lifecycle/step-draft.ts';
import { repositoryOf, type Run } from '../run/run.ts';

export const reportPullChanges = (draft: StepDraft, known: Run, first: readonly PullChange[] = []): void => {
  const before = known.upstream.observed;
  const { pullRequest: pr, observed: seen } = draft.run.upstream;
  const { state, reason } = draft.run.lifecycle;
  const { consumedApproval: consumed } = draft.run.gate;
  const now = seen.pull?.metadata;
  const shown = before.pull?.metadata ?? (now && asOpened(known, now));
  if (!pr || isTerminal(state)) return;
  const bodies = [pr.body, consumed?.fields.pullBody].filter((body) => body !== undefined);
  const { labels = [], reviewers = [], teams = [] } = pr.setup ?? {};
  const ours = { bodies, reviewed: [...Object.keys(seen.reviews), ...reviewers, ...teams], labels };
  // A stop or resume of the run says it already, and what to do.
  const said =
    draft.run.lifecycle.epoch !== known.lifecycle.epoch &&
    (reason.kind === 'push_blocked' || reason.kind === 'push_unblocked');
  const isNews = (change: PullChange): boolean =>
    !(said && ['archived', 'head_deleted'].includes(change.what)) &&
    // F13: the draft that we ended ourselves.
    !(change.what === 'draft' && !change.on && pr.setup?.readyWhenGreen === true);
  const changes = [
    ...first,
    ...(shown && now ? changesBetween(shown, now, ours).filter(isNews) : []),
    ...findProtectionChanges(before.branchProtection, seen.branchProtection),
  ];
  // guard: F8-changes-told
  if (changes.length > 0)
    addMessage(draft, { view: 'note', note: { kind: 'pull_changed', pull: pr.id, changes } });
};

const hasName = (names: readonly string[] = [], name: string): boolean =>
  names.some((one) => one.toLowerCase() === name.toLowerCase());

/** F12, S12: what differs from what was signed, or was known of the repository, at the first poll. */
const asOpened = (known: Run, { repo, ...now }: PullShown): PullShown => {
  const { consumedApproval } = known.gate;
  const signed = consumedApproval?.kind === 'open_pr' ? consumedApproval.fields : null;
  return {
    ...now,
    base: known.target.base?.ref ?? now.base,
    headDeleted: false,
    ...(repo ? { repo: { ...repo, name: repositoryOf(known), archived: false } } : {}),
    ...(signed
      ? {
          title: signed.title,
          draft: signed.draft,
          bodyDigest: bodyFingerprint(signed.body),
          labels: now.labels.filter((label) => hasName(signed.setup?.labels, label)),
        }
      : {}),
  };
};
