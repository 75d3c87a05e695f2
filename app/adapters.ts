/** Creates the adapters that perform effects: sandboxes, git, code host, engines. */
import { createRepositoryReader, createWorkspaces, checkSigningKey, createNotes } from '#git';
import { type ExposedSecrets, createHidingChecks, createHidingNotes } from '#sandbox';
import type { ForgeAccess } from '#ports/roles';
import { createRunMover } from '#workers';
import { listAdminChats } from './chats.ts';
import { hasCostLimit } from '#model/spending';
import type { ControlConfig } from './config.ts';
import { createReceiptIssuer, ensureReceiptKey } from '#receipts';
import { createOwnKeyCheck, createPasskeyStore } from '#passkeys';
import {
  createOpeningHolds,
  createProviderBudget,
  createProviderPauses,
  createThirdPartyLimiter,
  createSpendingGuard,
  createSpendingMeter,
  createWriteScheduler,
} from '#limits';
import { createCheckExecutor } from '#checks';
import { retryWhileUnavailable } from '#db';
import { createEngines } from '#engines';
import type { ModelGateway } from '#gateway';
import { ENGLISH_WORDING } from '#language';
import type { EffectHandlers, SubmitInput } from '#runtime';
import { repositoryOf } from '#run';
import { createHandlers, type EffectContext } from '#kernel';
import type { SystemClock, LogPort } from '#ports/processes';
import type { Ledger, SpendingGuard } from '#ports/ledger';
import { createSandboxSetup, createBoxGateway, type SandboxSetup } from './sandbox-setup.ts';
import { systemTimers } from './clock.ts';
import { type WorkConfig, pathsShownToBox } from './config.ts';
import { createConfiguredForge } from './forges.ts';
import {
  budgetsInForce,
  openRuntimeSettings,
  effectSettings,
  openingsInForce,
  readBudgets,
} from './runtime-settings.ts';
import { loadDerivedKeys } from './derived-keys.ts';
import { readSkill } from './skills.ts';
import { createAdminLookup } from './known-admins.ts';
import { type ObserveWork, withObservedChecks, watchExecutors } from './observe-work.ts';
import { ConfigError } from './config-error.ts';
import { MB } from '#model/values';

const createWriting = (parts: {
  config: WorkConfig;
  ledger: Ledger;
  clock: SystemClock;
  credentials: Pick<ForgeAccess, 'identity'>;
  openings: () => ReturnType<typeof openingsInForce>;
}) => {
  const { config, ledger, clock, credentials } = parts;
  const reputation = createThirdPartyLimiter({
    ledger,
    clock,
    settings: config.file.thirdParty,
    isAlone: config.role === 'all',
  });
  const openings = createOpeningHolds({
    ledger,
    clock,
    windows: () => parts.openings().windows,
    caps: () => parts.openings().caps,
  });
  const writers = createWriteScheduler({
    books: ledger.writers,
    clock,
    timers: systemTimers,
    identity: async ({ runId }) => {
      const run = runId === null ? null : await ledger.query.run(runId);
      return credentials.identity(run && repositoryOf(run));
    },
    limits: [reputation, openings],
  });
  return { writers, reputation };
};

type WorkParts = {
  config: Pick<WorkConfig, 'file' | 'operator'>;
  boxed: SandboxSetup;
  gateway: ModelGateway;
  lent: ExposedSecrets;
  workspaces: Parameters<typeof createNotes>[0];
  watch: ObserveWork;
  /** P7: dollars are limited above a run, so that a model needs a price. */
  costHolds: () => boolean;
};

const createWork = ({ config, boxed, gateway, lent, workspaces, watch, costHolds }: WorkParts) => {
  const { network, engines, gateway: settings, sandboxLimits } = config.file;
  const outputBytes = sandboxLimits.outputMb * MB;
  const ways = { gateway, settings, network: network.agents, costHolds };
  const checks = createCheckExecutor({
    ...boxed,
    gateway,
    network: { install: network.installs, check: network.checks },
    maxOutputBytes: outputBytes,
  });
  const lending = {
    ...boxed,
    lent,
    ways,
    scriptNetwork: network.scripts,
    scriptOutputBytes: outputBytes,
  };
  return {
    notes: createHidingNotes(lent, createNotes(workspaces)),
    checks: withObservedChecks(watch, createHidingChecks(lent, checks)),
    engines: watchExecutors(watch, createEngines(lending, config.operator, engines)),
  };
};

const signingOf = (config: WorkConfig): { signingKey?: string } => {
  const key = config.file.signing?.sshKey;
  if (key === undefined) return {};
  const problem = checkSigningKey(key, pathsShownToBox(config));
  if (problem !== null) throw new ConfigError(`signing.sshKey: ${problem}`);
  return { signingKey: key };
};

type AdapterParts = {
  config: WorkConfig;
  ledger: Ledger;
  clock: SystemClock;
  place: string;
  lent: ExposedSecrets;
  log: LogPort;
  mayMakeKeys: boolean;
  /** G10: admins by the configuration; null where the control process has them. */
  admins: readonly string[] | null;
  onTrouble: () => void;
  watch: ObserveWork;
};

/** Everything that proves an approval: who may give it, with which key, and its receipt. */
const createApprovals = (
  { config, ledger, admins }: AdapterParts,
  keys: ReturnType<typeof loadDerivedKeys>,
) => {
  const { roleOf, listAdmins } = createAdminLookup(ledger, admins);
  const passkeys = createPasskeyStore({ ledger, secret: keys.receipts });
  return {
    passkeys,
    listAdmins,
    approvals: {
      roleOf,
      checkOwnKeys: createOwnKeyCheck({ passkeys, trusted: config.file.approvalKeys }),
      issueReceipt: createReceiptIssuer({ mac: keys.receipts, secret: keys.receiptSeed }, ledger),
    },
  };
};

const createModelGateway = (
  { config, lent, log }: AdapterParts,
  boxed: SandboxSetup,
  budget: ReturnType<typeof createProviderBudget>,
): ModelGateway => {
  const echoing = new Set<string>();
  return createBoxGateway(config, boxed, {
    hide: (text) => lent.hide(text),
    onTrouble: (error, run) => log.error({ err: error, run }, 'a request from a sandbox could not be served'),
    onEcho: (provider, run) => {
      if (echoing.has(provider)) return;
      echoing.add(provider);
      log.error(
        { provider, run },
        'a provider of models sent back the key that it was given; it was hidden from the sandbox. Look at what answers there, and change the key.',
      );
    },
    budget,
  });
};

const createRunWorkspaces = (
  { config, place, lent, log }: AdapterParts,
  signing: ReturnType<typeof signingOf>,
  host: Pick<Parameters<typeof createWorkspaces>[0], 'signal' | 'credential' | 'told'>,
): ReturnType<typeof createWorkspaces> =>
  createWorkspaces({
    ...host,
    ...signing,
    dataDir: place,
    lent,
    serverUrl: config.github.serverUrl,
    network: config,
    mirrors: config.file.mirrors,
    installs: config.file.installs,
    onDamage: (repo, parts) => log.warn({ repo, parts }, 'a damaged copy of a repository was made anew'),
  });

type HandlerParts = Omit<EffectContext, 'submit' | 'clock' | 'texts' | 'agents' | 'spending'> & {
  clock: SystemClock;
  texts: Omit<EffectContext['texts'], 'wording'>;
  agents: Omit<EffectContext['agents'], 'brief'>;
  guard: SpendingGuard;
};

/** Effects are handled once their results can be submitted; briefing loads with the first agent. */
const createEffectHandlers =
  ({ guard, texts, agents, approvals, ...parts }: HandlerParts) =>
  (
    submit: SubmitInput,
    more: Pick<Parameters<typeof createHandlers>[0], 'tell' | 'hints' | 'postComment'>,
  ): EffectHandlers => {
    const clock = { now: () => parts.clock.now(), ...systemTimers };
    const shared = { ...parts, clock, texts: { ...texts, wording: ENGLISH_WORDING } };
    const brief: EffectContext['agents']['brief'] = async (...round) => {
      const { createBriefing } = await import('#briefing');
      return createBriefing({ ...shared, agents, skill: readSkill })(...round);
    };
    return createHandlers({
      ...shared,
      submit,
      agents: { ...agents, brief },
      approvals,
      spending: { createMeter: createSpendingMeter({ ...shared, submit }), guard },
      ...more,
    });
  };

export const createAdapters = async (parts: AdapterParts) => {
  const { config, ledger, clock, place, lent, log, onTrouble } = parts;
  const signing = signingOf(config);
  const keys = loadDerivedKeys(config.dataDir, { mayMake: parts.mayMakeKeys });
  const onceThere = <T>(work: () => Promise<T>): Promise<T> =>
    // guard: L7-start-asks-again
    retryWhileUnavailable(work, (why) => log.warn({}, why.message));
  await onceThere(() => ensureReceiptKey(ledger, clock.now()));
  const { passkeys, approvals, listAdmins } = createApprovals(parts, keys);
  const boxed = await createSandboxSetup({ ...config, dataDir: place });
  const { sandbox } = boxed;
  for (const weakness of sandbox.weaknesses) log.warn({ sandbox: sandbox.level }, weakness);
  const budget = createProviderBudget({ books: ledger.writers, clock, log });
  const gateway = createModelGateway(parts, boxed, budget);
  const host = createConfiguredForge(config, clock);
  const { credentials } = host;
  const closing = new AbortController();
  const workspaces = createRunWorkspaces(parts, signing, {
    signal: closing.signal,
    credential: (repo) => credentials.token(repo),
    told: (repo, branch) => connected.branchHead(repo, branch),
  });
  const costHolds = (): boolean => hasCostLimit(budgetsInForce(config.file, runtimeSettings.now()));
  const { notes, checks, engines } = createWork({ ...parts, boxed, gateway, workspaces, costHolds });
  const pauses = createProviderPauses({ clock, engines, left: budget.left });
  let onSpendingNote = (): void => {};
  const spending = createSpendingGuard({
    onNote: () => onSpendingNote(),
    ledger,
    clock,
    timers: systemTimers,
    budgets: () => readBudgets(ledger, config),
    admins: async () => ('chats' in config ? listAdminChats((config as ControlConfig).chats) : listAdmins()),
  });
  const runtimeSettings = await onceThere(() => openRuntimeSettings(config, ledger, clock));
  const openings = () => openingsInForce(config.file, runtimeSettings.now());
  const { writers, reputation } = createWriting({ ...parts, credentials, openings });
  const connected = host.connect({ limiter: writers.limiter, answers: ledger.answers, onTrouble });
  const forge = connected.port;
  const { moving } = workspaces;
  const bucket = config.bucket ? (await import('./s3-bucket.ts')).createBucket(config.bucket, clock) : null;
  const mover = createRunMover({ ledger, forge, moving, bucket, key: keys.moving, clock, log });
  const handlers = createEffectHandlers({
    ledger,
    clock,
    log,
    forge,
    workspaces,
    checks,
    agents: {
      engines,
      notes,
      findHold: async (run) => (await spending.findHold(run)) ?? pauses.findHold(run),
    },
    texts: {
      reader: createRepositoryReader(undefined, {
        images: sandbox.prepare !== undefined,
        serverUrl: config.github.serverUrl,
      }),
      lent,
    },
    settings: effectSettings(config, runtimeSettings),
    approvals,
    guard: spending,
  });
  return {
    keys,
    passkeys,
    checkOwnKeys: approvals.checkOwnKeys,
    sandbox,
    host,
    capabilities: connected.capabilities,
    workspaces,
    writers,
    reputation,
    forge,
    runtimeSettings,
    handlers,
    mover,
    closing: closing.signal,
    /** Kills every git process; call it after the effects were told to stop. */
    stopGit: () => closing.abort(),
    /** Wakes who reads the inbox when a limit of spending is near or used up. */
    hearSpendingNotes: (wake: () => void): void => {
      onSpendingNote = wake;
    },
    close: () => gateway.close(),
  };
};
