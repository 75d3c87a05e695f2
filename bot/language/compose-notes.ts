/** Says the notes to chats besides a run's own messages. */
import type { ChatNote } from '#model/chat';
import type { PolicyObjections } from '#model/assessment';
import type { CampaignTrigger } from '#model/schedule';
import type { PullChange } from '#model/pull';
import { cutText, HOUR, MINUTE, SECOND } from '#model/values';
import type { SentenceCatalogue } from '../text/sentence-catalogue.ts';
import type { composeJudgements } from './compose-judgements.ts';
import type { composeRecords } from './compose-records.ts';
import { extendSentences } from './extend-sentences.ts';
import type { SentenceTree } from './sentence-tree.ts';

type Note<Kind extends ChatNote['kind']> = Extract<ChatNote, { kind: Kind }>;
type Change<What extends PullChange['what']> = PullChange & { what: What };
type Composed = Pick<ReturnType<typeof composeRecords>, 'refused'> &
  Pick<ReturnType<typeof composeJudgements>, 'notModified'> & {
    objections: (all: PolicyObjections) => string;
    campaign: { source: (trigger: CampaignTrigger) => string };
  };

const MAX_LISTED = 10;
const MAX_NAME = 40;
const MAX_REFUSAL = 160;
const cutNames = (names: readonly string[], mark = ''): string[] =>
  names.map((one) => `${mark}${cutText(one, MAX_NAME)}`);
const toChangeList = ({ added, removed }: { added: string[]; removed: string[] }) => ({
  changed: [...cutNames(added, '+'), ...cutNames(removed, '−')].slice(0, MAX_LISTED),
});

const composePullChanges = ({ pullChanges: says }: SentenceTree): ((change: PullChange) => string) => {
  const sentences: { [What in PullChange['what']]: (change: Change<What>) => string } = extendSentences(
    says,
    {
      title: ({ to }: Change<'title'>) => says.title({ to: cutText(to, 120) }),
      base: ({ to }: Change<'base'>) => says.base({ to: cutText(to, 60) }),
      repo: ({ to }: Change<'repo'>) => says.repo({ to: cutText(to, 140) }),
      required: (change: Change<'required'>) => says.required(toChangeList(change)),
      labels: (change: Change<'labels'>) => says.labels(toChangeList(change)),
      reviewers: ({ added }: Change<'reviewers'>) =>
        says.reviewers({ added: cutNames(added.slice(0, MAX_LISTED)) }),
    },
  );
  return (change) => (sentences[change.what] as (change: PullChange) => string)(change);
};

const composeTimeSpan =
  ({ timeSpans: says }: SentenceTree) =>
  (ms: number): string => {
    if (ms < 2 * MINUTE) return says.seconds(Math.max(1, Math.round(ms / SECOND)));
    return ms < 2 * HOUR ? says.minutes(Math.round(ms / MINUTE)) : says.hours(Math.round(ms / HOUR));
  };

const composeCampaignNotes = (tree: SentenceTree, { campaign: { source } }: Composed) => {
  const says = tree.notes;
  const timeSpan = composeTimeSpan(tree);
  return {
    campaign_empty: ({ of, excludedTargets }: Note<'campaign_empty'>) =>
      [
        says.campaign_empty({ of }),
        ...excludedTargets.map(({ repo, why, by }) =>
          tree.excluded.target(cutText(repo, 80), tree.campaign.leftOut[why], by),
        ),
      ].join('\n'),
    campaign_query: ({ query, waitMs, ...it }: Note<'campaign_query'>) =>
      says.campaign_query({
        ...it,
        query: cutText(query, 120),
        wait: waitMs === null ? null : timeSpan(waitMs),
      }),
    campaign_approver: ({ who }: Note<'campaign_approver'>) =>
      says.campaign_approver({ who: cutText(who, 60) }),
    approver_left: ({ who, ...it }: Note<'approver_left'>) =>
      says.approver_left({ ...it, who: cutText(who, 60) }),
    link_failed: ({ stopped, ...it }: Note<'link_failed'>) =>
      says.link_failed({
        ...it,
        stopped: stopped.slice(0, 6),
        more: stopped.length > 6 ? tree.campaign.more(stopped.length - 6) : null,
      }),
    pulls_adopted: ({ campaign, adopted, scheduled, notAdopted }: Note<'pulls_adopted'>) =>
      [
        says.pulls_adopted({ campaign, adopted, isSchedule: scheduled === true, left: notAdopted.length }),
        ...notAdopted
          .slice(0, 20)
          .map(({ pull, why }) =>
            tree.excluded.target(cutText(pull, 80), tree.campaign.notAdopted[why], null),
          ),
        ...(notAdopted.length > 20 ? [tree.campaign.more(notAdopted.length - 20)] : []),
      ].join('\n'),
    arrivals_full: ({ origin, limit }: Note<'arrivals_full'>) =>
      says.arrivals_full({
        limit,
        source: cutText(source(origin), 90),
        isFromIssue: origin.kind === 'issue',
      }),
  };
};

export const composeNotes = (tree: SentenceTree, composed: Composed): SentenceCatalogue<ChatNote> => {
  const says = tree.notes;
  const pullChange = composePullChanges(tree);
  const timeSpan = composeTimeSpan(tree);
  return extendSentences(says, {
    ...composeCampaignNotes(tree, composed),
    edited_text_failed: (it: Note<'edited_text_failed'>) =>
      says.edited_text_failed({ why: tree.why.failures[it.class] }),
    edited_text_rejected: ({ why }: Note<'edited_text_rejected'>) =>
      says.edited_text_rejected({ why: composed.notModified(why) }),
    pull_changed: ({ pull, changes }: Note<'pull_changed'>) =>
      says.pull_changed({ pull, changes: changes.map(pullChange) }),
    pull_setup_refused: ({ refused, ...it }: Note<'pull_setup_refused'>) =>
      says.pull_setup_refused({
        ...it,
        refused: refused.map(({ field, value, why, says: said }) => {
          const reason = why === 'refused' ? cutText(said, MAX_REFUSAL) : tree.setupReasons[why];
          return field === 'ready'
            ? tree.setupRefusals.ready(reason)
            : tree.setupRefusals[field](cutText(value, MAX_NAME), reason);
        }),
      }),
    replies_denied: ({ objections }: Note<'replies_denied'>) =>
      says.replies_denied({ objections: composed.objections(objections) }),
    head_unread: (it: Note<'head_unread'>) =>
      tree.marks.explained(tree.why.failures[it.class], composed.refused({ ...it, says: it.message })),
    restarted: ({ awayMs, rollback, setAside = 0, runs, more, ...it }: Note<'restarted'>) =>
      [
        ...(rollback === null ? [] : [tree.restarts[rollback]]),
        ...(setAside > 0 ? [tree.restarts.setAside(setAside)] : []),
        says.restarted({ ...it, away: awayMs === null ? null : timeSpan(awayMs) }),
        ...runs.map(({ repo, id, state }) => tree.restarts.run(repo, id, tree.states[state])),
        ...(more > 0 ? [tree.restarts.more(more)] : []),
      ].join('\n'),
    ledger_changed: ({ runs, more }: Note<'ledger_changed'>) =>
      says.ledger_changed({ runs: runs.map(({ repo, id }) => (repo === '' ? id : `${id} (${repo})`)), more }),
    effect_stuck: ({ state, ...it }: Note<'effect_stuck'>) =>
      says.effect_stuck({ ...it, state: state && tree.states[state] }),
  });
};
