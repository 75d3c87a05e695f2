/** English texts for screens about runs, changes and risks. Plain text, not escaped. */
import { countWords } from '../../../orchestrator/model/text-format.ts';

export const enScreens = {
  fleet: {
    title: (live: number) => countWords(live, 'run is live', 'runs are live'),
    none: 'Nothing is running. Start with /new owner/name what to change',
    attention: 'What needs you most',
    calm: 'Nothing is waiting for you.',
    runs: 'Newest runs',
    noRuns: 'There are no runs yet. Start with /new owner/name what to change',
    pending: (n: number) => countWords(n, 'run is waiting for somebody', 'runs are waiting for somebody'),
    more: (n: number) => `… and ${n} more`,
    alikeQuestions: (n: number) => `${n} agents ask for the same`,
    answerAlike: (n: number) => `Answer all ${n} together`,
    decideLow: (n: number) => `Low risk: ${n} in one list`,
    noLow: 'No low-risk change that could be decided in a list is waiting.',
    next: 'Next decision',
    noNext: 'Nothing else is waiting for you.',
    does: { approval: 'Decide', human: 'See why', paused: 'Resume', plan: 'Plan' },
    waits: {
      approval: 'decide on the card',
      human: 'needs you',
      paused: 'paused',
      plan: 'look at the plan',
    },
  },
  detail: {
    asked: (name: string, when: string) => `${name} asked for this ${when}:`,
    changed: (engine: string, size: string, files: number, time: string, minutes: number) =>
      `${engine} changed ${countWords(files, 'file', 'files')} (${size}) in ${time}; about ${countWords(minutes, 'minute', 'minutes')} to review.`,
    pushed: (branch: string) => `It is on the branch ${branch}.`,
    notPushed: 'Nothing of it is pushed yet.',
    moreChecks: (n: number) => `… and ${countWords(n, 'more check', 'more checks')}: see /log`,
    policies: 'Policies',
    noPolicies: 'none objected',
    onBaseToo: (ref: string) => `fails on ${ref} too`,
    record: 'For the record',
    run: 'Run',
    commit: 'Commit',
    seal: 'Digest of what is approved',
    attempts: 'What was run',
    spent: (n: number, of: number, time: string, tokens: number) =>
      `${n} of ${of} fixes after the pull request used · ${time} of work · ${tokens} tokens`,
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
    raises: 'What raises the risk:',
    can: {
      deny: 'Nobody can sign this. Retry, and the agent is told the reasons; or end the run.',
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
      `${countWords(n, 'line has', 'lines have')} a secret hidden and ${n === 1 ? 'ends' : 'end'} with ⟦hidden⟧`,
    signs: '⟦…⟧ marks what you could not see: bytes (⟦0d⟧) or a character (⟦U+202E⟧)',
    none: (id: string) => `Run ${id} has no change to show yet.`,
  },
  text: {
    heading: 'PR text',
    branch: 'Branch',
    author: 'Author',
    signer: 'Signed with the SSH key',
    commit: (n: number, of: number) => (of === 1 ? 'Commit message' : `Commit message ${n} of ${of}`),
    title: 'Title of the pull request',
    body: 'Description of the pull request',
    newBody: 'New description of the pull request',
    receipt: (name: string | undefined) =>
      `(then one line, folded away: run, digest, policies and who approves; for you, ${name === undefined ? 'a code that stands for you' : `the name ${name}`})`,
  },
};
