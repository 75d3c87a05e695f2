/** `agentpr policy …`: lists policies, and explains which one stopped a run. Read-only. */
import { repositoryOf, type Run } from '#run';
import { windowsOfRun } from '#limits';
import type { PolicyDescription, LanguageTexts } from '#language';
import { momentText, sayRecord, stripMarkup } from '#chat-text';
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { z } from 'zod';
import { ledgerFile, openReader } from '#db';
import { ruleLines, createRenderContext, signatureLine, zoneOfWindows, type RulesInForce } from '#views';
import { readRulesInForce } from '../app/runtime-settings.ts';
import { Assessment } from '#model/assessment';
import { RepositoryName } from '#model/order';
import type { CustomPolicy, PolicySettings } from '#model/settings';
import { Proposal } from '#model/seal';
import {
  isBuiltIn,
  BUILT_IN_POLICIES,
  explainAssessment,
  policyVersion,
  selectRepositorySettings,
  type AssessmentExplanation,
  type BuiltInId,
} from '#governor';
import type { EventRow, LedgerQueries } from '#ports/ledger';
import { readDatabaseUrl, resolveDataDir, readFileSettings } from './load-config.ts';
import { printRedacted, escapeControlCharacters, printJson } from './output.ts';
import { EXIT_CODES, CommandExit } from './exit-codes.ts';
import { textsFor } from './language.ts';

type Common = { json?: boolean };

const loadPolicySettings = (repo: string | undefined): PolicySettings => {
  const { policies } = readFileSettings();
  return repo === undefined ? policies : selectRepositorySettings(policies, repo);
};

type Listed = PolicyDescription & { id: string; settings: Record<string, unknown> };

const describeBuiltIn = (texts: LanguageTexts, id: BuiltInId, settings: PolicySettings): Listed => {
  const own = BUILT_IN_POLICIES[id].settings.map((name) => [`policies.${name}`, settings[name]] as const);
  return { id, ...texts.describePolicy(id), settings: Object.fromEntries(own) };
};

const ofOperator = ({ describeOwnPolicy }: LanguageTexts, policy: CustomPolicy): Listed => ({
  id: `custom:${policy.id}`,
  ...describeOwnPolicy(policy),
  settings: { 'policies.custom': policy.id },
});

const formatPolicyLines = (
  { policyWords: { list } }: LanguageTexts,
  { id, guards, allows, escalates, denies, settings }: Listed,
): string[] => [
  `${id}: ${guards}`,
  ...(denies === null ? [] : [`  ${list.denies(denies)}`]),
  ...(escalates === null ? [] : [`  ${list.escalates(escalates)}`]),
  ...(allows === null ? [] : [`  ${list.allows(allows)}`]),
  ...Object.entries(settings).map(([name, value]) => `  ${list.setting(name, JSON.stringify(value))}`),
];

/** The ledger keeps what admins set in the chat; there is none before the first start. */
const readRules = async (
  file: ReturnType<typeof readFileSettings>,
  data: string | undefined,
): Promise<RulesInForce> => {
  const [dir, database] = [resolveDataDir(data), readDatabaseUrl()];
  const ledger = database || existsSync(ledgerFile(dir)) ? openReader(dir, { database }) : null;
  try {
    return await readRulesInForce({ engine: 'script', file }, ledger);
  } finally {
    await ledger?.close();
  }
};

const listPolicies = async ({
  repo,
  data,
  json = false,
}: Common & { repo?: string; data?: string }): Promise<void> => {
  const texts = textsFor(json);
  if (repo !== undefined && !RepositoryName.safeParse(repo).success)
    throw new CommandExit(EXIT_CODES.usage, { kind: 'not_a_repository', is: repo });
  const settings = loadPolicySettings(repo);
  const rules = await readRules(readFileSettings(), data);
  const policies = [
    ...settings.custom.map((one) => ofOperator(texts, one)),
    ...Object.keys(BUILT_IN_POLICIES)
      .filter(isBuiltIn)
      .filter((id) => BUILT_IN_POLICIES[id].asks.length > 0)
      .map((id) => describeBuiltIn(texts, id, settings)),
  ];
  const others = Object.keys(settings.repositories);
  const inForce = ruleLines({ ...rules, custom: [] }, Date.now(), texts);
  if (json)
    return printJson({ version: policyVersion(settings), policies, repositories: others, rules: inForce });
  const { list: words } = texts.policyWords;
  const lines = policies.flatMap((one) => formatPolicyLines(texts, one));
  printRedacted([words.policies(policyVersion(settings)), ...lines].join('\n'));
  if (others.length > 0) printRedacted(words.elsewhere(others));
  printRedacted([`${words.inForce}:`, ...inForce.map((line) => `  ${line}`)].join('\n'));
};

/** All fields are optional, because older logs may lack them. */
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
  explanation: AssessmentExplanation;
};
export type StoppedRun = { at: number; seq: number; message: string };

/** Returns the last decisions on push and opening, and a later refusal without an assessment. */
export const lastDecisions = (
  events: readonly EventRow[],
): { decisions: PolicyDecision[]; refusal: StoppedRun | null } => {
  const last = new Map<PolicyDecision['action'], PolicyDecision>();
  let refusal: StoppedRun | null = null;
  for (const { seq, at, body } of events) {
    const input = Told.safeParse(JSON.parse(body)).data?.input;
    if (!input) continue;
    const { type, assessment, proposal, message = '' } = input;
    const said = proposal ? proposal.fields.assessment : assessment;
    const action = proposal?.fields.action ?? (input.step === 'open_pr' ? 'open_pr' : 'push');
    if (said) last.set(action, { action, at, seq, explanation: explainAssessment(said) });
    if (said) refusal = null;
    if (type === 'worker.step.failed' && input.class === 'policy_denied' && !said)
      refusal = { at, seq, message };
  }
  return { decisions: [...last.values()].sort((a, b) => a.seq - b.seq), refusal };
};

/** Who has signed and whom it still needs; while it waits for its hours, how an admin opens it now. */
const approvalLines = (run: Run, texts: LanguageTexts): string[] => {
  const { gate, lifecycle, upstream } = run;
  const { policyWords: words } = texts;
  const progress = stripMarkup(signatureLine(run, texts));
  const signers = (upstream.pullRequest === null && gate.consumedApproval?.signedBy) || [];
  const isClosed = lifecycle.reason.kind === 'write_slot_wait' && lifecycle.reason.why === 'opening_hours';
  return [
    ...(progress === '' ? [] : [progress]),
    ...(signers.length === 0 ? [] : [words.signedBy(signers.map(({ name }) => name))]),
    ...(isClosed ? [words.openNow(run.id)] : []),
  ];
};

const explainDecisions = async (
  query: LedgerQueries,
  runId: string,
  { json }: { json: boolean },
): Promise<void> => {
  const run = await query.run(runId);
  const texts = textsFor(json);
  const { policyWords: words, reasons } = texts;
  if (!run) throw new CommandExit(EXIT_CODES.notFound, { kind: 'no_listed_run', run: runId });
  const rules = await readRulesInForce({ engine: 'script', file: readFileSettings() }, { query });
  const zone = zoneOfWindows(await windowsOfRun(query, rules.windows, run));
  const now = Date.now();
  const setting = createRenderContext(now, texts);
  const inZone = { ...setting, time: (at: number) => momentText(at, now, texts.calendar, zone) };
  const reason = sayRecord(reasons, run.lifecycle.reason, json ? undefined : inZone);
  const { decisions, refusal } = lastDecisions(await query.events(runId));
  if (json)
    return printJson({
      run: runId,
      state: run.lifecycle.state,
      reason,
      why: run.lifecycle.reason,
      decisions,
      refusal,
    });
  const toIsoTime = (at: number): string => new Date(at).toISOString();
  const lines = [
    `${runId}  ${run.lifecycle.state}  ${repositoryOf(run)}: ${reason}`,
    ...decisions.flatMap(({ action, at, explanation }) => {
      const [first = '', ...rest] = words.explained(explanation);
      return [words.last[action](toIsoTime(at), first), ...rest];
    }),
    ...(refusal ? [words.refused(toIsoTime(refusal.at), refusal.message)] : []),
    ...(decisions.length === 0 && !refusal ? [words.silent] : []),
    ...approvalLines(run, texts),
  ];
  printRedacted(lines.map(escapeControlCharacters).join('\n'));
};

export const addPolicyCommands = (program: Command): void => {
  const policy = program.command('policy');
  policy
    .command('list')
    .description('what each policy guards, when it objects, and the setting that changes it')
    .option('--repo <owner/name>', 'as they hold for this repository')
    .option('--json', 'print JSON')
    .option('--data <dir>', 'the data directory (default: AGENTPR_DATA_DIR or ./.agentpr)')
    .action(listPolicies);
  policy
    .command('explain <run>')
    .description('what the policies said about the run’s last push and opening, and what can be done')
    .option('--json', 'print JSON')
    .option('--data <dir>', 'the data directory (default: AGENTPR_DATA_DIR or ./.agentpr)')
    .action(async (runId: string, { json, data }: Common & { data?: string }) => {
      const ledger = openReader(resolveDataDir(data), { database: readDatabaseUrl() });
      try {
        await explainDecisions(ledger.query, runId, { json: json ?? false });
      } finally {
        await ledger.close();
      }
    });
};
