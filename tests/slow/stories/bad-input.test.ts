/**
 * Whatever is sent, pressed, left behind or answered: a clear sentence, a record, and no run that
 * is stuck or lost.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Run } from '#run';
import {
  answer,
  badGateway,
  serverError,
  tooManyRequests,
  type ChatMessage,
  type Person,
  type RepoHandle,
} from '#playground';
import { approves, cardFor, denies } from '../../support/approves.ts';
import { withButton } from '../../support/persistent-person.ts';
import { createProduct, PATIENCE, TOKENS, type Product } from '../../support/product.ts';
import { askForChange, QUICK_AGENT } from '../../support/quick-change.ts';
import { reasonOf } from '../../support/english.ts';

const WITHIN = { deadlineMs: PATIENCE };
const BO = { id: '2002', name: 'Bo', role: 'operator' } as const;
/** Where nothing more happens by itself. */
const ENDS: Run['lifecycle']['state'][] = [
  'PUSHED',
  'CI_WAIT',
  'REVIEW_WAIT',
  'NEEDS_HUMAN_REVIEW',
  'FAILED_TERMINAL',
  'SKIPPED',
  'PAUSED',
  'DONE',
];

let product: Product;
let ana: Person;
beforeAll(async () => {
  product = await createProduct({
    script: QUICK_AGENT,
    bounds: { maxStepRetries: 0 },
    config: { maxParallelRuns: 4 },
    users: [BO],
  });
  ({ ana } = product);
  product.start();
});
afterAll(() => product.close());

/** Sends a text and gives the first message after it that says so. */
const asks = async (who: Person, text: string, says: string | RegExp): Promise<string> => {
  const sent = who.sends(text);
  const fits = (m: ChatMessage): boolean =>
    typeof says === 'string' ? m.text.includes(says) : says.test(m.text);
  const look = (p: Person) => p.messages().find((m) => m.from === 'bot' && m.messageId > sent && fits(m));
  return (
    await who.waitFor(look, {
      ...WITHIN,
      what: `an answer to ${text.slice(0, 80)} that says ${String(says)}`,
    })
  ).text;
};
const about = (repo: string, like: RegExp): Promise<ChatMessage> =>
  ana.waitForMessage((m) => m.from === 'bot' && m.text.includes(repo) && like.test(m.text), WITHIN);

describe('what people send', () => {
  it('C1: gives somebody unknown one hint with their id, and nothing else', async () => {
    const eve = product.telegram.person(6006, 'Eve');
    await asks(
      eve,
      '/new acme/patient Open the door',
      'I do not know you yet. Ask an admin to add your id: 6006',
    );
    eve.sends('/status');
    eve.sends('/help');
    await asks(ana, '/runs', 'There are no runs yet');
    expect(eve.messages().filter((m) => m.from === 'bot')).toHaveLength(1);
    expect(product.look().notes()).toContain('unknown user');
  });

  it('C1: answers each wrong order and command with what is wrong', async () => {
    const wrong: readonly (readonly [text: string, says: string])[] = [
      // Before any question, whose answer it would be.
      ['flibber the gibbet', 'I am not sure what you mean.'],
      ['/new', 'Which repository?'],
      ['/new acme', 'acme is not a repository'],
      ['/new acme/patient', 'What should change in acme/patient?'],
      ['/new acme/patient.git Mend it', 'is not a repository'],
      ['/new ../etc Mend it', 'is not a repository'],
      ['/new acme/patient Mend it engine=magic', 'magic is not an engine'],
      ['/new acme/patient Mend it base=a..b', 'a..b is not a branch name'],
      ['/new acme/patient Mend it branch=-x', '-x is not a branch name'],
      ['/new acme/patient Mend it title=""', 'title= needs a value'],
      ['/new acme/patient Mend it base=a base=b', 'base= was given twice'],
      ['/pause', 'Write it like this: /pause <run>'],
      ['/pause nobody', 'There is no run nobody.'],
      ['/detail nobody', 'There is no run nobody.'],
      ['/approve_open_pr nobody --confirm', 'There is no run nobody.'],
      ['/approve_open_pr nobody --force', 'Write it like this: /approve_open_pr'],
      ['/retry nobody NOWHERE', 'NOWHERE is not a state.'],
      ['/frobnicate all', 'I do not know /frobnicate'],
    ];
    // Few at once: of many that wait, a chat is answered with the newest.
    for (let i = 0; i < wrong.length; i += 6)
      await Promise.all(wrong.slice(i, i + 6).map(([text, says]) => asks(ana, text, says)));
    expect(product.runs()).toEqual([]);
  });

  it('S3: refuses illegal moves with a reason, records them, and the run goes on', async () => {
    const repo = await askForChange(product, 'steady');
    const card = await cardFor(ana, repo.fullName);
    const { id } = product.run(repo.fullName) as Run;
    await asks(
      ana,
      `/resume ${id}`,
      `Run ${id} is waiting for your decision; from there it cannot be resumed.`,
    );
    await asks(
      ana,
      `/retry ${id}`,
      `Run ${id} is waiting for your decision; from there it cannot be retried.`,
    );
    ana.sends(`/pause ${id}`);
    await product.waitForState('PAUSED', id);
    await asks(ana, `/pause ${id}`, `Run ${id} is paused; from there it cannot be paused.`);
    const dead = card.buttons.flat().find((b) => /^Open PR/.test(b.text))?.data ?? '';
    const stale = await ana.pressRaw(dead, { messageId: card.messageId }).answered(WITHIN);
    expect(stale).toMatchObject({
      alert: true,
      text: expect.stringContaining('This card is void') as string,
    });
    await asks(ana, `/resume ${id} QUEUED NOW`, 'is not a state');
    ana.sends(`/resume ${id}`);
    await product.waitForState('PUSHED', id);
    const again = await ana.waitForMessage(
      (m) => m.messageId > card.messageId && withButton(/^Open PR/)(m),
      WITHIN,
    );
    expect(again.text).toContain('Open this pull request in acme/steady?');
    ana.sends(`/cancel ${id} enough`);
    await product.waitForState('FAILED_TERMINAL', id);
    await asks(ana, `/retry ${id}`, 'A new run can begin with the same order.');
    await asks(ana, `/resume ${id}`, `Run ${id} has ended (Failed); it cannot be resumed.`);
    expect(
      product
        .look()
        .notes()
        .filter((n) => n.includes('"kind":"not_possible_now"')),
    ).toHaveLength(4);
    expect(repo.pulls).toEqual([]);
  });

  it.each([
    ['a1.open.1.AAAAAAAAAAA', 'not one of mine'],
    ['a1.ok.zzzzzz.AAAAAAAAAAA', 'not one of mine'],
    ['open', 'not one of mine'],
    ['{"verb":"ok"}', 'not one of mine'],
  ])('G4: answers the forged button %s', async (data, says) => {
    const tapped = await ana.pressRaw(data).answered(WITHIN);
    expect(tapped).toMatchObject({ alert: true, text: expect.stringContaining(says) as string });
  });

  it('G3: lets an operator ask, and not approve', async () => {
    const bo = product.telegram.person(Number(BO.id), 'Bo');
    await asks(bo, '/approve_open_pr nobody --confirm', 'Only approvers may do that; ask an admin.');
  });
});

/**
 * A repository with an agent of its own, and the order to let it work. All of them are at work at
 * once.
 */
describe('what agents and repositories do', () => {
  const agents: Record<string, () => string> = {
    crashes: () => 'echo more >> README.md; echo "the model went away" >&2; exit 7',
    idles: () => 'echo nothing to do',
    untested: () => 'echo more >> README.md',
    renamed: () => 'echo more >> README.md',
    rejected: () => 'echo more >> README.md',
    nameless: () => 'echo more >> README.md',
    flaky: () => 'echo more >> README.md',
  };
  const repos = new Map<string, RepoHandle>();
  const repo = (name: string): RepoHandle => repos.get(name) as RepoHandle;
  const ended = (
    name: string,
    state: Run['lifecycle']['state'] | Run['lifecycle']['state'][] = ENDS,
  ): Promise<Run> => product.waitForState(state, `acme/${name}`);
  const needsYou = async (name: string, like: RegExp, offers = 'Retry'): Promise<Run> => {
    const run = await ended(name, 'NEEDS_HUMAN_REVIEW');
    expect(reasonOf(run)).toMatch(like);
    const told = await about(`acme/${name}`, /NEEDS YOU/);
    expect(told.buttons.flat().map((b) => b.text)).toContain(offers);
    expect(repo(name).pulls).toEqual([]);
    return run;
  };

  beforeAll(async () => {
    for (const [name, script] of Object.entries(agents)) {
      const from = { 'README.md': `# ${name}\n`, 'agent.sh': script() };
      repos.set(name, await product.github.addRepo({ owner: 'acme', name, from }));
    }
    repo('renamed').refuseBranch(/^(?!.*-2$)/);
    repo('nameless').refuseBranch(/./);
    repo('rejected').refuseBranch(/./, 'Commits must have verified signatures');
    const path = (request: { path: string }): boolean => request.path.includes('/acme/flaky');
    const get = { route: 'GET /repos/{owner}/{repo}', when: path };
    product.github.faults.next(get, badGateway());
    product.github.faults.next(get, answer(429, { message: 'Too many requests' }, { 'retry-after': '1' }));
    product.github.faults.next({ route: 'git-receive-pack', when: path }, serverError());
    await product.github.addRepo({ owner: 'acme', name: 'empty' });
    ana.sends('/new acme/empty Write the first file');
    ana.sends('/new acme/nothing Mend what is not there');
    for (const name of repos.keys()) {
      const check = name === 'untested' ? '' : ' check="test -f README.md"';
      ana.sends(`/new acme/${name} Write one more line${check}`);
    }
  }, 120_000);

  it('E5: a repository that does not exist needs a person, with the way out', async () => {
    const run = await ended('nothing', 'NEEDS_HUMAN_REVIEW');
    expect(reasonOf(run)).toContain('The repository was not found, or our credential may not read it.');
    await about('acme/nothing', /NEEDS YOU/);
  });

  it('E5: a repository without a commit ends the run with what to do first', async () => {
    const run = await ended('empty', 'FAILED_TERMINAL');
    expect(reasonOf(run)).toContain('The repository has no commit yet. Push a first one');
    await about('acme/empty', /FAILED/);
  });

  it('E13: a repository without tests is no failure, and the card says that nothing was run', async () => {
    const card = await cardFor(ana, 'acme/untested', /^Open PR\b/);
    expect(card.text).toContain('⚠ no check was run: none was found for this change');
    await denies(ana, card);
    expect(reasonOf(await ended('untested', 'FAILED_TERMINAL'))).toContain('Denied by Ana');
  });

  it('E5: an agent that crashes is told of with its last words', async () => {
    const run = await needsYou('crashes', /exit code 7: the model went away\) It was tried once\./);
    expect(reasonOf(run)).not.toContain('We try again');
  });

  it('E12: an agent that changes nothing has not succeeded', async () => {
    await needsYou('idles', /changed nothing/);
  });

  it('E14, G2: a branch name that the code host refuses is changed once; a default branch that moves then stops nothing', async () => {
    const run = await ended('renamed', 'PUSHED');
    expect(run.change.pushedHead?.branch).toMatch(/-2$/);
    expect(repo('renamed').pushes.map((p) => p.refused === null)).toEqual([false, true]);
    await repo('renamed').advance({ 'NEWS.md': 'Something else happened.\n' });
    await approves(ana, 'acme/renamed');
    await about('acme/renamed', /Pull request #1 opened/);
    expect(repo('renamed').pulls).toMatchObject([{ headSha: run.change.pushedHead?.sha }]);
  });

  it('E5: a rejected push is told of in the words of the code host', async () => {
    await needsYou('rejected', /refused the push[\s\S]*verified signatures/);
  });

  it('E14: a name that is refused twice is for a person, in the words of the code host', async () => {
    await needsYou('nameless', /Branch name must match/);
    expect(repo('nameless').pushes.map((p) => p.refused)).toHaveLength(2);
  });

  it('F5, S2: a code host that fails for a while costs time alone; a stranger’s commit on the branch voids the card as soon as it is seen', async () => {
    const run = await ended('flaky', 'PUSHED');
    expect(repo('flaky').pushes.filter((p) => p.refused === null)).toHaveLength(1);
    expect(await repo('flaky').head(run.change.pushedHead?.branch)).toBe(run.change.pushedHead?.sha);
    await cardFor(ana, 'acme/flaky');
    await repo('flaky').pushForeign(run.change.pushedHead?.branch ?? '');
    await needsYou('flaky', /has a commit that AgentPR did not push/, 'Cancel run');
    await about('acme/flaky', /No longer valid/);
  });

  it('C3: a Telegram that refuses for a while gets every message in the end', async () => {
    const bo = product.telegram.person(Number(BO.id), 'Bo');
    const to = {
      route: 'sendMessage',
      when: (r: { params: Record<string, unknown> }) => r.params.chat_id === BO.id,
    };
    product.telegram.faults.next(to, tooManyRequests(1));
    product.telegram.faults.next(to, serverError(), 2);
    await asks(bo, '/status', /run.* live/);
    expect(bo.messages().filter((m) => m.from === 'bot' && /live/.test(m.text))).toHaveLength(1);
  });

  it('S6, L3: in the end nothing is stuck, lost or dead, and the ledger is whole', async () => {
    for (const name of [...repos.keys(), 'empty', 'nothing']) await ended(name);
    await product.settled();
    const inbox = product.look().inbox();
    expect([inbox.new ?? 0, inbox.dead ?? 0]).toEqual([0, 0]);
    expect(
      product
        .look()
        .effects()
        .filter((e) => e.state === 'dead'),
    ).toEqual([]);
    expect((await product.cli(['replay', '--all'])).code).toBe(0);
    expect(product.complaints()).toEqual([]);
  });
});

describe('a start that cannot work', () => {
  const elsewhere = (): { AGENTPR_DATA_DIR: string } => ({
    AGENTPR_DATA_DIR: join(product.dir, 'elsewhere'),
  });

  it('O3: ends with a sentence when Telegram does not know the token', async () => {
    const said = await product.cli(['start'], '', { ...elsewhere(), TELEGRAM_BOT_TOKEN: '1:wrong' });
    expect([said.code, said.err]).toEqual([78, expect.stringContaining('Check TELEGRAM_BOT_TOKEN.')]);
  });

  it('L6: refuses a data directory that another process uses, and says which', async () => {
    const said = await product.cli(['start']);
    expect([said.code, said.err]).toEqual([
      1,
      expect.stringContaining(`Another agentpr (pid ${product.pid()}) is using`),
    ]);
    expect(product.alive()).toBe(true);
  });

  it('ends with a sentence when its port is taken', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const said = await product.cli(['start'], '', { ...elsewhere(), AGENTPR_HTTP_PORT: String(port) });
    await new Promise((resolve) => server.close(resolve));
    expect([said.code, said.err]).toEqual([1, expect.stringContaining(String(port))]);
  });

  it.each(['.env', 'agentpr.config.json'])('O3: names %s when it is a folder', async (name) => {
    const file = join(product.dir, name);
    const before = existsSync(file) ? readFileSync(file) : null;
    rmSync(file, { force: true });
    mkdirSync(file);
    const said = await product.cli(['run', 'create', 'acme/api', 'x']);
    rmSync(file, { recursive: true });
    if (before) writeFileSync(file, before);
    expect([said.code, said.err]).toEqual([78, expect.stringContaining(`${name} cannot be read`)]);
  });

  it('O3: reads settings behind the mark that some editors put before them, and ends without a stack when its address is not of this machine', async () => {
    const file = join(product.dir, '.env');
    writeFileSync(file, `\ufeffTELEGRAM_BOT_TOKEN=${TOKENS.telegram}\n`);
    const said = await product.cli(['start'], '', {
      ...elsewhere(),
      TELEGRAM_BOT_TOKEN: undefined,
      AGENTPR_HTTP_HOST: '203.0.113.9',
    });
    rmSync(file);
    expect([said.code, said.err]).toEqual([1, expect.stringContaining('Set AGENTPR_HTTP_HOST')]);
    expect(said.err).not.toContain('"stack"');
  });
});

describe('a command line that is wrong', () => {
  it.each([
    [['run', 'retry', 'r1', '--target', 'LATER'], 2, 'Allowed choices are QUEUED'],
    [['run', 'deny', 'nope'], 4, 'There is no run nope.'],
    [['run', 'agent-step', '--prompt', 'x', '--minutes', 'soon'], 2, 'not a number of minutes'],
    [['audit', 'verify', '/nowhere'], 4, 'There is no file /nowhere.'],
    [['run', 'create'], 2, 'agentpr run create --help'],
  ])('O1: is answered in a sentence, with its exit code: %j', async (args, code, says) => {
    const said = await product.cli(args);
    expect([said.code, said.err]).toEqual([code, expect.stringContaining(says)]);
    expect(said.err).not.toMatch(/^\s+at |"code":|ENOENT/m);
  });
});
