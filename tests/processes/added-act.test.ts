/** The recipe of an act on a campaign: a row that only this test knows works without another file. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { CAMPAIGN_ACTS } from '#campaigns/acts';
import { CampaignId } from '#model/order';
import { campaignIdOf } from '#runtime';

type Row = {
  act: string;
  schema: z.ZodObject;
  perform: (parts: never, asked: never, given: unknown) => Promise<object>;
};
const rows = z.custom<Row[]>().parse(CAMPAIGN_ACTS);

const PRAISE: Row = {
  act: 'praise',
  schema: z.object({ do: z.literal('praise'), id: CampaignId, words: z.string().max(10) }),
  perform: async (_parts, _asked, given) => {
    const { words } = z.object({ words: z.string() }).parse(given);
    return { kind: 'written', said: { kind: 'tried', n: words.length } };
  },
};

rows.push(PRAISE);
// Some files read the rows when they load, so they load after the row is there.
const { CampaignControl, createCampaignSource } = await import('../../app/campaign-control.ts');
const { createCampaignWorld, repoFacts } = await import('../support/campaign-world.ts');

it('F5: is all that a new act needs: the host’s order is read by it, and performed', async () => {
  const { ledger, clock, submit, planner, adopter } = await createCampaignWorld(repoFacts);
  const source = createCampaignSource({
    ledger,
    clock,
    submit,
    planner: () => planner,
    adopter: () => adopter,
  });
  const id = campaignIdOf('cli:p');
  const order = { key: 'k', campaign: { do: 'praise', id, words: 'Well done' } };
  const tooLong = { ...order, campaign: { ...order.campaign, words: 'Very well done' } };
  expect(CampaignControl.safeParse(tooLong).success).toBe(false);
  const at = clock.now();
  await ledger.receive([{ source: 'cli', key: 'k', lane: 'cli', body: order }], at);
  const [row] = await ledger.inbox(1);
  if (!row) throw new Error('nothing was stored');
  expect(await source(row, CampaignControl.parse(order))).toMatchObject({
    kind: 'written',
    said: { kind: 'tried', n: 9 },
  });
});
