/** English texts for campaigns. Plain text, not escaped. */
import type { CampaignTrigger } from '../../../orchestrator/model/campaign-trigger.ts';
import type { AdoptedMark } from '../../../orchestrator/model/adopted-pull.ts';
import type { RunOutcome } from '../../../orchestrator/model/campaign-order.ts';
import type { CampaignLesson } from '../../../orchestrator/model/campaign-lesson.ts';
import type { ExclusionReason, NotAdopted } from '../../../orchestrator/model/excluded-targets.ts';
import type { CampaignState, StopReason } from '../../../orchestrator/model/campaign.ts';
import type { StandingMark, CampaignTally } from '#campaign-standing';
import type { RuleKind } from '../../../orchestrator/model/contribution-rule.ts';
import { countWords } from '../../../orchestrator/model/text-format.ts';

const repositories = (n: number): string => countWords(n, 'repository', 'repositories');

const titles: Record<CampaignState, string> = {
  planned: 'PREVIEW',
  running: 'RUNNING',
  paused: 'PAUSED',
  stopped: 'STOPPED',
  finished: 'FINISHED',
  closed: 'CLOSED',
};
const states: Record<CampaignState, string> = {
  planned: 'planned',
  running: 'running',
  paused: 'paused',
  stopped: 'stopped',
  finished: 'finished',
  closed: 'closed',
};
const leftOut: Record<ExclusionReason, string> = {
  duplicate: 'named twice',
  archived: 'archived',
  fork: 'forks: name one to have it without where it comes from',
  missing: 'not there, or hidden from us',
  banned: 'closed to changes by agents',
  not_allowed: 'closed to pushes, forks or pull requests of ours',
  pull_open: 'with an open pull request of ours',
  running: 'with a run in progress',
  over: 'beyond the limit of one campaign',
  invalid_branch: 'with a branch name that git refuses, or that is too long',
  invalid_base: 'with a base branch that git refuses, or that is too long',
  invalid_title: 'with a title that is too long, or has control characters',
  invalid_goal: 'with a goal that is empty, too long, or has control characters',
  invalid_command: 'with a value that cannot be written into a command',
  link_out: 'after a repository that takes no part',
  with_branch: 'named with a branch: order those with base=<branch>, which holds for a whole list',
};
const notAdopted: Record<NotAdopted, string> = {
  ours: 'a run of ours opened it',
  known: 'followed already',
  missing: 'not there, or hidden from us',
  away: 'the code host does not answer; send it again later',
  over: 'beyond the limit of one campaign',
  elsewhere: 'not at this code host',
};
const adopted: Record<AdoptedMark, string> = {
  open: 'open',
  red: 'checks red',
  green: 'checks green',
  merged: 'merged',
  closed: 'closed',
};
const marks: Record<StandingMark, string> = {
  merged: 'merged',
  done: 'done',
  green: 'checks green, waiting for reviewers',
  open: 'open, waiting for checks',
  waits: 'waiting for you',
  works: 'in progress',
  denied: 'denied',
  failed: 'failed',
  skipped: 'skipped',
  out: 'left out',
  cancelled: 'cancelled',
};
const outcomes: Record<RunOutcome, string> = {
  approved: 'have a pull request',
  ci_green: 'have a pull request with green checks',
  merged: 'are merged',
};

const firsts: Partial<Record<RuleKind, string>> = {
  issue_first: 'An issue first',
  cla: 'A signed agreement',
  human_words: 'A description in your own words',
  dco: 'A sign-off',
  base_branch: 'Another branch',
  other: 'Perhaps a ban on such changes: start only if it is not one',
};

const notStarted = (tally: CampaignTally): string => {
  const parts = [
    [tally.waiting, 'waiting for their turn'],
    [tally.later, 'in later steps'],
    [tally.leftOut, 'left out'],
    [tally.stopped, 'after one that failed'],
    [tally.unwanted, 'of owners whose maintainers said no'],
    [tally.elsewhere, 'done by a pull request from elsewhere'],
  ] as const;
  const said = parts.filter(([n]) => n > 0).map(([n, where]) => `${n} ${where}`);
  return `Not started: ${said.join(', ')}.`;
};

/** Published in the description of a closed pull request, so it is English in every chat. */
export const CAMPAIGN_CLOSING_NOTE =
  'Thank you for your time. The change that this pull request belongs to is no longer pursued, so we are closing it. There is nothing for you to do.';

export const UNDO_WORDS = {
  closing:
    'Thank you for your time. The change that this pull request belongs to is being taken back everywhere, so we are closing it. There is nothing for you to do.',
  reason: 'The campaign is being undone.',
} as const;

export const enCampaign = {
  titles,
  states,
  scheduled: 'SCHEDULED',
  leftOut,
  notAdopted,
  adopted,
  marks,
  looking: (n: number, queries: string) =>
    `Looking ${[n > 0 || queries === '' ? `at ${repositories(n)}` : '', queries === '' ? '' : `for ${queries}`].filter(Boolean).join(' and ')}. The preview comes in place of this message; nothing starts until you tap Start.`,
  takePart: (n: number, of: number) =>
    of === 1 ? '1 repository takes part' : `${n} of ${repositories(of)} take part`,
  found: (query: string, repos: number, given: number, of: number, whole: boolean) =>
    `${query}: ${repositories(repos)}${
      given < of
        ? `; the code host gave ${given} of ${of} hits: narrow it to have them all`
        : whole
          ? ''
          : '; the code host stopped before it had looked everywhere: narrow it to have them all'
    }`,
  fixes: (titles: string) => `In one pull request each: ${titles}`,
  example: (repo: string) => `Filled in, as ${repo} will have it:`,
  filled: { title: 'Title', branch: 'Branch', base: 'Base', goal: 'Goal', command: 'Command' },
  unseen: (n: number) => `Not looked at yet, and judged when its turn comes: ${n}`,
  out: (n: number, why: string) => `Left out: ${n} ${why}`,
  more: (n: number) => `… and ${n} more`,
  canary: (first: number, steps: string) => `Starts with ${repositories(first)}, then ${steps} at a time`,
  next: (outcome: RunOutcome) =>
    `The next step begins once the repositories of the last one ${outcomes[outcome]}`,
  limits: (day: number, owner: number, open: number) =>
    `At most ${day} a day, ${owner} of one owner, ${open} open at a time`,
  stops: (failures: number, denials: number) =>
    `Stops by itself when more than ${failures} % of the repositories of one step fail, or ${denials} % are denied`,
  estimate: (work: string, cost: string, attention: string, of: number) =>
    `By ${countWords(of, 'past run')}: about ${work} of work, ${cost} and ${attention} of your attention in all`,
  each: (expected: string) => `In each repository: ${expected}`,
  costUnknown: 'an unknown cost',
  noEstimate: 'There are no past runs to estimate from.',
  nothingYet: 'Nothing starts until you tap Start.',
  patience: 'Without a tap it is closed after a week.',
  lapsed: {
    late: 'Nobody started it within a week, so it was closed. Nothing was changed.',
    replaced:
      'Nobody started it before the next one of its schedule came, so it was closed. Nothing was changed.',
  },
  came: (origin: CampaignTrigger): string => {
    switch (origin.kind) {
      case 'issue':
        return `${origin.by} labelled issue ${origin.issue} of ${origin.repo}`;
      case 'schedule':
        return `Its schedule, ${origin.schedule}, came to its time`;
      case 'hook':
        return `The webhook ${origin.hook} asked for it`;
    }
  },
  source: (origin: CampaignTrigger): string => {
    switch (origin.kind) {
      case 'issue':
        return `issues of ${origin.repo}`;
      case 'schedule':
        return `the schedule ${origin.schedule}`;
      case 'hook':
        return `the webhook ${origin.hook}`;
    }
  },
  quoted: 'What the agent will read of it, as others wrote it',
  every: (every: string) => `Every ${every} this is looked at again, and comes to you as a preview.`,
  firstTime: 'Nothing comes until you tap Schedule.',
  nextTime: (when: string) => `Next preview: ${when}`,
  noNextTime: 'No further preview comes.',
  cameLast: (id: string, when: string) => `Last: ${id}, ${when}`,
  merged: (n: number, of: number, percent: number) => `Merged ${n} of ${of} (${percent} %)`,
  begun: (n: number, of: number) => `${n} of ${repositories(of)} started`,
  onYou: 'Waiting for you',
  failed: 'Failed',
  near: 'Close to a limit',
  busy: 'Waiting for another run of ours there',
  elsewhere: (n: number) => `Opened elsewhere, and only followed: ${n}`,
  adopting: (n: number) => `Looking at ${countWords(n, 'pull request')}.`,
  queue: (owner: string, n: number) => `Waits for the CI of ${owner}: ${n} of ours queued`,
  waits: {
    open: (count: number, of: number) => `${count} of at most ${of} are open: the next one waits for a place`,
    owner: (count: number, of: number) =>
      `waiting: ${repositories(count)} whose owners already have ${of} open`,
    day: (count: number, of: number) =>
      `${count} of at most ${of} were started in 24 hours: the next one waits until tomorrow`,
    busy: (count: number, of: number) =>
      `${count} of the ${of} that may start wait for another run of ours in their repository`,
    queued: (count: number, of: number) =>
      `${count} of the ${of} that may start wait for checks of others of ours to get a machine`,
    after: (count: number, of: number) =>
      `${count} of the ${of} that may start wait for those that they come after`,
    step: (count: number, of: number) =>
      `${count} of the ${of} in the steps so far ${count === 1 ? 'is' : 'are'} not there yet`,
  },
  nextStep: (n: number) => `Next: ${n} more ${n === 1 ? 'repository' : 'repositories'}`,
  last: 'All repositories have been started.',
  lastStep: (tally: CampaignTally) => `No further step comes. ${notStarted(tally)}`,
  notStarted,
  approvers: (who: string) => `Only these may approve: ${who}`,
  stopped: (kind: StopReason['kind'], count: number, of: number, bound: number) =>
    kind === 'approvers'
      ? `It stopped by itself: of the approvers that it names, ${count} may still approve, and ${of === 1 ? 'one is' : `${of} are`} needed. Give one of them the role back with /users, then Resume; or close it and order it again with others.`
      : kind === 'access'
        ? `It stopped by itself: the last ${count} repositories are all hidden from us or closed to us, so our credential is probably the reason. Runs that have started go on. Check the token or the App, then Resume.`
        : `It stopped by itself: ${count} of the ${of} of this step ${kind === 'failures' ? 'failed' : 'were denied'}, and the limit is ${bound} %. Runs that have started go on. Resume starts the next ones all the same.`,
  paused: 'No further repositories are started. Runs that have started go on.',
  finished: 'Every run has ended.',
  closed: 'No further repositories are started.',
  sure: (n: number) =>
    n === 0
      ? 'Close it for good? No run of it is without a pull request; open pull requests stay as they are.'
      : `Close it for good? ${countWords(n, 'run')} without a pull request can be cancelled with it; open pull requests stay as they are until you close them with a tap of its own.`,
  asksFirst: 'ASKED FIRST',
  askFirst: (n: number) =>
    `${repositories(n)} ${n === 1 ? 'asks' : 'ask'} for something before any work begins. What each says:`,
  nothingAsked: 'All of it is answered.',
  firsts,
  allAsk: (what: readonly string[], n: number) => `${what.join(' · ')} (${n})`,
  allTheSame:
    'Start begins all the same: what is missing then stands on the card of each pull request. One by one shows each with its own card, which takes an answer.',
  answered: {
    begin: (n: number) => (n === 0 ? 'None of them asks any more.' : `Started ${n}.`),
    leave_out: (n: number) => (n === 0 ? 'None of them asks any more.' : `Left out ${n}.`),
  },
  learned: {
    denial: 'What an approver said',
    review: 'What a reviewer asked for',
    checks: 'Checks that failed',
  },
  wish: ({ repo, from, text }: CampaignLesson): string =>
    from === 'checks'
      ? `In ${repo} these checks of the code host failed on the same change: ${text}. See to it that they pass here.`
      : `${from === 'denial' ? 'An approver' : 'A reviewer'} said of the same change in ${repo}:\n\n${text}\n\nDo what holds for this repository as well.`,
  nobodyLeft: 'Nobody is left to be told: the others have heard it, are at work, or have ended.',
  taught: (n: number) =>
    n === 0
      ? 'Nobody was left to be told.'
      : `Said to ${countWords(n, 'run')}; each comes back with a card of its own.`,
  ownersNo: (owner: string, left: number) =>
    `Maintainers of ${owner} said no: ${repositories(left)} of theirs ${left === 1 ? 'is' : 'are'} not begun.`,
  hours: (when: string) => `Begins repositories only ${when}`,
  outOfHours: (when: string) => `Out of its hours: the next one begins ${when}`,
  mergedAfter: (days: number, n: number, of: number, percent: number) =>
    `Within ${days} days: ${n} of ${of} merged (${percent} %)`,
  stuck: (n: number) => `${n} ${n === 1 ? 'has' : 'have'} been waiting for days`,
  keeps: (whom: string, long: string) => `for ${whom}, ${long}`,
  keepers: { you: 'you', reviewers: 'reviewers', checks: 'checks' },
  eta: (left: string, when: string) => `At this pace the last one is ready for you in ${left} (${when})`,
  idle: (n: number, places: number) =>
    `All ${places} places are taken by ${countWords(n, 'pull request')} on which nothing has moved for a week. Nothing more begins before one of them ends.`,
  noIdle: 'There are free places, or something moves again.',
  goesOn: (places: number) => `${places} may be open at a time now.`,
  granted: (amounts: string) => `Each run may use up to ${amounts}.`,
  withdraws: (n: number) =>
    n === 0
      ? 'No pull request of it is open.'
      : `${countWords(n, 'pull request')} of ours will be closed, if nobody else pushed to ${n === 1 ? 'it' : 'them'}. This will stand at the top of ${n === 1 ? 'its' : 'each'} description:`,
  gaveUp: 'The campaign was closed.',
  withdrawn: (n: number) =>
    n === 0
      ? 'There is nothing to close.'
      : `Closing ${countWords(n, 'pull request')}; you are told of one that has to stay open.`,
  buttons: {
    start: (n: number) => `Start ${n}`,
    undo: (n: number) => `Undo ${n}`,
    schedule: 'Schedule',
    drop: 'Drop',
    pause: 'Pause',
    resume: 'Resume',
    close: 'Close',
    sure: 'Close for good',
    cancel: (n: number) => `Close, cancel ${n}`,
    retry: (n: number) => `Retry ${n} failed`,
    all: (n: number) => `All ${n}`,
    goOn: 'Go on with 5 more',
    closeIdle: (n: number) => `Close ${n} idle`,
    wait: 'Wait',
    first: (n: number) => `${n} ${n === 1 ? 'asks' : 'ask'} first`,
    begin: (n: number) => `Start ${n}`,
    leaveOut: (n: number) => `Leave out ${n}`,
    singly: 'One by one',
    learn: (n: number) => `Learned ${n}`,
    teach: (n: number) => `Apply to ${countWords(n, 'other')}`,
    withdraw: (n: number) => `Close ${countWords(n, 'pull request')}`,
    look: 'Refresh',
  },
  did: {
    started: 'Started.',
    scheduled: 'Scheduled.',
    paused: 'Paused.',
    resumed: 'Resumed.',
    closed: 'Closed.',
  },
  waves: {
    of: (no: number, all: number, n: number) => `Wave ${no} of ${all}: ${repositories(n)}`,
    waits: (repos: string) => `after ${repos}`,
    merged: (commit: string) => `merged as ${commit}`,
    released: (tag: string) => `released as ${tag}`,
    refused: 'released under a name that no command may hold',
    stopped: (repo: string) => `not started: ${repo} failed`,
    later: 'not started yet',
  },
  undo: {
    scheduled: (id: string) =>
      `${id} is a schedule, which has no runs itself. Undo one of its campaigns: /campaign ${id} names the last one.`,
    nothing: (id: string) =>
      `There is nothing to take back: nothing of ${id} is merged, or a revert of it is there already. /campaign ${id} closes what is open.`,
    looking: (n: number) =>
      `Looking at ${countWords(n, 'merged pull request')}. The preview comes in place of this message; nothing starts until you tap Undo.`,
    of: (id: string) =>
      `Takes back what ${id} merged, each as a pull request that waits for approval like any other.`,
    also: (open: number, working: number) =>
      `Undo also closes ${countWords(open, 'open pull request')} and cancels ${countWords(working, 'run')} without one; our branches go with them.`,
    rest: (stays: number) =>
      `${countWords(stays, 'pull request')} of it ${stays === 1 ? 'stays' : 'stay'} open: closing is under way, or somebody else pushed.`,
    fresh: (n: number, first: string) =>
      `${countWords(n, 'pull request')} of it ${n === 1 ? 'was' : 'were'} merged since the preview: /campaign ${first} undo takes ${n === 1 ? 'it' : 'them'} back too.`,
    by: (undos: string) => `Undone by ${undos}`,
    role: 'Closing pull requests needs an approver: one of them taps Undo.',
  },
  tried: (n: number) => (n === 0 ? 'There is nothing to try again.' : `Trying ${n} again.`),
  not: (how: string) => `Not possible: the campaign is ${how}.`,
  unknown: (id: string) => `There is no campaign ${id}.`,
  none: 'There are no campaigns. /batch starts one.',
  which: 'Say which campaign: /campaign shows them.',
  list: 'Campaigns',
  entry: (how: string, released: number) =>
    released === 0 ? how : `${how}, ${repositories(released)} in its steps so far`,
  scheduledEntry: (state: CampaignState, every: string) =>
    `${state === 'running' ? 'scheduled' : states[state]}, every ${every}`,
};
