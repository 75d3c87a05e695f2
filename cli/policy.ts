/**
 * `agentpr policy …`: list the policies, and say which one stopped a run. Reads the ledger and
 * agentpr.config.json alone.
 */
import { repositoryOf } from '../orchestrator/core/machine/run.ts';
import type { Command } from 'commander';
import { z } from 'zod';
import { english } from '../bot/language/english.ts';
import { openReader } from '../db/directory/read.ts';
import { Assessment } from '../orchestrator/core/facts.ts';
import { explained, policyAbout, type About } from '../bot/language/en/policies.ts';
import { BUILT_IN, isBuiltIn, POLICIES } from '../orchestrator/core/govern/catalogue.ts';
import { explain, type Explanation } from '../orchestrator/core/govern/explain.ts';
import { policyVersion } from '../orchestrator/core/govern/index.ts';
import { settingsFor } from '../orchestrator/core/govern/settings.ts';
import { RepoName } from '../orchestrator/core/order.ts';
import type { CustomPolicy, PolicySettings } from '../orchestrator/core/policy-settings.ts';
import { Proposal } from '../orchestrator/core/seal.ts';
import type { EventRow, Queries } from '../orchestrator/ports.ts';
import { database, dataDir, fileSettings, print, printable, printJson } from './environment.ts';
import { EXIT, Exit } from './exit.ts';

type Common = { json?: boolean };

const configured = (repo: string | undefined): PolicySettings => {
  const { policies } = fileSettings();
  return repo === undefined ? policies : settingsFor(policies, repo);
};

type Listed = About & { id: string; settings: Record<string, unknown> };

const builtIn = (id: keyof typeof POLICIES, settings: PolicySettings): Listed => {
  const own = POLICIES[id].settings.map((name) => [`policies.${name}`, settings[name]] as const);
  return { id, ...policyAbout[id], settings: Object.fromEntries(own) };
};

const ofOperator = ({ id, when, verdict, reason }: CustomPolicy): Listed => ({
  id: `custom:${id}`,
  guards: reason,
  allows: null,
  escalates: verdict === 'escalate' ? `all of ${JSON.stringify(when)}` : null,
  denies: verdict === 'deny' ? `all of ${JSON.stringify(when)}` : null,
  settings: { 'policies.custom': id },
});

const listedLines = ({ id, guards, allows, escalates, denies, settings }: Listed): string[] => [
  `${id}: ${guards}`,
  ...(denies === null ? [] : [`  denies when ${denies}`]),
  ...(escalates === null ? [] : [`  asks a person when ${escalates}`]),
  ...(allows === null ? [] : [`  allows ${allows}`]),
  ...Object.entries(settings).map(([name, value]) => `  setting ${name} = ${JSON.stringify(value)}`),
];

const list = ({ repo, json }: Common & { repo?: string }): void => {
  if (repo !== undefined && !RepoName.safeParse(repo).success)
    throw new Exit(EXIT.usage, `${repo} is not of the form owner/name.`);
  const settings = configured(repo);
  const policies = [
    ...BUILT_IN.map((p) => p.id)
      .filter(isBuiltIn)
      .map((id) => builtIn(id, settings)),
    ...settings.custom.map(ofOperator),
  ];
  const others = Object.keys(settings.repositories);
  if (json) return printJson({ version: policyVersion(settings), policies, repositories: others });
  print([`Policies ${policyVersion(settings)}`, ...policies.flatMap(listedLines)].join('\n'));
  if (others.length > 0)
    print(`Other limits hold for ${others.join(', ')}: see them with --repo owner/name.`);
};

/** What of an event tells of a decision; an older log may lack any of it. */
const Told = z.object({
  input: z.object({
    type: z.string(),
    step: z.string().optional().catch(undefined),
    assessment: Assessment.nullish().catch(null),
    proposal: Proposal.nullish().catch(null),
    class: z.string().optional().catch(undefined),
    message: z.string().optional().catch(undefined),
  }),
});

export type PolicyDecision = {
  action: 'push' | 'open_pr';
  at: number;
  seq: number;
  explanation: Explanation;
};
export type Stopped = { at: number; seq: number; message: string };

/**
 * The last word on the push and on the opening; and refusals that left no assessment behind, when
 * they came later.
 */
export const spoken = (
  events: readonly EventRow[],
): { decisions: PolicyDecision[]; refusal: Stopped | null } => {
  const last = new Map<PolicyDecision['action'], PolicyDecision>();
  let refusal: Stopped | null = null;
  for (const { seq, at, body } of events) {
    const input = Told.safeParse(JSON.parse(body)).data?.input;
    if (!input) continue;
    const { type, assessment, proposal, message = '' } = input;
    const said = proposal ? proposal.fields.assessment : assessment;
    const action = proposal?.fields.action ?? (input.step === 'open_pr' ? 'open_pr' : 'push');
    if (said) last.set(action, { action, at, seq, explanation: explain(said) });
    if (said) refusal = null;
    if (type === 'worker.step.failed' && input.class === 'policy_denied' && !said)
      refusal = { at, seq, message };
  }
  return { decisions: [...last.values()].sort((a, b) => a.seq - b.seq), refusal };
};

const WORDS = { push: 'The last push', open_pr: 'The last opening of a pull request' } as const;
const tell = async (query: Queries, runId: string, json: boolean): Promise<void> => {
  const run = await query.run(runId);
  if (!run) throw new Exit(EXIT.notFound, `There is no run ${runId}. \`agentpr run list --all\` shows all.`);
  const reason = english.reason(run.lifecycle.reason);
  const { decisions, refusal } = spoken(await query.events(runId));
  if (json)
    return printJson({
      run: runId,
      state: run.lifecycle.state,
      reason,
      why: run.lifecycle.reason,
      decisions,
      refusal,
    });
  const when = (at: number): string => new Date(at).toISOString();
  const lines = [
    `${runId}  ${run.lifecycle.state}  ${repositoryOf(run)}: ${reason}`,
    ...decisions.flatMap(({ action, at, explanation }) => {
      const [first = '', ...rest] = explained(explanation);
      return [`${WORDS[action]} (${when(at)}): ${first}`, ...rest];
    }),
    ...(refusal ? [`Refused (${when(refusal.at)}): ${refusal.message}`] : []),
    ...(decisions.length === 0 && !refusal
      ? ['No policy has spoken about this run: nothing was to be published yet.']
      : []),
  ];
  print(lines.map(printable).join('\n'));
};

export const addPolicyCommands = (program: Command): void => {
  const policy = program.command('policy');
  policy
    .command('list')
    .description('what each policy guards, when it objects, and the setting that changes it')
    .option('--repo <owner/name>', 'as they hold for this repository')
    .option('--json', 'print JSON')
    .action(list);
  policy
    .command('explain <run>')
    .description('what the policies said about the run’s last push and opening, and what can be done')
    .option('--json', 'print JSON')
    .option('--data <dir>', 'the data directory (default: AGENTPR_DATA_DIR or ./.agentpr)')
    .action(async (runId: string, { json, data }: Common & { data?: string }) => {
      const ledger = openReader(dataDir(data), { database: database() });
      try {
        await tell(ledger.query, runId, json ?? false);
      } finally {
        await ledger.close();
      }
    });
};
