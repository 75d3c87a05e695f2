/** `agentpr campaign …`: plans, shows and decides campaigns from the host. */
import { Option, type Command } from 'commander';
import { CAMPAIGN_CLOSING_NOTE } from '#language';
import { stripMarkup } from '#chat-text';
import { renderCampaign } from '#views';
import { figureLines } from '#report-views';
import { campaignIdOf } from '#runtime';
import type { ControlAnswer } from '../app/control-socket.ts';
import {
  toCampaignRequest,
  readCampaignOrder,
  readList,
  parsePullList,
  isCampaignFile,
  readCampaignFile,
  type NewCampaign,
} from '#orders';
import { countTargetsAndPulls, withAdoptedPulls, runsWithOpenPull } from '#campaign-standing';
import { isCampaignOver } from '#model/campaign';
import { FailureClass } from '#model/failure';
import { measureRuns, shareOutAttention, createFigures } from '#reports';
import { readCampaignStatus, type CampaignStatus } from '#campaigns';
import { planUndo, createUndoOrder, createUndoRequest, type CampaignAct } from '#campaigns/acts';
import { printRedacted, escapeControlCharacters, printJson } from './output.ts';
import { readPlainText } from './read-input.ts';
import { EXIT_CODES, CommandExit } from './exit-codes.ts';
import {
  addOrderOptions,
  addChangingOptions,
  addCommonOptions,
  submitControlOrder,
  toKebabCase,
  idempotencyKeyOf,
  parseOrderOptions,
  buildHostOrder,
  requireParsed,
  describeControlAnswer,
  toJsonAnswer,
  type ChangingOptions,
} from './host-orders.ts';
import { cliWords } from './language.ts';
import { withLedgerReader, type CommonOptions } from './show-runs.ts';

const loadCampaign = async (id: string, options: CommonOptions): Promise<CampaignStatus> => {
  const at = await withLedgerReader(options, ({ query }) =>
    readCampaignStatus(query, id.toLowerCase(), Date.now()),
  );
  if (!at)
    throw new CommandExit(EXIT_CODES.notFound, {
      kind: 'no_campaign',
      says: cliWords().campaign.unknown(id),
    });
  return at;
};

const cardOf = (at: CampaignStatus): string =>
  stripMarkup(renderCampaign({ ...at, now: Date.now() }, {}, cliWords(), { onHost: true }).html);

const jsonOf = ({ campaign, order, standings, next }: CampaignStatus): object => ({
  campaign,
  order,
  next,
  standings: [...standings.values()],
});

const showCampaign = async (id: string, options: CommonOptions): Promise<void> => {
  const at = await loadCampaign(id, options);
  if (options.json) printJson(jsonOf(at));
  else printRedacted(cardOf(at));
};

const listCampaigns = async (options: CommonOptions): Promise<void> => {
  const all = await withLedgerReader(options, async ({ query }) => {
    const nameOf = (id: string): Promise<string | null> =>
      query.campaign(id).then(
        (at) => at?.order.name ?? null,
        () => null,
      );
    const campaigns = await query.campaigns();
    return Promise.all(campaigns.map(async (one) => ({ ...one, name: await nameOf(one.id) })));
  });
  if (options.json) return printJson(all);
  const texts = cliWords();
  const t = texts.campaign;
  const lines = all.map(({ id, name, state, schedule: every, released }) => {
    const stands = every === undefined ? t.entry(t.states[state], released) : t.scheduledEntry(state, every);
    return [id, stands, ...(name === null ? [] : [escapeControlCharacters(name)])].join('  ');
  });
  printRedacted(lines.length === 0 ? texts.commandLine.none.campaigns() : lines.join('\n'));
};

const reportCampaign = async (id: string, options: CommonOptions): Promise<void> => {
  const at = await loadCampaign(id, options);
  const { campaign, order } = at;
  const figures = await withLedgerReader(options, async ({ query }) => {
    const records = createFigures({ query });
    await records.refresh();
    return measureRuns(
      shareOutAttention(await records.since(0)).filter((one) => one.campaign === campaign.id),
      Date.now(),
    );
  });
  const { adoptedPulls: adopted = [] } = campaign;
  if (options.json) return printJson({ campaign: campaign.id, name: order.name, figures, adopted });
  const whole = [...withAdoptedPulls(campaign, at.standings).values()];
  const merged = whole.filter(({ mark }) => mark === 'merged').length;
  const all = countTargetsAndPulls(order, campaign, at.standings);
  const texts = cliWords();
  const words = texts.campaign;
  const share = words.merged(merged, all, Math.round((merged / all) * 100));
  const theirs = adopted.map(({ repo, pull, mark }) => `${repo}${pull} ${words.adopted[mark]}`);
  printRedacted(
    [
      `${order.name} ${campaign.id}`,
      share,
      ...(theirs.length > 0 ? [`${words.elsewhere(theirs.length)}: ${theirs.join(' · ')}`] : []),
      ...figureLines(figures, texts, null),
    ].join('\n'),
  );
};

const printControlAnswer = (options: CommonOptions, id: string, answer: ControlAnswer): void => {
  if (options.json) printJson({ campaign: id, ...toJsonAnswer(answer) });
  if (answer.kind === 'refused')
    throw new CommandExit(EXIT_CODES.refused, { kind: 'was_refused', says: describeControlAnswer(answer) });
  if (!options.json) printRedacted(`${id}: ${describeControlAnswer(answer) ?? answer.kind}`);
};

type PlanOptions = ChangingOptions & Record<string, unknown> & { agentArg?: string[] };

const batchIn = (file: string, goal: string | undefined, options: PlanOptions): NewCampaign => {
  const text = readPlainText(file);
  const given = parseOrderOptions(options);
  if (!isCampaignFile(text))
    return requireParsed(readCampaignOrder(goal ?? '', requireParsed(readList(text)), given)).value;
  if (goal !== undefined) throw new CommandExit(EXIT_CODES.usage, { kind: 'two_goals' });
  const batch = requireParsed(readCampaignFile(text)).value;
  const names: string[] = given.map(([name]) => name);
  if (batch.script !== null && options.agentArg !== undefined) names.push('agent-arg');
  if (names.length === 0) return batch;
  const all = [...new Set(names)].map((name) => `--${toKebabCase(name)}`);
  throw new CommandExit(EXIT_CODES.usage, { kind: 'options_beside_file', options: all });
};

const planFromFile = async (file: string, goal: string | undefined, options: PlanOptions): Promise<void> => {
  const batch = batchIn(file, goal, options);
  const order = await buildHostOrder({ ...batch.order, host: null }, options);
  const key = idempotencyKeyOf(options);
  const id = campaignIdOf(`cli:${key}`);
  const asked = { do: 'plan', id, batch: toCampaignRequest(batch, order) } as const;
  const answer = await submitControlOrder(options, { key, campaign: asked });
  printControlAnswer(options, id, answer);
  if (!options.json && answer.kind !== 'ignored') printRedacted(cardOf(await loadCampaign(id, options)));
};

const planCampaignUndo = async (id: string, options: ChangingOptions): Promise<void> => {
  const { campaign } = await loadCampaign(id, options);
  const plan = await withLedgerReader(options, ({ query }) => planUndo(query, campaign.id));
  if (plan.kind === 'open') return showCampaign(plan.campaign, options);
  if (plan.kind !== 'plan') {
    const words = cliWords().campaign;
    const says = plan.kind === 'unknown' ? words.unknown(id) : words.undo[plan.kind](campaign.id);
    throw new CommandExit(EXIT_CODES.refused, { kind: 'told', says });
  }
  const read = requireParsed(createUndoOrder(plan));
  const order = await buildHostOrder({ ...read.value, host: null }, options);
  const key = idempotencyKeyOf(options);
  const made = campaignIdOf(`cli:${key}`);
  const asked = { do: 'plan', id: made, batch: createUndoRequest(campaign.id, plan, order) } as const;
  const answer = await submitControlOrder(options, { key, campaign: asked });
  printControlAnswer(options, made, answer);
  if (!options.json && answer.kind !== 'ignored') printRedacted(cardOf(await loadCampaign(made, options)));
};

const giveCampaignOrder = async (options: ChangingOptions, campaign: CampaignAct): Promise<void> =>
  printControlAnswer(
    options,
    campaign.id,
    await submitControlOrder(options, { key: idempotencyKeyOf(options), campaign }),
  );

type CloseOptions = ChangingOptions & { cancel?: boolean; pulls?: boolean; confirm?: boolean };

/** Closing pull requests requires `--confirm`, after a first call has listed them. */
const closeCampaign = async (id: string, options: CloseOptions): Promise<void> => {
  if (options.confirm === true && options.pulls !== true)
    throw new CommandExit(EXIT_CODES.usage, { kind: 'confirm_alone' });
  if (options.pulls === true && options.cancel === true)
    throw new CommandExit(EXIT_CODES.usage, { kind: 'pulls_and_cancel' });
  const { campaign: known, standings } = await loadCampaign(id, options);
  if (options.pulls !== true)
    return giveCampaignOrder(options, { do: 'close', id: known.id, cancel: options.cancel === true });
  const open = runsWithOpenPull(standings);
  if (options.confirm !== true && open.length === 0)
    return printControlAnswer(options, known.id, {
      kind: 'ignored',
      reason: cliWords().campaign.withdraws(0),
    });
  if (options.confirm !== true) {
    const texts = cliWords();
    const words = texts.commandLine.close;
    const says = [
      texts.campaign.withdraws(open.length),
      CAMPAIGN_CLOSING_NOTE,
      ...open.map(({ repo, run }) => `${repo} ${run}`),
      ...(isCampaignOver(known) ? [] : [words.first()]),
      words.confirm(),
    ];
    throw new CommandExit(EXIT_CODES.usage, { kind: 'told', says: says.join('\n') });
  }
  await giveCampaignOrder(options, { do: 'withdraw', id: known.id, runs: open.map(({ run }) => run) });
};

/** Acts that need nothing but the campaign. */
const PLAIN_ACTS = {
  start: 'start with the first repositories',
  pause: 'start no further repositories; those that have started go on',
  resume: 'go on after a pause, or after it stopped by itself',
} as const satisfies Partial<Record<CampaignAct['do'], string>>;
const isPlainAct = (name: string): name is keyof typeof PLAIN_ACTS => Object.hasOwn(PLAIN_ACTS, name);

export const addCampaignCommands = (program: Command): void => {
  const campaign = program.command('campaign');
  addOrderOptions(
    addChangingOptions(
      campaign
        .command('plan <file> [goal]')
        .description(
          'a campaign.yml, or a list of repositories and searches, and a goal (“-” reads standard input)',
        ),
    ),
  ).action(planFromFile);
  addCommonOptions(campaign.command('list').description('campaigns, newest first')).action(listCampaigns);
  addCommonOptions(
    campaign.command('show <campaign>').description('how it stands, and what it waits for'),
  ).action(showCampaign);
  addCommonOptions(campaign.command('report <campaign>').description('what its runs took')).action(
    reportCampaign,
  );
  for (const name of Object.keys(PLAIN_ACTS).filter(isPlainAct))
    addChangingOptions(campaign.command(`${name} <campaign>`).description(PLAIN_ACTS[name])).action(
      async (id: string, options: ChangingOptions) => {
        const { campaign: known } = await loadCampaign(id, options);
        await giveCampaignOrder(options, { do: name, id: known.id });
      },
    );
  addChangingOptions(
    campaign
      .command('undo <campaign>')
      .description('the preview of a campaign that reverts what this one merged; `campaign start` begins it'),
  ).action(planCampaignUndo);
  addChangingOptions(
    campaign.command('close <campaign>').description('start no further repositories, for good'),
  )
    .option('--cancel', 'end runs that have no pull request, too')
    .option('--pulls', 'close the pull requests that it left open: shows them and what maintainers will read')
    .option('--confirm', 'with --pulls: really do it')
    .action(closeCampaign);
  addChangingOptions(
    campaign
      .command('adopt <campaign> <links...>')
      .description('follow pull requests that were opened elsewhere (“-” reads standard input)'),
  ).action(async (id: string, links: string[], options: ChangingOptions) => {
    const { campaign: known } = await loadCampaign(id, options);
    const text = links.map((link) => (link === '-' ? readPlainText(link) : link)).join(' ');
    // Names in the links must not be read as another campaign.
    const { pulls } = requireParsed(parsePullList(`${known.id} ${text}`)).value;
    await giveCampaignOrder(options, { do: 'adopt', id: known.id, pulls });
  });
  addChangingOptions(campaign.command('retry <campaign>').description('try again what failed'))
    .addOption(new Option('--class <class>', 'only this class of failures').choices(FailureClass.options))
    .action(async (id: string, options: ChangingOptions & { class?: string }) => {
      const { campaign: known } = await loadCampaign(id, options);
      const only = options.class === undefined ? null : FailureClass.parse(options.class);
      await giveCampaignOrder(options, { do: 'retry', id: known.id, class: only });
    });
};
