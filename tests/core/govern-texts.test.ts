/**
 * P1, P3: texts that the governor reads, each at its edges: globs, a repository's own file,
 * commands.
 */
import { describe, expect, it } from 'vitest';
import { classifyCommand } from '../../governor/classify-command.ts';
import { readRepositoryFile, describeRepositoryPolicies } from '../../governor/repository-policies.ts';
import { matchesGlob } from '../../text-safety/glob.ts';
import { RepositoryPolicies } from '#model/settings';

describe('a glob', () => {
  it.each<[glob: string, means: string[], not: string[]]>([
    ['a.md', ['a.md', 'x/a.md', 'x/y/A.MD', 'a.md/x'], ['xa.md', 'a.mdx', 'x/ba.md']],
    ['x/a.md', ['x/a.md', 'X/a.md', 'x/a.md/b'], ['y/x/a.md', 'x/a', 'x/a.m']],
    ['/a.md', ['a.md'], ['b.md', 'xa.md']],
    ['./x/a.md', ['x/a.md'], ['y/a.md']],
    ['x/?.md', ['x/a.md', 'x/..md'], ['x/.md', 'x/ab.md', 'x//.md']],
    ['x?y/b', ['xay/b'], ['x/y/b', 'xy/b']],
    ['x/*', ['x/a', 'x/a/b', 'x/'], ['x', 'xa']],
    ['x/*.md', ['x/a.md', 'x/.md'], ['x/a/b.md']],
    ['x/**', ['x/a', 'x/a/b'], ['x', 'y/x/a']],
    ['x/', ['x/a', 'y/x/a', 'x/a/b'], ['x', 'xa/b']],
    ['**/a', ['a', 'x/a', 'x/y/a', 'a/b'], ['xa', 'x/ab']],
    ['x/**/a', ['x/a', 'x/y/a', 'x/y/z/a'], ['xa', 'x/ya', 'a']],
    ['x/a**', ['x/a', 'x/abc/d'], ['x/ba']],
    ['*', ['a', 'a/b'], []],
    ['', [''], []],
  ])('P3: %s means %j and not %j', (glob, means, not) => {
    expect([means.filter((p) => !matchesGlob(p, [glob])), not.filter((p) => matchesGlob(p, [glob]))]).toEqual(
      [[], []],
    );
  });

  it('P3: is one of many', () => {
    expect([matchesGlob('a', ['b', 'a']), matchesGlob('a', ['b']), matchesGlob('a', [])]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('the file of a repository', () => {
  const problem = (text: string | null): string => {
    const read = readRepositoryFile(text);
    return 'problem' in read ? read.problem : '';
  };

  it('P1: may begin with the sign that some editors put there, and only begin with it', () => {
    expect(readRepositoryFile('\uFEFF{"policies":{"maxFiles":5}}')).toMatchObject({
      policies: { maxFiles: 5 },
    });
    expect(problem('{\uFEFF}')).toContain('not JSON');
  });

  it('P1: says which of its parts cannot be used, at most three', () => {
    expect(problem('[]')).toMatch(/cannot be used: the file: \S/);
    const wrong = { maxFiles: 0, maxLines: 0, maxBytes: 0, smallFiles: -1, smallLines: -1 };
    const said = problem(JSON.stringify({ policies: wrong }));
    expect(said.match(/policies\.\w+: /g)).toEqual([
      'policies.maxFiles: ',
      'policies.maxLines: ',
      'policies.maxBytes: ',
    ]);
    expect(said.split('; ')).toHaveLength(3);
    expect(problem(null)).toContain('too large');
    expect(problem('null')).toContain('the file');
  });

  it('P1: is told to people part by part', () => {
    const policies = { maxFiles: 5, forbiddenPaths: ['a', 'b'] };
    expect(describeRepositoryPolicies(RepositoryPolicies.parse(policies))).toBe(
      'maxFiles 5; forbiddenPaths a, b',
    );
  });
});

describe('a command', () => {
  const ids = (text: string): string[] => [...new Set(classifyCommand(text).map(({ id }) => id))];
  it.each<[string, string[]]>([
    ['CI=1 ls', ['known']],
    ['A=PATH=b ls', ['unknown-command']],
    ['LD_LIBRARY_PATH=x ls', ['unknown-command']],
    ['DYLD_INSERT_LIBRARIES=x ls', ['unknown-command']],
    ['myenv ls', ['unknown-command']],
    ['timeouts 5 ls', ['unknown-command']],
    ['timeout -k 5s 10m ls', ['known']],
    ['timeout 10m -k 5s ls', ['unknown-command']],
    ['timeout x5 ls', ['unknown-command']],
    ['time a-b ls', ['unknown-command']],
    ['npm -s test', ['known']],
    ['npm --silent install', ['network']],
    ['npm test-', ['unknown-command']],
    ['ls > /dev/null 2>&1', ['known']],
    ['ls > /12', ['outside']],
    ['ls > /1x', ['outside']],
    ['cat < /dev/null', ['known']],
    ['tool x--y=/etc/a', ['unknown-command']],
    ['tool --y=/etc/a', ['outside']],
    ['rm -xr /', ['destructive', 'high-risk', 'outside']],
    ['rm --recursive /', ['destructive', 'high-risk', 'outside']],
    ['rm x--recursive .', ['high-risk']],
    ['rm -f .', ['high-risk']],
    ['rm -r src', ['high-risk']],
    ['dd of=/etc/x', ['high-risk', 'outside']],
    ['dd x-of=/etc/x', ['high-risk']],
    ['bash -lc "ls"', ['known']],
    ['bash -cx "ls"', ['high-risk']],
    ['bash x-c ls', ['high-risk']],
    ['bash -c', ['high-risk']],
    ['ls | bash', ['high-risk']],
    ['xpython3 -m pytest', ['unknown-command']],
    ['python3 -x pytest', ['unknown-command']],
    ['python -m', ['unknown-command']],
    ['python -m http.server', ['unknown-command']],
    ['node --test', ['known']],
    ['node a.js --test', ['unknown-command']],
    ['node --x --test', ['unknown-command']],
    ['git', ['unknown-command']],
    ['git --no-pager log', ['unknown-command']],
    ['npm', ['unknown-command']],
    ['echo a https://x.example', ['network']],
    ['npm test -- --registry https://x.example', ['network']],
    ['npm test -- --registry=https://x.example', ['network']],
    ['echo ahttps://x', ['known']],
  ])('P3: %s is %j', (text, what) => {
    expect(ids(text)).toEqual(what);
  });
});
