/** O5: a campaign on the board: what stands out comes first, and says why. */
import { describe, expect, it } from 'vitest';
import { createBoardWorld } from '../support/board-world.ts';
import { FIFTY, fillCampaign, OUTLIERS } from '../support/board-campaign.ts';
import { ANA } from '../support/chat-world.ts';

const textOf = (markup: string): string => markup.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

describe('the page of a campaign', () => {
  it('O5: shows the three of fifty that stand out before the others, each with its reason', async () => {
    const w = await createBoardWorld();
    const path = await fillCampaign(w);
    const { cookie } = await w.signIn(ANA);
    const page = await (await w.get(path, { cookie })).text();
    const [, first = ''] = /aria-labelledby="outliers">(.*?)<\/section>/s.exec(page) ?? [];
    const rows = first.split('<li class="row').slice(1).map(textOf);
    expect(rows.length).toBe(3);
    const rowOf = (repo: string): string => rows.find((row) => row.includes(repo)) ?? '';
    expect(rowOf(OUTLIERS.files)).toContain('Changes files that the others leave alone: src/auth/session.ts');
    expect(rowOf(OUTLIERS.size)).toContain('794 lines changed; half of the others have at most 19');
    expect(rowOf(OUTLIERS.failed)).toMatch(/failed: .*node-gyp needs a compiler/);
    expect(textOf(first)).toContain('3 of 50 stand out');
    const table = page.slice(page.indexOf('<tbody>'));
    const named = [...table.matchAll(/<bdi>([^<]+)<\/bdi>/g)].map(([, repo]) => repo);
    expect(new Set(named.slice(0, 3))).toEqual(new Set(Object.values(OUTLIERS)));
    expect([...named].sort()).toEqual([...FIFTY].sort());
    expect(textOf(page)).toMatch(/30 of 50 merged/);
    expect(page).toContain('<svg class="curve"');
    await w.close();
  });

  it('O5: what many have in common is no exception', async () => {
    const w = await createBoardWorld();
    const path = await fillCampaign(w);
    const { cookie } = await w.signIn(ANA);
    const page = await (await w.get(path, { cookie })).text();
    expect(page.match(/stands out</g)?.length).toBe(3);
    expect(page.match(/47 alike|46 alike|48 alike/g)?.length).toBe(47);
    await w.close();
  });
});
