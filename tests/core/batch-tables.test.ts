/** F5: tables of repositories as other programs write them. */
import { describe, expect, it } from 'vitest';
import { readCampaignOrder } from '../../orchestrator/orders/campaign-argument.ts';
import { readList } from '../../orchestrator/orders/repository-list.ts';
import { isCampaignFile } from '../../orchestrator/orders/campaign-file.ts';
import { enTexts } from '#language';
import { sayRecord } from '#chat-text';
import { isWrongArgument } from '#model/chat';

const listed = (text: string): unknown => {
  const read = readList(text);
  return isWrongArgument(read) ? read.problem : read.named.map(({ repo, vars }) => ({ repo, ...vars }));
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
    const read = isWrongArgument(list) ? list : readCampaignOrder(goal, list);
    return isWrongArgument(read) && read.problem ? sayRecord(enTexts.problems, read.problem) : null;
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

describe('what tools print and keep', () => {
  const both = [{ repo: 'acme/api' }, { repo: 'acme/web' }];
  it.each([
    [
      'gh search code --json',
      '[{"path":"a","repository":{"nameWithOwner":"acme/api"}},{"path":"b","repository":{"nameWithOwner":"acme/web","url":"https://github.com/acme/web"}},{"path":"c","repository":{"nameWithOwner":"acme/api"}}]',
    ],
    [
      'gh api search',
      '{"total_count":2,"items":[{"name":"api","full_name":"acme/api","url":"https://api.github.com/repos/acme/api"},{"name":"web","full_name":"acme/web"}]}',
    ],
    [
      'GraphQL nodes',
      '{"data":{"search":{"nodes":[{"nameWithOwner":"acme/api"},{"nameWithOwner":"acme/web"}]}}}',
    ],
    [
      'GraphQL edges',
      '{"data":{"organization":{"repositories":{"edges":[{"node":{"nameWithOwner":"acme/api"}},{"node":{"nameWithOwner":"acme/web"}}]}}}}',
    ],
    ['--slurp', '[[{"full_name":"acme/api"}],[{"full_name":"acme/web"}]]'],
    ['--paginate, pages one after the other', '[{"full_name":"acme/api"}][{"full_name":"acme/web"}]'],
    ['an object on each line', '{"full_name":"acme/api"}\n{"full_name":"acme/web"}\n'],
    [
      'owner and name apart',
      '{"repositories":[{"owner":"acme","name":"api"},{"owner":"acme","name":"web"}]}',
    ],
    ['a spreadsheet', 'sep=;\nRepository Name\nacme/api\nacme/web\n'],
    ['a spreadsheet with a mark', '\ufeffFull name\r\nacme/api\r\nacme/web\r\n'],
    ['columns owner and name', 'owner,name\nacme,api\nacme,web\n'],
    ['a table of Markdown', '| Owner | Name |\n|---|---|\n| acme | api |\n| acme | web |\n'],
    ['a list whatever its name', 'acme/api\nacme/web\n'],
    ['multi-gitter', 'repo:\n  - acme/api\n  - acme/web\nplatform: github\n'],
  ])('F5: %s is read', (_, text) => {
    expect(listed(text)).toEqual(both);
  });

  it.each([
    [
      '.gitmodules',
      '[submodule "api"]\n\tpath = api\n\turl = https://github.com/acme/api.git\n[submodule "web"]\n\tpath = web\n\turl = git@github.com:acme/web.git\n',
    ],
    [
      'vcs',
      'repositories:\n  api:\n    type: git\n    url: https://github.com/acme/api.git\n    version: main\n  web:\n    type: git\n    url: https://github.com/acme/web.git\n',
    ],
    [
      'mani',
      'projects:\n  api:\n    url: git@github.com:acme/api.git\n    desc: the API\n  web:\n    url: git@github.com:acme/web.git\n',
    ],
    ['.meta', '{"projects":{"api":"git@github.com:acme/api.git","web":"https://github.com/acme/web"}}'],
    [
      'links to files',
      'https://raw.githubusercontent.com/acme/api/main/README.md\nhttps://api.github.com/repos/acme/web\n',
    ],
    ['short addresses', 'github:acme/api\ngh:acme/web\n'],
    [
      'addresses of package files',
      '[{"repository":{"type":"git","url":"git+https://github.com/acme/api.git"}},{"repository":{"url":"git+ssh://git@github.com/acme/web.git"}}]',
    ],
  ])('F5: %s is read, and where it leads is kept', (_, text) => {
    const read = readList(text);
    if (isWrongArgument(read)) throw new Error(JSON.stringify(read.problem));
    expect(read.named.map(({ repo, host }) => [host, repo])).toEqual([
      ['github.com', 'acme/api'],
      ['github.com', 'acme/web'],
    ]);
  });

  it('F5: a branch behind a name, or in an address, is kept beside it; the other lines stay a list', () => {
    const read = readList('acme/api\nacme/tools@main\n- https://github.com/acme/web/tree/next\n');
    if (isWrongArgument(read)) throw new Error(JSON.stringify(read.problem));
    expect(read.named).toEqual([
      { repo: 'acme/api', host: null, vars: {} },
      { repo: 'acme/tools', host: null, vars: {}, ref: 'main' },
      { repo: 'acme/web', host: 'github.com', vars: {}, ref: 'next' },
    ]);
    const pinned = [
      'https://github.com/acme/web@v1',
      'git+https://github.com/acme/web.git@v1',
      'git@github.com:acme/web.git@v1',
      'https://github.com/acme/web.git@release/v1',
    ];
    for (const line of pinned)
      expect(readList(`${line}\n`)).toMatchObject({
        named: [{ repo: 'acme/web', ref: line.endsWith('/v1') ? 'release/v1' : 'v1' }],
      });
    expect(listed('https://github.com/orgs/acme/repositories\n')).toMatchObject({ kind: 'line' });
    expect(listed('acme/tools@main and more\n')).toMatchObject({ kind: 'line_more' });
  });

  it('F5: what names no repository is no list, however it is nested', () => {
    for (const text of [
      '{"data":{"search":{"nodes":[]}}}',
      'type: git\nversion: main\n',
      'owner,name\nacme,\n',
    ])
      expect(listed(text)).toMatchObject({ kind: 'line' });
  });

  it('F5: a campaign is known by what it says, and a list by what it holds', () => {
    expect(isCampaignFile('name: x\ngoal: y\nrepositories: [acme/api]\n')).toBe(true);
    expect(isCampaignFile('acme/api\nacme/web\n')).toBe(false);
    expect(isCampaignFile('repositories:\n  name:\n    url: https://github.com/acme/api\n')).toBe(false);
  });
});
