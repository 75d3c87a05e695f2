/** P2, L8: what a change adds is searched where nobody waits for it. */
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { contentFindings } from '../../executors/workspace/content.ts';
import { createScan } from '../../executors/workspace/scan.ts';

const scan = createScan();
afterEach(() => scan.end());
const side = (text: string) => ({ path: 'a.env', bytes: Buffer.from(text) });
/** Looks like a password on every line, and is none. */
const HOSTILE = 'password="\n'.repeat(40_000);

describe('a search of what a change adds', () => {
  it('L8: of a large hostile file leaves this thread to others', async () => {
    let turns = 0;
    let over = false;
    const search = scan.findings({ before: null, after: side(HOSTILE) }).finally(() => (over = true));
    while (!over) {
      await turn();
      turns += 1;
    }
    await search;
    expect(turns).toBeGreaterThan(20);
  });

  it('P2: finds the same in a thread as here, whatever the size', async () => {
    const token = `key = "ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}"\n`;
    for (const filling of ['', 'plain\n'.repeat(20_000)]) {
      const [before, after] = [side(filling), side(`${filling}${token}\u202e\n`)];
      const found = await scan.findings({ before, after });
      expect(found).toEqual(contentFindings(before, after));
      expect(found.map((f) => f.kind)).toEqual(expect.arrayContaining(['secret', 'bidi_text']));
    }
  });

  it('P2: whose thread ends fails, and finds nothing out', async () => {
    const search = scan.findings({ before: null, after: side(HOSTILE) });
    const outcome = expect(search).rejects.toThrow('has ended');
    await scan.end();
    await outcome;
  });
});
