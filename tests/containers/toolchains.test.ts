/** E20: repositories whose toolchains and services this machine lacks, from the order to the pull request. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { approves, buttonOf } from '../support/approves.ts';
import { lacksEngine, makeImage, startEngine, type EngineUnderTest } from '../support/container-engines.ts';
import { createProduct, type Product } from '../support/product.ts';

const LONG = 1_800_000;
const STORY = 300_000;

const POSTGRES = `set -e; mkdir -p /data/db; chown postgres /data/db
as() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
cd /tmp; bin=/usr/lib/postgresql/15/bin
as $bin/initdb -D /data/db -A trust --no-sync >/dev/null
exec setpriv --reuid=postgres --regid=postgres --clear-groups $bin/postgres -D /data/db -k /tmp -c listen_addresses=127.0.0.1`;

const IMAGES: readonly (readonly [name: string, packages: string, ...changes: string[]])[] = [
  ['golang:1.19', 'golang-go'],
  ['python:3.11', 'python3,python3-pytest,python3-psycopg2'],
  ['perl:5.36', 'perl'],
  ['postgres:15', 'postgresql-15', 'VOLUME /data', `ENTRYPOINT ${JSON.stringify(['sh', '-c', POSTGRES])}`],
];

const workflow = (job: string): string =>
  `name: ci\non: pull_request\njobs:\n  test:\n    runs-on: ubuntu-latest\n${job}`;

const GO = {
  'go.mod': 'module example.com/app\n\ngo 1.19\n',
  'app.go': 'package app\n\nfunc Two() int { return 3 }\n',
  'app_test.go':
    'package app\n\nimport "testing"\n\nfunc TestTwo(t *testing.T) {\n\tif Two() != 2 {\n\t\tt.Fatal(Two())\n\t}\n}\n',
};
const PYTHON = {
  'pytest.ini': '[pytest]\n',
  '.python-version': '3.11\n',
  'app.py': 'NUMBER = 3\n',
  'test_app.py': `import psycopg2
from app import NUMBER

def test_number():
    db = psycopg2.connect(host="localhost", user="postgres")
    with db.cursor() as cursor:
        cursor.execute("select 1 + 1")
        assert cursor.fetchone()[0] == NUMBER
`,
  '.github/workflows/ci.yml': workflow(`    services:
      db:
        image: postgres:15
        ports: ['5432:5432']
        options: --health-cmd "/usr/lib/postgresql/15/bin/pg_isready -h 127.0.0.1" --health-interval 1s
    steps:
      - uses: actions/checkout@v5
      - run: python3 -m pytest
`),
};
const PERL = {
  cpanfile: "requires 'perl', '5.036';\n",
  'lib/App.pm': 'package App;\nsub two { 3 }\n1;\n',
  't/app.t': 'use Test::More tests => 1;\nuse App;\nis(App::two(), 2);\n',
  '.github/workflows/ci.yml': workflow(`    container: perl:5.36
    steps:
      - uses: actions/checkout@v5
      - run: prove -l t
`),
};

const STORIES = [
  { name: 'go', files: GO, script: "sed -i 's/return 3/return 2/' app.go", says: ['in golang:1.19'] },
  {
    name: 'python',
    files: PYTHON,
    script: "sed -i 's/3/2/' app.py",
    says: ['in python:3.11', 'postgres:15'],
  },
  { name: 'perl', files: PERL, script: "sed -i 's/3/2/' lib/App.pm", says: ['in perl:5.36'] },
] as const;

for (const name of ['docker', 'podman'] as const) {
  const reason = lacksEngine(name);
  describe.skipIf(reason !== null)(
    `toolchains of images, by ${name}${reason === null ? '' : ` (${reason})`}`,
    () => {
      let engine: EngineUnderTest | undefined;
      let product: Product | undefined;
      beforeAll(async () => {
        engine = await startEngine(name);
        for (const [image, packages, ...changes] of IMAGES) makeImage(engine, image, packages, ...changes);
      }, LONG);
      afterAll(async () => engine?.close(), LONG);
      afterEach(async () => {
        await product?.close();
        product = undefined;
      });

      const begin = async (
        story: (typeof STORIES)[number],
        allowed: readonly string[],
        more: Record<string, string> = {},
      ): Promise<Product> => {
        product = await createProduct({
          script: story.script,
          config: {
            containers: { engine: name, allowed, otherwise: 'perl:5.36' },
            network: { scripts: 'none', installs: 'none', checks: 'none' },
          },
          env: { ...engine?.env, HOME: process.env['HOME'], AGENTPR_SANDBOX: 'container', ...more },
        });
        await product.github.addRepo({ owner: 'acme', name: story.name, from: story.files });
        product.start();
        await product.running();
        product.ana.sends(`/new acme/${story.name} Mend the number`);
        return product;
      };

      for (const story of STORIES)
        it(
          `E20: a repository of ${story.name} is checked on its base, changed, checked and opened`,
          async () => {
            const it = await begin(story, ['golang', 'python', 'perl', 'postgres']);
            const card = await it.ana.waitForMessage((m) => buttonOf(m, /^Open PR\b/) !== '', {
              deadlineMs: STORY,
              what: 'a card',
            });
            for (const words of story.says) expect(card.text).toContain(words);
            const checks = it.run()?.change.evaluation?.checks ?? [];
            expect(checks.map(({ outcome }) => outcome)).toContain('passed');
            const digests = checks.flatMap(({ box }) => (box ? [box.image, ...box.services] : []));
            for (const { digest } of digests) expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
            await approves(it.ana, `acme/${story.name}`);
            await it.waitForState(['CI_WAIT', 'REVIEW_WAIT']);
            expect(engine?.ask('ps', '--all', '--quiet')).toBe('');
          },
          STORY,
        );

      it(
        'E20: the same order says what is missing where its image is not allowed, before an agent starts',
        async () => {
          const it = await begin(STORIES[1], ['python']);
          await it.ana.waitForMessage((m) => m.text.includes('postgres:15'), { deadlineMs: STORY });
          expect(
            it
              .look()
              .attempts()
              .filter((a) => a.step === 'agent'),
          ).toEqual([]);
        },
        STORY,
      );
    },
  );
}
