/** O9: by which way each client leaves this network, and whose certificates it takes. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

const CLIENT = join(import.meta.dirname, '../../support/network-client.ts');
const ALL = 'fetch,octokit,grammy,gateway,bucket';
type Came = Record<string, Record<string, string>>;

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

const run = async (
  env: Record<string, string>,
  addresses: readonly string[],
  clients = ALL,
): Promise<{ came: Came; error: string }> => {
  const args = [CLIENT, clients, ...addresses];
  const plain = { PATH: process.env.PATH ?? '', HOME: cwd, ...env };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, env: plain });
    return { came: JSON.parse(stdout) as Came, error: '' };
  } catch (error) {
    return { came: {}, error: (error as { stderr: string }).stderr };
  }
};

const own = Object.values(networkInterfaces())
  .flat()
  .find((one) => one !== undefined && one.family === 'IPv4' && !one.internal)?.address;

describe('the way of each client', () => {
  const below = 'https://api.host.test';
  const itself = 'https://host.test';
  const other = 'https://xhost.test';
  const port = 'https://api.host.test:8443';
  it.each([
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
  ])('O9: with NO_PROXY=%s is the one that is said', async (noProxy, ways) => {
    const addresses = Object.keys(ways);
    const env = { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url, NO_PROXY: noProxy, ...known(addresses[0]) };
    proxy.asked.length = 0;
    const { came, error } = await run(env, addresses, 'fetch,octokit,gateway,grammy');
    expect(error).toBe('');
    expect(Object.fromEntries(addresses.map((one) => [one, came[one]?.way]))).toEqual(ways);
    for (const address of addresses) {
      const { hostname, port: given } = new URL(address);
      const asked = proxy.asked.filter((line) => line === `CONNECT ${hostname}:${given || 443}`);
      const isProxied = ways[address as keyof typeof ways] === 'proxy';
      // Octokit asks once; each of the others as well.
      expect(asked.length, `${noProxy}: ${address}: ${JSON.stringify(came[address])}`).toBe(
        isProxied ? 4 : 0,
      );
      expect(JSON.stringify(came[address])).toContain(isProxied ? '(502)' : hostname.replace(/^\[|\]$/g, ''));
    }
  });
  /** As the settings name it: what clients cannot be told in general they are told of this one. */
  const known = (address = ''): Record<string, string> => ({ TELEGRAM_API_ROOT: address });

  it('O9: the lower-case names hold too and go first, and an empty one is none', async () => {
    proxy.asked.length = 0;
    const away = 'http://127.0.0.1:9';
    const lower = await run({ https_proxy: proxy.url, HTTPS_PROXY: away, no_proxy: 'other.test' }, [below]);
    expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT api.host.test:443']));
    expect(lower.came[below]?.way).toBe('proxy');
    proxy.asked.length = 0;
    const none = await run({ https_proxy: '', HTTPS_PROXY: '' }, [below]);
    expect([none.came[below]?.way, proxy.asked]).toEqual(['direct', []]);
  });

  it('O9: what stands in .env holds as well', async () => {
    writeFileSync(join(cwd, '.env'), `HTTPS_PROXY=${proxy.url}\n`);
    proxy.asked.length = 0;
    await run({}, [below], 'fetch,grammy');
    rmSync(join(cwd, '.env'));
    expect(proxy.asked).toHaveLength(2);
  });

  it('O9: this machine is asked directly whatever NO_PROXY says', async () => {
    proxy.asked.length = 0;
    const here = [
      'http://127.0.0.1:18443',
      'http://localhost:18443',
      'http://[::1]:18443',
      'http://127.9.9.9:18443',
    ];
    const settings = { GITHUB_API_URL: 'http://127.9.9.9:18443' };
    const { came } = await run(
      { ...settings, HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url },
      here,
      'fetch,gateway,grammy',
    );
    expect(here.map((one) => came[one]?.way)).toEqual(here.map(() => 'direct'));
    expect(proxy.asked).toEqual([]);
  });

  it.skipIf(own === undefined)(
    'O9: a network in NO_PROXY holds for the addresses of the settings',
    async () => {
      const inside = `https://${own}:18443`;
      const network = `${own?.split('.').slice(0, 2).join('.')}.0.0/16`;
      proxy.asked.length = 0;
      const env = { HTTPS_PROXY: proxy.url, GITHUB_API_URL: inside };
      const direct = await run({ ...env, NO_PROXY: `203.0.113.0/24,${network}` }, [inside]);
      expect([direct.came[inside]?.way, proxy.asked]).toEqual(['direct', []]);
      const through = await run({ ...env, NO_PROXY: '203.0.113.0/24' }, [inside]);
      expect([through.came[inside]?.way, proxy.asked.length > 4]).toEqual(['proxy', true]);
    },
  );

  it.each([
    ['socks5://127.0.0.1:1080', 'HTTPS_PROXY names a proxy of the kind socks5://'],
    ['http://', 'HTTPS_PROXY is no address of a proxy'],
  ])('O9: HTTPS_PROXY=%s is refused, and nothing goes past it', async (value, words) => {
    const { error } = await run({ HTTPS_PROXY: value }, [below]);
    expect(error).toContain(words);
    expect(error).not.toContain('>https://');
  });

  it('O9: a Node that cannot use a proxy is told, and asks nobody', async () => {
    const older = 'import http from "node:http"; delete http.setGlobalProxyFromEnv;';
    const options = `--import=data:text/javascript,${encodeURIComponent(older)}`;
    proxy.asked.length = 0;
    const { error } = await run({ HTTPS_PROXY: proxy.url, NODE_OPTIONS: options }, [below]);
    expect(error).toMatch(/A proxy is set \(HTTPS_PROXY\), and Node v[\d.]+ cannot use one/);
    expect([error.includes('>https://'), proxy.asked]).toEqual([false, []]);
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

  it('O9: of a company’s authority is taken by every client that is told of it by any of the variables', async () => {
    const front = await served(authority.certify(['localhost', '127.0.0.1']));
    try {
      for (const variable of ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'GIT_SSL_CAINFO', 'CURL_CA_BUNDLE']) {
        const { came, error } = await run({ [variable]: authority.file }, [front.address]);
        expect(error, variable).toBe(error.replace(/Error/, ''));
        for (const [client, said] of Object.entries(came[front.address] ?? {}))
          expect(said, `${variable} ${client}`).not.toMatch(/certificate/i);
      }
      const count = front.asked.length;
      expect(count).toBeGreaterThanOrEqual(4 * 5);
      const { came } = await run({}, [front.address]);
      for (const client of ALL.split(','))
        expect(came[front.address]?.[client], client).toMatch(/ertificate of .*NODE_EXTRA_CA_CERTS/);
      expect(front.asked.length).toBe(count);
    } finally {
      await front.close();
    }
  });

  it.each([
    ['for another name', ['other.test'], 30, /it is for another name.*to fix it/],
    ['that has expired', ['localhost'], -1, /it has expired.*to fix it/],
  ])('O9: %s is told as that', async (_, names, days, words) => {
    const front = await served(authority.certify(names, days));
    try {
      const { came } = await run({ NODE_EXTRA_CA_CERTS: authority.file }, [front.address]);
      for (const client of ALL.split(',')) expect(came[front.address]?.[client], client).toMatch(words);
    } finally {
      await front.close();
    }
  });

  it.each([
    [
      'is not there',
      '/nowhere/ca.pem',
      'NODE_EXTRA_CA_CERTS names /nowhere/ca.pem, which cannot be read (ENOENT)',
    ],
    ['holds no certificate', CLIENT, 'holds no certificate in PEM form'],
  ])('O9: a file of authorities that %s is told', async (_, file, words) => {
    expect((await run({ NODE_EXTRA_CA_CERTS: file }, [])).error).toContain(words);
  });

  it('O9: a file of authorities that is damaged is told', async () => {
    const file = join(cwd, 'damaged.pem');
    writeFileSync(file, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    expect((await run({ SSL_CERT_FILE: file }, [])).error).toMatch(/holds one that cannot be read/);
  });
});
