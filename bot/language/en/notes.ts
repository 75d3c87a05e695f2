/** English notes to chats besides a run's own messages. */
import { enComposed } from './sentences.ts';
import type { ChatNote } from '../../../orchestrator/model/chat-notes.ts';
import { enObjections } from './feedback.ts';
import { joinParts, type SentenceCatalogue } from '../../text/catalogue.ts';
import type { PullChange } from '../../../orchestrator/model/pull-metadata.ts';
import { countWords, cutText, timeSpan } from '../../../orchestrator/model/text-format.ts';

const unchanged = (why: string): string => `The wording was not changed: ${why}`;

const ROLLED_BACK = {
  older:
    '⚠️ The ledger was put back to an earlier state: what was decided since then is not known. Check open pull requests; the operator then runs `agentpr audit accept` on the host.',
  missing:
    '⚠️ Nothing tells any more whether the ledger was put back to an earlier state: keys/ledger.anchor is gone. If that was you, run `agentpr audit accept` on the host.',
};

const listed = ({ added, gone }: { added: string[]; gone: string[] }): string =>
  [...added.map((one) => `+${cutText(one, 40)}`), ...gone.map((one) => `−${cutText(one, 40)}`)]
    .slice(0, 10)
    .join(', ');
const changed = (c: PullChange): string => {
  switch (c.what) {
    case 'title':
      return `its title is now “${cutText(c.to, 120)}”`;
    case 'base':
      return `it now goes into ${cutText(c.to, 60)}`;
    case 'body':
      return 'its description was edited';
    case 'draft':
      return c.on ? 'it is a draft now' : 'it is ready for review now';
    case 'locked':
      return c.on ? 'its conversation is locked' : 'its conversation is open again';
    case 'queued':
      return c.on ? 'it entered the merge queue' : 'it left the merge queue';
    case 'auto_merge':
      return c.by === null ? 'auto-merge is off' : `${c.by} turned auto-merge on`;
    case 'repo':
      return `its repository is ${cutText(c.to, 140)} now`;
    case 'archived':
      return c.on
        ? 'its repository was archived, so that nobody can push or merge there until a maintainer undoes that'
        : 'its repository is no longer archived';
    case 'private':
      return c.on ? 'its repository is private now' : 'its repository is public now';
    case 'head_gone':
      return c.on
        ? 'the fork that it comes from is gone, so that nobody can push to it any more'
        : 'the fork that it comes from is there again';
    case 'guarded':
      return c.on
        ? 'the branch it goes into is protected now'
        : 'the branch it goes into is no longer protected';
    case 'required':
      return `what must pass before it may be merged: ${listed(c)}`;
    case 'labels':
      return `labels ${listed(c)}`;
    case 'reviewers':
      return `a review was requested from ${c.added
        .slice(0, 10)
        .map((one) => cutText(one, 40))
        .join(', ')}`;
  }
};

const unread = (why: string, refused: string): string => joinParts(why, refused !== '' && `(${refused})`);

export const enNotes: SentenceCatalogue<ChatNote> = {
  edited_text_failed: (n) => unchanged(enComposed.why.failures[n.class]),
  edited_text_late: ({ by }) => unchanged(`${by} approved the card before they were judged.`),
  edited_text_rejected: ({ why }) => unchanged(`${enComposed.notModified(why)}.`),
  edited_text_unjudged: () => unchanged('it is not known what would be published.'),
  agent_asked: ({ question }) =>
    `❓ The agent asks, and its work goes on meanwhile:\n\n${question}\n\nReply to this message to answer.`,
  pull_description: ({ how, pull }) =>
    how === 'kept'
      ? `The fix is pushed. Somebody wrote into the description of ${pull}, so it was left as it is.`
      : `The fix is pushed. The description of ${pull} could not be brought up to date; edit it on the code host.`,
  pull_changed: ({ pull, changes }) =>
    `${pull} was changed on the code host: ${changes.map(changed).join('; ')}.`,
  pull_hidden: ({ pull, url, hidden }) =>
    hidden
      ? `Nobody but us can see ${pull} (${url}): GitHub answers “not found” to everybody who is not signed in as us, as it does for accounts that it has flagged. Nothing more is sent to strangers. Ask its support (support.github.com) to look at the account; what waits goes on when ${pull} can be seen.`
      : `${pull} can be seen by everybody again: ${url}`,
  replies_denied: (n) => `The answers are not posted. ${enObjections(n.objections)}`,
  head_unread: (n) => unread(enComposed.why.failures[n.class], enComposed.refused({ ...n, says: n.message })),
  pull_too_late: ({ pull, url, ended }) =>
    `Pull request ${pull} was opened just before the run ${ended ? 'ended' : 'was stopped'}: ${url}`,
  restarted: ({ awayMs, handled, freed, rollback, runs, more }) =>
    [
      ...(rollback === null ? [] : [ROLLED_BACK[rollback]]),
      `I was restarted${awayMs === null ? '' : ` and was away for ${timeSpan(awayMs)}`}. Nothing you sent is lost${handled > 0 ? ` (${handled} handled now)` : ''}${freed > 0 ? `; ${countWords(freed, 'interrupted step starts', 'interrupted steps start')} again` : ''}.`,
      ...runs.map(({ repo, id, state }) => `${repo} · ${id}: ${enComposed.states[state]}`),
      ...(more > 0 ? [`… and ${more} more`] : []),
    ].join('\n'),
  campaign_empty: ({ of, leftOut }) =>
    [
      of === 0
        ? 'No campaign was made: no repository was found.'
        : `No campaign was made: of ${of === 1 ? 'one repository' : `${of} repositories`} none takes part.`,
      ...leftOut.map(
        ({ repo, why, by }) =>
          `${cutText(repo, 80)}: ${enComposed.campaign.leftOut[why]}${by === null ? '' : ` (${by})`}`,
      ),
    ].join('\n'),
  campaign_query: ({ query, why, says, waitMs }) => {
    const what = cutText(query, 120);
    switch (why) {
      case 'missing':
        return `No campaign was made: ${what} is not there, or not for us to see.`;
      case 'refused':
        return `No campaign was made: the code host does not take ${what}: ${says}`;
      case 'limited':
        return `No campaign was made: the code host takes no more searches now. Send it again ${waitMs === null ? 'later' : `in ${timeSpan(waitMs)}`}.`;
      case 'away':
        return `No campaign was made: ${what} cannot be looked for now: ${says} Send it again later.`;
    }
  },
  campaign_approver: ({ who }) =>
    `No campaign was made: ${cutText(who, 60)}, whom it names as an approver, may approve nothing here. /users shows who may.`,
  campaign_approvers: ({ left, needed }) =>
    `No campaign was made: ${needed === 1 ? 'one approval is' : `${needed} approvals are`} needed, and of the approvers that it names ${left} may give one.`,
  approver_left: ({ campaign, who, left }) =>
    `${cutText(who, 60)} may approve nothing any more. Campaign ${campaign} goes on with the ${left === 1 ? 'one approver' : `${left} approvers`} that it names besides.`,
  link_failed: ({ campaign, repo, why, stopped }) =>
    `Campaign ${campaign}: ${
      why === 'tag'
        ? `the release of ${repo} has a name that no command may hold, so its version cannot be used`
        : `${repo} ended without being merged`
    }. Not started for that: ${stopped.slice(0, 6).join(', ')}${stopped.length > 6 ? ` ${enComposed.campaign.more(stopped.length - 6)}` : ''}. /campaign ${campaign} shows how all stand.`,
  pulls_adopted: ({ campaign: id, taken, scheduled, out }) =>
    [
      taken === null
        ? scheduled
          ? `Campaign ${id} is a schedule, and follows no pull requests itself. Name one of the campaigns that came from it.`
          : `Campaign ${id} takes no pull requests: it is over, or not there.`
        : taken === 0
          ? `Campaign ${id} took ${out.length === 1 ? 'nothing' : 'none of them'}:`
          : `Campaign ${id} follows ${taken === 1 ? 'one more pull request' : `${taken} more pull requests`}. Its card counts what becomes of ${taken === 1 ? 'it' : 'them'}; I write nothing there.`,
      ...out
        .slice(0, 20)
        .map(({ pull, why }) => `${cutText(pull, 80)}: ${enComposed.campaign.notAdopted[why]}`),
      ...(out.length > 20 ? [enComposed.campaign.more(out.length - 20)] : []),
    ].join('\n'),
  campaign_pilot: ({ first, most, script }) =>
    joinParts(
      `No campaign was made: its first step would take ${first} repositories, and at most ${most} may go first. Lower pace.canary; the others follow when the first have come to what you ask of them.`,
      script ? 'For scripts, campaigns.scriptsMaySkipPilot in the configuration of the host lifts this.' : '',
    ),
  arrival_open: ({ campaign }) => `There is a preview for it already: ${campaign}.`,
  arrivals_full: ({ origin, most }) =>
    `${most} previews from ${cutText(enComposed.campaign.source(origin), 90)} came within a day. ${origin.kind === 'issue' ? 'The others come when a day has passed.' : 'What else comes from there today is not shown.'}`,
  effect_stuck: ({ step, says, state }) =>
    joinParts(
      step === 'poll'
        ? `I cannot look at the code host: ${says}.`
        : `A step (${step}) failed and was given up: ${says}.`,
      `The run stays ${state === null ? 'as it is' : `where it is: it ${enComposed.states[state]}`}. The log on the host says more; then /retry or /cancel it.`,
    ),
};
