/** P2, L8: what a change adds is searched where nobody waits for it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { contentFindings } from '../../executors/git/workspace/content-findings.ts';
import { findHiddenLines } from '../../executors/git/workspace/find-hidden-lines.ts';
import { createReaderThreads } from '../../executors/process/reader-threads.ts';
import { createContentScan } from '../../executors/git/workspace/scan-content.ts';
import { temporaryDirectory } from '../support/ledger.ts';

const threads = createReaderThreads();
const scan = createContentScan(threads);
afterEach(() => threads.end());
const side = (text: string) => ({ path: 'a.env', bytes: Buffer.from(text) });
/** Looks like a password on every line, and is none. */
const HOSTILE = 'password="\n'.repeat(40_000);

/** How often others have their turn while it is under way. */
const turnsDuring = async (search: Promise<unknown>): Promise<number> => {
  let turns = 0;
  let over = false;
  const ended = search.finally(() => (over = true));
  while (!over) {
    await turn();
    turns += 1;
  }
  await ended;
  return turns;
};
const { dir, remove } = temporaryDirectory();
afterAll(remove);
const patchOf = (line: string, times = 1): string => {
  const file = join(dir, `${line.length}-${times}.patch`);
  const head = `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1,${times} @@\n`;
  writeFileSync(file, head + `+${line}\n`.repeat(times));
  return file;
};

describe('a search of what a change adds', () => {
  it('L8: of a large hostile file leaves this thread to others', async () => {
    const search = scan.findings({ before: null, after: side(HOSTILE) });
    expect(await turnsDuring(search)).toBeGreaterThan(20);
  });

  it('L8: of a large hostile patch, in one line or in many, leaves this thread to others', async () => {
    for (const file of [patchOf('\u0001'.repeat(200_000)), patchOf('password="', 20_000)])
      expect(await turnsDuring(scan.patch(file))).toBeGreaterThan(20);
  });

  it('G8: finds the same in a patch in a thread as here, whatever its size', async () => {
    const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    for (const times of [1, 2_000]) {
      const file = patchOf(`key = "${token}"`, times);
      const found = await scan.patch(file);
      expect(found).toEqual(await findHiddenLines(file));
      expect(found).toMatchObject([{ kind: 'hidden_line', note: { added: times } }]);
    }
    await expect(scan.patch(join(dir, 'none.patch'))).rejects.toThrow('no such file');
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
    await threads.end();
    await outcome;
  });
});
