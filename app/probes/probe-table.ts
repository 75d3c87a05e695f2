/** Every probe of this host, once: a row a subject, in the order in which `agentpr doctor` prints them. */
import type { ControlConfig, WorkConfig } from '../config.ts';
import type { ConnectionCheck } from '../connection-monitor.ts';
import { describeFailure } from '../describe-failure.ts';
import { checkGitHub, checkWatchedLabels } from './code-host.ts';
import { checkPriceSettings, checkEngines } from './engines.ts';
import { checkNetwork } from './network.ts';
import { type DoctorHost, failedResult, type Found } from './host-result.ts';
import { checkRules } from './rules.ts';
import {
  probeConnectionsReadiness,
  probeDiskReadiness,
  probeJobsReadiness,
  probeLedgerReadiness,
  type ReadyResult,
  type Standing,
} from './readiness.ts';
import {
  checkBucket,
  checkGit,
  checkLedger,
  checkMirrors,
  checkNode,
  checkSandbox,
  checkSigning,
  checkWebhooks,
  checkDataFolder,
  checkEnvFile,
} from './this-host.ts';
import {
  listChatConnectionChecks,
  listEngineConnectionChecks,
  listForgeConnectionChecks,
  type WatchedHost,
} from './connection-checks.ts';

/** One subject, and how it is asked at each moment; left out where it is not asked then. */
type Probe = {
  id: string;
  /** `agentpr doctor` asks it once. */
  doctor?: (host: DoctorHost) => Found;
  /** A running process asks each party again and again. */
  watch?: (host: WatchedHost) => readonly ConnectionCheck[];
  /** `/readyz` asks it; null where this process has no such thing. */
  ready?: (standing: Standing) => Promise<ReadyResult | null>;
};

type Ask<Config> = (config: Config, texts: DoctorHost['texts']) => Found;
const ofWork =
  (ask: Ask<WorkConfig>): NonNullable<Probe['doctor']> =>
  ({ config, texts }) =>
    config ? ask(config, texts) : [];
const ofControl =
  (ask: Ask<ControlConfig>): NonNullable<Probe['doctor']> =>
  ({ control, texts }) =>
    control ? ask(control, texts) : [];

const checkNetworkSetup = ({ applyProxySettings, texts }: DoctorHost): Found => {
  try {
    applyProxySettings();
    return [];
  } catch (error) {
    return [failedResult('network', { kind: 'network_broken', cause: describeFailure(texts, error) })];
  }
};

/** A running process has its chats loaded, and no more of them. */
const loadChats = () => import('./chats.ts');

const PROBES: readonly Probe[] = [
  { id: 'node', doctor: ({ searchPath }) => [checkNode(searchPath)] },
  { id: 'git', doctor: async () => [await checkGit()] },
  { id: 'sandbox', doctor: checkSandbox },
  { id: 'settings', doctor: ({ settings }) => [settings] },
  { id: 'env_file', doctor: checkEnvFile },
  { id: 'network_setup', doctor: checkNetworkSetup },
  {
    id: 'disk',
    doctor: ofWork((config, texts) => [checkDataFolder(config, texts)]),
    ready: probeDiskReadiness,
  },
  { id: 'mirrors', doctor: ofWork(async (config) => [await checkMirrors(config)]) },
  {
    id: 'ledger',
    doctor: ofWork(async (config, texts) => [await checkLedger(config, texts)]),
    ready: probeLedgerReadiness,
  },
  { id: 'rules', doctor: ofControl(checkRules) },
  { id: 'jobs', ready: probeJobsReadiness },
  { id: 'telegram', doctor: ofControl(async (...of) => (await loadChats()).checkTelegram(...of)) },
  { id: 'slack', doctor: ofControl(async (config) => (await loadChats()).checkSlackAccess(config)) },
  { id: 'chats', watch: listChatConnectionChecks },
  { id: 'code_host', doctor: ofWork(checkGitHub), watch: listForgeConnectionChecks },
  { id: 'network', doctor: ofWork(checkNetwork) },
  { id: 'webhooks', doctor: ofControl((config) => [checkWebhooks(config)]) },
  { id: 'labels', doctor: ofControl(checkWatchedLabels) },
  { id: 'signing', doctor: ofWork(checkSigning) },
  { id: 'bucket', doctor: ofWork(checkBucket) },
  { id: 'engines', doctor: ofWork(checkEngines), watch: listEngineConnectionChecks },
  { id: 'costs', doctor: ofWork(checkPriceSettings) },
  { id: 'connections', ready: probeConnectionsReadiness },
];

/** Returns what is asked at this moment, in the order of the rows. */
export const listProbesAt = <Moment extends 'doctor' | 'watch' | 'ready'>(
  moment: Moment,
): NonNullable<Probe[Moment]>[] => PROBES.flatMap(({ [moment]: ask }) => ask ?? []);
