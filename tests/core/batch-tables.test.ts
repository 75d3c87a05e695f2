/** F5: tables of repositories as other programs write them. */
import { describe, expect, it } from 'vitest';
import { readBatch } from '../../orchestrator/commands/batch.ts';
import { readList } from '../../orchestrator/commands/batch-list.ts';
import { en } from '../../bot/language/en/en.ts';
import { say } from '../../bot/text/catalogue.ts';
import { isWrong } from '../../orchestrator/commands/problems.ts';

const listed = (text: string): unknown => {
  const read = readList(text);
  return isWrong(read) ? read.problem : read.named.map(({ repo, vars }) => ({ repo, ...vars }));
};
const ab = [{ repo: 'acme/a' }, { repo: 'acme/b' }];

describe('what `gh repo list` prints', () => {
  it.each([
    'acme/a\tinput/output\tpublic\t2026-11-02T10:00:00Z\nacme/b\tx/y\tpublic, fork\t2026-11-02T10:00:00Z\n',
    'acme/a\t"Best" in/out\tprivate\t2026\nacme/b\t"open\tinternal\t2026',
    'acme/a\tTools\nacme/b\tx/y',
    'acme/a\tacme/b',
  ])('F5: is read whatever the descriptions are: %j', (text) => {
    expect(listed(text)).toEqual(ab);
  });
});

describe('a cell between quotation marks', () => {
  it('F5: may have lines of its own', () => {
    expect(listed('repo,note,team\nacme/a,"one\ntwo, ""three""",x\nacme/b, "y" ,z\n')).toEqual([
      { repo: 'acme/a', note: 'one\ntwo, "three"', team: 'x' },
      { repo: 'acme/b', note: 'y', team: 'z' },
    ]);
    expect(listed('repo,note\nacme/a,"one\ntwo"\nnobody,x')).toEqual({
      kind: 'line',
      line: 4,
      text: 'nobody,x',
    });
  });

  it('F5: that never ends, or a mark inside of one, hides no repository', () => {
    const table = 'repo,size,team\nacme/a,5" disk,x\nacme/b,"7" disk,y\nacme/c,"open,z\nacme/d,",w';
    expect(listed(table)).toEqual([
      { repo: 'acme/a', size: '5" disk', team: 'x' },
      { repo: 'acme/b', size: '"7" disk', team: 'y' },
      { repo: 'acme/c', size: '"open', team: 'z' },
      { repo: 'acme/d', size: '"', team: 'w' },
    ]);
  });

  it('F5: is read quickly, however many marks there are', () => {
    for (const cell of ['"', '""', '"""', '"x""', 'x"']) {
      const began = performance.now();
      listed(`repo,note\n${Array.from({ length: 20_000 }, (_, i) => `acme/r${i},${cell}\n`).join('')}`);
      expect(performance.now() - began).toBeLessThan(12_000);
    }
  });
});

describe('a remark in a table', () => {
  it.each([
    'repo\n# ours\nacme/a # the first\n#acme/c\nacme/b',
    '# ours\nrepo\nacme/a\nacme/b',
    '#,repo\n#1,acme/a\n#2,acme/b\n# 3,acme/c',
  ])('F5: is no row: %j', (text) => {
    expect(listed(text)).toMatchObject(ab);
  });

  it('F5: leaves lines their numbers', () => {
    expect(listed('# ours\n\nrepo,team\n# more\nacme/a,x\nnobody,y')).toEqual({
      kind: 'line',
      line: 6,
      text: 'nobody,y',
    });
  });
});

describe('what a table cannot fill in', () => {
  const long = 'x'.repeat(2_001);
  const json = (more: object): string => JSON.stringify([{ nameWithOwner: 'acme/a', ...more }]);
  const told = (text: string, goal: string): string | null => {
    const list = readList(text);
    const read = isWrong(list) ? list : readBatch(goal, list);
    return isWrong(read) && read.problem ? say(en.problems, read.problem) : null;
  };

  it.each([`repo,team\nacme/b,x\nacme/a,${long}`, json({ Team: long, stars: 3 })])(
    'F5: a value that is too long is named as that, where the goal asks for it',
    (text) => {
      expect(told(text, 'Name {{team}}')).toBe(
        '{{team}} of acme/a is longer than 2,000 characters; shorten it in the list.',
      );
      expect(told(text, 'Fix {{name}}')).toBeNull();
    },
  );

  it.each(['repo,team-name,Last commit\nacme/a,web,x', json({ 'team-name': 'web', 'Last commit': 'x' })])(
    'F5: a column that can be no variable is named, where the goal asks for it',
    (text) => {
      expect(told(text, 'Name {{ Team-Name }}')).toBeNull();
      expect(told(text, 'Fix it title="From {{last commit}}"')).toBe(
        '{{Last commit}} cannot be filled in: rename that column, with letters, digits, - and _, a letter first.',
      );
      expect(told(text, 'Fix {{name}}')).toBeNull();
    },
  );
});
