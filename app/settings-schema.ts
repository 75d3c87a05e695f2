/** What agentpr.config.json may say (O3). Unknown keys are refused. */
import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import { enExpectedValues } from '../bot/language/en/validation-issues.ts';
import { sayRecord } from '../bot/text/catalogue.ts';
import { AgentsSettings } from '#engines';
import { GatewaySettings, HostPattern, REGISTRY_NAMES } from '#gateway';
import { isRepository } from '#forge';
import { DEFAULT_INSTALL_LIMITS, DEFAULT_MIRROR_LIMITS } from '#git';
import { DEFAULT_LIMITS } from '#sandbox';
import { RunBounds } from '../orchestrator/core/run-bounds.ts';
import { CampaignSettings } from '../orchestrator/core/campaign/pilot-size.ts';
import { HookName } from '../orchestrator/core/campaign-trigger.ts';
import { ForkSettings } from '../orchestrator/core/push-fork.ts';
import { EMAIL_ADDRESS, nameProblem } from '../orchestrator/core/git-ident.ts';
import { validationIssueOf, issueLocation } from '../orchestrator/core/validation-issue.ts';
import { PolicySettings } from '../orchestrator/core/policy-settings.ts';
import { ThirdPartySettings } from '../orchestrator/core/stranger-allowance.ts';

/** With `listed` a box reaches registries, its model, and the hosts that are named. */
const reach = (usual: 'listed' | 'shared') => z.enum(['listed', 'shared', 'none']).default(usual);

/** Nothing of AgentPR's own credentials goes to a model. */
const OWN_VARIABLE_PREFIX = /^(GITHUB|GH|TELEGRAM|AGENTPR|DATABASE)_/;
const variable = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, 'the name of an environment variable, not the secret itself')
  .refine((name) => !OWN_VARIABLE_PREFIX.test(name), 'choose a name of your own');
const ChatModelSettings = z.strictObject({
  provider: z.enum(['anthropic', 'openai']),
  name: z.string().min(1).max(100),
  /** The variable of the environment that holds its key. */
  key: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, 'the name of an environment variable, not the key itself')
    .refine((name) => !OWN_VARIABLE_PREFIX.test(name), 'a model may not see that')
    .optional(),
  /** Another server that speaks as the provider does; plain HTTP on this machine alone. */
  url: z
    .url()
    .refine(
      (url) => /^https:\/\/|^http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]/.test(`${url}/`),
      'must be https',
    )
    .optional(),
  maxTokensPerDay: z.int().min(1_000).default(200_000),
  timeoutSeconds: z.int().min(1).max(120).default(30),
});

const repository = z.string().refine(isRepository, 'write owner/name');
/** A chat's id; numbers may be written as they are. */
const chatId = z.union([z.string().min(1).max(100), z.int()]).transform(String);
const aDay = (usual: number) => z.int().min(1).max(500).default(usual);
/** F5: from where previews may come besides the chat and the host. */
export const ArrivalSettings = z.strictObject({
  /** Who is shown them; the first administrator where nobody is named. */
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
          .regex(
            /^[^,\p{C}]*$/u,
            'GitHub takes a comma for the end of a label; name one label, without commas and line ends',
          )
          .default('agentpr'),
        perDay: aDay(10),
        chat: chatId.optional(),
      }),
    )
    .default([]),
  /** Webhooks of the host's own, by name: `POST /hooks/<name>`. */
  hooks: z
    .record(
      HookName,
      z.strictObject({
        /** The variable of the environment that holds its secret; two while it is rotated. */
        secret: z.union([variable, z.array(variable).min(1).max(2)]).transform((one) => [one].flat()),
        /** A campaign file of the host: then a call brings variables alone. */
        file: z.string().min(1).optional(),
        perDay: aDay(20),
        chat: chatId.optional(),
      }),
    )
    .default({}),
});

const AuthorName = z
  .string()
  .max(200)
  .refine(
    (name) => nameProblem(name) !== 'punctuation',
    'git takes no name that is empty or punctuation alone; write one like Ana Example',
  )
  .refine(
    (name) => nameProblem(name) !== 'signs',
    'a name has no <, no >, no line end and nothing unseen; write one like Ana Example',
  );

const File = z.strictObject({
  /** The command of the `script` engine. */
  script: z.string().optional(),
  /** Sets both of the next two; each of them wins when it is given too. */
  maxParallelRunsPerDay: z.int().min(1).optional(),
  /** Runs at work, of all processes together. */
  maxParallelRuns: z.int().min(1).optional(),
  /** Agents and checks at work in one process. */
  maxParallelPerProcess: z.int().min(1).optional(),
  maxRunsPerDay: z.int().min(1).optional(),
  /** The agents: their program, more arguments, more names of the environment. */
  engines: AgentsSettings.default({}),
  /**
   * Directories of programs that agents and checks may use besides the system's, for example a
   * toolchain's bin.
   */
  tools: z.array(z.string().startsWith('/')).default([]),
  /** Directories that agents and checks may read although they lie below something hidden. */
  readable: z.array(z.string().startsWith('/')).default([]),
  /**
   * What one agent or check may use: memory and processes of its whole tree, and what workspace and
   * HOME may hold.
   */
  sandboxLimits: z
    .strictObject({
      memoryMb: z.int().min(256).default(DEFAULT_LIMITS.memoryMb),
      processes: z.int().min(64).default(DEFAULT_LIMITS.processes),
      diskMb: z.int().min(16).default(DEFAULT_LIMITS.diskMb),
      /** A control group that is ours to divide, as a path below the top of the hierarchy. */
      controlGroup: z.string().startsWith('/').optional(),
    })
    .prefault({}),
  /** What agents, scripts of the `script` engine, installations and checks reach. */
  network: z
    .strictObject({
      agents: z.enum(['listed', 'shared']).default('listed'),
      scripts: reach('shared'),
      installs: reach('listed'),
      checks: reach('listed'),
      /** Hosts that may be reached by TLS where `listed` holds: `example.com`, `*.example.com:8443`. */
      hosts: z.array(HostPattern).default([]),
      /** The same for hosts in a private network. */
      privateHosts: z.array(HostPattern).default([]),
      registries: z.array(z.enum(REGISTRY_NAMES)).default([...REGISTRY_NAMES]),
    })
    .prefault({}),
  /** How models are reached: prices, and when an attempt asks too often. */
  gateway: GatewaySettings.prefault({}),
  /**
   * Copies of repositories that runs start from: how long an unused one is kept, and what all may
   * take of the disk.
   */
  mirrors: z
    .strictObject({
      keepDays: z.int().min(1).default(DEFAULT_MIRROR_LIMITS.keepDays),
      diskMb: z.int().min(64).default(DEFAULT_MIRROR_LIMITS.diskMb),
    })
    .prefault({}),
  /** What installations of base commits made, kept for other runs on the same base. */
  installs: z
    .strictObject({
      keepDays: z.int().min(1).default(DEFAULT_INSTALL_LIMITS.keepDays),
      diskMb: z.int().min(1).default(DEFAULT_INSTALL_LIMITS.diskMb),
    })
    .prefault({}),
  /** C7: a model that answers in the chat what the grammar does not understand. */
  chat: z.strictObject({ model: ChatModelSettings.optional() }).prefault({}),
  checkTimeoutMinutes: z.number().positive().default(20),
  author: z
    .strictObject({ name: AuthorName, email: z.email({ pattern: EMAIL_ADDRESS }) })
    .default({ name: 'AgentPR', email: 'agentpr@agentpr.invalid' }),
  /** An SSH key of the operator's that signs the commits: the path of the private key. */
  signing: z.strictObject({ sshKey: z.string().startsWith('/') }).optional(),
  bounds: RunBounds.prefault({}),
  /** When changes are pushed to forks, and whose. */
  forks: ForkSettings.prefault({}),
  /** How much goes to people who do not know us. */
  strangers: ThirdPartySettings.prefault({}),
  policies: PolicySettings.prefault({}),
  /** F5: how campaigns may begin. */
  campaigns: CampaignSettings.prefault({}),
  arrivals: ArrivalSettings.prefault({}),
});
/** What is given for both holds where nothing is given for one. */
const FileSettings = File.transform(({ maxParallelRunsPerDay: both, ...file }) => {
  const maxParallelRuns = file.maxParallelRuns ?? both ?? 3;
  return {
    ...file,
    maxParallelRuns,
    maxParallelPerProcess: file.maxParallelPerProcess ?? maxParallelRuns,
    maxRunsPerDay: file.maxRunsPerDay ?? both ?? 50,
  };
});
export type FileSettings = z.infer<typeof FileSettings>;

/**
 * Each issue as a sentence that names the variable or key, and what stands there unless that may be
 * a secret.
 */
export const explainSettingIssues = (
  error: z.ZodError,
  { where, input, secret }: { where: string; input: unknown; secret: boolean },
): string =>
  error.issues
    .map((issue) => {
      const it = validationIssueOf(issue, input);
      const place = issueLocation(it.path);
      const [name, end] = place === '' ? [where, '.'] : [place, ` (${where}).`];
      if (it.kind === 'unknown') return `${name}: there is no ${it.key}${end}`;
      if (it.found === null) return `${name} is missing${end}`;
      if (it.may.kind === 'said') return `${name}: ${it.may.says}${end}`;
      return `${name} ${secret ? '' : `is ${it.found}; it `}${sayRecord(enExpectedValues, it.may)}${end}`;
    })
    .join('\n');

/** What agentpr.config.json says, without the environment. Throws ConfigError. */
export const readSettings = (text: string | null): FileSettings => {
  let json: unknown = {};
  try {
    if (text !== null) json = JSON.parse(text);
  } catch (error) {
    throw new ConfigError(
      `agentpr.config.json is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const parsed = FileSettings.safeParse(json);
  if (!parsed.success)
    throw new ConfigError(
      explainSettingIssues(parsed.error, { where: 'agentpr.config.json', input: json, secret: false }),
    );
  return parsed.data;
};
