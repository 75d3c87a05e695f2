/** Answers settings, another engine and the day's allowance in words; a tap changes something (C4). */
import { parseTypedCommand } from '#commands';
import type { NewOrder } from '#orders';
import type { CommandChoice } from '#effects';
import type { Run } from '#run';
import { isWrongArgument } from '#model/chat';
import { readSetting } from '#settings';
import { formatHours, withoutDays, timeZoneOfHours } from '#model/schedule';
import { DAY } from '#model/values';
import type { OpeningWish } from '../phrases/opening-words.ts';
import type { DirectReading } from '../phrases/direct-phrases.ts';
import { quietHoursKey, parseQuietHours } from '../quiet-hours.ts';
import { MAX_CHOICES, proposeCommands } from './command-buttons.ts';
import { sayRecord } from '../text/sentence-catalogue.ts';
import { plainReply, settleUpdate, type CommandContext } from './command-context.ts';
import type { FleetRuns } from './resolve-run.ts';
import { showCosts } from './show-commands.ts';
import { buildChatOrder } from './create-run.ts';
import { askWhichRun } from './unfinished-order.ts';

export const answerDirectRequest = (
  context: CommandContext,
  wish: Exclude<DirectReading, { kind: 'stop' }>,
  fleet: FleetRuns,
): Promise<void> => {
  switch (wish.kind) {
    case 'setting':
      return proposeSetting(context, wish.line);
    case 'openings':
      return proposeOpenings(context, wish.wish);
    case 'engine':
      return proposeEngine(context, wish, fleet);
    case 'allowance':
      return tellAllowance(context);
    case 'costs':
      return showCosts(context, null);
  }
};

/** Hours without a place are meant where the person's quiet hours were set before. */
const zoneOfPerson = async (context: CommandContext): Promise<string> => {
  const hours = await context.ledger.query.setting(
    quietHoursKey(context.private ? context.chat : context.user),
  );
  return (hours ? parseQuietHours(hours)?.zone : null) ?? 'UTC';
};

const withZone = async (context: CommandContext, line: string): Promise<string> =>
  /^quiet \d/.test(line) ? `${line} ${await zoneOfPerson(context)}` : line;

/** Days are taken from the hours that hold now, so that no other day gets more of them (G10). */
const proposeOpenings = async (context: CommandContext, wish: OpeningWish): Promise<void> => {
  const now = context.services.runtimeSettings?.now().openingHours ?? null;
  const zone = now === null ? await zoneOfPerson(context) : timeZoneOfHours(now);
  const hours =
    wish.kind === 'always'
      ? 'off'
      : wish.kind === 'never'
        ? withoutDays(now, wish.days, zone)
        : formatHours({ ...wish, zone });
  return proposeSetting(context, `hours ${hours ?? 'none'}`);
};

export const proposeSetting = async (context: CommandContext, line: string): Promise<void> => {
  const read = parseTypedCommand('settings', await withZone(context, line), null);
  if (isWrongArgument(read) || read.kind !== 'settings')
    return settleUpdate(context, 'no such setting', plainReply(context.words.replies.noneFits));
  const { setting } = read;
  const { runtimeSettings } = context.services;
  const isSet = setting?.what === 'installation' && setting.to !== null && runtimeSettings !== undefined;
  const value = isSet ? readSetting(setting.name, setting.to ?? '', runtimeSettings.limits) : null;
  if (value && isWrongArgument(value))
    return settleUpdate(
      context,
      'no such value',
      plainReply(sayRecord(context.words.problems, value.problem ?? { kind: 'no_goal' })),
    );
  return proposeCommands(context, [{ command: 'settings', parameters: { setting }, targets: [] }]);
};

/** The engine of a run stays what it is: the same order is offered anew. */
const orderWith = ({ order }: Run, engine: string): NewOrder => ({
  repo: order.repo,
  host: null,
  goal: order.goal,
  base: order.base,
  branch: null,
  title: order.title,
  engine,
  flow: order.flow,
  discovery: order.discovery,
  promptVersion: null,
  budgets: [],
  checks: [...order.checks],
  ...(order.install && { install: order.install }),
  ...(order.pull && { pull: order.pull }),
});

const proposeEngine = async (
  context: CommandContext,
  { engine, about }: Extract<DirectReading, { kind: 'engine' }>,
  { all, live }: FleetRuns,
): Promise<void> => {
  const named = all.filter(({ id }) => about.ids.includes(id));
  const runs = named.length > 0 ? named : live;
  const [first] = runs;
  if (!first || runs.length > MAX_CHOICES)
    return askWhichRun(context, { before: `use ${engine} for `, after: '' }, runs);
  const tried = buildChatOrder(context, orderWith(first, engine));
  if ('refused' in tried) return settleUpdate(context, 'refused', plainReply(tried.refused, first.id));
  const choices = runs.map((run): CommandChoice => ({
    command: 'new',
    parameters: { order: orderWith(run, engine) },
    targets: [{ run: context.ids.runId(), epoch: null, approval: null }],
  }));
  const note = plainReply(context.words.replies.otherEngine(engine), runs.length === 1 ? first.id : null);
  return proposeCommands(context, choices, undefined, [note]);
};

const tellAllowance = async (context: CommandContext): Promise<void> => {
  const now = context.clock.now();
  const { started, busy } = await context.ledger.query.queue({ since: now - DAY, until: now + DAY });
  const limits = context.services.runtimeSettings?.now();
  if (!limits) return settleUpdate(context, 'nothing known', plainReply(context.words.replies.noneFits));
  const { maxRunsPerDay: daily, maxParallelRuns: parallel } = limits;
  const left = Math.max(0, daily - started.length);
  return settleUpdate(
    context,
    'what is left today',
    plainReply(context.words.replies.allowance(left, daily, started.length, busy.length, parallel)),
  );
};
