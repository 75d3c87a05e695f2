/** C1: runs are found however people name them, and what could mean another one asks for a tap. */
import { describe, expect, it } from 'vitest';
import { isRepositoryAt } from '../../forge/github-facts.ts';
import { parseRepoLink } from '../../orchestrator/orders/repository-links.ts';
import { nearestWord } from '#model/values';
import { ANA, BO, createChatWorld, PULL, STRANGER, VIC } from '../support/chat-world.ts';

const buttons = (w: Awaited<ReturnType<typeof createChatWorld>>): string[] =>
  w.messages
    .at(-1)
    ?.buttons.flat()
    .map((b) => b.text) ?? [];

describe('C1: a typed command finds its run', () => {
  it('by repository, its short name, the start of its id, its place and the link of its pull request', async () => {
    const w = await createChatWorld();
    const run = await w.openRun();
    await w.readyRun({ order: { repo: 'bo/web' } });
    for (const name of [
      'acme/api',
      'ACME/API',
      'api',
      run.id.slice(0, 3) === 'r10' ? run.id : run.id.slice(0, 3),
      `#${run.id}`,
      '#12',
      PULL,
      `${PULL}/files`,
      'https://github.com/acme/api',
      'git@github.com:acme/api.git',
      '2',
    ])
      expect((await w.says(`/detail ${name}`)).join(), name).toContain(run.id);
    for (const name of ['3', 'nosuch', 'https://github.com/acme/api/pull/99', 'acme'])
      expect((await w.says(`/detail ${name}`)).join(), name).toContain('There is no run');
  });

  it('as it was copied from a sentence, with marks that nobody sees, or out of the form', async () => {
    const w = await createChatWorld();
    const { id } = await w.readyRun();
    for (const name of [`${id}.`, `\`${id}\``, `<${id}>`, `\u202a${id}\u202c`, `“${id}”`, `(${id}),`])
      expect((await w.says(`/detail ${name}`)).join(), name).toContain(`acme/api · ${id}`);
  });

  it('in words after it, which the grammar reads', async () => {
    const w = await createChatWorld();
    const [one, two] = [await w.readyRun(), await w.readyRun()];
    expect((await w.says('/pause all')).join()).toMatch(/^Tap to do this/);
    await w.taps('Pause');
    expect([(await w.run(one.id)).lifecycle.state, (await w.run(two.id)).lifecycle.state]).toEqual([
      'PAUSED',
      'PAUSED',
    ]);
    expect((await w.says('/resume the paused one', { by: VIC })).join()).toMatch(/^Only operators/);
    expect((await w.says('/pause nonsense')).join()).toContain('There is no run nonsense');
  });

  it('as the message that is answered, and takes all words as its own', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    const card = w.messages.findLast((m) => m.text.startsWith('Open this'));
    const reply = { reply_to_message: { message_id: Number(card?.messageId) } };
    expect((await w.says('/detail', reply)).join()).toContain(run.id);
    await w.says('/deny too large for one change', reply);
    expect((await w.run(run.id)).lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
  });

  it('and changes nothing by a place or a part of a name without a tap', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    for (const name of ['1', 'api', '']) {
      await w.says(`/pause ${name}`);
      expect((await w.run(run.id)).lifecycle.state, name).toBe('PUSHED');
      expect(buttons(w), name).toContain('Pause');
    }
    await w.taps('Pause');
    expect((await w.run(run.id)).lifecycle.state).toBe('PAUSED');
    await w.says('/resume acme/api');
    expect((await w.run(run.id)).lifecycle.state).not.toBe('PAUSED');
  });

  it('and /approve_open_pr by such a name shows the card, even with --confirm', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    expect((await w.says('/approve_open_pr 1 --confirm')).join()).toMatch(/^Open this/);
    expect(await w.kinds(run.id)).not.toContain('open_pr');
  });

  it('and of several it asks which one', async () => {
    const w = await createChatWorld();
    await w.readyRun();
    await w.readyRun({ order: { repo: 'bo/web' } });
    await w.says('/diff');
    expect(buttons(w).filter((b) => b.startsWith('Diff'))).toHaveLength(2);
    await w.says('/cancel', { by: VIC });
    expect(w.messages.at(-1)?.text).toMatch(/^Only operators/);
  });
});

it('C1: an address of another host is no repository of ours', async () => {
  const w = await createChatWorld();
  expect((await w.says('/new https://gitlab.com/acme/api Fix it')).join()).toContain('gitlab.com/acme/api');
  expect((await w.says('/new https://github.com.evil.example/acme/api Fix it')).join()).toContain(
    'not a repository',
  );
  expect(await w.ledger.query.runs({ live: true, limit: 9 })).toEqual([]);
  await w.says('/new https://github.com/acme/api/pull/3 Fix it');
  expect((await w.ledger.query.runs({ live: true, limit: 9 }))[0]?.order.repo).toBe('acme/api');
});

it.each([
  ['acme/api', null],
  ['https://github.com/acme', null],
  ['https://github.com/', null],
  ['../../etc/passwd', null],
  ['user@host:path', null],
  ['https://u:p@github.com/a/b', 'a/b'],
  ['https://github.com:443/a/b', 'a/b'],
  ['git+ssh://git@github.com/a/b.git', 'a/b'],
])('C1: reads the address %s', (text, repo) => {
  expect(parseRepoLink(text)?.repo ?? null).toBe(repo);
});

it.each([
  // [what is pasted, where it leads, the repository, the pull request]
  ['https://acme.ghe.com/web/api/pull/3/files#diff-1', 'acme.ghe.com', 'web/api', '3'],
  ['https://api.acme.ghe.com/repos/web/api/pulls/3', 'acme.ghe.com', 'web/api', '3'],
  ['https://api.github.com/repos/web/api', 'github.com', 'web/api', null],
  ['acme@acme.ghe.com:web/api.git', 'acme.ghe.com', 'web/api', null],
  ['https://github.com/ana_acme/api/tree/fix/a.b', 'github.com', 'ana_acme/api', null],
  ['https://ghe.corp.example/web/api/issues/4', 'ghe.corp.example', 'web/api', null],
  ['https://ghe.corp.example/api/v3/repos/web/api/pulls/3', 'ghe.corp.example', 'web/api', '3'],
  ['https://ghe.corp.example:8443/web/api/blob/main/a.ts#L3', 'ghe.corp.example:8443', 'web/api', null],
  ['https://ghe.corp.example:443/web/api.git', 'ghe.corp.example', 'web/api', null],
  ['ssh://git@ghe.corp.example:122/web/api.git', 'ghe.corp.example', 'web/api', null],
  ['ghe.corp.example:8443/web/api', 'ghe.corp.example:8443', 'web/api', null],
  ['https://corp.example/code/web/api', 'corp.example/code', 'web/api', null],
  ['https://corp.example/code/web/api/pull/3', 'corp.example/code', 'web/api', '3'],
  ['https://corp.example/code/api/v3/repos/web/api', 'corp.example/code', 'web/api', null],
  ['http://[::1]:3000/web/api/pull/3', '[::1]:3000', 'web/api', '3'],
  ['http://[0:0:0:0:0:0:0:1]:3000/web/api', '[::1]:3000', 'web/api', null],
  ['https://[2001:db8::7]/web/api', '[2001:db8::7]', 'web/api', null],
  ['git@[2001:db8::7]:web/api.git', '[2001:db8::7]', 'web/api', null],
  ['http://127.0.0.1:3000/web/api', '127.0.0.1:3000', 'web/api', null],
])('O9: reads %s', (text, host, repo, pull) => {
  expect(parseRepoLink(text)).toMatchObject({ host, repo, pull });
});

it.each([
  // [where the code host is, what is pasted, whether it is one of its repositories]
  ['https://acme.ghe.com', 'https://acme.ghe.com/web/api', true],
  ['https://acme.ghe.com', 'https://github.com/web/api', false],
  ['https://acme.ghe.com', 'https://acme.ghe.com.evil.example/web/api', false],
  ['https://github.com', 'https://github.com/ana_acme/api', true],
  ['https://github.com', 'https://github.com/ana_acme_two/api', false],
  ['https://github.com', 'https://github.com/_acme/api', false],
  ['https://ghe.corp.example:8443', 'https://ghe.corp.example:8443/web/api', true],
  ['https://ghe.corp.example:8443', 'git@ghe.corp.example:web/api.git', true],
  ['https://ghe.corp.example:8443', 'https://ghe.corp.example:8444/web/api', false],
  ['https://corp.example/code', 'https://corp.example/code/web/api/tree/main', true],
  ['https://corp.example/code', 'https://corp.example/other/web/api', false],
  ['https://corp.example/code', 'https://corp.example/web/api', false],
  ['https://corp.example', 'https://corp.example/code/web/api', false],
  ['https://[2001:db8::7]', 'https://[2001:db8:0:0:0:0:0:7]/web/api', true],
])('O9: at %s, %s is one of its repositories: %s', (serverUrl, text, is) => {
  const { repo, host } = parseRepoLink(text) ?? { repo: '', host: null };
  expect(isRepositoryAt(serverUrl)(repo, host)).toBe(is);
});

it.each([
  ['statsu', 'status'],
  ['stat', 'status'],
  ['STATUS', 'status'],
  ['xyzzy', null],
  ['s', null],
  ['re', null],
])('C1: %s was most likely meant as %s', (word, known) => {
  expect(nearestWord(word, ['status', 'start', 'retry', 'resume', 'runs'])).toBe(known);
});

describe('C1: /start and /help', () => {
  it('greet with the role, the repositories and an example whose tap proposes and starts nothing', async () => {
    const w = await createChatWorld();
    await w.readyRun();
    const [said] = await w.says('/start');
    for (const part of ['Hello P7', 'Your role: admin', 'acme/api', 'I never merge'])
      expect(said).toContain(part);
    await w.taps('▶');
    expect(buttons(w)).toContain('Start');
    expect(await w.ledger.query.runs({ live: false, limit: 9 })).toHaveLength(1);
    const [viewer] = await w.says('/start', { by: VIC });
    expect(viewer).toContain('You can look at everything');
    expect(buttons(w).some((b) => b.startsWith('▶'))).toBe(false);
  });

  it('lead through the topics in one message, and show nobody what is not theirs to give', async () => {
    const w = await createChatWorld();
    await w.says('/help', { by: VIC });
    // Everybody may list the notes of a repository; what else steers a run is not for viewers.
    expect(buttons(w)).toEqual(['What is going on', 'Decide', 'Steer a run', 'People and settings']);
    const before = w.messages.length;
    expect(await w.taps('What is going on')).toBe('');
    expect(w.messages).toHaveLength(before);
    expect(w.messages.at(-1)?.text).toContain('/status');
    await w.taps('All topics');
    expect(w.messages.at(-1)?.text).toContain('What do you want to do?');
    expect((await w.says('/help deny')).join()).toContain('/approve_open_pr');
    expect((await w.says('/help users', { by: BO })).join()).not.toContain('/users');
  });

  it('speak the language of whoever writes', async () => {
    const w = await createChatWorld();
    w.speaks(ANA, 'zh-hans');
    expect((await w.says('/start')).join()).toContain('你好');
    expect((await w.says('/help decide')).join()).toContain('做决定');
    expect((await w.says('/statsu')).join()).toContain('是想用 /status 吗');
  });

  it('say of a slip what was most likely meant, and a tap shows it', async () => {
    const w = await createChatWorld();
    expect(await w.says('/statsu')).toEqual(['I do not know /statsu. Did you mean /status?']);
    await w.taps('/status');
    expect(w.messages.at(-1)?.text).toContain('Nothing is running');
    expect((await w.says('/usres', { by: VIC })).join()).not.toContain('/users');
  });
});

describe('C4: what phones do to what people type', () => {
  it('a slash before words is no command', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    for (const text of ['/ status', '/状态', '／ status'])
      expect((await w.says(text)).join(), text).toContain(run.id);
    expect((await w.says('/暂停 api')).join()).toMatch(/^点一下就执行/);
    expect((await w.says('/etc/passwd')).join()).toContain('没有 /etc/passwd 这个命令');
    expect(await w.says('/状态', { chat: '-100500' })).toEqual([]);
  });

  it('in a group, who calls us by our name speaks to us', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    const chat = '-100500';
    for (const text of [
      '@agentpr_bot what waits for me?',
      'what waits for me? @AgentPR_bot',
      '@agentpr_bot: status',
    ])
      expect((await w.says(text, { chat })).join(), text).toContain(run.id);
    expect(await w.says('what waits for me?', { chat })).toEqual([]);
    expect(await w.says('@agentpr_bot2 what waits for me?', { chat })).toEqual([]);
    expect(await w.says('@agentpr_bot ok', { chat, by: STRANGER })).not.toContain(run.id);
  });

  it('names of any length fit a button', async () => {
    const w = await createChatWorld();
    const repo = `${'o'.repeat(39)}/${'long-name-'.repeat(10)}`;
    const runs = [await w.readyRun({ order: { repo } }), await w.readyRun({ order: { repo } })];
    for (const text of [
      '/start',
      '/status',
      '/pending',
      '/runs',
      'pause the long-name',
      `/detail ${runs[0]?.id ?? ''}`,
    ]) {
      await w.says(text);
      for (const label of buttons(w)) expect(label.length, `${text}: ${label}`).toBeLessThanOrEqual(64);
    }
    await w.says('pause the long-name');
    for (const { id } of runs) expect(buttons(w).some((label) => label.includes(id))).toBe(true);
  });
});
