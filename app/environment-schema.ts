/** O3: defines the variables of the environment and `.env`. */
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

const nearest = (name: string, known: readonly string[]): { name: string; off: number } | null => {
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
  const classify = (name: string, fromFile: boolean): UnknownSetting[] => {
    if (known.includes(name)) return [];
    const near = nearest(name, known);
    const close = near !== null && near.off <= (OWN_PREFIX.test(name) ? TYPO.ours : TYPO.others);
    const refused = close || name.startsWith('AGENTPR_') || (fromFile && OWN_PREFIX.test(name));
    if (!refused) return [];
    return [{ name, fromFile, meant: close ? near.name : null }];
  };
  const file = new Set(given.dotEnv);
  return [
    ...given.dotEnv.flatMap((name) => classify(name, true)),
    ...given.env.filter((name) => !file.has(name)).flatMap((name) => classify(name, false)),
  ];
};

const port = z.coerce.number(settingRule('port')).int().min(0).max(65_535);
const optional = <T extends z.ZodType>(schema: T) =>
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
  GITHUB_TOKEN: optional(z.string()),
  GITHUB_API_URL: optional(z.url()),
  GITHUB_URL: optional(z.url()),
  GITHUB_APP_ID: optional(z.string()),
  GITHUB_APP_PRIVATE_KEY: optional(z.string()),
  AGENTPR_HTTP_HOST: optional(z.string()),
  AGENTPR_HTTP_PORT: optional(port),
  AGENTPR_DATA_DIR: optional(z.string()),
  DATABASE_URL: optional(
    z.url({
      protocol: /^postgres(ql)?$/,
      error: settingRule('postgres_address'),
    }),
  ),
  AGENTPR_ROLE: optional(z.enum(PROCESS_ROLES)),
  AGENTPR_ENGINE: optional(z.enum(ENGINE_NAMES)),
  AGENTPR_SANDBOX: optional(z.enum(['auto', 'bwrap', 'unshare', 'container', 'group'])),
  AGENTPR_API_TOKEN: optional(secret),
  AGENTPR_LOG_LEVEL: optional(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])),
  AGENTPR_BUCKET_URL: optional(z.url({ protocol: /^https?$/, error: settingRule('bucket_address') })),
  AGENTPR_BUCKET_KEY_ID: optional(z.string()),
  AGENTPR_BUCKET_SECRET: optional(z.string()),
  AGENTPR_BUCKET_REGION: optional(z.string()),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(z.url({ protocol: /^https?$/, error: settingRule('trace_address') })),
  OTEL_EXPORTER_OTLP_HEADERS: optional(
    z.string().regex(/^[^=,]+=[^,]*(,[^=,]+=[^,]*)*$/, settingRule('trace_headers')),
  ),
});
const ControlEnvironment = SharedEnvironment.extend({
  TELEGRAM_BOT_TOKEN: z.string().min(1).regex(BOT_TOKEN, settingRule('bot_token')),
  TELEGRAM_API_ROOT: optional(z.url()),
  TELEGRAM_API_ALLOW_HTTP: optional(z.enum(['yes'], { error: settingRule('yes_or_empty') })),
  TELEGRAM_ADMIN_IDS: ids,
  SLACK_BOT_TOKEN: optional(z.string().regex(/^xoxb-/, settingRule('slack_bot_token'))),
  SLACK_APP_TOKEN: optional(z.string().regex(/^xapp-/, settingRule('slack_app_token'))),
  SLACK_ADMIN_IDS: optional(slackIds),
  SLACK_SAME_PEOPLE: optional(samePeople),
  SLACK_API_ROOT: optional(z.url()),
  GITHUB_WEBHOOK_SECRET: optional(secret),
  GITHUB_WEBHOOK_SECRET_PREVIOUS: optional(secret),
  AGENTPR_PUBLIC_URL: optional(z.url({ protocol: /^https$/, error: settingRule('https_address') })),
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

const read = <T extends z.ZodType>(schema: T, env: RawEnvironment, dotEnv: readonly string[]): z.infer<T> => {
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
  read(SharedEnvironment, env, dotEnv);
export const readControlEnvironment = (env: RawEnvironment, dotEnv: readonly string[]): ControlEnvironment =>
  !env.TELEGRAM_BOT_TOKEN && !env.TELEGRAM_ADMIN_IDS && env.SLACK_BOT_TOKEN
    ? read(SlackEnvironment, env, dotEnv)
    : read(ControlEnvironment, env, dotEnv);
