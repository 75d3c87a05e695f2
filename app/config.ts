/** Builds the configuration of each role from the environment and agentpr.config.json (O3). */
import { resolve } from 'node:path';
import type { BucketSettings } from './s3-bucket.ts';
import {
  readControlEnvironment,
  readEverywhere,
  type ControlEnvironment,
  type SharedEnvironment,
  type RawEnvironment,
  type ProcessRole,
} from './environment-schema.ts';
import { isSafeAddress, readSettings, type FileSettings } from './settings-schema.ts';
import { ConfigError, readTogether } from './config-error.ts';
import type { VoiceLimits } from '../bot/voice/voice-notes.ts';
import type { ChatModelWay } from '../bot/model/ask-chat-model.ts';
import type { ConfiguredEngineName, OperatorEnvironment } from '#engines';
import { readCertificateVariables, type NamedCertificates, type ProxySettings, readProxies } from '#network';
import { passableEnvironment } from '#process';
import { type GitHubSettings, parsePrivateKey } from '#forge';
import {
  type CommentForm,
  createSignatureVerifier,
  type HookCaller,
  type HookMapping,
  parseWebhookKey,
  SHORTEST_SECRET,
} from '#webhooks';
import type { ConfiguredChat } from '#chat';
import { listAdminChats, listConfiguredChats, type ChatSettings } from './chats.ts';

export type WorkConfig = {
  github: GitHubSettings;
  http: { host: string; port: number };
  dataDir: string;
  /** URL of the ledger's Postgres; null keeps it in the data directory. */
  database: string | null;
  role: ProcessRole;
  engine: ConfiguredEngineName;
  sandbox: 'auto' | 'bwrap' | 'unshare' | 'container' | 'group';
  logLevel: string;
  /** L7: bucket for moving runs; null uses the ledger. */
  bucket: BucketSettings | null;
  /** O4: OTLP endpoint; null disables traces. */
  traces: { url: string; headers: Record<string, string> } | null;
  proxies: ProxySettings;
  /** O9: additional trusted certificates. */
  certificates: readonly NamedCertificates[];
  pass: Record<string, string>;
  operator: OperatorEnvironment;
  file: FileSettings;
};

export type ControlConfig = WorkConfig &
  ChatSettings & {
    chats: readonly ConfiguredChat[];
    http: { publicUrl: string | null };
    /** The current and, during a rotation, the previous secret; null disables GitHub's webhooks. */
    webhooks: { secrets: string[] } | null;
    chatModel: (ChatModelWay & { perDay: number; patience: number }) | null;
    voice: (VoiceLimits & { way: TranscriberWay }) | null;
    hooks: ReadonlyMap<string, HookWay>;
  };

type TranscriberWay = { url: string; model: string; key: string | null } | { command: readonly string[] };

type HookWay = {
  signs: HookCaller;
  file: string | null;
  from: { repo: string; mapping: HookMapping } | null;
  comment: (CommentForm & { token: string }) | null;
  perDay: number;
  chat: string;
};

export const SLACK_API = 'https://slack.com/api';
export const BOT_API = 'https://api.telegram.org';

const withoutSlashes = (address: string): string => address.replace(/(?<!\/)\/+$/, '');

/** Web hosts of GitHub's cloud, which are mistaken for the API's address. */
const PAGES = /^(?:www\.)?github\.com$|^(?!api\.)[a-z0-9-]+\.ghe\.com$/;

/** G5: GitHub, "Getting started with the REST API": api.<host>, on Enterprise Server <host>/api/v3. */
export const serverUrlOf = (apiUrl: string, given?: string): string => {
  const api = new URL(apiUrl);
  if (!isSafeAddress(api))
    throw new ConfigError(({ settingsProblems: p }) => p.mustBeHttps('GITHUB_API_URL', apiUrl));
  if (PAGES.test(api.hostname))
    throw new ConfigError(({ settingsProblems: p }) =>
      p.pagesAddress(apiUrl, api.hostname.replace(/^www\./, '')),
    );
  if (given !== undefined) return serverFor(given);
  if (/^api\.(?:github\.com|[a-z0-9-]+\.ghe\.com)$/.test(api.hostname))
    return `https://${api.hostname.replace(/^api\./, '')}`;
  const [, below] = /^(.*)\/api\/v3$/.exec(withoutSlashes(api.pathname)) ?? [];
  return `${api.origin}${below ?? ''}`;
};

const serverFor = (address: string): string => {
  const url = new URL(address);
  if (!isSafeAddress(url))
    throw new ConfigError(({ settingsProblems: p }) => p.mustBeHttps('GITHUB_URL', address));
  if (url.username + url.password + url.search + url.hash !== '')
    throw new ConfigError(({ settingsProblems: p }) => p.plainAddress);
  return withoutSlashes(url.origin + url.pathname);
};

/** Security: requires https, because every URL contains the bot token. Throws ConfigError. */
export const readBotApi = (root: string, { allowHttp }: { allowHttp: boolean }): string => {
  const url = new URL(root);
  const isPlain = url.protocol === 'http:' && allowHttp && !/(^|\.)telegram\.org$/.test(url.hostname);
  // guard: O9-token-not-plain
  if (!isSafeAddress(url) && !isPlain)
    throw new ConfigError(({ settingsProblems: p }) => p.plainBotApi(root));
  return root.replace(/(?<!\/)\/+$/, '');
};

const telegramOf = (settings: ControlEnvironment): ControlConfig['telegram'] => {
  const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_ADMIN_IDS: admins } = settings;
  const apiRoot = readBotApi(settings.TELEGRAM_API_ROOT ?? BOT_API, {
    allowHttp: settings.TELEGRAM_API_ALLOW_HTTP === 'yes',
  });
  return token && admins ? { token, apiRoot, admins } : null;
};

const SLACK_NAMES = 'SLACK_BOT_TOKEN, SLACK_APP_TOKEN';
/** Security: every request to it carries a token. */
const slackOf = (settings: ControlEnvironment): ControlConfig['slack'] => {
  const { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_ADMIN_IDS: admins = [] } = settings;
  const samePeople = settings.SLACK_SAME_PEOPLE ?? new Map<string, string>();
  if (botToken === undefined && appToken === undefined && settings.SLACK_ADMIN_IDS === undefined) return null;
  if (botToken === undefined || appToken === undefined)
    throw new ConfigError(({ settingsProblems: p }) => p.together(SLACK_NAMES));
  const apiRoot = withoutSlashes(settings.SLACK_API_ROOT ?? SLACK_API);
  // guard: G5-slack-root
  if (!isSafeAddress(new URL(apiRoot)))
    throw new ConfigError(({ settingsProblems: p }) => p.mustBeHttps('SLACK_API_ROOT', apiRoot));
  return { botToken, appToken, apiRoot, admins, samePeople };
};

const APP_NAMES = 'GITHUB_APP_ID, GITHUB_APP_PRIVATE_KEY';
const BUCKET_NAMES = 'AGENTPR_BUCKET_URL, AGENTPR_BUCKET_KEY_ID, AGENTPR_BUCKET_SECRET';

const githubIdentityOf = (settings: SharedEnvironment): Pick<WorkConfig['github'], 'token' | 'app'> => {
  const { GITHUB_TOKEN: token = null, GITHUB_APP_ID: id, GITHUB_APP_PRIVATE_KEY: key } = settings;
  if ((id === undefined) !== (key === undefined))
    throw new ConfigError(({ settingsProblems: p }) => p.together(APP_NAMES));
  if (id === undefined || key === undefined) {
    if (token === null) throw new ConfigError(({ setup }) => setup.noCredential);
    return { token, app: null };
  }
  try {
    parsePrivateKey(key);
  } catch {
    throw new ConfigError(({ settingsProblems: p }) => p.noPrivateKey);
  }
  return { token, app: { id, key } };
};

const chatModel = (
  { chat: { model } }: Pick<FileSettings, 'chat'>,
  env: RawEnvironment,
): ControlConfig['chatModel'] => {
  if (!model) return null;
  const { provider, name, url = null, maxTokensPerDay: perDay, timeoutSeconds: patience } = model;
  const variable = model.key ?? (provider === 'anthropic' ? 'ANTHROPIC_API_KEY' : 'OPENAI_API_KEY');
  const key = env[variable];
  if (!key) throw new ConfigError(({ settingsProblems: p }) => p.noModelKey(variable));
  return { provider, model: name, key, url, perDay, patience };
};

const voiceIn = ({ chat: { voice } }: FileSettings, env: RawEnvironment): ControlConfig['voice'] => {
  if (!voice) return null;
  const { url, model, key: variable, command, ...limits } = voice;
  if (command !== undefined) return { ...limits, way: { command } };
  const key = variable === undefined ? null : env[variable];
  if (key === undefined || key === '')
    throw new ConfigError(({ settingsProblems: p }) => p.noVoiceKey(variable ?? ''));
  return { ...limits, way: { url: url ?? '', model, key } };
};

const standardSignedBy = (secret: readonly string[], hook: string, env: RawEnvironment): HookCaller => ({
  kind: 'standard',
  keys: secret.map((variable) => {
    const key = parseWebhookKey(env[variable] ?? '');
    if (key) return key;
    throw new ConfigError(({ settingsProblems: p }) => p.noHookSecret(variable, hook));
  }),
});

/** The program makes the secret, so it is taken as it is. */
const bodySignedBy = (
  { header, prefix }: HookMapping,
  secret: readonly string[],
  hook: string,
  env: RawEnvironment,
): HookCaller => {
  const secrets = secret.map((variable) => {
    const text = (env[variable] ?? '').trim();
    if (text.length >= SHORTEST_SECRET) return text;
    throw new ConfigError(({ settingsProblems: p }) => p.noProgramSecret(variable, hook, SHORTEST_SECRET));
  });
  return { kind: 'body', header, prefix, verify: createSignatureVerifier(secrets) };
};

const tokenIn = ({ token: variable }: { token: string }, hook: string, env: RawEnvironment): string => {
  const token = (env[variable] ?? '').trim();
  if (token !== '') return token;
  throw new ConfigError(({ settingsProblems: p }) => p.noCommentToken(variable, hook));
};

const hooksIn = (
  { hooks, chat: everybody }: FileSettings['arrivals'],
  env: RawEnvironment,
  { admins, cwd }: { admins: readonly string[]; cwd: string },
): ControlConfig['hooks'] =>
  new Map(
    Object.entries(hooks).map(([name, { secret, file, from = null, perDay, chat }]): [string, HookWay] => {
      const signs = from
        ? bodySignedBy(from.mapping, secret, name, env)
        : standardSignedBy(secret, name, env);
      const path = file === undefined ? null : resolve(cwd, file);
      const comment = from?.comment ? { ...from.comment, token: tokenIn(from.comment, name, env) } : null;
      const to = chat ?? everybody ?? admins[0] ?? '';
      return [name, { signs, file: path, from, comment, perDay, chat: to }];
    }),
  );

/** F2: requires a webhook secret when a public address is set. */
const webhooksOf = (settings: ControlEnvironment): ControlConfig['webhooks'] => {
  const { GITHUB_WEBHOOK_SECRET: secret, GITHUB_WEBHOOK_SECRET_PREVIOUS: previous } = settings;
  if (secret !== undefined) return { secrets: previous === undefined ? [secret] : [secret, previous] };
  if (previous !== undefined) throw new ConfigError(({ settingsProblems: p }) => p.previousAlone);
  if (settings.AGENTPR_PUBLIC_URL !== undefined)
    throw new ConfigError(({ settingsProblems: p }) => p.publicAlone);
  return null;
};

const bucketOf = (settings: SharedEnvironment): BucketSettings | null => {
  const {
    AGENTPR_BUCKET_URL: address,
    AGENTPR_BUCKET_KEY_ID: keyId,
    AGENTPR_BUCKET_SECRET: secret,
  } = settings;
  if (address === undefined && keyId === undefined && secret === undefined) return null;
  if (address === undefined || keyId === undefined || secret === undefined)
    throw new ConfigError(({ settingsProblems: p }) => p.together(BUCKET_NAMES));
  const { pathname, search } = new URL(address);
  if (!isSafeAddress(new URL(address)))
    throw new ConfigError(({ settingsProblems: p }) => p.mustBeHttps('AGENTPR_BUCKET_URL', address));
  if (pathname === '/' || search !== '')
    throw new ConfigError(({ settingsProblems: p }) => p.noBucketName(address));
  return {
    url: address.replace(/(?<!\/)\/+$/, ''),
    keyId,
    secret,
    region: settings.AGENTPR_BUCKET_REGION ?? 'us-east-1',
  };
};

const tracesOf = (settings: SharedEnvironment): WorkConfig['traces'] => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers = '' } = settings;
  if (endpoint === undefined) return null;
  const url = `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`;
  try {
    const pairs = headers.split(',').flatMap((pair): [string, string][] => {
      const at = pair.indexOf('=');
      return at < 0 ? [] : [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]];
    });
    return { url, headers: Object.fromEntries(pairs) };
  } catch {
    throw new ConfigError(({ settingsProblems: p }) => p.oddPercent);
  }
};

export const parseDatabaseUrl = (address: string | undefined): string | null => {
  const schema = address ? URL.parse(address)?.searchParams.get('schema') : null;
  if (schema)
    throw new ConfigError(({ settingsProblems: p }) => p.prismaSchema(schema, encodeURIComponent(schema)));
  return address || null;
};

/** Returns null if unset. Throws ConfigError, also for `$`, which only a shell would expand. */
export const readPath = (name: string, env: RawEnvironment, cwd: string): string | null => {
  const value = env[name];
  if (!value) return null;
  if (/\$[A-Za-z_{]/.test(value))
    throw new ConfigError(({ settingsProblems: p }) => p.holdsVariable(name, value));
  if (/^["'“”‘’]/.test(value)) throw new ConfigError(({ settingsProblems: p }) => p.quotedPath(name, value));
  if (!value.startsWith('~')) return resolve(cwd, value);
  const [, rest] = /^~(?:\/(.*))?$/.exec(value) ?? [null, null];
  if (rest === null || !env.HOME)
    throw new ConfigError(({ settingsProblems: p }) => p.otherHome(name, value));
  return resolve(env.HOME, rest ?? '.');
};

const proxiesOf = (env: RawEnvironment): ProxySettings => {
  try {
    return readProxies(env);
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error));
  }
};

const workOf = (
  settings: SharedEnvironment,
  env: RawEnvironment,
  file: FileSettings,
  cwd: string,
): WorkConfig => {
  const apiUrl = withoutSlashes(settings.GITHUB_API_URL ?? 'https://api.github.com');
  return {
    github: { ...githubIdentityOf(settings), apiUrl, serverUrl: serverUrlOf(apiUrl, settings.GITHUB_URL) },
    http: { host: settings.AGENTPR_HTTP_HOST ?? '127.0.0.1', port: settings.AGENTPR_HTTP_PORT ?? 0 },
    dataDir: readPath('AGENTPR_DATA_DIR', env, cwd) ?? resolve(cwd, '.agentpr'),
    database: parseDatabaseUrl(settings.DATABASE_URL),
    role: settings.AGENTPR_ROLE ?? 'all',
    engine: settings.AGENTPR_ENGINE ?? 'script',
    sandbox: settings.AGENTPR_SANDBOX ?? 'bwrap',
    logLevel: settings.AGENTPR_LOG_LEVEL ?? 'info',
    bucket: bucketOf(settings),
    traces: tracesOf(settings),
    proxies: proxiesOf(env),
    certificates: readCertificateVariables(env),
    pass: passableEnvironment(env),
    operator: { env, home: env.HOME ?? '/nonexistent' },
    file,
  };
};

/** `file` is the text of agentpr.config.json, or null. Throws ConfigError. */
export const readConfig = (
  env: RawEnvironment,
  file: string | null,
  cwd: string,
  dotEnv: readonly string[] = [],
): ControlConfig => {
  const [e, settings] = readTogether(
    () => readControlEnvironment(env, dotEnv),
    () => readSettings(file),
  );
  const work = workOf(e, env, settings, cwd);
  const given = { telegram: telegramOf(e), slack: slackOf(e) };
  const chats = listConfiguredChats(given);
  return {
    ...work,
    ...given,
    chats,
    http: {
      host: work.http.host,
      port: e.AGENTPR_HTTP_PORT ?? 8787,
      publicUrl: e.AGENTPR_PUBLIC_URL === undefined ? null : withoutSlashes(e.AGENTPR_PUBLIC_URL),
    },
    webhooks: webhooksOf(e),
    chatModel: chatModel(settings, env),
    voice: voiceIn(settings, env),
    hooks: hooksIn(settings.arrivals, env, { admins: listAdminChats(chats), cwd }),
  };
};

/** A worker gets no secrets of the chat or the webhooks. */
export const readWorkerConfig = (
  env: RawEnvironment,
  file: string | null,
  cwd: string,
  dotEnv: readonly string[] = [],
): WorkConfig => {
  const [e, settings] = readTogether(
    () => readEverywhere(env, dotEnv),
    () => readSettings(file),
  );
  return workOf(e, env, settings, cwd);
};

export const pathsShownToBox = ({ dataDir, file }: Pick<WorkConfig, 'dataDir' | 'file'>): string[] => [
  dataDir,
  ...file.tools,
  ...file.readable,
];
