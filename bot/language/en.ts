/** English: every sentence that the bot says. Plain text: whoever shows it escapes it. */
import type { CheckResult, Containment } from '../../orchestrator/core/facts.ts';
import type { State } from '../../orchestrator/core/states.ts';
import type { Verdict } from '../../orchestrator/core/machine/verdict.ts';
import type { Role } from '../roles.ts';
import type { LeftOut, Nature } from '../views/scene.ts';
import type { InertHint } from '../updates.ts';
import { answers } from './en-answers.ts';
import { feedback } from './en-feedback.ts';
import { notes } from './en-notes.ts';
import { reasons } from './en-reasons.ts';
import { refusals } from './en-refusals.ts';
import { judgement } from './en-judgements.ts';
import { findingNote, findings } from './en-findings.ts';
import { sight } from './en-sight.ts';
import { budgets, why } from './en-why.ts';

/** What a run does: each goes after its name, and stands alone as well. */
const states: Record<State, string> = {
  QUEUED: 'waits for a free slot',
  DISCOVERY: 'reads the repository',
  PLAN_READY: 'is ready to start',
  IMPLEMENTING: 'is in the agent’s hands',
  LOCAL_VALIDATING: 'runs our checks',
  PUSHED: 'waits for your decision',
  CI_WAIT: 'waits for the checks of the repository',
  REVIEW_WAIT: 'waits for a review',
  ITERATING: 'is getting a fix',
  PAUSED: 'is paused',
  DONE: 'is done',
  SKIPPED: 'was skipped',
  NEEDS_HUMAN_REVIEW: 'needs you',
  FAILED_RETRYABLE: 'failed; it tries again by itself',
  FAILED_TERMINAL: 'has failed',
};

/** F3: what the checks of the code host say. Silence is never called green. */
const verdicts: Record<Verdict, string> = {
  RED: 'Checks are red.',
  PENDING: 'Checks are not finished.',
  GREEN: 'All checks are green.',
  GREEN_REQUIRED: 'The required checks are green, others are not.',
  GREEN_SEEN: 'What may be read is green. Some checks may not be read: look at them on GitHub.',
  AWAITING_MAINTAINER: 'A maintainer must allow the checks to run.',
  NO_CI: 'No checks ran: nothing was tested there.',
};

const hints: Record<InertHint, string> = {
  edited: 'Edited messages never act. Send it again as a new message.',
  forwarded: 'Forwarded messages never act. Write the command yourself.',
  anonymous: 'Anonymous admins and channels cannot give commands. Write as yourself.',
  textless:
    'I read text only. What comes with a picture, a file or a voice is not taken: write it as a message.',
  inline: 'Inline messages never act. Use the buttons in this chat.',
};

const roleNames: Record<Role, string> = {
  viewer: 'viewer',
  operator: 'operator',
  approver: 'approver',
  admin: 'admin',
};
const containment: Record<Containment, string> = {
  bwrap: 'bubblewrap',
  unshare: 'namespaces',
  group: 'a process group',
};
const outcomes: Record<CheckResult['outcome'], string> = {
  passed: 'passed',
  failed: 'failed',
  timed_out: 'timed out',
  not_run: 'not run',
};

const natures: Record<Nature, string> = {
  renamed: 'renamed',
  executable: 'made executable',
  notExecutable: 'no longer executable',
  link: 'link',
  submodule: 'submodule',
  lineEndings: 'line endings only',
  blanks: 'blanks only',
  lfs: 'LFS pointer',
  lfsRaw: 'should be in LFS',
};
const leftOut: Record<LeftOut, string> = {
  nested_repository: 'nested repository',
  hard_link: 'linked from outside',
  bad_name: 'bad name',
  too_large: 'too large',
  skipped_ignored: 'ignored by the repository',
};

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const counted = (n: number, one: string, many: string): string => (n === 1 ? `1 ${one}` : `${n} ${many}`);

export type Language = 'en' | 'zh';

export const en = {
  code: 'en' as Language,
  /** Its own name. */
  name: 'English',
  calendar: {
    weekdays: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
    date: (day: number, month: number) => `${day} ${MONTHS[month - 1] ?? ''}`,
  },
  /** Why a policy, the risk or a grade judges as it does. */
  judgement,
  findings,
  findingNote,
  states,
  doing: {
    card: 'waits for your decision on the card',
    opening: 'is opening the pull request',
    pushing: 'is pushing',
  },
  verdicts,
  hints,
  roles: {
    names: roleNames,
    stranger: (id: number) => `I do not know you yet. Ask an admin to add your Telegram id: ${id}`,
    needs: (role: Role) => `Only ${role}s may do that; ask an admin.`,
  },
  card: {
    ready: 'READY',
    push: 'PUSH',
    fix: 'FIX',
    closed: {
      approved: 'APPROVED',
      opened: 'PR OPENED',
      denied: 'DENIED',
      expired: 'EXPIRED',
      void: 'VOID',
      failed: 'NOT OPENED',
    },
    run: (id: string) => `run ${id}`,
    files: (n: number) => counted(n, 'file', 'files'),
    inAll: (size: string) => `${size} in all`,
    fixFor: (pull: number, no: string) => `${no} for pull request #${pull}`,
    binary: 'binary',
    deleted: 'deleted',
    moreFiles: (n: number, added: number, deleted: number) => `… and ${n} more (+${added} −${deleted})`,
    checks: (passed: number, all: number) =>
      all === 0 ? 'no checks ran ⚠' : `checks ${passed}/${all}${passed < all ? ' ⚠' : ''}`,
    risk: (level: 'low' | 'medium' | 'high') => `${level === 'low' ? '' : '⚠ '}Risk ${level}`,
    more: (n: number) => ` (+${n} more)`,
    conflicts: (base: string) => `conflicts with ${base}`,
    behind: (base: string) => `${base} has moved on`,
    merges: (ref: string, sha: string, n: number) =>
      `merges ${ref} ${sha}: ${counted(n, 'commit', 'commits')}`,
    theirs: (sha: string, author: string, by: string) => `includes ${sha} by ${author}, taken by ${by}`,
    sealed: 'sealed',
    decide: 'Decide',
    edited: (name: string) => `words changed by ${name}`,
    requested: (name: string) => `asked by ${name}`,
    contained: (how: Containment) => `contained only by ${containment[how]}`,
    hiddenLines: (n: number) => `${counted(n, 'line', 'lines')} hidden as secret`,
    skipped: (n: number, kinds: string) => `${counted(n, 'file', 'files')} left out: ${kinds}`,
    leftOut,
    natures,
    signed: (have: number, needed: number, names: string) => `${have} of ${needed} signed: ${names}`,
    armed: (what: string) => `Tap Confirm to ${what}; it lapses`,
    openIt: 'open the pull request',
    pushIt: 'push',
    pushFix: 'push the fix',
    commit: (subject: string) => `commit ${subject}`,
    notQuoted: (lines: number, files: number) =>
      `… ${counted(lines, 'more line', 'more lines')} in ${counted(files, 'file', 'files')}: Diff has all of it`,
    omitted: (bytes: number) => `… ${bytes} bytes fit no file`,
    by: (name: string) => `approved by ${name}`,
    opening: 'opening the pull request…',
    pushing: 'pushing…',
    openedAs: (n: number) => `Pull request #${n} opened`,
    notOpened: 'but it was not opened:',
    newerBelow: 'A new card is below.',
    sealMark: (digest: string) => `seal ${digest}`,
  },
  denial: {
    title: 'DENY?',
    ask: 'Deny this card with your words? The agent is told them.',
  },
  advice: {
    title: 'GO ON?',
    ask: 'Go on with your words? The agent is told them from here on.',
  },
  comment: {
    access: { write: 'may write', read: 'stranger', unknown: 'unknown rights' },
    on: (run: string) => `on ${run}`,
    omitted: (n: number) => `… ${counted(n, 'more character', 'more characters')}`,
    passedBy: (name: string) => `Passed on to the agent by ${name}.`,
  },
  buttons: {
    open: (sha: string) => `Open PR ${sha}`,
    push: (sha: string) => `Push ${sha}`,
    pushFix: (sha: string) => `Push fix ${sha}`,
    ok: (sha: string) => `Confirm ${sha}`,
    back: 'Back',
    deny: 'Deny',
    denySo: 'Deny with these words',
    retrySo: 'Retry with these words',
    resumeSo: 'Resume with these words',
    why: 'Which policy?',
    risk: 'Review risks',
    diff: 'Diff',
    text: 'Text',
    detail: 'Details',
    retry: 'Retry',
    resume: 'Resume',
    cancel: 'Cancel run',
    start: 'Start',
    rerun: 'Re-run CI',
    update: 'Update from base',
    take: (sha: string) => `Take their commit ${sha}`,
    card: 'Show the card',
    fix: 'Let the agent do it',
  },
  progress: {
    created: 'started',
    repeat: '(repeat)',
    stray: (chat: number) => `The chat ${chat} takes no messages of mine, so you get this one:`,
    fix: (n: number, of: number) => `fix ${n} of ${of}`,
    agent: 'the agent works',
    plan: (done: number, of: number) => `plan ${done} of ${of} steps`,
    check: (name: string) => `our check ${name} runs`,
    moreChecks: (n: number) => `+${n} more`,
  },
  attention: {
    title: {
      plan: 'PLAN',
      human: 'NEEDS YOU',
      paused: 'PAUSED',
      retry: 'FAILED',
      waits: 'STILL WAITING',
      past: 'MOVED ON',
    },
    over: (state: string) => `This has moved on: it ${state}.`,
  },
  ended: {
    done: 'DONE',
    skipped: 'SKIPPED',
    failed: 'FAILED',
    cancelled: { title: 'CANCELLED', did: 'was cancelled' },
    denied: { title: 'DENIED', did: 'was denied' },
    closed: {
      title: (by: string | null) => `CLOSED BY ${by ?? 'A MAINTAINER'}`,
      did: (by: string | null) => `was closed by ${by ?? 'a maintainer'}`,
    },
    took: (time: string) => `took ${time}`,
  },
  fleet: {
    title: (live: number) => counted(live, 'run is live', 'runs are live'),
    none: 'Nothing is running. Start with /new owner/name what to change',
    attention: 'Most worth your attention',
    calm: 'Nothing waits for you.',
    runs: 'Newest runs',
    noRuns: 'There are no runs yet. Start with /new owner/name what to change',
    pending: (n: number) => counted(n, 'thing waits for a person', 'things wait for a person'),
    more: (n: number) => `… and ${n} more`,
    waits: {
      approval: 'decide on the card',
      human: 'needs you',
      paused: 'is paused',
      plan: 'look at the plan',
    },
  },
  detail: {
    goal: 'Goal',
    asked: (name: string, engine: string) => `asked by ${name} · ${engine}`,
    change: 'Change',
    seal: 'Seal',
    body: 'Description of the pull request',
    policies: 'Policies',
    noPolicies: 'no policy objected',
    outcomes,
    attempts: 'Attempts',
    spent: (n: number, of: number, time: string, tokens: number) =>
      `${n} of ${of} fix rounds · worked ${time} · ${tokens} tokens`,
  },
  grade: {
    title: 'Grade',
    earlier: 'Grades of all tries',
    levels: { PASS: 'PASS', NEEDS_REVIEW: 'NEEDS REVIEW', FAIL: 'FAIL' },
    judgedBy: 'judged by',
  },
  policies: {
    actions: { push: 'push', open_pr: 'opening' },
    decisions: { deny: 'denied', escalate: 'a person decides', allow: 'allowed' },
    fact: 'fact',
    can: {
      deny: 'Nobody can sign this. Retry: the agent is told the reasons; or end the run.',
      escalate: 'Read it and sign it, or deny it with a reason, which the agent is told.',
      allow: 'Ready for approval.',
    },
  },
  risk: {
    title: 'What to look at before deciding',
    findings: 'Findings',
    nothing: 'No single line is flagged; the reasons above say why.',
  },
  diff: {
    caption: (repo: string, id: string, sha: string) => `${repo} · ${id} · ${sha}`,
    fix: (sha: string) => `what the fix changes since ${sha}`,
    omitted: (bytes: number) => `${bytes} bytes do not fit`,
    hidden: (n: number) =>
      `${counted(n, 'line has', 'lines have')} a secret hidden and ${n === 1 ? 'ends' : 'end'} with ⟦hidden⟧`,
    signs: '⟦…⟧ is what you could not see: bytes (⟦0d⟧) or a character (⟦U+202E⟧)',
    none: (id: string) => `Run ${id} has no change to show yet.`,
  },
  text: {
    heading: 'TEXT',
    branch: 'Branch',
    author: 'Author',
    commit: (n: number, of: number) => (of === 1 ? 'Commit message' : `Commit message ${n} of ${of}`),
    title: 'Title of the pull request',
    body: 'Description of the pull request',
    receipt: '(then one line of receipt: run, seal, policies and the name of who approves)',
  },
  ...answers,
  sight,
  budgets,
  why,
  reasons,
  refusals,
  notes,
  feedback,
};

/** What a language has to say; another one joins by giving a table of this type. */
export type Words = typeof en;
