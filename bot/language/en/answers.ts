/** English replies to commands and taps. Plain text, not escaped. */
import { countWords } from '../../../orchestrator/model/text-format.ts';

export const enAnswers = {
  log: {
    exit: (code: number) => `exit ${code}`,
    none: (id: string) => `Run ${id} has no output yet.`,
    running: (step: string) => `${step} is still running; its output is kept when it ends.`,
    noStep: (step: string, steps: string) => `There is no step ${step}. There are: ${steps}.`,
    empty: 'It printed nothing.',
    plan: (id: string) => `The rounds of the plan of run ${id}, a line each`,
    earlierCalls: (n: number) => `${countWords(n, 'earlier call')} in the file`,
  },
  plan: {
    none: (id: string) => `Run ${id} has not read its repository yet.`,
    ecosystems: 'Built with',
    install: 'Install',
    checks: 'Checks',
    given: 'given with the order',
    noChecks: 'no checks were found ⚠',
    rules: 'Rules of the repository',
    branch: (rule: string) => `branches are named ${rule}`,
    titles: 'titles follow Conventional Commits',
    template: 'pull requests have a template',
    flags: 'Careful with',
    own: '.agentpr.json',
    asks: 'Before it starts',
    steps: 'Plan of the agent',
    byAgent: 'found by the agent',
    outline: 'The agent would',
  },
  budget: {
    retries: (n: number, of: number) => `Retries of this step: ${n} of ${of}`,
  },
  settings: {
    you: (id: string, role: string) => `You are ${id}, ${role}.`,
    language: (name: string, chosen: boolean) =>
      `Language of this chat: ${name}${chosen ? '' : ' (as you write; a button below fixes it)'}`,
    changed: (name: string) => `Language of this chat: ${name}`,
    updates: { webhook: 'Messages arrive by webhook.', polling: 'Messages arrive by polling.' },
    signOff: (as: string | null) => (as === null ? 'You do not sign off commits.' : `You sign off as ${as}.`),
    signsOff: (as: string) =>
      `Where a repository asks for a sign-off, the commits you ask for are signed off as ${as}.`,
    group: 'Only operators may choose the language of a group.',
  },
  places: {
    hello:
      'Hello. I read commands, such as /status, and replies to my messages; I ignore everything else you say here.',
    removed: (name: string) => `I was removed from ${name}. Its runs now ask you instead.`,
    blocked: (name: string) => `${name} has blocked me. Their runs now ask you instead.`,
  },
  users: {
    invite: (link: string, role: string) => `An invitation for one ${role}, valid for an hour: ${link}`,
    inviteMany: 'Three of your invitations are still open. Wait for one to be used or to expire.',
    inviteAlone: 'I only hand out invitations in a private chat.',
    came: (name: string, id: string, role: string) =>
      `${name} (${id}) accepted your invitation. Role: ${role}.`,
    chosen: 'What may they do?',
    title: 'Who may do what',
    fixed: 'set on the host',
    added: (name: string, id: string, role: string) => `Recorded. ${name} (${id}) has the role ${role} now.`,
    removed: (name: string, id: string) => `Recorded. ${name} (${id}) no longer has any rights.`,
    unknown: (id: string) => `I do not know ${id}.`,
    unchangeable: (id: string) =>
      `${id} is an admin by configuration: change TELEGRAM_ADMIN_IDS or SLACK_ADMIN_IDS on the host instead.`,
    anonymous: 'That account stands for every anonymous admin of every group; it gets no rights.',
  },
  replies: {
    now: (label: string, state: string) => `${label} ${state}.`,
    wrong: (form: string) => `Write it like this: ${form}`,
    unknown: (name: string) => `I do not know /${name}.`,
    noRun: (id: string) => `There is no run ${id}.`,
    recent: 'Recent runs:',
    approved: (label: string) => `Recorded: ${label} is approved.`,
    signed: (label: string) => `Recorded: your signature on ${label}. More are needed.`,
    edited: 'Recorded. The new words are being checked; a new card follows, or the reason why not.',
    lookFirst: 'Look at this card first; then confirm again.',
    notForOpening: {
      push: 'This card asks for a push, not a pull request. Use its buttons to decide.',
      reply:
        'This card asks to post answers to a review, not to open a pull request. Use its buttons to decide.',
    },
    riskFirst: 'This change is high risk. Read what is flagged below, then confirm again.',
    merge: (pull: string | null) => `Merging is always up to you: I never do it.${pull ? ` ${pull}` : ''}`,
    noneFits: 'No run allows that right now. /status lists them all.',
    notNow: (label: string, state: string) => `That cannot be done now: ${label} ${state}.`,
    toldLater: (state: string) =>
      `No agent is listening now: the run ${state}. Pause it first, or wait for its card.`,
    whichOne: 'Which run? Name it by its repository, its id or its place in /status.',
    busy: 'I may only send so many messages here, so I left your last questions unanswered. Ask again once these answers have arrived.',
    answeredDirectly: 'I answer in our direct messages.',
    givenUp: (why: string) =>
      `I could not do that, and changed nothing: ${why} The log on the host says more.`,
  },
  tap: {
    forged: 'This button was not made by me, or its key was retired. Ask for a fresh card with /pending.',
    foreign: 'This button belongs to another chat.',
    stale: 'This card was replaced by a newer one; use that one.',
    unsent: 'This card is still being recorded. Tap again in a moment.',
    busy: 'Too many answers are still on their way. Tap again once they have arrived.',
    gone: 'What this button was for is no longer known. Ask for a fresh card with /pending.',
    approvedBy: (name: string) => `Already approved${name ? ` by ${name}` : ''}.`,
    deniedAlready: (reason: string) => `Already closed: ${reason}`,
    expired: (time: string) => `This card expired at ${time}. A new one is below.`,
    voided: (reason: string) => `This card is void: ${reason}`,
    moved: 'What this card showed is not what would be published now. Look at the newest card.',
    movedOn: (state: string) => `The run has moved on since this message: it ${state}.`,
    lapsed: (names: string, run: string) =>
      `${names} signed this card but may no longer approve. /deny ${run}, then /retry ${run} for a new card.`,
    notArmed: 'Confirm is for whoever tapped the button before it. Tap that one first.',
    armedOver: (time: string) =>
      `Confirm was good for a minute, until ${time}. Tap the button before it again.`,
    arm: 'Tap Confirm within 60 seconds.',
    readFirst: 'High risk: read what is flagged below, then tap again.',
    disarmed: 'Nothing was done.',
    approved: 'Recorded: approved.',
    signed: 'Recorded: signed. More signatures are needed.',
    denied: 'Recorded: denied.',
    done: 'Recorded.',
    duplicate: 'That tap was recorded before.',
    shown: 'See below.',
    passed: 'Recorded: the agent gets these words.',
    passedAlready: (name: string) => `Already passed on by ${name}.`,
    longer: 'The words are longer than this message shows. Read all of them below, then tap again.',
  },
  connection: {
    party: {
      chat: (name: string) => name,
      forge: (name: string) => name,
      engine: (name: string) => `Engine ${name}`,
    },
    away: 'cannot be used',
    back: (time: string) => `works again after ${time}`,
    meanwhile: {
      chat: 'Nothing you sent is lost: it is handled now.',
      forge: 'Runs that waited for it go on.',
      engine: 'Runs that failed without it can be retried.',
    },
  },
  foreign: {
    what: (sha: string, commits: number) =>
      commits === 1 ? `Commit ${sha}` : `${countWords(commits, 'commit', 'commits')} up to ${sha}`,
    by: (author: string) => `by ${author}`,
    size: (files: number, added: number, deleted: number) =>
      `${countWords(files, 'file', 'files')}, +${added} −${deleted} since our last push`,
    over: 'It was pushed over our commits (force-push): they are no longer on the branch.',
    reading: 'It is being read…',
    taking: (by: string) => `${by} is taking it; the code host is asked once more…`,
    choose: 'Take it to go on from there, remove it on the code host, or cancel the run.',
  },
};

export type AnswerTexts = typeof enAnswers;
