/** English descriptions of the built-in policies and their decisions, for the command line. */
import { isBuiltIn, REPOSITORY_FILE, type BUILT_IN_POLICIES, type AssessmentExplanation } from '#governor';
import { enComposed } from './sentences.ts';

export type PolicyDescription = {
  guards: string;
  allows: string | null;
  escalates: string | null;
  denies: string | null;
};

const about = (guards: string, more: Partial<Omit<PolicyDescription, 'guards'>>): PolicyDescription => ({
  guards,
  allows: null,
  escalates: null,
  denies: null,
  ...more,
});

export const policyAbout: Record<keyof typeof BUILT_IN_POLICIES, PolicyDescription> = {
  'no-secrets': about('keys and tokens stay private', {
    denies:
      'an added line, a name or a word that becomes public looks like a key or token, or a file is there for keys',
    escalates: 'what is added or said may be a secret, or a file may be there for keys',
  }),
  'hidden-lines': about('what is signed is what is shown', {
    escalates: 'a line of the change is not shown as it is, because a secret in it is hidden',
  }),
  'no-write-outside-workspace': about('only files of the repository are touched', {
    denies: 'a path or a command leaves the workspace or reaches into .git',
  }),
  'no-symlink-escape': about('links stay in the repository', {
    denies: 'a symbolic link points out of the repository',
  }),
  'no-gitlinks': about('no other repository is pulled in', {
    escalates: 'a submodule is removed',
    denies: 'a submodule pointer is added or moved',
  }),
  'no-binary': about('a person can read what is published', {
    escalates: 'a file is binary, points to one that is stored elsewhere, or should be stored elsewhere',
    denies: 'a file is too large to be looked through',
  }),
  'hidden-text': about('what is read is what is there', {
    escalates:
      'invisible characters, mixed scripts in a word, a line too long to be read, or a change of whitespace alone',
    denies: 'bidirectional controls reorder a text on screen',
  }),
  'no-odd-files': about('only plain files come out of a workspace', {
    escalates: 'the agent left nested repositories, special or linked files, bad names, or too large ones',
  }),
  'no-workflow-edit-without-human': about('what CI runs', { escalates: 'a CI file changes' }),
  'agent-config-changed': about('what steers coding agents', {
    escalates: 'a file that coding agents obey changes',
  }),
  'trust-roots-changed': about('where packages, hooks and submodules come from', {
    escalates: 'a file that decides it changes',
  }),
  'forbidden-paths': about('paths that the operator named', {
    denies: 'a changed path is one of them',
  }),
  'protected-paths': about('paths that need a signature', {
    escalates: 'a changed path is one of them',
  }),
  'lockfile-needs-manifest': about('dependencies change where people see it', {
    escalates: 'a lockfile changes without its manifest',
  }),
  'no-test-deletion': about('tests keep testing', {
    escalates: 'a test goes away, is skipped, checks less or loses lines',
  }),
  'max-diff-size': about('a change is small enough to be read', {
    escalates: 'it has more files, lines or bytes than the limits',
    denies: 'it does not fit a file that the chat can show whole (8 MB)',
  }),
  'no-push-to-default-branch': about('only branches of our own are pushed to', {
    denies: 'the branch is the default, the target or a protected one',
  }),
  'open-pr-limit': about('a project is not flooded', {
    escalates:
      'as many pull requests of ours are open there as the limit, the number is not known, or a first one has many lines',
  }),
  'public-text': about('words trigger nothing', {
    escalates: 'a title, text, message or branch calls somebody, closes an issue, skips CI or commands a bot',
    denies: 'a comment or reply commands a bot, which could merge',
  }),
  'comment-length': about('a comment is worth reading', {
    escalates: 'it is longer than the limit',
    denies: 'it is empty, or longer than the code host takes',
  }),
  'comment-needs-human': about('nothing is said under our name unread', {
    escalates: 'a comment or reply is about to be posted: always',
  }),
  'contribution-rules': about('what the project asks for', {
    escalates: 'a rule is not kept, only a person can keep it, or the rules are not known',
    denies: 'the project does not want changes made by agents',
  }),
  'checks-must-pass': about('what is published was seen to work', {
    escalates: 'no check could be run',
    denies: 'a check failed or did not end',
  }),
  'judges-changed': about('what judges a change is not changed unseen', {
    escalates: 'a changed file is named by a check command, or read by a runner',
  }),
  'no-high-risk-command': about('commands that lose or hide things', {
    escalates: 'a command can lose or hide things, or cannot be read',
    denies: 'a command takes rights, publishes, or destroys what cannot be brought back',
  }),
  'no-network-without-human': about('the network', { escalates: 'a command uses the network' }),
  'known-command': about('commands that only read or check', { allows: 'every part of a command is known' }),
  'high-risk-needs-human': about('a person signs what is dangerous', {
    escalates: 'the risk is high, or above low where others are reading already',
  }),
  'small-change': about('the usual case', {
    allows: 'a small change to plain files, checks green, nothing that raises the risk',
  }),
  'explicit-allow': about('nothing passes by being forgotten', {
    escalates: 'no policy allows it by itself',
  }),
};

type PolicyStatement = AssessmentExplanation['objections'][number];
type PossibleAction = AssessmentExplanation['can'][number];
type RuleSource = Extract<PossibleAction, { kind: 'change_settings' }>['settings'][number];

const SAID = { allow: 'allowed', escalate: 'a person decides', deny: 'denied' } as const;
const POLICY_ACTION_MARKS = { allow: '·', escalate: '?', deny: '✘' } as const;

const line = ({ policy, verdict, reason }: PolicyStatement): string => {
  const guards = isBuiltIn(policy) ? ` (guards: ${policyAbout[policy].guards})` : '';
  return `  ${POLICY_ACTION_MARKS[verdict]} ${policy}: ${enComposed.judgement(reason)}${guards}`;
};

const setting = ({ kind, name }: RuleSource): string =>
  kind === 'own_policy' ? `the entry ${name} of policies.custom` : `policies.${name}`;

export const enPossibleAction = (what: PossibleAction): string => {
  switch (what.kind) {
    case 'deny':
      return 'Nobody can sign this: have the change made differently (retry it: the agent is told the reasons), or end the run.';
    case 'escalate':
      return 'Read the card and sign it, or deny it with a reason, which the agent is told.';
    case 'allow':
      return 'Nothing stands in the way; a pull request is still opened only after somebody signed it.';
    case 'change_settings':
      return `The operator may change ${what.settings.map(setting).join(', ')} in agentpr.config.json; that makes a new assessment.`;
    case 'repository_file':
      return `What is called repository:… stands in ${REPOSITORY_FILE} on the base branch.`;
  }
};

/** Returns unescaped lines; callers must escape them, because reasons quote the repository. */
export const enExplanation = (e: AssessmentExplanation): string[] => [
  `${SAID[e.decision]}, ${e.risk} risk, by policies ${e.policyVersion}`,
  ...[...e.objections, ...e.others].map(line),
  ...e.raised.map((f) => `  ${f.level} risk, ${f.id}: ${enComposed.judgement(f.reason)}`),
  ...e.can.map((what) => `  → ${enPossibleAction(what)}`),
];
