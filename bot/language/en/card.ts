/** English texts for cards, replies to them, and buttons. Plain text, not escaped. */
import type { ContainmentLevel, ExposedCredential } from '../../../orchestrator/model/change-records.ts';
import type { PersonalRequirement } from '../../../orchestrator/model/contributor-requirements.ts';
import type { EnvironmentGap } from '../../../orchestrator/model/environment-gap.ts';
import { enEnvironmentGap } from './base.ts';
import { countWords } from '../../../orchestrator/model/text-format.ts';

const containment: Record<ContainmentLevel, string> = {
  bwrap: 'bubblewrap',
  unshare: 'namespaces',
  group: 'a process group',
};
const natures = {
  renamed: 'renamed',
  executable: 'made executable',
  notExecutable: 'no longer executable',
  link: 'link',
  submodule: 'submodule',
  lineEndings: 'line endings only',
  blanks: 'whitespace only',
  lfs: 'LFS pointer',
  lfsRaw: 'should be in LFS',
  filterRaw: 'not encrypted or filtered',
};
const leftOut = {
  nested_repository: 'nested repository',
  hard_link: 'linked from outside',
  bad_name: 'bad name',
  too_large: 'too large',
  skipped_ignored: 'ignored by the repository',
};

const inFiles = (lines: string, files: number): string =>
  `${lines === '' ? '' : `${lines} in `}${countWords(files, 'file', 'files')}`;

export const enCard = {
  /** `name` and `base` are already markup. */
  evidence: {
    none: 'no checks ran',
    passed: (name: string) => `${name} passed`,
    again: (name: string) => `${name} passed (flaky: failed at the first try)`,
    fixed: (name: string, base: string) => `${name}: failed on ${base}, passes now`,
    redFirst: (name: string, base: string) => `${name} passed; the new tests fail on ${base}, as they should`,
    greenFirst: (name: string, base: string) => `${name} passed, but the new tests also pass on ${base}`,
    untried: (name: string, base: string) => `${name} passed; the new tests could not be tried on ${base}`,
    lucky: (name: string, base: string) =>
      `${name} is flaky: it passed here, but passes only now and then on ${base}`,
    failed: (name: string) => `${name} failed`,
    timedOut: (name: string) => `${name} took too long and was ended`,
    redBefore: (name: string, base: string) => `${name} fails, and fails on ${base} too`,
    notJudged: (name: string, why: string) => `${name} fails here with and without the change: ${why}`,
    withheld: (name: string, why: string) => `${name} was not run here: ${why}`,
    environmentGap: (environmentGap: EnvironmentGap): string => enEnvironmentGap(environmentGap),
    waived: (name: string) => `${name} fails; somebody chose to go on without it`,
    notRun: (name: string) => `${name} could not be run here`,
    ranNoTest: (name: string) => `${name} ran no test`,
    more: (passed: number, others: number) =>
      [
        passed > 0 ? `✓ ${countWords(passed, 'more check', 'more checks')} passed` : '',
        others > 0 ? `⚠ ${countWords(others, 'more check', 'more checks')} did not` : '',
      ]
        .filter(Boolean)
        .join(' · '),
    moreCautions: (n: number, high: boolean) =>
      `… and ${countWords(n, 'more caution', 'more cautions')}: see ${high ? 'Review risks' : 'More'}`,
  },
  card: {
    closed: {
      approved: 'Approved',
      denied: 'Denied',
      changes: 'Changes asked for',
      expired: 'Expired',
      void: 'No longer valid',
      failed: 'Not opened',
    },
    /** The first line is all that a notification shows. */
    asks: {
      open: (repo: string) => `Open this pull request in ${repo}?`,
      both: (repo: string) => `Push this and open a pull request in ${repo}?`,
      push: (repo: string) => `Push this to ${repo}?`,
      fix: (pull: string, repo: string) => `Push this fix to ${pull} in ${repo}?`,
    },
    sizes: {
      small: (lines: string, files: number) => `small change: ${inFiles(lines, files)}`,
      medium: (lines: string, files: number) => `medium-sized change: ${inFiles(lines, files)}`,
      large: (lines: string, files: number) => `large change: ${inFiles(lines, files)}`,
    },
    riskByChecks: (level: 'low' | 'medium' | 'high') => `${level} risk because of the checks`,
    riskUntested: (level: 'low' | 'medium' | 'high') => `${level} risk because nothing was tested`,
    otherFiles: 'Other files:',
    hunkAt: (line: number) => `line ${line}:`,
    undecided: ', or you are asked again',
    does: {
      open: 'open the pull request',
      both: 'push the branch and open the pull request',
      push: 'push',
      fix: 'push the fix',
    },
    next: 'Nobody has decided yet, and three quarters of the time is up: it is your turn.',
    run: (id: string) => `run ${id}`,
    files: (n: number) => countWords(n, 'file', 'files'),
    inAll: (size: string) => `${size} in all`,
    toFork: (fork: string) => `Pushes to ${fork}, a fork`,
    rivals: (all: string) => `Somebody else is at it: ${all}`,
    forecast: (merged: number, closed: number, alike: string, time: string) =>
      `Lately ${merged} of ${closed} pull requests of outsiders were merged there${alike}; half ended within ${time}`,
    forecastAlike: (merged: number, closed: number) => ` (${merged} of ${closed} like this one)`,
    rival: (who: string, pull: string, by: 'issue' | 'files') =>
      `${who} in pull request ${pull} (same ${by})`,
    askedAgain: (asked: string) => `Made again after: “${asked}”`,
    leftFixes: (titles: string) => `Changed nothing, and left out: ${titles}`,
    describes: 'Also updates the description of the pull request (see PR text)',
    binary: 'binary',
    deleted: 'deleted',
    moreFiles: (n: number, added: number, deleted: number) => `… and ${n} more (+${added} −${deleted})`,
    checks: (passed: number, all: number, before: { n: number; ref: string; untested: number }) => {
      if (all === 0) return 'no checks ran ⚠';
      if (passed === all) return `${countWords(all, 'check', 'checks')} passed`;
      const too = before.n > 0 ? `, ${countWords(before.n, 'fails', 'fail')} on ${before.ref} too` : '';
      const none = before.untested > 0 ? `, ${before.untested} ran no test` : '';
      return `${passed} of ${countWords(all, 'check', 'checks')} passed${none}${too} ⚠`;
    },
    risk: (level: 'low' | 'medium' | 'high') => `${level} risk`,
    more: (n: number) => ` (+${n} more)`,
    conflicts: (base: string) => `Conflicts with ${base}: cannot be merged before an update`,
    behind: (base: string) => `${base} has moved on`,
    merges: (ref: string, sha: string, n: number) =>
      `Merges ${ref} ${sha}: ${countWords(n, 'commit', 'commits')}`,
    theirs: (sha: string, author: string, by: string) => `Includes ${sha} by ${author}, taken by ${by}`,
    decide: 'Decide',
    into: (base: string) => `pull request into ${base}`,
    edited: (name: string) => `words changed by ${name}`,
    requested: (name: string) => `asked by ${name}`,
    contained: (how: ContainmentLevel) => `contained only by ${containment[how]}`,
    lends: {
      key: 'the agent could read its model key',
      sign_in: 'the agent could read its sign-in',
    } satisfies Record<ExposedCredential, string>,
    unsigned: (base: string) => `${base} takes only signed commits; this one is not signed`,
    hiddenLines: (n: number) => `${countWords(n, 'line', 'lines')} hidden as secret`,
    skipped: (n: number, kinds: string) => `${countWords(n, 'file', 'files')} left out: ${kinds}`,
    leftOut,
    natures,
    signed: (have: number, needed: number, names: string) =>
      have === 0
        ? `${countWords(needed, 'person', 'people')} must approve this`
        : have >= needed
          ? `${have} of ${needed} approvals: ${names}`
          : `${have} of ${needed} approvals: ${names} · ${have + 1 === needed ? 'yours is the last' : `yours makes it ${have + 1} of ${needed}`}`,
    armed: (what: string) => `Tap Confirm to ${what}. The button expires`,
    notQuoted: (lines: number, files: number) =>
      `… ${countWords(lines, 'more line', 'more lines')} in ${countWords(files, 'file', 'files')}: Diff shows all of it`,
    omitted: (bytes: number) => `… ${bytes} bytes do not fit in the file`,
    by: (name: string) => `approved by ${name}`,
    opening: 'opening the pull request…',
    pushing: 'pushing…',
    openedAs: (pull: string) => `Pull request ${pull} opened`,
    notOpened: 'but it was not opened:',
    newerBelow: 'A new card is below.',
    record: (run: string, digest: string) => `run ${run} · digest ${digest}`,
    sealMark: (digest: string) => `digest ${digest}`,
  },
  proposal: {
    title: 'Tap to do this',
    which: 'Which of these?',
    over: 'Things have moved on: nothing was done.',
    overrule:
      'The run goes on despite this rule. Your reason is kept and shown on each card, and the change counts as high risk.',
    several: (does: string, n: number) => `${does} · ${countWords(n, 'run', 'runs')}`,
    upTo: (does: string, limits: string) => `${does} with up to ${limits}`,
    answers: {
      issue: 'This is the issue',
      cla: 'I have signed the agreement',
      words: 'Publish these words as mine',
      sign_off: 'Sign off with this, now and later',
      template: 'This answers the template',
    } satisfies Record<PersonalRequirement, string>,
    does: {
      answer: 'Answer',
      retry: 'Retry',
      resume: 'Resume',
      pause: 'Pause',
      cancel: 'Cancel for good',
      skip: 'Skip',
      update: 'Update from base',
      revoke: 'Ask me again',
      deny: 'Deny',
      changes: 'Ask for these changes',
      fix: 'Let the agent do it',
      overrule: 'This rule is about something else',
      done: 'Mark as done',
      new: 'Start',
      settings: 'Change the language',
      status: 'Status',
      pending: 'Pending',
      runs: 'Runs',
      detail: 'Details',
      diff: 'Diff',
      log: 'Log',
      plan: 'Plan',
      budget: 'Budget',
    },
  },
  triage: {
    title: 'REVIEW',
    begun: 'REVIEW, IN PROGRESS',
    from: (names: string, n: number) => `${names} · ${countWords(n, 'remark', 'remarks')}`,
    whole: 'the whole change',
    choices: { apply: 'Apply', fix: 'Fix', reply: 'Answer', ignore: 'Ignore' },
    since: {
      edited: 'edited since',
      withdrawn: 'the review was dismissed',
      gone: 'deleted since',
      rights_lost: 'its author no longer has write access',
    },
    answer: 'Answer:',
    noAnswer: (no: number) => `No answer yet: reply to this message with “${no} your answer”.`,
    how: 'Tap a number to change what is done about it. Nothing is posted or changed until you start.',
    page: (n: number, of: number) => `page ${n} of ${of}`,
    did: (by: string, fix: number, reply: number, ignore: number) =>
      `${by} chose: ${fix} to fix, ${reply} to answer, ${ignore} to ignore.`,
    file: 'remark',
    changed: (no: number, choice: string) => `${no}: ${choice}`,
    saidFor: (no: number) => `Kept as the answer to ${no}. It is posted only when you sign it.`,
    whichOne: 'Which remark? Begin with its number, like “2 This is on purpose because …”.',
    readAll: 'Some remarks are longer than the card shows. Read all of them below, then tap again.',
    over: 'That review has already been dealt with.',
  },
  replying: {
    title: 'ANSWERS',
    to: (name: string) => `to ${name}`,
    again: (names: string) => `asks ${names} to review again`,
    mark: 'Each ends with a hidden line that marks it as posted.',
    post: 'Post',
    postThem: 'post the answers',
    posting: 'posting the answers…',
    how: {
      posted: 'posted',
      gone: 'not posted: the remark is gone',
      locked: 'not posted: the conversation is locked',
      refused: 'not posted',
    },
    closed: 'ANSWERED',
    asked: { asked: 'They were asked to review again.', failed: 'They could not be asked to review again.' },
    wordsOf: { person: 'a person’s words', agent: 'the agent’s words', product: 'AgentPR’s words' },
    long: 'The answers are longer than this card shows. Read all of them below, then tap again.',
    thread: 'Thread',
    conversation: 'the conversation',
  },
  openRemarks: {
    title: 'SOMEBODY WAITS FOR AN ANSWER',
    waits: (n: number) => `${countWords(n, 'remark', 'remarks')} without an answer, the oldest of`,
    more: (n: number) => `… and ${countWords(n, 'more remark', 'more remarks')}`,
    how: 'Answer on the pull request, or let the agent do what is asked.',
    howOnCard: 'The card of the review is still open: choose there, or answer on the pull request.',
    mayClose: 'If nobody will go on with it, close it with a sentence of yours.',
    answered: 'They are answered',
    close: 'Close with a sentence',
    askBelow: 'Reply to the message below.',
    ask: 'With which sentence is the pull request closed? Write it here: it is published as you write it, above the description.',
    closing: 'The pull request is being closed with your sentence.',
    over: 'Nobody waits for an answer any more.',
  },
  comment: {
    bot: 'a program',
    access: { write: 'may write', read: 'stranger', unknown: 'unknown rights' },
    on: (run: string) => `on ${run}`,
    omitted: (n: number) => `… ${countWords(n, 'more character', 'more characters')}`,
    passedBy: (name: string) => `Passed on to the agent by ${name}.`,
    answer: 'Answer',
    askBelow: 'Reply to the message below.',
    ask: 'What do you answer? Write it here: it is shown for your signature, and then published as you write it.',
    answering: 'A card with your answer comes next.',
  },
  waysOut: {
    pull: 'View the pull request',
    compare: 'Compare on the web',
    branch: 'Branch',
    commit: 'Commit',
    checkout: 'Checkout',
  },
  buttons: {
    open: 'Open PR',
    push: 'Push',
    pushFix: 'Push fix',
    ok: 'Confirm',
    back: 'Back',
    changes: 'Ask for changes',
    deny: 'Deny',
    look: 'Show the run',
    why: 'Which policy?',
    risk: 'Review risks',
    diff: 'Diff',
    text: 'PR text',
    whole: 'All of it',
    more: 'More',
    detail: 'Details',
    retry: 'Retry',
    resume: 'Resume',
    cancel: 'Cancel run',
    start: 'Start',
    rerun: 'Re-run CI',
    without: 'Go on without these checks',
    update: 'Update from base',
    take: (sha: string) => `Take their commit ${sha}`,
    card: 'Show the card',
    fix: 'Let the agent do it',
    begin: (fix: number, reply: number) =>
      fix + reply === 0
        ? 'Ignore all'
        : `Start: ${[fix > 0 ? `${fix} to fix` : '', reply > 0 ? `${reply} to answer` : ''].filter(Boolean).join(', ')}`,
    remarks: 'Read all',
  },
};
