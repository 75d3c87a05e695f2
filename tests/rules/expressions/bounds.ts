/**
 * Expressions whose steps grow with the square of their text, by file or folder: how long such a text
 * may be, and what sees to it. A row of a file goes before that of its folder.
 */

/** Steps at the longest text: some 50 ms of processor, as each pair of places is taken once. */
export const MOST_STEPS = 100_000_000;

export type Bound =
  /** A constant of the product cuts or refuses longer texts (characters). */
  | { most: number; by: string }
  /** Read in a thread or a program of its own, which has a limit of time. */
  | { away: string }
  /** No text of a stranger, or one that the machine limits. */
  | { own: string }
  /** Judged as dearer than it is: why. Hostile texts of this length were measured. */
  | { linear: string };

const COMMANDS: Bound = { most: 4_000, by: 'model/contract/contract.ts: MAX_CONTRACT_COMMAND_LENGTH' };
const GOVERNED: Bound = { most: 10_000, by: 'governor/classify-command.ts: MAX_COMMAND_LENGTH' };
const TEMPLATE: Bound = { most: 10_000, by: 'pull-text/fill-template.ts: MAX_TEMPLATE_LENGTH' };
const PATHS: Bound = { most: 1_000, by: 'discovery/discover-contract.ts: MAX_PATH_LENGTH' };
const REPOSITORY: Bound = { away: 'executors/git/reader/repository-tasks.ts' };
const CONTENT: Bound = { away: 'executors/git/workspace/content-tasks.ts' };
const VERDICTS: Bound = { away: 'executors/checks/check-tasks.ts' };
const LISTS: Bound = { away: 'app/campaign-file-tasks.ts' };

export const BOUNDS: Readonly<Record<string, Bound>> = {
  'bot/language/compose-texts.ts': {
    linear: 'each flag is a sentence of discovery with the name of one file',
  },
  'bot/phrases': { most: 600, by: 'bot/phrases/normalize-phrase.ts: MAX_PHRASE_LENGTH' },
  'bot/text/first-hunks.ts': { linear: 'a search waits at the beginning of a line alone' },
  cli: { own: 'words and files of the operator' },
  discovery: REPOSITORY,
  'discovery/command-rank.ts': COMMANDS,
  'discovery/concerned-checks.ts': PATHS,
  'discovery/file-linters.ts': COMMANDS,
  'discovery/find-projects.ts': PATHS,
  'discovery/rule-files.ts': PATHS,
  'executors/checks': VERDICTS,
  'executors/engines/builtin/edits': { away: 'executors/engines/builtin/run-loop.ts' },
  'executors/engines/codex/codex.ts': { own: 'settings of the operator' },
  'executors/engines/shared/engine-credentials.ts': { own: 'a model that the operator names' },
  'executors/gateway/request-billing.ts': {
    linear: 'its one run is of short groups, each behind its own sign',
  },
  'executors/git/attribute-filters.ts': { away: 'executors/git/attribute-tasks.ts' },
  'executors/git/filtered-paths.ts': { linear: 'what comes to a stroke is found, and a run holds none' },
  'executors/git/tree-and-commit-format.ts': { linear: 'what begins is found, whatever follows' },
  'executors/git/workspace/walk-workspace.ts': {
    most: 8_192,
    by: 'executors/git/workspace/walk-workspace.ts: MAX_GIT_FILE_BYTES',
  },
  'executors/git/workspace/weakened-tests.ts': CONTENT,
  'executors/process/credential-variables.ts': { own: 'variables of the operator' },
  'executors/sandbox/exposed-secrets.ts': {
    most: 10,
    by: 'executors/sandbox/exposed-secrets.ts: TAIL_LENGTH',
  },
  'governor/check-config': REPOSITORY,
  'governor/inline-program.ts': GOVERNED,
  'orchestrator/kernel/preparation/check-selection.ts': COMMANDS,
  'model/environment/environment-gap.ts': VERDICTS,
  'model/settings/fill-variables.ts': {
    linear: 'a bar ends what stands before a program, and a comment is read once',
  },
  'model/requirements/issue-references.ts': {
    most: 120,
    by: 'model/requirements/issue-references.ts: CLAUSE_LENGTH',
  },
  'model/paths/path-kinds.ts': { own: 'paths that a file system holds' },
  'model/feedback/agent-plan.ts': { linear: 'each reads one line from its beginning to its end' },
  'model/contract/reusable-installs.ts': { own: 'paths that a file system holds' },
  'orchestrator/briefing/skill-text.ts': { own: 'templates of the operator' },
  'model/change/suggested-edits.ts': { linear: 'each line is found as a whole' },
  'model/contract/title-format.ts': REPOSITORY,
  'model/environment/tool-versions.ts': {
    most: 400,
    by: 'model/environment/tool-versions.ts: MAX_ASKED_LENGTH',
  },
  'model/trailers/trailers.ts': { most: 200, by: 'model/trailers/trailers.ts: MAX_SIGN_OFF_LENGTH' },
  'orchestrator/orders': LISTS,
  'pull-text': TEMPLATE,
  'text-safety/secret-shapes.ts': { linear: 'a key is found at its beginning, whatever follows' },
  'tools/output/log-formats.ts': VERDICTS,
  'tools/packages/dependencies.ts': CONTENT,
  'tools/rows': VERDICTS,
};
