/** English: what failed in particular, as the words in brackets behind the sentence of its class. */
import type { FailureDetail } from '../../../orchestrator/core/failure-detail.ts';
import { sayRecord, type SentenceCatalogue } from '../../text/catalogue.ts';

type Said = { says?: string };

const said = ({ says }: Said): string => (says === undefined ? '' : ` It said: ${says}`);
const because = ({ says }: Said): string => (says === undefined ? '' : `: ${says}`);
const program = ({ program: name }: { program?: string }): string =>
  name === undefined ? 'the agent' : `the program ${name}`;
const count = (n: number): string => Math.round(n).toLocaleString('en');

const sentences: SentenceCatalogue<FailureDetail> = {
  push_refused: ({ says }) => (says === undefined ? 'it gave no reason' : `it said: ${says}`),
  branch_moved: (d) => `the branch on the code host is not where we left it.${said(d)}`,
  branch_name_refused: (d) => `it refused the name of the branch.${said(d)}`,
  push_credential_refused: (d) => `the code host refused our credential for pushing.${said(d)}`,
  push_forbidden: (d) => `the code host does not let us push this.${said(d)}`,
  push_too_large: () =>
    'it is larger than the code host, or the proxy before it, takes (413): whoever runs that can allow more',
  branch_differs: ({ branch, found, expected }) =>
    `${branch} is at ${found ?? 'nothing'}, not at ${expected}`,
  branch_missing: ({ repo, branch }) => `${repo} has no branch named “${branch}”`,
  no_space_left: () => '',
  mirrors_full: ({ used, limit }) =>
    `the repositories of unfinished runs take ${count(used)} MB of disk, and mirrors.diskMb allows ${count(limit)}; end some of these runs, or allow more`,
  disk_nearly_full: ({ limit }) => `less than ${count(limit)} MB are left on the disk of the data directory`,
  memory_exceeded: ({ limit }) => `it used more than ${count(limit)} MB of memory (sandboxLimits.memoryMb)`,
  memory_ran_out: ({ limit }) =>
    `it ran out of memory; a run may use ${count(limit)} MB (sandboxLimits.memoryMb)`,
  processes_exceeded: ({ limit }) =>
    `it started more than ${count(limit)} processes and threads (sandboxLimits.processes)`,
  processes_ran_out: ({ limit }) =>
    `it could start no more processes; a run may have ${count(limit)} processes and threads (sandboxLimits.processes)`,
  disk_exceeded: ({ limit }) => `it wrote more than ${count(limit)} MB to disk (sandboxLimits.diskMb)`,
  run_disk_nearly_full: ({ limit }) => `less than ${count(limit)} MB, or too few files, are left on the disk`,
  engine_missing: (d) => `${program(d)} was not found${because(d)}`,
  engine_not_executable: (d) => `${program(d)} may not be executed${because(d)}`,
  engine_not_started: (d) => `${program(d)} could not be started${because(d)}`,
  box_not_started: (d) => `the sandbox could not be started${because(d)}`,
  engine_timed_out: ({ seconds }) =>
    `it was stopped at its time limit (bounds.runMs) after ${count(seconds)} s`,
  engine_stopped: () => 'it was stopped on request',
  engine_too_loud: () => 'it printed too much and was stopped; make it quieter',
  engine_exited: (d) =>
    `it ended ${d.exitCode === null ? 'without an exit code' : `with exit code ${d.exitCode}`}${because(d)}`,
  engine_killed: (d) => `it was ended by ${d.signal ?? 'a signal'}${because(d)}`,
  engine_arguments_refused: (d) => `${program(d)} refused how it was started${because(d)}`,
  conversation_unknown: (d) => `${program(d)} does not know this conversation any more${because(d)}`,
  permission_undecided: () => 'the agent asked for a permission, and a person was to decide',
  provider_closed: () => 'the provider of the model takes nothing for now',
  usage_limit_reached: () => 'the usage limit is reached',
  model_key_missing: () =>
    'no key is set for the model: set OPENAI_API_KEY or ANTHROPIC_API_KEY, or the address of a model of your own (OPENAI_BASE_URL, ANTHROPIC_BASE_URL)',
  model_unnamed: () =>
    'no model is named: set "engines": {"builtin": {"args": ["-m", "<model>"]}} in agentpr.config.json, or OPENAI_MODEL or ANTHROPIC_MODEL',
  host_failed: (d) => `the code host failed (${d.status})${because(d)}`,
  host_refused: (d) => `the code host refused (${d.status})${because(d)}`,
  host_not_found: (d) => `the code host does not find it, or hides it from us${because(d)}`,
  host_credential_refused: (d) =>
    `the code host refused our credential${because(d)}; check GITHUB_TOKEN or the App’s key`,
  host_answer_unreadable: () => 'the code host answered with something that is not its API',
};

export const describeFailureInEnglish = (detail: FailureDetail): string => sayRecord(sentences, detail);
