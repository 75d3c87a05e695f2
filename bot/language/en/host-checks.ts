/** English: what `agentpr doctor`, `init` and `start` find, and the remedies. Plain text, not escaped. */
import type { FailureDetail } from '../../../orchestrator/model/failure-detail.ts';
import { countWords } from '../../../orchestrator/model/text-format.ts';

/** `fix` is printed where the finding is a warning or a failure. */
export type HostSentence = { says: string; fix: string };
type Way = { host: string; proxy: string | null } | null;
type Right = { name: string; level: string | null; why: string };

const way = (to: Way): string =>
  to === null ? '' : ` (${to.host}, ${to.proxy === null ? 'directly' : `through the proxy ${to.proxy}`})`;
const says = (text: string, fix = ''): HostSentence => ({ says: text, fix });
const rights = (missing: readonly Right[]): string =>
  missing.map(({ name, level, why }) => `${name}${level === null ? '' : `: ${level}`} (${why})`).join('; ');
const lacks = (missing: readonly Right[], more = ''): string =>
  missing.length === 0 ? `${more}${PAGE}` : `Missing: ${rights(missing)}. ${more}${PAGE}`;
const PAGE = 'See docs/github.md.';
const FINE_REACH =
  'It reaches repositories of the one owner that it was made for, and checks of none. Repositories of others need a classic token. ';

export const hostChecks = {
  node: (f: { version: string; isOwn: boolean; onPath: string | null; uv: string }) =>
    says(
      `${f.version}${f.isOwn ? `, AgentPR’s own${f.onPath === null ? '' : ` (the one on PATH, ${f.onPath}, is not used)`}` : ''}, libuv ${f.uv}`,
    ),
  env_file: (f: { mode: string; isPrivate: boolean }) =>
    f.isPrivate
      ? says(`read by its owner alone (mode ${f.mode})`)
      : says(`other accounts of this machine can read its keys (mode ${f.mode})`, 'Run: chmod 600 .env'),
  git_version: (f: { version: string }) => says(f.version),
  git_unfit: (f: { version: string; path: string; oldest: string }) =>
    says(
      `${f.version === '' ? 'git was not found' : `${f.version} is too old`} (in ${f.path}).`,
      `Install git ${f.oldest} or newer there.`,
    ),
  sandbox_untried: (f: { cause: string }) => says(f.cause, 'No sandbox could be tried before that is fixed.'),
  sandbox: (f: { level: string; weaknesses: readonly string[] }) =>
    says(
      `${f.level} works here${f.weaknesses.length > 0 ? ` (${f.weaknesses.join(' ')})` : ''}`,
      'Install bubblewrap (`apt-get install bubblewrap`), or set AGENTPR_SANDBOX=auto to accept less.',
    ),
  settings_complete: (_: object) => says('complete'),
  settings_wrong: (f: { cause: string; step: string | null }) =>
    says(f.cause, f.step ?? 'See .env.example, or run `npx agentpr init`.'),
  data_unwritable: (f: { cause: string; dir: string }) =>
    says(f.cause, `Make ${f.dir} writable, or set AGENTPR_DATA_DIR.`),
  data: (f: { dir: string; free: string }) => says(`${f.dir}, ${f.free} GiB free`, 'Free some disk space.'),
  mirrors: (f: { count: number; mb: number; limit: number }) =>
    says(
      `${countWords(f.count, 'repository', 'repositories')}, ${f.mb} of ${f.limit} MB`,
      'End runs that hold large repositories, or raise mirrors.diskMb.',
    ),
  ledger_whole: (_: object) => says('whole'),
  ledger_absent: (_: object) => says('not made yet'),
  ledger_broken: (f: { cause: string }) =>
    says(f.cause, 'Restore the data directory from a backup, or set AGENTPR_DATA_DIR to another one.'),
  postgres: (f: { version: string; isMade: boolean }) =>
    says(`Postgres ${f.version}${f.isMade ? '' : ', not made yet'}`),
  postgres_broken: (f: { cause: string }) =>
    says(f.cause, 'See docs/postgres.md; DATABASE_URL says where the ledger is.'),
  telegram: (f: { name: string; way: Way }) => says(`signed in as @${f.name}${way(f.way)}`),
  telegram_away: (f: { cause: string }) =>
    says(f.cause, 'It is the network of this host, not the token: look at HTTPS_PROXY and DNS.'),
  telegram_unknown: (_: object) =>
    says(
      'Telegram does not know the token in TELEGRAM_BOT_TOKEN',
      'Copy it again from @BotFather (/token), then run `npx agentpr init`.',
    ),
  telegram_refused: (f: { cause: string }) =>
    says(f.cause, 'Telegram refused; the token is known there. Try again later.'),
  slack: (f: { name: string; team: string; way: Way }) =>
    says(`signed in to ${f.team} as @${f.name}${way(f.way)}; Socket Mode is on`),
  slack_scopes: (f: { name: string; scopes: string }) =>
    says(
      `signed in as @${f.name}, without the scopes ${f.scopes}`,
      'Add them under “OAuth & Permissions” of the app, and install it again (docs/slack.md).',
    ),
  slack_broken: (f: { token: string; cause: string }) =>
    says(f.cause, `Look at ${f.token}; docs/slack.md says where each token comes from.`),
  signing: (f: { key: string }) => says(`commits are signed with ${f.key}`),
  signing_broken: (f: { cause: string }) => says(f.cause, PAGE),
  webhooks: (f: { to: string | null }) =>
    says(
      f.to === null
        ? 'GITHUB_WEBHOOK_SECRET is not set: GitHub is asked for news instead of sending them'
        : `GITHUB_WEBHOOK_SECRET is set; GitHub sends to ${f.to}`,
    ),
  bucket: (f: { url: string; way: Way }) =>
    says(`${f.url}: one object was written, read and removed${way(f.way)}`),
  /** `text` has more to say in English. */
  outside_failure: (f: { text: string; detail: FailureDetail }) => says(f.text),
  bucket_broken: (f: { cause: string }) =>
    says(f.cause, 'Its key must be allowed to put, get and delete objects, and nobody else anything.'),
  backup: (f: { file: string; at: string; events: number; runs: number }) =>
    says(
      `${f.file} of ${f.at}: restored and replayed, ${countWords(f.events, 'event')} of ${countWords(f.runs, 'run')}`,
    ),
  backup_wrong: (f: { cause: string }) => says(f.cause, 'See docs/audit.md, and make another backup.'),
  backup_unreadable: (f: { cause: string }) =>
    says(f.cause, 'Try another backup, and make a new one with `agentpr backup`.'),

  network_broken: (f: { cause: string }) =>
    says(f.cause, 'See docs/configuration.md, “Behind a company proxy”.'),
  proxy: (f: { proxies: string; direct: readonly string[]; unreadable: readonly string[] }) =>
    says(
      `left through ${f.proxies}; directly: ${['this machine', ...f.direct].join(', ')}`,
      `NO_PROXY: no host matches ${f.unreadable.join(', ')}. Write a name, an address, or a network like 10.0.0.0/8.`,
    ),
  party_answers: (f: { party: 'model' | 'traces'; host: string; way: Way }) =>
    says(`${PARTIES[f.party]} answers${way(f.way) || ` (${f.host})`}`),
  party_silent: (f: { party: 'model' | 'traces'; host: string; cause: string }) =>
    says(
      `${PARTIES[f.party]} (${f.host}) does not answer: ${f.cause}`,
      'Look at its address, and at the network of this host.',
    ),
  git_reaches: (f: { url: string; way: Way }) => says(`reaches ${f.url}${way(f.way)}`),
  git_away: (f: { cause: string }) =>
    says(f.cause, 'Git must reach the code host as the API does: look at HTTPS_PROXY and certificates.'),

  github: (f: { login: string; scopes: readonly string[]; missing: readonly Right[]; way: Way }) =>
    says(`signed in as ${f.login}, scopes: ${f.scopes.join(', ') || 'none'}${way(f.way)}`, lacks(f.missing)),
  github_fine: (f: {
    login: string;
    repo: string;
    has: readonly string[];
    missing: readonly Right[];
    way: Way;
  }) =>
    says(
      `signed in as ${f.login} with a fine-grained token; on ${f.repo} it may ${f.has.join(', ') || 'nothing'}${way(f.way)}`,
      lacks(f.missing, FINE_REACH),
    ),
  github_fine_nowhere: (f: { login: string }) =>
    says(
      `signed in as ${f.login} with a fine-grained token that reaches no repository`,
      `${FINE_REACH}${PAGE}`,
    ),
  github_unknown: (f: { cause: string }) =>
    says(
      `GitHub does not know the token in GITHUB_TOKEN (${f.cause})`,
      'Make another one, then run `npx agentpr init`.',
    ),
  github_away: (f: { cause: string }) =>
    says(f.cause, 'It is the way to GitHub, not the token: look at GITHUB_API_URL, HTTPS_PROXY and DNS.'),
  github_refused: (f: { cause: string }) => says(f.cause, 'Check GITHUB_TOKEN and GITHUB_API_URL.'),
  app: (f: { login: string; owner: string; missing: readonly Right[]; way: Way }) =>
    says(
      `${f.login} is installed on ${f.owner}${f.missing.length === 0 ? ' with all permissions' : ''}${way(f.way)}`,
      lacks(f.missing),
    ),
  app_nowhere: (f: { login: string | null }) =>
    says(`${f.login ?? 'The App'} is installed nowhere`, 'Install it on an account in its settings.'),
  app_suspended: (f: { login: string; owner: string; way: Way }) =>
    says(
      `${f.login} is installed on ${f.owner}, and suspended${way(f.way)}`,
      `${f.owner} can lift that in the settings.`,
    ),
  app_refused: (f: { cause: string }) =>
    says(f.cause, 'Check GITHUB_APP_ID, GITHUB_APP_PRIVATE_KEY and GITHUB_API_URL.'),
  labels: (f: { repositories: number }) =>
    says(`issues of ${countWords(f.repositories, 'repository', 'repositories')} can be labelled`),
  labels_missing: (f: { missing: readonly { repo: string; label: string | null }[] }) =>
    says(
      f.missing
        .map(({ repo, label }) =>
          label === null ? `${repo} is not found, or hidden from us` : `${repo} has no label ${label}`,
        )
        .join('\n'),
      'Make the label there, or name another repository or label in arrivals.issues.',
    ),

  engine_version: (f: { version: string }) => says(f.version),
  engine_untried: (f: { version: string }) =>
    says(`${f.version}; unverified: built by its documentation`, 'Look at its first runs.'),
  engine_no_version: (f: { said: string; known: string; install: string }) =>
    says(`it does not say its version (“${f.said}”); ${f.known} was tried`, tried(f.install)),
  engine_other_version: (f: { version: string; isOlder: boolean; known: string; install: string }) =>
    says(
      `${f.version} is ${f.isOlder ? 'older' : 'newer'} than ${f.known}, which was tried`,
      tried(f.install),
    ),
  engine_fails: (f: { program: string; cause: string | null; install: string }) =>
    says(
      `\`${f.program} --version\` failed: ${f.cause ?? 'it did not answer in 15 s'}`,
      `Install it anew: \`${f.install}\`.`,
    ),
  engine_absent: (f: { program: string; install: string }) =>
    says(
      `the program ${f.program} was not found`,
      `Install it (\`${f.install}\`), or say where it is: "engines" in agentpr.config.json.`,
    ),
  engine_key: (f: { names: readonly string[] }) =>
    says(`${f.names.join(', ')} ${f.names.length === 1 ? 'is' : 'are'} set`),
  engine_signed_in: (f: { file: string }) => says(`signed in by ${f.file}`),
  engine_own_model: (_: object) => says('none, for a model of your own'),
  engine_no_key: (f: { names: readonly string[] }) =>
    says('no key is set', `Set ${f.names.join(' or ')}, or the address of a model of your own.`),
  engine_signed_out: (f: { file: string; signIn: string; names: readonly string[] }) =>
    says(
      `neither a key nor ${f.file} is there`,
      `Sign in (\`${f.signIn}\`), or set ${f.names.join(' or ')}.`,
    ),
  engine_boxed: (f: { level: string }) => says(`starts in the sandbox (${f.level})`),
  engine_not_boxed: (f: { cause: string | null }) =>
    says(
      `does not start in the sandbox: ${f.cause ?? 'it did not answer in 15 s'}`,
      'Install it outside a home directory, or add its directory to "readable" in agentpr.config.json.',
    ),
  engine_no_box: (f: { cause: string }) => says(f.cause, 'Fix the sandbox first.'),
  engine_own: (f: { model: string }) => says(`part of AgentPR, with ${f.model}`),
  engine_no_model: (f: { name: string }) =>
    says(
      'no model is named',
      `Set "engines": {"${f.name}": {"args": ["-m", "<model>"]}} in agentpr.config.json, or OPENAI_MODEL or ANTHROPIC_MODEL.`,
    ),
  engine_ready: (f: { engine: string }) => says(`engine ${f.engine} ready`),
  engine_unchosen: (_: object) =>
    says(
      'no engine is chosen; until then each run brings its own',
      'Let agentpr init find the agents of this machine, or set AGENTPR_ENGINE (codex, claude, opencode, …) in .env; "script" in agentpr.config.json names a command instead.',
    ),
  chat_connected: (f: { name: string }) => says(`@${f.name} connected`),
  other_chat_connected: (f: { service: string; name: string }) => says(`${f.service}: @${f.name} connected`),
  forge_connected: (f: { forge: string; account: string }) => says(`${f.forge} as ${f.account}`),
  script: (f: { command: string }) => says(`script: ${f.command}`),
  prices: (f: { asOf: string; own: number }) =>
    says(`the list of models.dev of ${f.asOf}${f.own === 0 ? '' : `, after ${f.own} of your own`}`),
  cost_unknown: (f: { limit: number; model: string }) =>
    says(
      `bounds.maxCostUsd is ${f.limit}, and nobody has told what ${f.model} costs: unless its provider lists a price, its runs stop at once`,
      `Set "gateway": {"prices": {"${f.model}": {"input": …, "output": …}}} in agentpr.config.json (dollars for a million tokens), or name another model in its "args", or leave out bounds.maxCostUsd.`,
    ),
  cost_untold: (f: { limit: number; engine: string }) =>
    says(
      `bounds.maxCostUsd is ${f.limit}, and ${f.engine} tells no cost with a sign-in: the limit stops nothing`,
      'Set bounds.maxTokens, or give it a key in place of its sign-in.',
    ),

  unit: (f: { file: string }) => says(f.file),
  unit_absent: (f: { file: string }) => says(`there is no ${f.file}`, 'Run `agentpr service install`.'),
  unit_foreign: (f: { file: string }) => says(`${f.file} is not of agentpr`, 'Choose another --name.'),
  unit_program_gone: (f: { program: string }) =>
    says(`it starts ${f.program}, which is not there any more`, AGAIN),
  unit_problems: (f: { problems: string }) => says(f.problems, AGAIN),
  unit_edited: (f: { file: string }) =>
    says(`${f.file} was edited since it was written`, `${AGAIN} A drop-in keeps.`),
  unit_older: (f: { file: string; by: string; now: string }) =>
    says(`${f.file} was written by agentpr ${f.by}, this is ${f.now}`, AGAIN),
  unit_enabled: (f: { said: string }) => says(f.said, AGAIN),
  unit_active: (f: { said: string; log: string }) => says(f.said, `\`${f.log}\` says why.`),
  systemd_absent: (_: object) =>
    says('it does not run this machine', 'See docs/run-it-for-a-year.md for other ways.'),
  health_elsewhere: (f: { directory: string }) =>
    says('not asked', `Run this in ${f.directory}, where its settings are.`),
  health_any_port: (_: object) =>
    says('not asked: its port is any free one', 'Set AGENTPR_HTTP_PORT to have it asked.'),
  health: (f: { address: string }) => says(`${f.address} says that it is ready`),
  health_bad: (f: { address: string; status: number; said: string }) =>
    says(`${f.address} answers ${f.status}: ${f.said}`, 'See docs/run-it-for-a-year.md.'),
  health_silent: (f: { address: string; cause: string }) =>
    says(`${f.address} does not answer (${f.cause})`, 'Read its log: `journalctl -u agentpr`.'),
};

const AGAIN = 'Run `agentpr service install` again.';
const PARTIES = { model: 'The provider of the model', traces: 'The receiver of traces' } as const;
const tried = (install: string): string =>
  `If it misbehaves, install the version that was tried: \`${install}\`.`;
