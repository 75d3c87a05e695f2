/** O9: by which way each client leaves this network, and whose certificates it takes. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, isIP } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { describeRefusedHosts } from '../../../executors/gateway/open-box-network.ts';
import { createGateway, type ListedNetwork } from '../../../executors/gateway/gateway.ts';
import { readProxies } from '../../../executors/network/proxy-settings.ts';
import {
  createAuthority,
  startCompanyProxy,
  startTlsFront,
  type Authority,
  type CompanyProxy,
} from '../../support/company-network.ts';
import type { NetworkAnswers, NetworkCase } from '../../support/network-client.ts';

const CLIENT = join(import.meta.dirname, '../../support/network-client.ts');
const ALL = ['fetch', 'octokit', 'grammy', 'gateway', 'bucket'];

let cwd: string;
let proxy: CompanyProxy;
let authority: Authority;
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'agentpr-network-'));
  authority = createAuthority();
  proxy = await startCompanyProxy(() => ({}));
});
afterAll(async () => {
  await proxy.close();
  authority.close();
  rmSync(cwd, { recursive: true, force: true });
});

type Given = {
  env: Record<string, string>;
  addresses?: readonly string[];
  clients?: readonly string[];
  directory?: string;
};
/** One process joins the network of each case in turn; `outer` is its own environment. */
const runCases = async (
  cases: readonly Given[],
  outer: Record<string, string> = {},
): Promise<NetworkAnswers[]> => {
  const given = cases.map((one) => ({ addresses: [], clients: ALL, directory: cwd, ...one }));
  const args = [CLIENT, JSON.stringify(given satisfies NetworkCase[])];
  const compiled = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' };
  const env = { PATH: process.env.PATH ?? '', HOME: cwd, ...compiled, ...outer };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, env });
  return JSON.parse(stdout) as NetworkAnswers[];
};

const own = Object.values(networkInterfaces())
  .flat()
  .find((one) => one !== undefined && one.family === 'IPv4' && !one.internal)?.address;

describe('the way of each client', () => {
  const below = 'https://api.host.test';
  const itself = 'https://host.test';
  const other = 'https://xhost.test';
  const port = 'https://api.host.test:8443';
  const WAYS: readonly [noProxy: string, ways: Readonly<Record<string, 'direct' | 'proxy'>>][] = [
    ['', { [below]: 'proxy', [itself]: 'proxy', [port]: 'proxy' }],
    ['host.test', { [below]: 'direct', [itself]: 'direct', [other]: 'proxy', [port]: 'direct' }],
    ['.host.test', { [below]: 'direct', [itself]: 'direct', [other]: 'proxy' }],
    ['*.host.test', { [below]: 'direct', [itself]: 'direct', [other]: 'proxy' }],
    ['HOST.test., elsewhere.test', { [below]: 'direct', [itself]: 'direct' }],
    ['elsewhere.test host.test', { [below]: 'direct', [other]: 'proxy' }],
    ['host.test:8443', { [port]: 'direct', [below]: 'proxy' }],
    ['api.host.test:443', { [below]: 'direct', [itself]: 'proxy', [port]: 'proxy' }],
    ['https://host.test/', { [below]: 'direct', [other]: 'proxy' }],
    [
      '2001:0db8:0:0::7 [2001:0DB8::8]:8443',
      {
        'https://[2001:db8::7]': 'direct',
        'https://[2001:db8::8]:8443': 'direct',
        'https://[2001:db8::8]': 'proxy',
      },
    ],
    ['*', { [below]: 'direct', [other]: 'direct' }],
    ['10.*, host', { [below]: 'proxy' }],
  ];
  const HERE = [
    'http://127.0.0.1:18443',
    'http://localhost:18443',
    'http://[::1]:18443',
    'http://127.9.9.9:18443',
  ];
  const inside = `https://${own}:18443`;
  const network = `${own?.split('.').slice(0, 2).join('.')}.0.0/16`;
  const toInside = (noProxy: string) => (url: string) => ({
    env: { HTTPS_PROXY: url, GITHUB_API_URL: inside, NO_PROXY: noProxy },
    addresses: own === undefined ? [] : [inside],
  });
  /** Cases are told apart by their proxy's address; those without a proxy come first. */
  const CASES: Readonly<Record<string, (url: string) => Given>> = {
    empty: () => ({ env: { https_proxy: '', HTTPS_PROXY: '' }, addresses: [below] }),
    lower: (url) => ({
      env: { https_proxy: url, HTTPS_PROXY: 'http://127.0.0.1:9', no_proxy: 'other.test' },
      addresses: [below],
    }),
    '.env': (url) => {
      const directory = join(cwd, 'dot-env');
      mkdirSync(directory);
      writeFileSync(join(directory, '.env'), `HTTPS_PROXY=${url}\n`);
      return { env: {}, directory, addresses: [below], clients: ['fetch', 'grammy'] };
    },
    here: (url) => ({
      env: { GITHUB_API_URL: 'http://127.9.9.9:18443', HTTPS_PROXY: url, HTTP_PROXY: url },
      addresses: HERE,
      clients: ['fetch', 'gateway', 'grammy'],
    }),
    near: toInside(`203.0.113.0/24,${network}`),
    far: toInside('203.0.113.0/24'),
    socks: () => ({ env: { HTTPS_PROXY: 'socks5://127.0.0.1:1080' }, addresses: [below] }),
    nameless: () => ({ env: { HTTPS_PROXY: 'http://' }, addresses: [below] }),
    ...Object.fromEntries(
      WAYS.map(([noProxy, ways]) => [
        `NO_PROXY=${noProxy}`,
        (url: string): Given => ({
          // Each client is told Telegram's address, whether it knows NO_PROXY or not.
          env: {
            HTTPS_PROXY: url,
            HTTP_PROXY: url,
            NO_PROXY: noProxy,
            TELEGRAM_API_ROOT: Object.keys(ways)[0] ?? '',
          },
          addresses: Object.keys(ways),
          clients: ['fetch', 'octokit', 'gateway', 'grammy'],
        }),
      ]),
    ),
  };
  const said: Record<string, NetworkAnswers & { asked: readonly string[] }> = {};
  const answersOf = (name: string) => {
    const answers = said[name];
    if (answers === undefined) throw new Error(`nothing was said of ${name}`);
    return answers;
  };
  beforeAll(async () => {
    const cases = await Promise.all(
      Object.entries(CASES).map(async ([name, toCase]) => {
        const by = await startCompanyProxy(() => ({}));
        return { name, by, given: toCase(by.url) };
      }),
    );
    const answers = await runCases(cases.map(({ given }) => given));
    for (const [i, { name, by }] of cases.entries()) {
      said[name] = { ...(answers[i] ?? { came: {}, error: 'nothing' }), asked: [...by.asked] };
      await by.close();
    }
  }, 120_000);

  it.each(WAYS)('O9: with NO_PROXY=%s is the one that is said', (noProxy, ways) => {
    const { came, error, asked } = answersOf(`NO_PROXY=${noProxy}`);
    expect(error).toBe('');
    const addresses = Object.keys(ways);
    expect(Object.fromEntries(addresses.map((one) => [one, came[one]?.way]))).toEqual(ways);
    for (const address of addresses) {
      const { hostname, port: given } = new URL(address);
      const lines = asked.filter((line) => line === `CONNECT ${hostname}:${given || 443}`);
      const isProxied = ways[address] === 'proxy';
      // Octokit asks once; each of the others as well.
      expect(lines.length, `${noProxy}: ${address}: ${JSON.stringify(came[address])}`).toBe(
        isProxied ? 4 : 0,
      );
      expect(JSON.stringify(came[address])).toContain(isProxied ? '(502)' : hostname.replace(/^\[|\]$/g, ''));
    }
  });

  it('O9: the lower-case names hold too and go first, and an empty one is none', () => {
    const lower = answersOf('lower');
    expect(new Set(lower.asked)).toEqual(new Set(['CONNECT api.host.test:443']));
    expect(lower.came[below]?.way).toBe('proxy');
    expect(answersOf('empty').came[below]?.way).toBe('direct');
  });

  it('O9: what stands in .env holds as well', () => {
    expect(answersOf('.env').asked).toHaveLength(2);
  });

  it('O9: this machine is asked directly whatever NO_PROXY says', () => {
    const { came, asked } = answersOf('here');
    expect(HERE.map((one) => came[one]?.way)).toEqual(HERE.map(() => 'direct'));
    expect(asked).toEqual([]);
  });

  it.skipIf(own === undefined)('O9: a network in NO_PROXY holds for the addresses of the settings', () => {
    const [near, far] = [answersOf('near'), answersOf('far')];
    expect([near.came[inside]?.way, near.asked]).toEqual(['direct', []]);
    expect([far.came[inside]?.way, far.asked.length > 4]).toEqual(['proxy', true]);
  });

  it.each([
    ['socks', 'HTTPS_PROXY names a proxy of the kind socks5://'],
    ['nameless', 'HTTPS_PROXY is no address of a proxy'],
  ])('O9: an HTTPS_PROXY that is none (%s) is refused, and nothing goes past it', (name, words) => {
    const { came, error } = answersOf(name);
    expect(error).toContain(words);
    expect(came).toEqual({});
  });

  it('O9: a Node that cannot use a proxy is told, and asks nobody', async () => {
    const older = 'import http from "node:http"; delete http.setGlobalProxyFromEnv;';
    const options = `--import=data:text/javascript,${encodeURIComponent(older)}`;
    proxy.asked.length = 0;
    const outer = { HTTPS_PROXY: proxy.url, NODE_OPTIONS: options };
    const [answers] = await runCases([{ env: {}, addresses: [below] }], outer);
    expect(answers?.error).toMatch(/A proxy is set \(HTTPS_PROXY\), and Node v[\d.]+ cannot use one/);
    expect([answers?.came, proxy.asked]).toEqual([{}, []]);
  });
});

describe('a box whose network is listed', () => {
  const createHost = async (names: readonly string[]) => {
    const front = await startTlsFront(authority.certify(names), () => ({}));
    onTestFinished(() => front.close());
    return front;
  };
  const open = async (listed: Partial<ListedNetwork>, url: string) => {
    const none = { hosts: [], privateHosts: [], registries: [], pass: {} };
    const gateway = createGateway({
      listed: { ...none, ...listed },
      proxies: readProxies({ HTTPS_PROXY: url, NO_PROXY: 'direct.test' }),
      resolve: () => Promise.reject(new Error('nobody resolves names here')),
    });
    onTestFinished(() => gateway.close());
    const opened = await gateway.open({ runId: 'r1', network: 'listed', models: null });
    if (typeof opened.reach === 'string') throw new Error('this box is not listed');
    return { ...opened, socket: opened.reach.socket };
  };
  /** The first line that answers, or the status of a request over TLS to the host. */
  const reach = async (socketPath: string, host: string): Promise<string> => {
    const socket = connect(socketPath);
    socket.on('error', () => {});
    socket.write(`CONNECT ${host} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    const line = first.toString('latin1').split('\r\n')[0] ?? '';
    if (!line.includes(' 200 ')) return line;
    const servername = host.replace(/:\d+$/, '');
    const tls = connectTls({
      socket,
      ...(isIP(servername) === 0 ? { servername } : {}),
      rejectUnauthorized: false,
    });
    tls.on('error', () => {});
    tls.write(`GET / HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    const chunks: Buffer[] = [];
    tls.on('data', (chunk: Buffer) => chunks.push(chunk));
    await new Promise((resolve) => tls.once('close', resolve));
    return Buffer.concat(chunks).toString('latin1').split('\r\n')[0] || 'closed';
  };

  it('O9: leaves through the proxy, which resolves the names, with its user and password', async () => {
    const front = await createHost(['listed.test']);
    const login = { user: 'ana@acme', password: 'p:a/s' };
    const guarded = await startCompanyProxy(() => ({ 'listed.test:443': front.port }), login);
    onTestFinished(() => guarded.close());
    const { socket, refused } = await open({ hosts: ['listed.test'] }, guarded.url);
    expect(await reach(socket, 'listed.test:443')).toBe('HTTP/1.1 421 Misdirected Request');
    expect(guarded.asked).toEqual(['CONNECT listed.test:443']);
    expect(await reach(socket, 'other.test:443')).toBe('HTTP/1.1 403 Not Listed');
    expect(guarded.asked).toHaveLength(1);
    expect(refused().map(({ why }) => why)).toEqual(['not_listed']);
  });

  it('O9: hears that the proxy refused, and asks directly what needs none', async () => {
    proxy.asked.length = 0;
    const { socket, refused } = await open({ hosts: ['listed.test', 'direct.test'] }, proxy.url);
    expect(await reach(socket, 'listed.test:443')).toBe('closed');
    expect(await reach(socket, 'direct.test:443')).toBe('HTTP/1.1 502 Unknown Host');
    expect(proxy.asked).toEqual(['CONNECT listed.test:443']);
    expect(refused()).toEqual([
      { host: 'listed.test:443', why: 'proxy' },
      { host: 'direct.test:443', why: 'unknown' },
    ]);
    expect(describeRefusedHosts(refused())).toContain(
      'the proxy of this host (HTTPS_PROXY) does not connect to it',
    );
  });

  it('E16: asks the proxy for no address of a private network, unless it is listed as one', async () => {
    proxy.asked.length = 0;
    const { socket } = await open({ hosts: ['10.1.2.3'] }, proxy.url);
    expect(await reach(socket, '10.1.2.3:443')).toBe('HTTP/1.1 403 Not Public');
    expect(proxy.asked).toEqual([]);
    const own = await open({ privateHosts: ['10.1.2.3'] }, proxy.url);
    await reach(own.socket, '10.1.2.3:443');
    expect(proxy.asked).toEqual(['CONNECT 10.1.2.3:443']);
  });
});

describe('a certificate', () => {
  const served = async (certificate: { key: Buffer; cert: Buffer }) => {
    const front = await startTlsFront(certificate, () => ({}));
    return { ...front, address: `https://localhost:${front.port}` };
  };

  // Another authority each, so that what was trusted before says nothing.
  const VARIABLES = ['SSL_CERT_FILE', 'GIT_SSL_CAINFO', 'CURL_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS'];
  type Front = Awaited<ReturnType<typeof served>>;
  const told: { variable: string; front: Front; answers: NetworkAnswers | undefined }[] = [];
  let untold: NetworkAnswers | undefined;
  let wrong: { otherName: Front; expired: Front; answers: NetworkAnswers | undefined };
  let unread: NetworkAnswers[];
  beforeAll(async () => {
    const authorities = VARIABLES.map(createAuthority);
    const fronts = await Promise.all(
      authorities.map((one) => served(one.certify(['localhost', '127.0.0.1']))),
    );
    const otherName = await served(authority.certify(['other.test'], 30));
    const expired = await served(authority.certify(['localhost'], -1));
    const damaged = join(cwd, 'damaged.pem');
    writeFileSync(damaged, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    const [first, ...answers] = await runCases([
      { env: {}, addresses: fronts.slice(0, 1).map(({ address }) => address) },
      ...VARIABLES.map((variable, i) => ({
        env: { [variable]: authorities[i]?.file ?? '' },
        addresses: fronts.slice(i, i + 1).map(({ address }) => address),
      })),
      { env: { NODE_EXTRA_CA_CERTS: authority.file }, addresses: [otherName.address, expired.address] },
      { env: { NODE_EXTRA_CA_CERTS: '/nowhere/ca.pem' } },
      { env: { NODE_EXTRA_CA_CERTS: CLIENT } },
      { env: { SSL_CERT_FILE: damaged } },
    ]);
    untold = first;
    for (const [i, front] of fronts.entries())
      told.push({ variable: VARIABLES[i] ?? '', front, answers: answers[i] });
    wrong = { otherName, expired, answers: answers[VARIABLES.length] };
    unread = answers.slice(VARIABLES.length + 1);
    for (const front of [...fronts, otherName, expired]) await front.close();
    for (const one of authorities) one.close();
  }, 120_000);

  it('O9: of a company’s authority is taken by every client that is told of it by any of the variables', () => {
    const said = untold?.came[told[0]?.front.address ?? ''];
    for (const client of ALL) expect(said?.[client], client).toMatch(/ertificate of .*NODE_EXTRA_CA_CERTS/);
    for (const { variable, front, answers } of told) {
      expect(answers?.error, variable).toBe('');
      const came = answers?.came[front.address] ?? {};
      expect(Object.keys(came)).toEqual(['way', ...ALL]);
      for (const [client, heard] of Object.entries(came))
        expect(heard, `${variable} ${client}`).not.toMatch(/certificate/i);
      expect(front.asked.length, variable).toBeGreaterThanOrEqual(ALL.length);
    }
  });

  it('O9: for another name, or that has expired, is told as that', () => {
    const { otherName, expired, answers } = wrong;
    for (const client of ALL) {
      expect(answers?.came[otherName.address]?.[client], client).toMatch(/it is for another name.*to fix it/);
      expect(answers?.came[expired.address]?.[client], client).toMatch(/it has expired.*to fix it/);
    }
  });

  it('O9: a file of authorities that is not there, holds no certificate or is damaged is told', () => {
    expect(unread.map(({ error }) => error)).toEqual([
      expect.stringContaining('NODE_EXTRA_CA_CERTS names /nowhere/ca.pem, which cannot be read (ENOENT)'),
      expect.stringContaining('holds no certificate in PEM form'),
      expect.stringContaining('holds one that cannot be read'),
    ]);
  });
});
