/** docs/invariants.md names files and claims: all of them exist, and no claim is left out. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLAIMS } from '../prove/claims.ts';
import { broken } from '../prove/guards/breaks.ts';
import { markersInCode } from '../prove/guards/guard.ts';
import { withTable } from '../prove/guards/page.ts';
import { GUARDS } from '../prove/guards/table.ts';

const DOCS = join(import.meta.dirname, '../../docs');
const page = readFileSync(join(DOCS, 'invariants.md'), 'utf8');
const links = [...page.matchAll(/(claim )?\[([^\]]+)\]\(([^)]+)\)/g)].map(
  ([, claim, text = '', file = '']) => ({
    text,
    file,
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

/** Whatever width a formatter gave the columns. */
const cells = (text: string): string[] => text.split('\n').map((l) => l.replace(/\s+|-{3,}/g, ' ').trim());

describe('the table of guards', () => {
  const found = markersInCode();

  it('has each marker once in the code, and each belongs to a guard', () => {
    const ids = found.map(({ id }) => id).sort();
    expect(ids).toEqual([...new Set(GUARDS.map(({ id }) => id))].sort());
  });

  it('reads every comment that looks like a marker as one', () => {
    const root = join(import.meta.dirname, '../..');
    const files = [...new Set(found.map(({ file }) => file))];
    const looking = files.flatMap(
      (f) => readFileSync(join(root, f), 'utf8').match(/\/\/\s*guards?:/gi) ?? [],
    );
    expect(looking).toHaveLength(found.length);
  });

  it('can break each guard as its row says, and no two rows break the same', () => {
    const root = join(import.meta.dirname, '../..');
    const files = new Map(found.map(({ id, file }) => [id, join(root, file)]));
    const mutants = GUARDS.map(({ id, how }) => broken(id, how, readFileSync(files.get(id) ?? '', 'utf8')));
    expect(GUARDS.length).toBeGreaterThan(150);
    expect(new Set(mutants).size).toBe(mutants.length);
  });

  it('is the one in docs/mutants.md', () => {
    const mutants = readFileSync(join(DOCS, 'mutants.md'), 'utf8');
    expect(cells(mutants)).toEqual(cells(withTable(mutants)));
  });

  it('names only tests that exist', () => {
    const tests = GUARDS.flatMap(({ by }) => ('test' in by ? [by.test] : []));
    expect(tests.filter((file) => !existsSync(join(import.meta.dirname, '../..', file)))).toEqual([]);
  });
});
