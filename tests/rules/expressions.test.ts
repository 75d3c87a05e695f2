/** L9: how the steps of an expression grow is judged as the real engine shows it. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { degreeOf, judgeExpression, stepsFor } from './expressions/growth.ts';
import { readExpressions } from './expressions/literal-expressions.ts';
import { readToolPatterns } from './expressions/tool-patterns.ts';

const kindOf = (expression: RegExp): string => {
  const growth = judgeExpression(expression.source, expression.flags);
  return growth.kind === 'polynomial' ? `degree ${degreeOf(growth.factors)}` : growth.kind;
};

describe('how steps grow', () => {
  it.each([
    ['options that may be read in two ways', /^npm ci(?: --?[\w-]+(?:[= ]\S+)?| -\S+)*$/],
    ['words that are made of others', /^(?:(?:不|不行|行|吧|行吧)[\s,]*)+$/u],
    ['a bracket as one sign or two', /^\((?:\\?\(|\(\?:|\(|:|\?|[(:?])*$/],
    ['runs of runs', /^(?:a+)+b/],
    ['words without a blank that must be', /^(?:\w+ ?)+:/],
    ['a name twice in a list', /^(?:[:_](?:run|test|run))*$/],
    ['runs that may be empty', /^(?:x(?:a?|b?))*$/],
    ['a bounded run in an unbounded one', /^(?:-[a-z]{0,50}[a-z]{0,50})*$/],
    ['many runs, at most fifty', /^(?:\w+ ?){0,50}:/],
    ['a look ahead that repeats', /(?=(?:a|a)+b)/],
  ])('L9: %s double with each repetition', (_, expression) => {
    expect(kindOf(expression)).toBe('exponential');
  });

  it.each([
    ['degree 1', /^\w+:/],
    ['degree 1', /^(?:[^"]|"[^"]*")*$/],
    ['degree 1', /^.*ENOSPC.*$/m],
    ['degree 1', /a+/g],
    ['degree 1', /\b(?:test|tests)\b[^.;]{0,40}\bpass/i],
    ['degree 1', /(?<!\/)\/+$/],
    ['degree 1', /(?<![\w.-])[\w.-]+#/g],
    ['degree 2', /(?<=a)[\w.-]+#/],
    ['degree 2', /(?<![\w-])[\w.-]+#/],
    ['degree 2', /a+b/],
    ['degree 2', /<[^>]*>/g],
    ['degree 2', /\s*\n\s*/],
    ['degree 2', /a(?:.*b)?/g],
    ['degree 2', /^(?:a.*c|ab)*/],
    ['degree 2', /^([(*_]*)(.*?)([)*_]*)$/s],
    ['degree 2', /(?<=a.*)b/],
    ['degree 3', /\w+\s*\d+:/],
    ['degree 3', /\s*\s*#/],
    ['degree 4', /^\W*\.+\W*\W*$/],
  ])('L9: steps grow with %s: %s', (degree, expression) => {
    expect(kindOf(expression)).toBe(degree);
  });

  it('L9: a bound counts as often as the round has room in it', () => {
    const growth = judgeExpression(String.raw`\bab[^;]{0,40}\bcd[^;]{0,60}!`, '');
    expect(growth).toMatchObject({ kind: 'polynomial' });
    expect(stepsFor(growth.kind === 'polynomial' ? growth.factors : [], 1_000)).toBeLessThan(1_000 * 40 * 60);
    expect(stepsFor(growth.kind === 'polynomial' ? growth.factors : [], 1_000)).toBeGreaterThan(1_000 * 5);
  });
});

describe('expressions of a file', () => {
  it('finds literal ones, built ones with what is put in, and constants', () => {
    const read = readExpressions(
      'a.ts',
      'const A = /x+/g;\nconst B = (n: string) => new RegExp(`^${A.source}${n}$`, "i");\n',
    );
    expect(read.literal).toEqual([{ source: 'x+', flags: 'g', at: 'a.ts:1' }]);
    expect(read.built).toEqual([
      { parts: ['^', '', '$'], holes: ['A.source', 'n'], flags: 'i', at: 'a.ts:2' },
    ]);
    expect(read.constants.get('A')).toEqual({ parts: ['x+'], holes: [] });
  });
});

describe('patterns in rows of tools', () => {
  const written = (text: string): string => {
    const folder = mkdtempSync(join(tmpdir(), 'tools-'));
    writeFileSync(join(folder, 'xmake.yaml'), text);
    return folder;
  };

  it('L9: are judged like those in the code', () => {
    const folder = written(
      "names: xmake\nlists: { pattern: '(?i)^(?:a+)+b', options: '(a+)+', examples: [xmake aab] }\n",
    );
    const [found, ...others] = readToolPatterns(folder);
    expect(found).toEqual({ source: '^(?:a+)+b', flags: 'i', at: 'tools/rows/xmake.yaml' });
    expect(others.map(({ flags }) => flags)).toEqual(['mi']);
    expect(judgeExpression(found?.source ?? '', found?.flags ?? '').kind).toBe('exponential');
  });
});
