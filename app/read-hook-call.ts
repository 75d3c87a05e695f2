/** Reads calls of the host's own webhooks, within their daily limit (F5). */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { enTexts } from '#language';
import { sayRecord } from '#chat-text';
import { campaignIdOf, sha256Hex } from '#runtime';
import { toCampaignRequest, type NewCampaign, plainCampaign, readOrder } from '#orders';
import { isWrongArgument, type WrongArgument } from '#model/chat';
import { TargetVariables } from '#model/campaign';
import { admitArrival, type CampaignTrigger } from '#model/schedule';
import { cutText, DAY } from '#model/values';
import { campaignPlanInboxItem, quoteIssue, cleanIssueTitle } from '#campaigns';
import type { SystemClock } from '#ports/processes';
import type { Ledger } from '#ports/ledger';
import { type HookCall, type HookParts, type HttpRefusal, type IgnoredCall, readHookOrder } from '#webhooks';
import type { ControlConfig } from './config.ts';
import { createCampaignFileReader } from './campaign-file-reader.ts';
import { describeOrderProblem, type createOrderBuilder } from './build-order.ts';

/** Calls may only set variables when the host names the campaign file. */
const WithFile = z.strictObject({ vars: TargetVariables.default({}) });

const toHttpRefusal = (status: number, error: string): HttpRefusal => ({ status, error });
const refuseArgument = (status: number, { problem }: WrongArgument): HttpRefusal =>
  toHttpRefusal(status, problem ? sayRecord(enTexts.problems, problem) : 'That is not a campaign file.');

const jsonIn = (body: string): unknown => {
  try {
    return JSON.parse(body.trim() === '' ? '{}' : body);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

const lists = createCampaignFileReader();

const readStored = async (path: string, body: string): Promise<NewCampaign | HttpRefusal> => {
  const asked = WithFile.safeParse(jsonIn(body));
  if (!asked.success)
    return toHttpRefusal(
      422,
      'This webhook has a campaign file of its own. Send an empty body, or {"vars": {"name": "value"}}.',
    );
  const source = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EACCES' || error.code === 'EISDIR') return null;
    throw error;
  });
  if (source === null)
    return toHttpRefusal(503, 'The campaign file of this webhook cannot be read at the host.');
  const read = await lists.campaignFile(source, asked.data.vars);
  return isWrongArgument(read) ? refuseArgument(422, read) : read.value;
};

const readSent = async (body: string): Promise<NewCampaign | HttpRefusal> => {
  const read = await lists.campaignFile(body);
  if (isWrongArgument(read)) return refuseArgument(422, read);
  // Security: a script can reach what an agent cannot, so it may come only from the host.
  // guard: G5-script-in-file
  if (read.value.script !== null) return toHttpRefusal(422, SCRIPT);
  return read.value;
};
const SCRIPT =
  'A script is not taken from outside. Store it in a campaign file at the host, and name that file in the configuration of this webhook.';

type MappedOrder = { key: string; batch: NewCampaign; quoted: { url: string; text: string }; id: string };

/** F5: one change in one repository; what the program sends is its title and quoted text, and no order. */
const readMapped = (
  from: NonNullable<HookWay['from']>,
  body: string,
): MappedOrder | HttpRefusal | IgnoredCall => {
  const payload = jsonIn(body);
  if (payload === null) return toHttpRefusal(400, 'The body is not JSON.');
  const mapped = readHookOrder(from.mapping, payload);
  if (mapped.kind === 'ignored') return { ignored: mapped.why };
  if (mapped.kind === 'unfit') return toHttpRefusal(422, mapped.why);
  const words = cleanIssueTitle(mapped.title);
  const given = readOrder(from.repo, words, []);
  if (isWrongArgument(given)) return refuseArgument(422, given);
  const batch = plainCampaign({
    name: cutText(words, 80),
    named: [{ repo: from.repo, host: null, vars: {} }],
    queries: [],
    order: given.value,
  });
  const quoted = { url: mapped.link, text: quoteIssue(mapped.title, mapped.text) };
  const item = { batch, quoted, id: mapped.id };
  // The same item makes one preview, however often and in whatever state it comes.
  // guard: F5-item-once
  return { key: sha256Hex(mapped.id), ...item };
};

type HookWay = ControlConfig['hooks'] extends ReadonlyMap<string, infer Way> ? Way : never;
type Parts = {
  hooks: ControlConfig['hooks'];
  query: Pick<Ledger['query'], 'campaigns' | 'arrived'>;
  clock: SystemClock;
  orderOf: ReturnType<typeof createOrderBuilder>;
};

export const createHookCallReader =
  ({ hooks, query, clock, orderOf }: Parts): HookParts['read'] =>
  async (name, callId, body): Promise<HookCall | HttpRefusal | IgnoredCall> => {
    const hook = hooks.get(name);
    if (!hook) return toHttpRefusal(404, 'There is no webhook of this name here.');
    const mapped = hook.from && readMapped(hook.from, body);
    if (mapped && ('error' in mapped || 'ignored' in mapped)) return mapped;
    const batch =
      mapped?.batch ?? (hook.file === null ? await readSent(body) : await readStored(hook.file, body));
    if ('error' in batch) return batch;
    const requester = { id: null, name: `the webhook ${name}` };
    const made = orderOf({ ...batch.order, host: null }, { requester, chat: hook.chat });
    if ('refused' in made) return toHttpRefusal(422, describeOrderProblem(enTexts, made.refused));
    const key = `hook:${name}:${mapped?.key ?? callId}`;
    const id = campaignIdOf(key);
    const origin: CampaignTrigger = { kind: 'hook', hook: name };
    const { perDay } = hook;
    const now = clock.now();
    // Accepted calls that are not planned yet count for today as well.
    const taken = await query.arrived({ source: 'note', prefix: `hook:${name}:`, since: now - DAY });
    const planned = await query.campaigns();
    const waiting = taken
      .filter((one) => one.state === 'new')
      .map((one) => ({ id: campaignIdOf(one.key), state: 'planned', plannedAt: now, origin }));
    const all = [...planned, ...waiting.filter(({ id: one }) => !planned.some((other) => other.id === one))];
    const known = planned.some((one) => one.id === id) || taken.some((one) => one.key === key);
    if (!known && admitArrival(all, origin, now, perDay).kind === 'full')
      return toHttpRefusal(
        429,
        `This webhook has made ${perDay} previews within 24 hours, which is its limit. Call again later.`,
      );
    const item = hook.comment && mapped ? { item: { hook: name, id: mapped.id } } : {};
    const order = mapped ? { ...made.order, quoted: { ...mapped.quoted, ...item } } : made.order;
    const asked = { ...toCampaignRequest(batch, order), id, origin, perDay };
    return { item: campaignPlanInboxItem(key, asked), campaign: id };
  };
