/** What each policy guards, what makes it object, and which setting of the operator changes it (P3). */
import type { LIMIT_NAMES } from './settings.ts';

export type About = {
  guards: string;
  /** When it allows, escalates, or denies; null when it never does. */
  allows: string | null;
  escalates: string | null;
  denies: string | null;
  settings: readonly (typeof LIMIT_NAMES)[number][];
};

const about = (guards: string, more: Partial<Omit<About, 'guards'>>): About => ({
  guards,
  allows: null,
  escalates: null,
  denies: null,
  settings: [],
  ...more,
});

/** By policy id. */
export const CATALOGUE: Readonly<Record<string, About>> = {
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
      'invisible characters, mixed scripts in a word, a line too long to be read, or a change of blanks alone',
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
    settings: ['forbiddenPaths'],
  }),
  'protected-paths': about('paths that need a signature', {
    escalates: 'a changed path is one of them',
    settings: ['protectedPaths'],
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
    settings: ['maxFiles', 'maxLines', 'maxBytes'],
  }),
  'no-push-to-default-branch': about('only branches of our own are pushed to', {
    denies: 'the branch is the default, the target or a protected one',
    settings: ['protectedBranches'],
  }),
  'open-pr-limit': about('a project is not flooded', {
    escalates: 'as many pull requests of ours are open there as the limit, or the number is not known',
    settings: ['maxOpenPrs'],
  }),
  'public-text': about('words trigger nothing', {
    escalates: 'a title, text, message or branch calls somebody, closes an issue, skips CI or orders a bot',
    denies: 'a comment or reply orders a bot, which could merge',
  }),
  'comment-length': about('a comment is worth reading', {
    escalates: 'it is longer than the limit',
    denies: 'it is empty, or longer than the code host takes',
    settings: ['maxCommentLength'],
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
    settings: ['smallFiles', 'smallLines'],
  }),
};

/** Not a policy: the rule that what nothing allows is for a person. */
export const EXPLICIT_ALLOW = about('nothing passes by being forgotten', {
  escalates: 'no policy allows it by itself',
});

export const aboutPolicy = (id: string): About | null =>
  id === 'explicit-allow' ? EXPLICIT_ALLOW : Object.hasOwn(CATALOGUE, id) ? (CATALOGUE[id] ?? null) : null;
