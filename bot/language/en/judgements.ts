/** English reasons of policies, risk and grades. Plain text, not escaped. */
import { enComposed } from './sentences.ts';
import type { DependencyChange } from '../../../orchestrator/model/dependency-changes.ts';
import type { NotModified } from '../../../orchestrator/model/change-records.ts';
import type {
  AssessmentReason,
  AssessmentReasonOf,
  PathsKind,
  PublicPlace,
} from '../../../orchestrator/model/assessment-reasons.ts';
import { groupDigits, sayRecord, type SentenceCatalogue } from '../../text/catalogue.ts';
import { enQuotedRule, enRule, enRuleEvidence, enIssueStandings, enTitleStyles } from './rules.ts';

type Paths = { at: readonly string[]; more: number };
const paths = ({ at, more }: Paths): string => `${at.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
const about =
  (says: string) =>
  (j: AssessmentReasonOf<PathsKind>): string =>
    `${says} ${paths(j)}`;

const places: Record<PublicPlace, string> = {
  commit_message: 'the commit message',
  branch_name: 'the branch name',
  title: 'the title',
  description: 'the description',
  comment: 'the comment',
  reply: 'the reply',
  file_name: 'a file name',
};

const signals: Record<AssessmentReasonOf<'words_act'>['signal'], string> = {
  mention: 'calls somebody',
  closing_keyword: 'would close an issue',
  skip_ci: 'would skip CI',
  bot_command: 'gives a bot a command',
  trailer: 'has a trailer that speaks for somebody',
};

const traits: Record<AssessmentReasonOf<'command'>['trait'], string> = {
  leaves_workspace: 'names a path outside the workspace',
  destroys: 'takes rights or destroys what cannot be brought back',
  deletes_much: 'deletes far more than a workspace',
  writes_device: 'writes to a device',
  publishes: 'publishes; only the orchestrator pushes',
  high_risk: 'can destroy or hide things',
  changes_git: 'changes history or files through git',
  acts_on_found: 'deletes or executes what it finds',
  runs_printed: 'runs what another command prints',
  runs_unseen: 'runs a script that nobody has read',
  uses_network: 'uses the network',
  adds_packages: 'fetches packages from a registry',
  names_address: 'names an address on the network',
  reads: 'reads or checks',
  own_program: 'runs the program at that path, which need not be the one of that name',
  unknown_option: 'gets words that nobody knows to be harmless there',
  sets_environment: 'sets what can change which program runs',
  unknown: 'is not a command that is known',
};

const opacities: Record<AssessmentReasonOf<'command_opaque'>['why'], string> = {
  expands: 'it depends on what a variable or another command gives',
  open_quote: 'a quote is not closed',
  document: 'it carries a document of its own',
  subshell: 'it has a subshell or a function',
  ambiguous: 'one shell reads it otherwise than another',
  too_long: 'it is too long',
  empty: 'it is empty',
};

const inlineActs: Record<AssessmentReasonOf<'inline_program'>['acts'][number]['act'], string> = {
  network: 'uses the network',
  runs_programs: 'starts other programs',
  evaluates: 'runs code that it makes or loads',
  deletes: 'deletes files',
  writes: 'writes files',
  reads_environment: 'reads the environment',
};

const actions: Record<NonNullable<AssessmentReasonOf<'no_policy_allows'>['what']>['action'], string> = {
  push: 'the push to',
  open_pr: 'the pull request of',
  comment: 'the comment on',
  reply: 'the reply on',
  command: 'the command',
};

const dependency = ({ name, was, version, path }: DependencyChange): string => {
  if (version === null) return `this removes the dependency ${name} (${path})`;
  if (was === null) return `this adds the dependency ${[name, version].join(' ').trim()} (${path})`;
  return `this changes the dependency ${name} from ${was || 'any version'} to ${version || 'any version'} (${path})`;
};

const outcomes: Record<AssessmentReasonOf<'claim_differs'>['outcome'], string> = {
  passed: 'passed',
  failed: 'failed',
  timed_out: 'timed out',
  not_run: 'was not run',
  ran_no_test: 'ran no test',
};

const notCompared = ({ why: missed }: AssessmentReasonOf<'judges_not_compared'>): string =>
  missed.kind === 'said' ? missed.words : `no budget is left (${enComposed.budgets.names[missed.budget]})`;

export const enJudgements: SentenceCatalogue<AssessmentReason> = {
  lent_key: about('a key or sign-in that was lent to the agent is in'),
  secret: about('what looks like a secret is in'),
  likely_secret: about('what may be a secret is in'),
  key_files: about('these files hold keys or passwords by their names:'),
  likely_key_files: about('these files may hold keys or passwords by their names:'),
  leaves_workspace: about('a path leaves the workspace:'),
  link_leaves: about('a link points out of the repository:'),
  gitlink_made: about('a submodule pointer would be published:'),
  gitlink_gone: about('a submodule is removed:'),
  binary: about('nobody can read a binary file:'),
  lfs_pointer: about('it points to a large file that is not pushed:'),
  lfs_raw: about('the repository keeps it in LFS, and here its own bytes would be published:'),
  filter_raw: about(
    'the repository filters it (encrypts it, perhaps), and here its own bytes would be published:',
  ),
  not_read: about('too large to be searched, so nothing has read it:'),
  bidi_text: about('text is reordered on screen by bidirectional controls:'),
  hidden_text: about('invisible characters:'),
  not_on_windows: about('Windows cannot check out a file of this name:'),
  unseen_end: about('a name ends in a space or a dot:'),
  blanks_changed: about('only whitespace or line endings change:'),
  mixed_script: about('letters of several scripts in one word:'),
  look_alike: about('something reads as plain Latin text and is not:'),
  long_line: about('a line too long to be read:'),
  odd_files: about('the agent left files that cannot be published as they are:'),
  ci_changed: about('this changes what CI runs:'),
  agent_config_changed: about('this changes what steers coding agents:'),
  trust_root_changed: about('this changes where packages, hooks or submodules come from:'),
  forbidden_path: about('these paths may not be changed:'),
  protected_path: about('these paths need a signature:'),
  lonely_lockfile: about('a lockfile changes without its manifest:'),
  tests_gone: about('this deletes tests:'),
  tests_weaker: about('tests are skipped or check less:'),
  tests_skipped: about('tests are skipped:'),
  tests_weakened: about('tests check less:'),
  tests_thinner: about('tests lose lines, so the checks may say less:'),
  judges_changed: about('the change touches what the checks run:'),
  unreadable_path: about('a name cannot be read:'),
  hidden_path: about('a name has invisible characters:'),
  key_file_touched: about('these files may hold keys or passwords:'),
  install_time: about('this may run code on install or build:'),
  dependencies: about('this changes dependencies:'),
  attributes: about('this changes how git and reviewers see files:'),
  generated: about('these files look generated:'),
  gitlink: about('this changes a submodule pointer:'),
  symlink: about('this adds or changes a symbolic link:'),
  executable: about('this makes executable:'),
  not_executable: about('this makes no longer executable:'),
  type_changed: about('this changes what kind of file it is:'),
  deleted: about('this deletes:'),
  renamed: about('this renames:'),
  unknown_mode: about('this gives a file an unknown mode:'),
  agents_check: (j) => `only the agent found which tests to run (${paths(j)})`,
  no_policy_allows: ({ what }) =>
    `no policy allows ${what ? `${actions[what.action]} ${what.name}` : 'this'} by itself, so a person decides`,
  dependency_changes: ({ changes, more }) =>
    `${changes.map(dependency).join('; ')}${more > 0 ? ` and ${more} more` : ''}`,
  high_risk: () => 'high risk always needs a signature',
  watched: () => 'others are already reading this pull request, and the risk is above low',
  small_change: () => 'a small change to plain files, with our checks green',
  no_check: () => 'no check of this repository could be run',
  no_facts: () => 'it is not known which files change',
  no_contract: () => 'the rules of the repository are not known',
  containment_unknown: () => 'it is not known how the agent was contained',
  containment_weak: () => 'the agent ran without a sandbox, only in a process group',
  open_pulls_unknown: () => 'how many pull requests of ours are open there is not known',
  comment_empty: () => 'the comment is empty',
  comment_signed: () => 'people there read it under our name, so a person signs each comment',
  unknown_action: () => 'this kind of action is not known',
  no_changes: () => 'nothing was changed',
  claim_of_test: () => 'the agent says that it added a test; no test file gains a line',
  claim_of_green: () => 'the agent says that the checks pass; here they do not',
  found: (j) => `${enComposed.findings[j.finding]} in ${paths(j)}`,
  hidden_lines: (j) =>
    `${j.lines === 1 ? '1 line is not shown as it is' : `${j.lines} lines are not shown as they are`}, because a secret is hidden: ${paths(j)}`,
  size: ({ files, lines, bytes, over }) =>
    `this is ${over ? 'larger than the limit' : 'no small change'}: ${groupDigits(files)} files, ${groupDigits(lines)} lines${bytes > 0 ? `, ${groupDigits(bytes)} bytes` : ''}`,
  document: ({ bytes, limit }) =>
    `nobody could read the change in the chat: it takes ${bytes} bytes, a file holds ${limit}`,
  words_lent: ({ where }) => `${places[where]} has a key or sign-in that was lent to the agent`,
  words_secret: ({ where, secret }) =>
    `${places[where]} has what looks like ${enComposed.secretName(secret)}`,
  words_hidden: ({ where, how }) =>
    `${places[where]} ${how === 'bidi' ? 'is reordered on screen by bidirectional controls' : 'has invisible characters'}`,
  words_look_alike: ({ where, as, characters }) =>
    `${places[where]} has “${as}” in other letters: ${characters.join(', ')}`,
  words_act: ({ where, signal, excerpt, never }) =>
    `${places[where]} ${signals[signal]}: ${JSON.stringify(excerpt)}${never ? '; no comment of ours may' : ''}`,
  branch_guarded: ({ branch }) => `${branch} is not a branch for changes like this`,
  competing_pulls: ({ pulls }) =>
    `open for the same issue: ${pulls.map((p) => `${p.id} by ${p.author}`).join(', ')}`,
  first_pull: ({ lines, limit }) =>
    `this would be our first pull request there, and it adds ${lines} lines; first ones have at most ${limit}`,
  open_pulls: ({ count, limit }) => `${count} pull requests of ours are open there; the limit is ${limit}`,
  comment_too_long: ({ length }) => `${length} characters are more than the code host takes`,
  comment_long: ({ length, limit }) => `${length} characters are a lot to read; the limit is ${limit}`,
  rule: enRule,
  rule_kept: enRuleEvidence,
  ban_overruled: (j) => `${j.by} says that this rule is about something else (${j.why}): ${enQuotedRule(j)}`,
  issue: ({ issue, standing }) => `the issue ${issue} ${enIssueStandings[standing]}`,
  undisclosed: (j) => `${places[j.where]} does not say that an agent made it: ${enQuotedRule(j)}`,
  branch_rule: ({ branch, rule }) => `the branch ${branch} does not keep the rule ${rule}`,
  title_rule: ({ title, style, asked, place }) =>
    `the title is not ${enTitleStyles[style]}${asked === undefined ? '' : ` (${asked})`}: ${JSON.stringify(title)}${place ? `; ${enQuotedRule(place)}` : ''}`,
  template_open: ({ questions }) =>
    `the template asks what only a person can say; reply to this card with the answer${questions.length > 1 ? 's by number' : ''}: ${questions.map((q, i) => (questions.length > 1 ? `${i + 1}. ${q}` : q)).join('; ')}`,
  template_cut: ({ headings }) => `the description leaves out of the template: ${headings.join(', ')}`,
  checks_fail: ({ names }) =>
    names.length > 0 ? `checks fail: ${names.join(', ')}` : 'the checks did not pass',
  checks_missing: ({ names }) => `some checks could not be run: ${names.join(', ')}`,
  red_before: ({ names }) => `fails on the base branch too: ${names.join(', ')}`,
  red_unnamed: ({ names }) =>
    `fails on the base branch too without naming tests, so a new failure would not show: ${names.join(', ')}`,
  flaky_before: ({ names }) => `passed here, but is flaky on the base branch: ${names.join(', ')}`,
  ran_no_test: ({ names }) => `ran no test: ${names.join(', ')}`,
  tests_stopped: ({ names }) => `ran tests on the base branch and runs none now: ${names.join(', ')}`,
  no_tests: ({ names }) => `no tests were run; judged by ${names.join(', ')}`,
  judged_by: ({ names }) => `judged by ${names.join(', ') || 'nothing'}`,
  judges_needed: (j) =>
    `${j.names.join(', ')} ${j.names.length === 1 ? 'passes' : 'pass'} only with the changed ${paths(j)}`,
  judges_not_compared: (j) => `not run with the base’s version of ${paths(j)}: ${notCompared(j)}`,
  command: (j) => `\`${j.command}\` ${traits[j.trait]}${j.at.length > 0 ? `: ${paths(j)}` : ''}`,
  inline_program: ({ program, acts }) =>
    acts.length === 0
      ? `\`${program}\` brings a program of its own, and no policy reads its language`
      : `\`${program}\` brings a program of its own that ${acts.map((a) => `${inlineActs[a.act]} (${a.words})`).join(', ')}`,
  command_opaque: ({ why, words }) =>
    `the command cannot be read: ${opacities[why]}${words === undefined ? '' : `: ${words}`}`,
  command_hidden: ({ how }) =>
    how === 'bidi' ? 'the command is reordered on screen' : 'the command hides characters',
  command_characters: ({ characters, more }) =>
    `the command has characters that are not what they look like: ${paths({ at: characters, more })}`,
  own: (j) => (j.at.length > 0 ? `${j.says}: ${paths(j)}` : j.says),
  check_failed: ({ name, timedOut, exitCode }) =>
    `${name} ${timedOut ? 'timed out' : 'failed'}${exitCode === null ? '' : ` (exit ${exitCode})`}`,
  check_not_run: ({ name }) => `${name} could not be run`,
  claim_unseen: ({ command }) => `the agent says that it ran ${command}; we did not`,
  claim_differs: ({ command, passed, outcome }) =>
    `the agent says that ${command} ${passed ? 'passes' : 'fails'}; here it ${outcomes[outcome]}`,
  not_done: ({ says }) => `the agent says that it is not done: ${says || 'no reason given'}`,
  opinion: ({ says }) => says,
  step_failed: (j) => {
    const words = j.detail ? enComposed.failedInDetail(j.detail) : j.message;
    return words ? `${enComposed.stops[j.class]}: ${words}` : enComposed.why.failures[j.class];
  },
};

export const enJudgement = (one: AssessmentReason): string => sayRecord(enJudgements, one);

export const enNotModified = (no: NotModified): string => {
  switch (no.kind) {
    case 'card_gone':
      return 'the card is gone';
    case 'goes_elsewhere':
      return 'a modification may not go elsewhere; propose it anew';
    case 'raises_risk':
      return `the modification raises the risk from ${no.from} to ${no.to}`;
    case 'forbidden': {
      const said = no.objections.map((o) => `${o.policy}: ${enJudgement(o.reason)}`);
      return `a policy forbids it: ${said.join('; ')}`;
    }
  }
};
