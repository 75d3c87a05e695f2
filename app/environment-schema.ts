/** Defines the variables of the environment and `.env` (O3). */
import { z } from 'zod';
import { ENGINE_NAMES } from '#engines';
import { SHORTEST_SECRET } from '#webhooks';
import { explainSettingIssues, settingRule } from './settings-schema.ts';
import { ConfigError } from './config-error.ts';
import { editDistance } from '#model/values';

const OWN_PREFIX = /^(AGENTPR|TELEGRAM|SLACK|GITHUB)_/;
/** Maximum edit distance by prefix; GITLAB_TOKEN is 2 letters from GITHUB_TOKEN, but valid. */
const TYPO = { ours: 2, others: 1 } as const;

const foldSpelling = (name: string): string => name.toUpperCase().replace(/[-_\s.]/g, '');

const findNearestName = (name: string, known: readonly string[]): { name: string; off: number } | null => {
  const off = known
    .filter((one) => OWN_PREFIX.test(one))
    .map((one) => ({ name: one, off: editDistance(foldSpelling(name), foldSpelling(one)) }));
  return off.sort((a, b) => a.off - b.off)[0] ?? null;
};

/** Names in the shared environment are refused only when they nearly match one of ours. */
type UnknownSetting = { name: string; fromFile: boolean; meant: string | null };

const findMisspeltSettings = (
  given: { env: readonly string[]; dotEnv: readonly string[] },
  known: readonly string[],
): UnknownSetting[] => {
  const findUnknownSettings = (name: string, { fromFile }: { fromFile: boolean }): UnknownSetting[] => {
    if (known.includes(name)) return [];
    const near = findNearestName(name, known);
    const close = near !== null && near.off <= (OWN_PREFIX.test(name) ? TYPO.ours : TYPO.others);
    const refused = close || name.startsWith('AGENTPR_') || (fromFile && OWN_PREFIX.test(name));
    if (!refused) return [];
    return [{ name, fromFile, meant: close ? near.name : null }];
  };
  const file = new Set(given.dotEnv);
  return [
    ...given.dotEnv.flatMap((name) => findUnknownSettings(name, { fromFile: true })),
    ...given.env
      .filter((name) => !file.has(name))
      .flatMap((name) => findUnknownSettings(name, { fromFile: false })),
  ];
};

const port = z.coerce.number(settingRule('port')).int().min(0).max(65_535);
const toOptional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((v) => (v === '' ? undefined : v), schema.optional());
const secret = z.string().refine((text) => text.trim().length >= SHORTEST_SECRET, {
  error: settingRule('secret_length'),
});
const ids = z
  .string()
  .regex(/^\s*\d+([\s,]+\d+)*\s*$/, settingRule('telegram_ids'))
  .transform((text) =>
    text
      .trim()
      .split(/[\s,]+/)
      .map((id) => id.replace(/^0+(?=\d)/, '')),
  )
  .refine((all) => all.every((id) => Number.isSafeInteger(Number(id))), {
    error: settingRule('telegram_ids'),
  });

/** Telegram, Bot API, "Authorizing your bot": a number, a colon, letters. */
export const BOT_TOKEN = /^\d+:[\w-]+$/;

const slackIds = z
  .string()
  .regex(/^\s*[UW][A-Z0-9]{2,20}([\s,]+[UW][A-Z0-9]{2,20})*\s*$/, settingRule('slack_ids'))
  .transform((text) => text.trim().split(/[\s,]+/));
const samePeople = z
  .string()
  .regex(
    /^\s*[UW][A-Z0-9]{2,20}=[1-9]\d{0,14}([\s,]+[UW][A-Z0-9]{2,20}=[1-9]\d{0,14})*\s*$/,
    settingRule('slack_pairs'),
  )
  .transform(
    (text) =>
      new Map(
        text
          .trim()
          .split(/[\s,]+/)
          .map((pair) => pair.split('=') as [string, string]),
      ),
  );

export const PROCESS_ROLES = ['all', 'control', 'worker'] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];

/** Read by every role; `.env.example` explains each name. */
const SharedEnvironment = z.object({
  GITHUB_TOKEN: toOptional(z.string()),
  GITHUB_API_URL: toOptional(z.url()),
  GITHUB_URL: toOptional(z.url()),
  GITHUB_APP_ID: toOptional(z.string()),
  GITHUB_APP_PRIVATE_KEY: toOptional(z.string()),
  AGENTPR_HTTP_HOST: toOptional(z.string()),
  AGENTPR_HTTP_PORT: toOptional(port),
  AGENTPR_DATA_DIR: toOptional(z.string()),
  DATABASE_URL: toOptional(
    z.url({
      protocol: /^postgres(ql)?$/,
      error: settingRule('postgres_address'),
    }),
  ),
  AGENTPR_ROLE: toOptional(z.enum(PROCESS_ROLES)),
  AGENTPR_ENGINE: toOptional(z.enum(ENGINE_NAMES)),
  AGENTPR_SANDBOX: toOptional(z.enum(['auto', 'bwrap', 'unshare', 'container', 'group'])),
  AGENTPR_API_TOKEN: toOptional(secret),
  AGENTPR_LOG_LEVEL: toOptional(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])),
  AGENTPR_BUCKET_URL: toOptional(z.url({ protocol: /^https?$/, error: settingRule('bucket_address') })),
  AGENTPR_BUCKET_KEY_ID: toOptional(z.string()),
  AGENTPR_BUCKET_SECRET: toOptional(z.string()),
  AGENTPR_BUCKET_REGION: toOptional(z.string()),
  OTEL_EXPORTER_OTLP_ENDPOINT: toOptional(
    z.url({ protocol: /^https?$/, error: settingRule('trace_address') }),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: toOptional(
    z.string().regex(/^[^=,]+=[^,]*(,[^=,]+=[^,]*)*$/, settingRule('trace_headers')),
  ),
});
const ControlEnvironment = SharedEnvironment.extend({
  TELEGRAM_BOT_TOKEN: z.string().min(1).regex(BOT_TOKEN, settingRule('bot_token')),
  TELEGRAM_API_ROOT: toOptional(z.url()),
  TELEGRAM_API_ALLOW_HTTP: toOptional(z.enum(['yes'], { error: settingRule('yes_or_empty') })),
  TELEGRAM_ADMIN_IDS: ids,
  SLACK_BOT_TOKEN: toOptional(z.string().regex(/^xoxb-/, settingRule('slack_bot_token'))),
  SLACK_APP_TOKEN: toOptional(z.string().regex(/^xapp-/, settingRule('slack_app_token'))),
  SLACK_ADMIN_IDS: toOptional(slackIds),
  SLACK_SAME_PEOPLE: toOptional(samePeople),
  SLACK_API_ROOT: toOptional(z.url()),
  GITHUB_WEBHOOK_SECRET: toOptional(secret),
  GITHUB_WEBHOOK_SECRET_PREVIOUS: toOptional(secret),
  AGENTPR_PUBLIC_URL: toOptional(z.url({ protocol: /^https$/, error: settingRule('https_address') })),
});
/** Slack alone: nothing of Telegram is set, and Slack is complete. */
const SlackEnvironment = ControlEnvironment.extend({
  TELEGRAM_BOT_TOKEN: z.literal('').optional(),
  TELEGRAM_ADMIN_IDS: z.literal('').optional(),
  SLACK_BOT_TOKEN: z.string().regex(/^xoxb-/, settingRule('slack_bot_token')),
  SLACK_APP_TOKEN: z.string().regex(/^xapp-/, settingRule('slack_app_token')),
  SLACK_ADMIN_IDS: slackIds,
});
export const ENVIRONMENT_NAMES = Object.keys(ControlEnvironment.shape);

/** `dotEnv` are the names from `.env`. Throws ConfigError. */
export const refuseMisspelt = (env: readonly string[], dotEnv: readonly string[]): void => {
  const wrong = findMisspeltSettings({ env, dotEnv }, ENVIRONMENT_NAMES);
  if (wrong.length > 0)
    throw new ConfigError(({ unknownSettings }) => unknownSettings(wrong, ENVIRONMENT_NAMES));
};

export type RawEnvironment = Readonly<Record<string, string | undefined>>;

const parseEnvironment = <T extends z.ZodType>(
  schema: T,
  env: RawEnvironment,
  dotEnv: readonly string[],
): z.infer<T> => {
  refuseMisspelt(Object.keys(env), dotEnv);
  const parsed = schema.safeParse(env);
  if (parsed.success) return parsed.data;
  const issues = explainSettingIssues(schema, parsed.error, { file: 'env', input: env });
  const hasCredential = Boolean(env.GITHUB_TOKEN || env.GITHUB_APP_ID || env.GITHUB_APP_PRIVATE_KEY);
  throw new ConfigError((words) =>
    [issues(words), ...(hasCredential ? [] : [words.setup.noCredential])].join('\n'),
  );
};

export type SharedEnvironment = z.infer<typeof SharedEnvironment>;
export type ControlEnvironment = z.infer<typeof ControlEnvironment> | z.infer<typeof SlackEnvironment>;
export const readEverywhere = (env: RawEnvironment, dotEnv: readonly string[]): SharedEnvironment =>
  parseEnvironment(SharedEnvironment, env, dotEnv);
export const readControlEnvironment = (env: RawEnvironment, dotEnv: readonly string[]): ControlEnvironment =>
  !env.TELEGRAM_BOT_TOKEN && !env.TELEGRAM_ADMIN_IDS && env.SLACK_BOT_TOKEN
    ? parseEnvironment(SlackEnvironment, env, dotEnv)
    : parseEnvironment(ControlEnvironment, env, dotEnv);
