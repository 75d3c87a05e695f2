/**
 * `agentpr init`, as its own process between a local Telegram and a local GitHub: what is asked, how
 * it is checked, what is kept, and that it ends with a greeting on the phone.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { recording } from '../../support/replay-agent.ts';
import { ANA, TOKENS, createProduct, type Product } from '../../support/product.ts';
import { SLACK_TOKENS, startSlack, type SlackWorkspace } from '../../support/slack/slack-server.ts';

const {
  setup,
  commandLine: {
    failures: { no_answer: noAnswer },
  },
} = LANGUAGE_TEXTS.en;
const CLI = join(import.meta.dirname, '../../../cli/agentpr.js');

let product: Product;
beforeEach(async () => {
  product = await createProduct();
  rmSync(join(product.dir, 'agentpr.config.json'));
});
afterEach(() => product.close());

const file = (): string => join(product.dir, '.env');
/** All but the addresses of the local servers. */
const kept = (): string => whole().replace(/^(?:TELEGRAM_API_ROOT|GITHUB_API_URL|SLACK_API_ROOT)=.*\n/gm, '');
const whole = (): string => (existsSync(file()) ? readFileSync(file(), 'utf8') : '');
/** Nothing is known but where the servers are, and no agent is installed. */
const BARE = {
  TELEGRAM_BOT_TOKEN: undefined,
  TELEGRAM_ADMIN_IDS: undefined,
  GITHUB_TOKEN: undefined,
  PATH: '/usr/bin:/bin',
};
const COMMAND = 'sed -i s/teh/the/';
const init = (lines: readonly string[], over: Record<string, string | undefined> = {}) =>
  product.cli(['init'], lines.map((line) => `${line}\n`).join(''), { ...BARE, ...over });
/** A program that says what an agent once said, in the place where agents are looked for. */
const installAgent = (name: string, answers: string): string => {
  const bin = join(product.dir, 'bin');
  mkdirSync(bin, { recursive: true });
  const script = `#!/bin/sh\nif [ "$1" = --version ]; then echo 0.130.0; exit 0; fi\ncat <<'END'\n${answers}\nEND\n`;
  writeFileSync(join(bin, name), script, { mode: 0o755 });
  return `${bin}:/usr/bin:/bin`;
};

describe('init', () => {
  it('O2: goes from nothing to settings in six answers, none of them twice', async () => {
    product.ana.sends('hi');
    const PATH = installAgent('codex', recording('codex-fix-tests'));
    const said = await init([TOKENS.telegram, TOKENS.github, '1', '', 'n', 'y'], {
      PATH,
      OPENAI_API_KEY: 'sk-of-a-test',
    });
    expect(said.err).toContain(setup.intro.split('\n')[0]);
    expect(said.err).toContain(setup.telegramIs('agentpr_test_bot'));
    expect(said.err).toContain('✔ GitHub: agentpr-bot');
    expect(`${said.out}${said.err}`).toMatch(/codex answered after \d+ s/);
    expect(said.err).toContain(setup.isThatYou('Ana', ANA));
    expect(said.code, said.err).toBe(0);
    expect(kept().trim().split('\n').sort()).toEqual([
      'AGENTPR_ENGINE=codex',
      `GITHUB_TOKEN=${TOKENS.github}`,
      `TELEGRAM_ADMIN_IDS=${ANA}`,
      `TELEGRAM_BOT_TOKEN=${TOKENS.telegram}`,
    ]);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    const config = JSON.parse(readFileSync(join(product.dir, 'agentpr.config.json'), 'utf8')) as object;
    expect(config).toMatchObject({ author: { name: 'agentpr-bot' } });
    expect(JSON.stringify(config)).not.toContain('.invalid');
    // The message stays with Telegram: AgentPR answers it once it runs.
    expect(product.telegram.pendingUpdates()).toBe(1);
  });

  it('O2: without an agent looks again, and takes the one that was installed meanwhile', async () => {
    product.ana.sends('hi');
    const PATH = installAgent('codex', recording('codex-fix-tests'));
    rmSync(join(product.dir, 'bin', 'codex'));
    const child = spawn(process.execPath, [CLI, 'init'], {
      cwd: product.dir,
      env: { ...product.environment(), ...BARE, PATH, OPENAI_API_KEY: 'sk-of-a-test' },
    });
    let err = '';
    const hears = async (text: string): Promise<void> => {
      while (!err.includes(text)) err += ((await once(child.stderr, 'data')) as [Buffer])[0].toString();
      err = err.slice(err.indexOf(text) + text.length);
    };
    child.stdin.write(`${TOKENS.telegram}\n${TOKENS.github}\n`);
    await hears('No coding agent was found on PATH.');
    await hears(setup.askNoAgent(null));
    child.stdin.write('again\n');
    await hears(setup.stillNoAgent);
    installAgent('codex', recording('codex-fix-tests'));
    child.stdin.write('again\n');
    await hears(setup.agents);
    child.stdin.end('1\n\nn\ny\n');
    await once(child, 'close');
    expect(child.exitCode).toBe(0);
    expect(kept()).toContain('AGENTPR_ENGINE=codex');
  });

  it('O2: without an agent takes a command of one’s own, and says so', async () => {
    product.ana.sends('hi');
    const said = await init([TOKENS.telegram, TOKENS.github, '3', `${COMMAND} .`, '', 'n', 'y']);
    expect(said.code, said.err).toBe(0);
    expect(said.err).toContain(setup.noSuchProgram('3'));
    expect(said.err).toContain(setup.ownCommand(`${COMMAND} .`));
    const config = JSON.parse(readFileSync(join(product.dir, 'agentpr.config.json'), 'utf8')) as object;
    expect(config).toMatchObject({ script: `${COMMAND} .` });
    expect(kept()).toContain('AGENTPR_ENGINE=script');
    // A second run names what Enter keeps.
    const again = await init(['']);
    expect(again.err).toContain(setup.askNoAgent(`${COMMAND} .`).trim());
    expect(again.err).not.toContain(setup.withoutAgent);
  });

  it('O2: goes on without an agent only where that is said', async () => {
    product.ana.sends('hi');
    const said = await init([TOKENS.telegram, TOKENS.github, '', '', 'n', 'y']);
    expect(said.code, said.err).toBe(0);
    expect(said.err).toContain(setup.withoutAgent);
    expect(kept()).not.toContain('AGENTPR_ENGINE');
  });

  it('O2: ends with a greeting on the phone', async () => {
    product.ana.sends('hi');
    const child = spawn(process.execPath, [CLI, 'init'], {
      cwd: product.dir,
      env: { ...product.environment(), ...BARE },
    });
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.stdin.end(`${[TOKENS.telegram, TOKENS.github, '', '', '', 'y'].join('\n')}\n`);
    const greeting = await product.waitFor(
      () => product.ana.messages().find(({ text }) => text.includes(LANGUAGE_TEXTS.en.welcome.what)),
      { what: 'the greeting' },
    );
    expect(greeting?.from).not.toBe('Ana');
    expect(err).toContain(setup.greets('agentpr_test_bot'));
    child.kill('SIGTERM');
    await once(child, 'close');
  });

  it('O2: tells what was pasted in place of a token, and forgives what comes along with one', async () => {
    product.ana.sends('hi');
    const said = await init([
      TOKENS.github.replace('token', 'ghp_token').replaceAll('-', ''),
      '@my_bot',
      'nonsense',
      `  "TELEGRAM_BOT_TOKEN=${TOKENS.telegram.slice(0, 9)} ${TOKENS.telegram.slice(9)}"\u200b`,
      TOKENS.telegram,
      'glpat-abcdef',
      'ghs_abcdef123',
      ` '${TOKENS.github}' `,
      '',
      '',
      'n',
      'y',
    ]);
    expect(said.code, said.err).toBe(0);
    const told = [setup.kinds.github, setup.kinds.name, setup.botForm, setup.telegramIs('agentpr_test_bot')];
    const more = [setup.kinds.bot, setup.kinds.gitlab, setup.kinds.installation, '✔ GitHub: agentpr-bot'];
    const places = [...told, ...more].map((one) => said.err.indexOf(one));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(said.err).not.toContain(TOKENS.telegram);
    expect(said.err).not.toContain(TOKENS.github);
  });

  it('O2: tells a wrong token from a network without a way out, and asks for neither twice', async () => {
    const gone = 'http://127.0.0.1:9';
    const wrong = await init(['1:wrong-token-of-nobody'], {});
    expect(wrong.err).toContain(setup.botUnknown);
    expect(wrong.code).toBe(2);
    const away = await init([TOKENS.telegram], { TELEGRAM_API_ROOT: gone });
    expect(away.err).toContain('Telegram could not be reached');
    expect(away.err).toContain('The token could not be checked');
    expect(away.err).not.toContain(setup.botUnknown);
    expect(kept()).toBe('');
    // Enter alone tries the same token again.
    const there = await init([TOKENS.telegram, TOKENS.github, ''], { GITHUB_API_URL: gone });
    expect(there.err.match(/GitHub could not be reached/g)).toHaveLength(2);
    expect(kept()).toBe(`TELEGRAM_BOT_TOKEN=${TOKENS.telegram}\n`);
  });

  it('O2: a second run asks for what is missing, and changes what is asked for anew', async () => {
    const first = await init([TOKENS.telegram]);
    expect(first.err).toContain(noAnswer({ name: 'GITHUB_TOKEN' }).trim());
    expect(first.code).toBe(2);
    product.ana.sends('hi');
    const second = await init([TOKENS.github, '', '', 'n', 'y']);
    expect(second.code, second.err).toBe(0);
    expect(second.err).not.toContain(setup.askBot);
    const third = await init(['', 'n']);
    expect(third.code, third.err).toBe(0);
    for (const question of [setup.askBot, setup.askGitHub, setup.sayHi('agentpr_test_bot')])
      expect(third.err).not.toContain(question);
    const anew = await product.cli(['init', '--force'], '', BARE);
    expect(anew.err).toContain(setup.askBot);
    expect(kept()).toContain(`TELEGRAM_ADMIN_IDS=${ANA}`);
  });

  it('G7: keeps the name that the owner chooses for pull requests, and none that is a number', async () => {
    product.ana.sends('hi');
    const said = await init([TOKENS.telegram, TOKENS.github, '', '', 'n', 'y', '123456', 'Ana Lim']);
    expect(said.code, said.err).toBe(0);
    expect(said.err).toContain(setup.publicNameForm);
    const config: unknown = JSON.parse(readFileSync(join(product.dir, 'agentpr.config.json'), 'utf8'));
    expect(config).toMatchObject({ author: { name: 'agentpr-bot' }, publicNames: { [ANA]: 'Ana Lim' } });
  });

  it('O2: keeps the addresses that it was given for itself alone, and a start finds them again', async () => {
    product.ana.sends('hi');
    expect((await init([TOKENS.telegram, TOKENS.github, '', '', 'n', 'y'])).code).toBe(0);
    expect(whole()).toContain(`TELEGRAM_API_ROOT=${product.telegram.url}\n`);
    expect(whole()).toContain(`GITHUB_API_URL=${product.github.url}\n`);
    const bare = { ...BARE, TELEGRAM_API_ROOT: undefined, GITHUB_API_URL: undefined };
    const said = await product.cli(['doctor', '--json'], '', bare);
    const checks = JSON.parse(said.out) as { name: string; says: string }[];
    const says = (name: string) => checks.find((check) => check.name === name)?.says;
    expect([says('telegram'), says('github')]).toEqual([
      expect.stringContaining('agentpr_test_bot'),
      expect.stringContaining('agentpr-bot'),
    ]);
  });

  it('O2: makes nobody an administrator who was not confirmed on the host', async () => {
    product.telegram.person(666, 'Mallory').sends('me!');
    product.ana.sends('hi');
    const said = await init([TOKENS.telegram, TOKENS.github, '', '', 'n', 'n']);
    expect(said.err).toMatch(/\((?:666|1001)\) wrote/);
    expect(kept()).not.toContain('TELEGRAM_ADMIN_IDS');
  });

  describe('with Slack', () => {
    let slack: SlackWorkspace;
    beforeEach(async () => void (slack = await startSlack()));
    afterEach(() => slack.stop());
    const ANSWERS = [SLACK_TOKENS.bot, SLACK_TOKENS.app, 'U0ANA0001'];
    const settings = (): Record<string, string> =>
      Object.fromEntries(
        kept()
          .trim()
          .split('\n')
          .map((line) => line.split(/=(.*)/s) as [string, string]),
      );

    it('O2: alone asks for two tokens and a member id, nothing of Telegram, and again only for what is missing', async () => {
      const api = { SLACK_API_ROOT: slack.url };
      const said = await init(['slack', ...ANSWERS, TOKENS.github, '', '', 'n', 'Ana Lim'], api);
      expect(said.code, said.err).toBe(0);
      expect(said.err).toContain('✔ Slack: @');
      expect(settings()).toEqual({
        SLACK_BOT_TOKEN: SLACK_TOKENS.bot,
        SLACK_APP_TOKEN: SLACK_TOKENS.app,
        SLACK_ADMIN_IDS: 'U0ANA0001',
        GITHUB_TOKEN: TOKENS.github,
      });
      expect(readFileSync(join(product.dir, 'agentpr.config.json'), 'utf8')).toContain(
        '"U0ANA0001": "Ana Lim"',
      );
      expect(product.telegram.calls).toEqual([]);
      const again = await init(['', 'n'], { ...api, ...settings() });
      expect(again.code, again.err).toBe(0);
      expect(again.err).not.toContain(setup.slack.asks.SLACK_BOT_TOKEN);
    });

    it('O2, G3: beside Telegram, one owner is one person in both', async () => {
      product.ana.sends('hi');
      const answers = ['both', TOKENS.telegram, ...ANSWERS, TOKENS.github, '', '', 'n', 'y', ''];
      const said = await init(answers, { SLACK_API_ROOT: slack.url });
      expect(said.code, said.err).toBe(0);
      expect(settings()).toMatchObject({
        TELEGRAM_ADMIN_IDS: String(ANA),
        SLACK_SAME_PEOPLE: `U0ANA0001=${ANA}`,
      });
    });

    it('O2: says what a token of Slack is not, and asks for no good one twice', async () => {
      const answers = [
        'slack',
        'xapp-1-A-1',
        SLACK_TOKENS.bot,
        'xapp-9-nobodys-token',
        SLACK_TOKENS.app,
        'ana',
      ];
      const said = await init(answers, { SLACK_API_ROOT: slack.url });
      expect(said.err).toContain(setup.slack.forms.SLACK_BOT_TOKEN);
      expect(said.err).toContain('Look at SLACK_APP_TOKEN');
      expect(said.err).toContain(setup.slack.memberForm);
      expect(said.err).toContain(noAnswer({ name: 'SLACK_ADMIN_IDS' }));
      for (const token of [SLACK_TOKENS.bot, SLACK_TOKENS.app, 'xapp-9-nobodys-token'])
        expect(said.err).not.toContain(token);
      expect(said.code).toBe(2);
    });
  });

  it('O2: speaks the language of the terminal', async () => {
    const said = await init([TOKENS.telegram], { LC_ALL: 'zh_CN.UTF-8' });
    expect(said.err).toContain(LANGUAGE_TEXTS.zh.setup.intro.split('\n')[0]);
    expect(said.err).toContain(LANGUAGE_TEXTS.zh.setup.telegramIs('agentpr_test_bot'));
  });

  const CHINESE = { LC_ALL: 'zh_CN.UTF-8' };
  /** What programs and paths are called stays as it is. */
  const englishIn = (text: string): string[] =>
    text
      .replaceAll(/`[^`]*`|"[^"]*"|“[^”]*”/g, '')
      .split('\n')
      .filter((line) => /[a-z]{2,} [a-z]{2,} [a-z]{2,}/.test(line));

  it('O2: doctor speaks the language of the terminal, of what works and of what does not', async () => {
    const said = await product.cli(['doctor'], '', CHINESE);
    expect(said.out).toContain(LANGUAGE_TEXTS.zh.hostChecks.settings_complete.says());
    expect(said.out).toContain(LANGUAGE_TEXTS.zh.hostChecks.engine_unchosen.fix());
    expect(englishIn(said.out)).toEqual([]);
    writeFileSync(file(), 'A=b\n', { mode: 0o644 });
    const away = { GITHUB_TOKEN: 'revoked', TELEGRAM_API_ROOT: 'http://127.0.0.1:9' };
    const wrong = await product.cli(['doctor'], '', { ...CHINESE, ...away });
    expect(wrong.code).toBe(69);
    expect(wrong.out).toContain(
      LANGUAGE_TEXTS.zh.hostChecks.env_file.says({ mode: '644', isPrivate: false }),
    );
    expect(wrong.err).toMatch(/项检查中有 \d+ 项未通过/);
    expect(englishIn(wrong.out + wrong.err)).toEqual([]);
  });

  it('O3: a settings file that is broken is named, and nothing is asked', async () => {
    writeFileSync(join(product.dir, 'agentpr.config.json'), '{ "author": ');
    const said = await init([TOKENS.telegram]);
    expect(said.code).toBe(78);
    expect(said.err).toContain('agentpr.config.json');
    expect(said.err).not.toContain(setup.askBot);
  });
});

/** A terminal of its own, by util-linux. */
const inTerminal = (over: Record<string, string>) => {
  const child = spawn('script', ['-q', '-e', '-c', `'${process.execPath}' '${CLI}' init`, '/dev/null'], {
    cwd: product.dir,
    env: { ...product.environment(), ...BARE, ...over },
  });
  let shown = '';
  let hear = (): void => undefined;
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
    hear();
  });
  const until = async (text: string): Promise<void> => {
    while (!shown.includes(text)) await new Promise<void>((resolve) => (hear = resolve));
  };
  return { child, until, shown: () => shown };
};

describe('init in a terminal', () => {
  it('O2, C5: echoes no secret, and Ctrl-C keeps what was answered', async () => {
    const { child, until, shown } = inTerminal({});
    await until(setup.askBot);
    child.stdin.write(`${TOKENS.telegram}\r`);
    await until(setup.askGitHub);
    expect(shown()).toContain(setup.received(TOKENS.telegram.length));
    expect(shown()).not.toContain(TOKENS.telegram.slice(5));
    child.stdin.write('half of a tok\u0003');
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(130);
    expect(shown()).toContain(setup.stopped.trim());
    expect(shown()).not.toContain('half of a tok');
    expect(kept()).toBe(`TELEGRAM_BOT_TOKEN=${TOKENS.telegram}\n`);
  });

  it.each(['first', 'second'])('O2: Ctrl-C at the %s question loses nothing', async (which) => {
    const { child, until } = inTerminal(which === 'second' ? { TELEGRAM_BOT_TOKEN: TOKENS.telegram } : {});
    await until(which === 'first' ? setup.askBot : setup.askGitHub);
    child.stdin.write('\u0003');
    expect(((await once(child, 'close')) as [number])[0]).toBe(130);
    expect(kept()).toBe(which === 'first' ? '' : `TELEGRAM_BOT_TOKEN=${TOKENS.telegram}\n`);
  });
});
