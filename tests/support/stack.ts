/** The product in containers, as in docs/run-it-for-a-year.md, between local TLS servers. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createServer } from 'node:tls';
import { z } from 'zod';
import { startGitHub, startTelegram } from '#playground';
import { docker } from './docker.ts';
import { ANA, TOKENS } from './product.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Name of this machine inside containers. */
const HOST = 'agentpr-host';
const PASSWORD = 'a-password-of-letters-and-digits-4711';

const OWN_IMAGE = `FROM agentpr
USER root
COPY own.crt /usr/local/share/ca-certificates/
RUN update-ca-certificates
ENV NODE_EXTRA_CA_CERTS=/usr/local/share/ca-certificates/own.crt
USER agentpr
`;
const own = (ports = ''): string => `
    image: agentpr-own
    build: own
    extra_hosts: ['${HOST}:host-gateway']
${ports}`;
/** Any free port, because another stack may be running. */
const OVERRIDE = `services:
  control:${own("    ports: !override ['127.0.0.1::8787']\n")}
  worker:${own()}`;

const Listed = z.object({ Name: z.string(), Service: z.string(), State: z.string(), Health: z.string() });
export type Container = z.infer<typeof Listed>;
export type Stack = Awaited<ReturnType<typeof createStack>>;

/** A TLS proxy that containers can reach, to a loopback port. */
const proxy = async (dir: string, at: string) => {
  const pair = { key: readFileSync(join(dir, 'own.key')), cert: readFileSync(join(dir, 'own.crt')) };
  let to = 0;
  const server = createServer(pair, (from) => {
    const there = connect(to, '127.0.0.1');
    from.pipe(there).pipe(from);
    from.on('error', () => there.destroy());
    there.on('error', () => from.destroy());
  }).listen(0, at);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://${HOST}:${port}`,
    leadTo: (url: string): number => (to = Number(new URL(url).port)),
    stop: () => server.close(),
  };
};

/** `script` is the agent's shell command. */
export const createStack = async (script: string) => {
  const dir = mkdtempSync(join(tmpdir(), 'agentpr-stack-'));
  const project = `agentpr-test-${process.pid}`;
  for (const file of execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0')) {
    // .dockerignore excludes these, too.
    if (file === '' || /^(?:tests|bench)\//.test(file)) continue;
    mkdirSync(join(dir, dirname(file)), { recursive: true });
    cpSync(join(ROOT, file), join(dir, file));
  }
  mkdirSync(join(dir, 'own'));
  const pair = ['-keyout', join(dir, 'own/own.key'), '-out', join(dir, 'own/own.crt')];
  const name = ['-subj', '/CN=AgentPR test', '-addext', `subjectAltName=DNS:${HOST}`];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...name, ...pair], {
    stdio: 'ignore',
  });
  const gateway = await docker(
    dir,
    ...['network', 'inspect', 'bridge', '--format', '{{(index .IPAM.Config 0).Gateway}}'],
  );
  const [toGitHub, toTelegram] = [
    await proxy(join(dir, 'own'), gateway),
    await proxy(join(dir, 'own'), gateway),
  ];
  const github = await startGitHub({
    login: 'agentpr-bot',
    token: TOKENS.github,
    scopes: ['repo', 'workflow'],
    origin: toGitHub.url,
  });
  const telegram = await startTelegram({
    token: TOKENS.telegram,
    botName: 'agentpr_test_bot',
    limits: null,
  });
  toGitHub.leadTo(github.url);
  toTelegram.leadTo(telegram.url);

  const settings: Record<string, string> = {
    TELEGRAM_BOT_TOKEN: TOKENS.telegram,
    TELEGRAM_ADMIN_IDS: String(ANA),
    TELEGRAM_API_ROOT: toTelegram.url,
    GITHUB_TOKEN: TOKENS.github,
    GITHUB_API_URL: toGitHub.url,
  };
  // Fills in the example file as the docs say.
  const example = readFileSync(join(dir, '.env.example'), 'utf8');
  const filled = example.replaceAll(/^(\w+)=$/gm, (line, key: string) => line + (settings[key] ?? ''));
  writeFileSync(join(dir, '.env'), `${filled}POSTGRES_PASSWORD=${PASSWORD}\n`);
  writeFileSync(join(dir, 'agentpr.config.json'), JSON.stringify({ script }));
  writeFileSync(join(dir, 'own/Dockerfile'), OWN_IMAGE);
  writeFileSync(join(dir, 'compose.override.yaml'), OVERRIDE);

  const compose = (...args: string[]): Promise<string> => docker(dir, 'compose', '-p', project, ...args);
  const stack = {
    dir,
    github,
    telegram,
    ana: telegram.person(ANA, 'Ana'),
    compose,
    /** Builds the image from the current sources, then the derived one. */
    build: async (): Promise<void> => {
      await docker(dir, 'build', '-q', '-t', 'agentpr', '.');
      await compose('build', '-q');
    },
    containers: async (service?: string): Promise<Container[]> => {
      const lines = (await compose('ps', '-a', '--format', 'json')).split('\n').filter(Boolean);
      const all = lines.map((line) => Listed.parse(JSON.parse(line)));
      return all.filter((one) => service === undefined || one.Service === service);
    },
    asks: async (path: string): Promise<{ ok: boolean; body: unknown }> => {
      const answer = await fetch(`http://${await compose('port', 'control', '8787')}${path}`);
      return { ok: answer.ok, body: await answer.json() };
    },
    /** Returns the first column. */
    sql: (text: string): Promise<string> =>
      compose('exec', '-T', 'postgres', 'psql', '-U', 'agentpr', '-d', 'agentpr', '-Atc', text),
    close: async (): Promise<void> => {
      await compose('down', '-v', '--timeout', '5');
      for (const one of [toGitHub, toTelegram]) one.stop();
      await telegram.stop();
      await github.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
  return stack;
};
