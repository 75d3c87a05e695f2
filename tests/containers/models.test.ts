/** E16, E20: a model behind the gateway, for an agent whose commands run in a container. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { approves, buttonOf, tapOn } from '../support/approves.ts';
import { call, edit } from '../support/builtin-round.ts';
import { lacksEngine, makeImage, startEngine, type EngineUnderTest } from '../support/container-engines.ts';
import { createFakeModel, type FakeModel } from '../support/fake-model.ts';
import { createProduct, type Product } from '../support/product.ts';

const LONG = 1_800_000;
const STORY = 600_000;
const KEY = 'sk-operator-3h7Kx7Lm4Pn8Qr5T';
const IMAGE = 'perl:5.36';
const WITHOUT_GIT = 'perl:5.36-slim';
/** As each answer of the scripted model tells them. */
const [READ, WRITTEN] = [1200, 80];

/** All that a process of the box can read of itself and its neighbours, and its network. */
const SEARCH = String.raw`{ env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline
grep -rsI --exclude=found . "$HOME" /tmp /box /run /etc lib; } 2>/dev/null | tr '\0' '\n' >/tmp/found
echo "lines: $(($(wc -l </tmp/found) > 100))"
echo "secrets:$(grep -oE '.{0,40}(sk-operato[r]|agentp[r]-[A-Za-z0-9_-]{20})' /tmp/found | head -3)."
echo "networks: $(tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' \n')"
`;

for (const name of ['docker', 'podman'] as const) {
  const reason = lacksEngine(name);
  describe.skipIf(reason !== null)(`a model, by ${name}${reason === null ? '' : ` (${reason})`}`, () => {
    let engine: EngineUnderTest;
    let model: FakeModel;
    let product: Product | undefined;
    beforeAll(async () => {
      engine = await startEngine(name);
      makeImage(engine, IMAGE, 'git,perl,procps,python3-minimal');
      makeImage(engine, WITHOUT_GIT, 'perl');
      model = await createFakeModel();
    }, LONG);
    afterEach(async () => product?.close());
    afterAll(async () => {
      await model.close();
      await engine.close();
    }, LONG);

    const createBuiltinProduct = (agentImage: string) =>
      createProduct({
        config: {
          engines: { builtin: { args: ['-m', 'scripted-model'] } },
          containers: { engine: name, allowed: ['perl'], otherwise: IMAGE, agentImage },
          network: { installs: 'none', checks: 'none' },
        },
        env: {
          ...engine.env,
          HOME: process.env['HOME'],
          AGENTPR_SANDBOX: 'container',
          AGENTPR_ENGINE: 'builtin',
          OPENAI_API_KEY: KEY,
          OPENAI_BASE_URL: `${model.url}/v1`,
        },
      });

    it(
      'E20: says before a token is spent that the image has no git',
      async () => {
        product = await createBuiltinProduct(WITHOUT_GIT);
        const from = { cpanfile: "requires 'perl', '5.036';\n", 'lib/App.pm': 'package App;\n1;\n' };
        await product.github.addRepo({ owner: 'acme', name: 'perl', from });
        product.start();
        await product.running();
        const before = model.requests.length;
        product.ana.sends('/new acme/perl Mend the number');
        const told = await product.ana.waitForMessage((m) => m.text.includes('git'), {
          deadlineMs: STORY,
          what: 'what is missing',
        });
        expect(told.text).toContain('needs git, and its box has none');
        expect(told.text).toContain('containers.agentImage');
        expect(model.requests).toHaveLength(before);
      },
      STORY,
    );

    it(
      'E16: its turns are counted, and its key is neither in the container nor with the engine',
      async () => {
        product = await createBuiltinProduct(IMAGE);
        const repo = await product.github.addRepo({
          owner: 'acme',
          name: 'perl',
          from: {
            cpanfile: "requires 'perl', '5.036';\n",
            'lib/App.pm': 'package App;\nsub two { 3 }\n1;\n',
            'look.sh': SEARCH,
            't/app.t':
              'use Test::More tests => 1;\nuse App;\ndiag scalar `sh look.sh`;\nis(App::two(), 2);\n',
          },
        });
        const script = [
          edit('lib/App.pm', 'sub two { 3 }', 'sub two { 2 }'),
          // It is asked about, and once a person said yes, asked for again.
          call('run', { command: 'prove -lr t' }),
          call('run', { command: 'prove -lr t' }),
          { report: { status: 'done', summary: 'It is two now.', ran: [] } },
        ];
        const seen: string[] = [];
        model.answers(() => {
          const boxes = engine
            .ask('ps', '--quiet', '--filter', 'label=agentpr.run')
            .split('\n')
            .filter(Boolean);
          seen.push(boxes.length === 0 ? '' : engine.ask('inspect', ...boxes));
          return script[Math.min(seen.length, script.length) - 1] ?? { silent: true };
        });
        product.start();
        await product.running();
        product.ana.sends('/new acme/perl Mend the number');
        const asks = await product.ana.waitForMessage((m) => buttonOf(m, /^Allow once$/) !== '', {
          deadlineMs: STORY,
          what: 'a question about its command',
        });
        await tapOn(product.ana, asks, /^Allow once$/);
        const card = await product.ana.waitForMessage((m) => buttonOf(m, /^Open PR\b/) !== '', {
          deadlineMs: STORY,
          what: 'a card',
        });
        expect(card.text).toContain(`in ${IMAGE}`);
        const { requests } = model;
        expect(requests).toHaveLength(script.length);
        expect(new Set(requests.map(({ key }) => key))).toEqual(new Set([KEY]));
        const told = requests.map(({ body }) => JSON.stringify(body));
        for (const line of ['lines: 1', 'secrets:.', 'networks: lo']) expect(told[3]).toContain(line);
        expect(told[3]).toContain('Result: PASS');
        for (const one of [...told, ...seen]) expect(one).not.toContain(KEY);
        expect(seen.join('')).toContain('agentpr.run');
        expect(product.run()?.lifecycle.usage).toMatchObject({
          inputTokens: READ * script.length,
          outputTokens: WRITTEN * script.length,
        });
        await approves(product.ana, 'acme/perl');
        await product.waitForState(['CI_WAIT', 'REVIEW_WAIT']);
        expect(repo.pulls).toHaveLength(1);
        expect(engine.ask('ps', '--all', '--quiet')).toBe('');
      },
      STORY,
    );
  });
}
