/** F5: what a call of a webhook of the host's own asks for, and whether one more is shown today. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { en } from '../bot/language/en/en.ts';
import { say } from '../bot/text/catalogue.ts';
import { batchFrom, type NewBatch } from '../orchestrator/commands/batch.ts';
import { isWrong, type Wrong } from '../orchestrator/commands/problems.ts';
import { Variables } from '../orchestrator/core/campaign/order.ts';
import { admits, type Origin } from '../orchestrator/core/origin.ts';
import { DAY } from '../orchestrator/core/units.ts';
import { campaignIdOf } from '../orchestrator/engine/ids.ts';
import { batchNote } from '../orchestrator/engine/planning.ts';
import type { Clock, Ledger } from '../orchestrator/ports.ts';
import type { HttpRefusal } from '../webhooks/head.ts';
import type { Called, HookParts } from '../webhooks/hooks.ts';
import type { Config } from './config.ts';
import { createLists } from './lists.ts';
import type { createOrderOf } from './order-of.ts';

/** Where the host names the file, a call brings variables and nothing else. */
const WithFile = z.strictObject({ vars: Variables.default({}) });

const refusal = (status: number, error: string): HttpRefusal => ({ status, error });
const wrongly = (status: number, { problem }: Wrong): HttpRefusal =>
  refusal(status, problem ? say(en.problems, problem) : 'That is no campaign file.');

const jsonIn = (body: string): unknown => {
  try {
    return JSON.parse(body.trim() === '' ? '{}' : body);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

const lists = createLists();

const readStored = async (path: string, body: string): Promise<NewBatch | HttpRefusal> => {
  const asked = WithFile.safeParse(jsonIn(body));
  if (!asked.success)
    return refusal(
      422,
      'This webhook has a campaign file; its body is empty or {"vars": {"name": "value"}}.',
    );
  const source = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EACCES' || error.code === 'EISDIR') return null;
    throw error;
  });
  if (source === null) return refusal(503, 'The campaign file of this webhook cannot be read at the host.');
  const read = await lists.campaignFile(source, asked.data.vars);
  return isWrong(read) ? wrongly(422, read) : read.value;
};

const readSent = async (body: string): Promise<NewBatch | HttpRefusal> => {
  const read = await lists.campaignFile(body);
  if (isWrong(read)) return wrongly(422, read);
  // A script may reach what an agent may not: it is given at the host.
  // guard: G5-script-in-file
  if (read.value.script !== null) return refusal(422, SCRIPT);
  return read.value;
};
const SCRIPT =
  'A script is not taken from outside. Store it in a campaign file at the host, and name that file in the configuration of this webhook.';

type Parts = {
  hooks: Config['hooks'];
  query: Pick<Ledger['query'], 'campaigns' | 'arrived'>;
  clock: Clock;
  orderOf: ReturnType<typeof createOrderOf>;
};

export const createReadCall =
  ({ hooks, query, clock, orderOf }: Parts): HookParts['read'] =>
  async (name, callId, body): Promise<Called | HttpRefusal> => {
    const hook = hooks.get(name);
    if (!hook) return refusal(404, 'There is no webhook of this name here.');
    const batch = hook.file === null ? await readSent(body) : await readStored(hook.file, body);
    if ('error' in batch) return batch;
    const requester = { id: null, name: `the webhook ${name}` };
    const made = orderOf({ ...batch.order, host: null }, { requester, chat: hook.chat });
    if ('refused' in made) return refusal(422, made.refused);
    const key = `hook:${name}:${callId}`;
    const id = campaignIdOf(key);
    const origin: Origin = { kind: 'hook', hook: name };
    const { perDay } = hook;
    const now = clock.now();
    // What was taken and is not planned yet is a preview of today as well.
    const taken = await query.arrived({ source: 'cli', prefix: `hook:${name}:`, since: now - DAY });
    const planned = await query.campaigns();
    const waiting = taken
      .filter((one) => one.state === 'new')
      .map((one) => ({ id: campaignIdOf(one.key), state: 'planned', plannedAt: now, origin }));
    const all = [...planned, ...waiting.filter(({ id: one }) => !planned.some((other) => other.id === one))];
    const known = planned.some((one) => one.id === id) || taken.some((one) => one.key === key);
    if (!known && admits(all, origin, now, perDay).kind === 'full')
      return refusal(
        429,
        `This webhook has made ${perDay} previews within 24 hours, which is its limit. Call again later.`,
      );
    const asked = { ...batchFrom(batch, made.order), id, origin, perDay };
    return { item: batchNote(key, asked), campaign: id };
  };
