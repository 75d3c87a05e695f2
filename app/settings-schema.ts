/** Defines agentpr.config.json (O3). Unknown keys are refused. */
import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import type { LanguageTexts } from '#language';
import { isOwnVariable } from '#process';
import { AgentsSettings } from '#engines';
import { GatewaySettings, HostPattern, registryNames } from '#gateway';
import { isRepositoryName } from '#forge';
import { isPublicName } from '#pull-text';
import { DEFAULT_INSTALL_LIMITS, DEFAULT_MIRROR_LIMITS } from '#git';
import { CALL_GROUPS, DEFAULT_LIMITS, MAX_OUTPUT_MB, CONTAINER_ENGINES } from '#sandbox';
import { RunBounds } from '#model/limits';
import { SpendingBudgets } from '#model/spending';
import { COMMENT_FORMS, type CommentForm, HOOK_SOURCES, type HookMapping } from '#webhooks';
import { HookName } from '#model/schedule';
import { PullSettings } from '#model/opening';
import { ForkSettings } from '#model/pull';
import { EMAIL_ADDRESS, findIdentNameProblem } from '#model/trailers';
import { validationIssuesOf, PolicySettings, type ValidationIssue } from '#model/settings';
import { CampaignSettings } from '#campaigns';
import { OpeningCapSettings, OpeningSettings, ThirdPartySettings } from '#limits';
import { resolve } from 'node:path';
import { createLineFinder } from '#orders';
import { addRowsFrom, RowError } from '#tools';
import { ImageName, MachineLabel } from '#model/environment';

/** As a name of an image, with `*` for anything within one part of it. */
const ImagePattern = z
  .string()
  .max(255)
  .regex(/^[a-z0-9*][\w.:/*-]*$/i);

const ContainerSettings = z.strictObject({
  engine: z.enum(CONTAINER_ENGINES).optional(),
  /** For every command of every repository. */
  image: ImageName.optional(),
  /** For agents, whose programs may need another system than the checks. */
  agentImage: ImageName.optional(),
  /** The image of a repository that asks for none that is allowed. */
  otherwise: ImageName.optional(),
  /** Images that repositories may ask for: `golang`, `python:3.*`, `ghcr.io/acme/*`. */
  allowed: z.array(ImagePattern).max(200).default([]),
});

/** Another machine, as `DOCKER_HOST` names it. */
const HOST_ADDRESS = /^ssh:\/\/(?:[\w.-]{1,64}@)?[\w.-]{1,255}(?::\d{1,5})?$/;
const BoxHostSettings = z
  .array(
    z.strictObject({
      host: z.string().regex(HOST_ADDRESS),
      /** As `runs-on` of a job names them beside `self-hosted`. */
      labels: z.array(z.string().toLowerCase().pipe(MachineLabel)).max(20).default([]),
      /** Boxes at the same time; 0 takes nothing new. */
      parallel: z.int().min(0).max(256).default(2),
    }),
  )
  .max(50)
  .refine((hosts) => new Set(hosts.map(({ host }) => host)).size === hosts.length, 'name each host once')
  .default([]);

/** Throws ConfigError. */
const takeToolRows = (name: string): void => {
  const folder = resolve(name);
  try {
    addRowsFrom(folder);
  } catch (error) {
    if (error instanceof RowError) {
      const { file, line, says } = error;
      throw new ConfigError(({ settingsProblems: p }) => p.line(file, line, says), 'config');
    }
    const says = error instanceof Error ? error.message : String(error);
    throw new ConfigError(({ settingsProblems: p }) => p.noToolRows(folder, says), 'config');
  }
};

/** A schema names the sentence that says what a value must be. */
export const settingRule = (rule: keyof LanguageTexts['settingRules']): string => rule;

/** `listed` allows registries, the model, and the named hosts. */
const networkReach = (usual: 'listed' | 'shared') => z.enum(['listed', 'shared', 'none']).default(usual);

const variable = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, settingRule('secret_name'))
  .refine((name) => !isOwnVariable(name), settingRule('own_name'));
const keyVariable = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, settingRule('key_name'))
  .refine((name) => !isOwnVariable(name), settingRule('hidden_from_model'));
const serverUrl = z
  .url()
  .refine(
    (url) => /^https:\/\/|^http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]/.test(`${url}/`),
    settingRule('https'),
  );
const ChatModelSettings = z.strictObject({
  provider: z.enum(['anthropic', 'openai']),
  name: z.string().min(1).max(100),
  key: keyVariable.optional(),
  url: serverUrl.optional(),
  maxTokensPerDay: z.int().min(1_000).default(200_000),
  timeoutSeconds: z.int().min(1).max(120).default(30),
});

/** C10: a server that speaks OpenAI's audio API, or a command of the operator. */
const VoiceSettings = z
  .strictObject({
    url: serverUrl.optional(),
    model: z.string().min(1).max(100).default('whisper-1'),
    key: keyVariable.optional(),
    command: z.array(z.string().min(1)).min(1).max(50).optional(),
    maxSeconds: z.int().min(1).max(600).default(120),
    minutesPerDay: z.int().min(1).max(1_440).default(30),
    timeoutSeconds: z.int().min(1).max(300).default(60),
  })
  .refine(({ url, command }) => (url === undefined) !== (command === undefined), 'name either url or command')
  .refine(
    ({ command }) => command === undefined || command.slice(1).some((part) => part.includes('{file}')),
    'command needs an argument {file}, which becomes the recording',
  );

const repository = z.string().refine(isRepositoryName, settingRule('repository'));
const chatId = z.union([z.string().min(1).max(100), z.int()]).transform(String);
const aDay = (usual: number) => z.int().min(1).max(500).default(usual);
const template = z.string().min(1).max(500);
const LOOPBACK: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];
/** Security: nobody reads a key on its way there. */
export const isSafeAddress = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || LOOPBACK.includes(hostname);

const isCommentable = ({ url, body }: CommentForm): boolean => {
  const address = url.replaceAll('{id}', '1');
  return URL.canParse(address) && isSafeAddress(new URL(address)) && JSON.stringify(body).includes('{text}');
};

const HookComment = z.strictObject({
  token: variable,
  url: template.exactOptional(),
  scheme: z.enum(['plain', 'bearer', 'basic']).exactOptional(),
  body: z.record(z.string(), z.unknown()).exactOptional(),
});

/** F5: how an order is read out of what another program sends; what is not said stands in the program's row. */
const HookFrom = z
  .strictObject({
    program: z.enum(['linear', 'jira', 'sentry', 'any']),
    repository,
    header: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9-]{0,80}$/)
      .transform((name) => name.toLowerCase())
      .exactOptional(),
    prefix: z.string().max(40).exactOptional(),
    when: z
      .record(
        z.string().regex(/^[\w.-]{1,100}$/),
        z.union([z.string(), z.array(z.string()).min(1).max(20)]).transform((one) => [one].flat()),
      )
      .exactOptional(),
    title: template.exactOptional(),
    text: template.exactOptional(),
    link: template.exactOptional(),
    id: template.exactOptional(),
    comment: HookComment.optional(),
  })
  .transform(({ program, repository: repo, comment, ...said }) => {
    const row: HookMapping = HOOK_SOURCES[program];
    const form: CommentForm = COMMENT_FORMS[program];
    return {
      repo,
      mapping: { ...row, ...said },
      comment: comment === undefined ? null : { ...form, ...comment },
    };
  })
  .refine(({ comment }) => comment === null || isCommentable(comment), settingRule('whole_comment'))
  .refine(
    ({ mapping: { header, title, link, id } }) => [header, title, link, id].every((one) => one !== ''),
    settingRule('whole_mapping'),
  );

/** F5: sources of previews besides chat and host. */
export const ArrivalSettings = z.strictObject({
  chat: chatId.optional(),
  issues: z
    .array(
      z.strictObject({
        repositories: z.array(repository).min(1).max(100),
        label: z
          .string()
          .trim()
          .min(1)
          .max(50)
          .regex(/^[^,\p{C}]*$/u, settingRule('one_label'))
          .default('agentpr'),
        perDay: aDay(10),
        chat: chatId.optional(),
      }),
    )
    .default([]),
  hooks: z
    .record(
      HookName,
      z
        .strictObject({
          /** Name of the variable with the secret; two during a rotation. */
          secret: z.union([variable, z.array(variable).min(1).max(2)]).transform((one) => [one].flat()),
          /** Campaign file of the host; calls then only set variables. */
          file: z.string().min(1).optional(),
          from: HookFrom.optional(),
          perDay: aDay(20),
          chat: chatId.optional(),
        })
        .refine(({ file, from }) => file === undefined || from === undefined, settingRule('file_or_from')),
    )
    .default({}),
});

const AuthorName = z
  .string()
  .max(200)
  .refine((name) => findIdentNameProblem(name) !== 'punctuation', settingRule('author_name'))
  .refine((name) => findIdentNameProblem(name) !== 'signs', settingRule('plain_name'));

export const PublicName = AuthorName.max(40).refine(isPublicName, settingRule('public_name'));

const File = z.strictObject({
  script: z.string().optional(),
  maxParallelRunsPerDay: z.int().min(1).optional(),
  maxParallelRuns: z.int().min(1).optional(),
  maxParallelPerProcess: z.int().min(1).optional(),
  maxRunsPerDay: z.int().min(1).optional(),
  engines: AgentsSettings.default({}),
  tools: z.array(z.string().startsWith('/')).default([]),
  /** Folder of rows of tools, from the working directory on. */
  toolRows: z.string().min(1).optional(),
  /** Readable directories inside hidden ones. */
  readable: z.array(z.string().startsWith('/')).default([]),
  /** Limits of one agent or check, for its whole process tree. */
  sandboxLimits: z
    .strictObject({
      memoryMb: z.int().min(256).default(DEFAULT_LIMITS.memoryMb),
      processes: z.int().min(64).default(DEFAULT_LIMITS.processes),
      diskMb: z.int().min(16).default(DEFAULT_LIMITS.diskMb),
      outputMb: z.int().min(1).max(MAX_OUTPUT_MB).default(DEFAULT_LIMITS.outputMb),
      /** Delegated control group, as a path below the root of the hierarchy. */
      controlGroup: z.string().startsWith('/').optional(),
    })
    .prefault({}),
  /** E22: system calls that the filter of boxes lets through. */
  sandboxCalls: z.array(z.enum(CALL_GROUPS)).default([]),
  /** E20: images of boxes, with AGENTPR_SANDBOX=container. */
  containers: ContainerSettings.prefault({}),
  /** E20: other machines for installations and checks. */
  boxes: BoxHostSettings,
  network: z
    .strictObject({
      agents: z.enum(['listed', 'shared']).default('listed'),
      scripts: networkReach('shared'),
      installs: networkReach('listed'),
      checks: networkReach('listed'),
      /** Hosts reachable by TLS with `listed`: `example.com`, `*.example.com:8443`. */
      hosts: z.array(HostPattern).default([]),
      privateHosts: z.array(HostPattern).default([]),
      registries: z.array(z.lazy(() => z.enum(registryNames()))).default(registryNames),
    })
    .prefault({}),
  gateway: GatewaySettings.prefault({}),
  mirrors: z
    .strictObject({
      keepDays: z.int().min(1).default(DEFAULT_MIRROR_LIMITS.keepDays),
      diskMb: z.int().min(64).default(DEFAULT_MIRROR_LIMITS.diskMb),
    })
    .prefault({}),
  installs: z
    .strictObject({
      keepDays: z.int().min(1).default(DEFAULT_INSTALL_LIMITS.keepDays),
      diskMb: z.int().min(1).default(DEFAULT_INSTALL_LIMITS.diskMb),
    })
    .prefault({}),
  chat: z.strictObject({ model: ChatModelSettings.optional(), voice: VoiceSettings.optional() }).prefault({}),
  checkTimeoutMinutes: z.number().positive().default(20),
  author: z
    .strictObject({ name: AuthorName, email: z.email({ pattern: EMAIL_ADDRESS }) })
    .default({ name: 'AgentPR', email: 'agentpr@agentpr.invalid' }),
  /** G7: what pull requests call those who approve, by their ids in the chat. */
  publicNames: z.record(z.string().regex(/^[\w.@-]{1,64}$/), PublicName).default({}),
  signing: z.strictObject({ sshKey: z.string().startsWith('/') }).optional(),
  /** Strict here alone: a ledger may hold bounds of another version. */
  bounds: RunBounds.strict().prefault({}),
  forks: ForkSettings.prefault({}),
  /** F13: how pull requests open. */
  pull: PullSettings.prefault({}),
  /** Limits of pull requests to repositories of outsiders. */
  thirdParty: ThirdPartySettings.prefault({}),
  /** G10: when approved pull requests are opened, and how many. */
  openings: OpeningSettings.prefault({}),
  caps: OpeningCapSettings.prefault({}),
  policies: PolicySettings.prefault({}),
  /**
   * G11: fingerprints of the keys that count where a policy has `by: passkey`. `registered` takes each
   * key of the ledger, and so trusts whoever can write there.
   */
  approvalKeys: z
    .union([z.literal('registered'), z.array(z.string().regex(/^[0-9a-f]{32}$/)).max(200)])
    .default([]),
  /** P7: limits of money and tokens above a run. */
  budgets: SpendingBudgets.prefault({}),
  campaigns: CampaignSettings.prefault({}),
  arrivals: ArrivalSettings.prefault({}),
});
export const FileSettings = File.transform(({ maxParallelRunsPerDay: both, ...file }) => {
  const maxParallelRuns = file.maxParallelRuns ?? both ?? 3;
  return {
    ...file,
    maxParallelRuns,
    maxParallelPerProcess: file.maxParallelPerProcess ?? maxParallelRuns,
    maxRunsPerDay: file.maxRunsPerDay ?? both ?? 50,
  };
});
export type FileSettings = z.infer<typeof FileSettings>;

type IssueSource = {
  file: 'env' | 'config';
  input: unknown;
  lineOf?: (issue: ValidationIssue) => number;
};

/** Names the variable or key of each issue, and what stands there unless that may be a secret. */
export const explainSettingIssues =
  (schema: z.ZodType, error: z.ZodError, { file, input, lineOf }: IssueSource) =>
  ({ settingsIssue }: LanguageTexts): string =>
    validationIssuesOf(schema, error, input)
      .map((issue) => settingsIssue(issue, file, lineOf?.(issue) ?? null))
      .join('\n');

export const readSettings = (text: string | null): FileSettings => {
  let json: unknown = {};
  try {
    if (text !== null) json = JSON.parse(text);
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error);
    throw new ConfigError(({ setup }) => setup.notJson(says), 'config');
  }
  const { repeated, lineOf } = createLineFinder(text ?? '{}');
  if (repeated)
    throw new ConfigError(
      ({ settingsProblems: p }) => p.repeated(repeated.line, repeated.key.slice(0, 60)),
      'config',
    );
  // Its rows come first, because they say what other settings may name.
  const rows = z.looseObject({ toolRows: z.string().min(1) }).safeParse(json);
  if (rows.success) takeToolRows(rows.data.toolRows);
  const parsed = FileSettings.safeParse(json);
  if (!parsed.success)
    throw new ConfigError(
      explainSettingIssues(FileSettings, parsed.error, { file: 'config', input: json, lineOf }),
      'config',
    );
  return parsed.data;
};
