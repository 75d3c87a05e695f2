/** English: what failed in particular, as the words in brackets behind the sentence of its class. */
import type { HostRefusal } from '../../../orchestrator/model/host-refusal.ts';
import type { BucketRefusal, FailureDetail } from '../../../orchestrator/model/failure-detail.ts';
import { enHostRefusal, enWayRefusal } from './host-refusals.ts';
import { sayRecord, type SentenceCatalogue } from '../../text/catalogue.ts';

type Said = { says?: string };

const said = ({ says }: Said): string => (says === undefined ? '' : ` It said: ${says}`);
const CHAT_TOKENS = 'SLACK_BOT_TOKEN and SLACK_APP_TOKEN';
const because = ({ says }: Said): string => (says === undefined ? '' : `: ${says}`);
const program = ({ program: name }: { program?: string }): string =>
  name === undefined ? 'the agent' : `the program ${name}`;
const count = (n: number): string => Math.round(n).toLocaleString('en');

export const BUCKET_REFUSAL_WORDS: Record<BucketRefusal, string> = {
  unreached: 'could not be reached',
  other_region: 'is in another region',
  request_refused: 'did not take the request: look at the region',
  key_refused: 'refused the key, or the key may not do that',
  missing: 'is not there',
  failed: 'failed',
  open_to_all: 'can be listed by anybody: take that right away',
  broke_off: 'broke off, or gave more than was put there',
  other_bytes: 'gives back other bytes than were put there',
};
const noPush = (repo: string): string => `our credential may not push to ${repo}`;
const PARTY = { chat: 'Telegram', bucket: 'the bucket' } as const;
const onWay = (party: keyof typeof PARTY, refusal: HostRefusal): string =>
  `${PARTY[party]} cannot be reached: ${enWayRefusal(refusal, PARTY[party])}`;

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
  data_disk_full: () => 'the data directory is on it; what was acknowledged is safe',
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
  run_tokens_used_up: ({ limit }) => `the run may use ${count(limit)} tokens (maxTokens)`,
  run_cost_used_up: ({ limit }) => `the run may cost $${limit} (maxCostUsd)`,
  model_requests_exceeded: ({ limit }) =>
    `the agent asked its model ${count(limit)} times in one turn (gateway.requests)`,
  model_requests_too_fast: ({ limit }) =>
    `the agent asked its model ${count(limit)} times within a minute (gateway.perMinute)`,
  model_call_repeated: ({ limit }) =>
    `the agent made the same call ${count(limit)} times in a row (gateway.identical)`,
  price_unnamed: ({ model }) =>
    `nobody has said what ${model ?? 'this model'} costs: name its price in "gateway.prices" of agentpr.config.json, or take the limit away (maxCostUsd)`,
  app_has_no_forks: ({ repo }) =>
    `${noPush(repo)}, and an App has no forks; install it there with the right to write, or set a token`,
  fork_refused: (d) =>
    `${d.repo} cannot be forked${because(d)}; a run needs the right to push there, or to fork it`,
  forks_not_allowed: ({ repo }) => `${noPush(repo)}, and the settings allow no forks (forks.use)`,
  fork_of_own: ({ repo, owner }) => `${noPush(repo)}, and ${owner} cannot have a fork of its own repository`,
  repository_forbids_forks: ({ repo, mayPush }) =>
    `${repo} does not allow forks, and ${mayPush ? 'the settings ask for one' : noPush(repo)}`,
  fork_gone: ({ fork }) =>
    `${fork}, the fork that this run pushes to, is not there any more; Retry makes a new one and pushes again`,
  fork_unrelated: ({ repo, fork }) =>
    `${fork} was given to us as a fork of ${repo}, and is none; rename it or remove it, then retry`,
  fork_stays_empty: ({ fork }) =>
    `${fork}, a new fork, has been empty for five minutes; look at it on the code host, then retry`,
  kept_by_others: () =>
    'what the ledger holds of this run’s workspace was not written by AgentPR: somebody else writes into the database',
  kept_bytes_differ: () => 'the bucket gave other bytes for this run’s workspace than were put there',
  kept_parts_missing: () => 'parts of this run’s workspace are missing',
  kept_start_lost: ({ branch }) =>
    `the branch “${branch}” has lost the commit that this run started from, so it cannot go on elsewhere`,
  bucket_refused: ({ why, status }) =>
    `the bucket ${BUCKET_REFUSAL_WORDS[why]}${status === null ? '' : ` (${status})`}`,
  chat_unreached: (d) => `${d.service ?? 'Telegram'} could not be reached; we try again by ourselves`,
  chat_refused: (d) => `${d.service ?? 'Telegram'} refused the message${because(d)}`,
  chat_token_unknown: (d) =>
    d.service === undefined
      ? 'Telegram does not know our bot token; check TELEGRAM_BOT_TOKEN'
      : `${d.service} refuses our token${because(d)}; check ${CHAT_TOKENS}`,
  certificate_refused: ({ party, host, code }) =>
    onWay(party, { kind: 'certificate_untrusted', code, ...(host === undefined ? {} : { host }) }),
  proxy_in_the_way: ({ party, problem, proxy }) =>
    onWay(party, { kind: problem, ...(proxy === undefined ? {} : { proxy }) }),
  revert_unmerged: ({ pull }) => `${pull} is not merged, so there is nothing to revert; cancel this run`,
  revert_unreachable: ({ pull, branch }) =>
    `the commit that merged ${pull} is not in the history of ${branch} any more: it was rewritten. Revert by hand what is left of it, or cancel this run`,
  revert_unclear: ({ pull }) =>
    `git cannot tell which commits of the branch belong to ${pull}, since it was neither merged nor squashed nor rebased whole. Revert it by hand, or cancel this run`,
  revert_needs_agent: ({ pull }) =>
    `the revert of ${pull} conflicts or was sent back, and a script cannot settle that. Set an engine with /settings, undo the campaign again, or cancel this run`,
  no_failed_check: () => 'there is no failed check that we could start again; re-run it on GitHub',
  host_failed: (d) => `the code host failed (${d.status})${because(d)}`,
  host_refused: (d) => `the code host refused (${d.status})${because(d)}`,
  host_not_found: (d) => `the code host does not find it, or hides it from us${because(d)}`,
  host_credential_refused: (d) =>
    `the code host refused our credential${because(d)}; check GITHUB_TOKEN or the App’s key`,
  host_answer_unreadable: () => 'the code host answered with something that is not its API',
};

type Refused = { says: string; refusal?: HostRefusal; detail?: FailureDetail };
/** The record of a refusal replaces the words that came with it. */
export const enRefused = ({ says, refusal, detail }: Refused): string =>
  refusal ? enHostRefusal(refusal) : detail ? describeFailureInEnglish(detail) : says;

export const describeFailureInEnglish = (detail: FailureDetail): string => sayRecord(sentences, detail);
