/** docs/invariants.md names files and claims: all of them exist, and no claim is left out. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLAIMS } from '../prove/claims.ts';

const DOCS = join(import.meta.dirname, '../../docs');
const page = readFileSync(join(DOCS, 'invariants.md'), 'utf8');
const links = [...page.matchAll(/(claim )?\[([^\]]+)\]\(([^)]+)\)/g)].map(
  ([, claim, text = '', file = '']) => ({
    ...{ text, file },
    claim: claim !== undefined,
  }),
);

describe('the page of invariants', () => {
  it('names only files that exist', () => {
    expect(links.length).toBeGreaterThan(20);
    const missing = links.filter(({ file }) => !existsSync(resolve(DOCS, file)));
    expect(missing).toEqual([]);
    const named = [...page.matchAll(/`(tests\/[^`]+)`/g)].map(([, file = '']) => file);
    expect(named.filter((file) => !existsSync(join(DOCS, '..', file)))).toEqual([]);
  });

  it('names every claim of the prover, and no other', () => {
    const named = new Set(links.filter(({ claim }) => claim).map(({ text }) => text));
    expect([...named].sort()).toEqual(CLAIMS.map((c) => c.name).sort());
  });

  it('gives each invariant something that enforces it', () => {
    const rows = page.split('\n').filter((line) => /^\| [A-Z]\d/.test(line));
    expect(rows.length).toBeGreaterThan(15);
    expect(rows.filter((row) => !row.includes(']('))).toEqual([]);
  });
});
