/** E16: a box with the network `listed`: what it reaches, and each attack that it might try. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer as createTcp, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect as connectTls, createServer as createTls } from 'node:tls';
import { fc } from '../../support/properties.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGateway, type ListedNetwork, type OpenedGateway } from '../../../executors/gateway/gateway.ts';
import { isListedHost, isPublicAddress, parseHostPort } from '../../../executors/gateway/listed-hosts.ts';
import { openBoxNetwork, describeRefusedHosts } from '../../../executors/gateway/open-box-network.ts';
import { parseClientHello } from '../../../executors/gateway/client-hello.ts';
import { registryNames } from '../../../executors/gateway/registry-names.ts';
import { ask, askRaw, createProvider } from '../../support/gateway-world.ts';

const INSIDE = [{ address: '127.0.0.1', family: 4 }];

const open = async (
  listed: Partial<ListedNetwork>,
  resolve: (name: string) => Promise<{ address: string; family: number }[]> = async () => INSIDE,
): Promise<OpenedGateway & { socket: string }> => {
  const gateway = createGateway({
    listed: { hosts: [], privateHosts: [], registries: [], pass: {}, ...listed },
    resolve,
  });
  onTestFinished(() => gateway.close());
  const opened = await gateway.open({ runId: 'r1', network: 'listed', models: null });
  if (typeof opened.reach === 'string') throw new Error('this box is not listed');
  return { ...opened, socket: opened.reach.socket };
};

const certificate = (() => {
  const at = mkdtempSync(path.join(tmpdir(), 'agentpr-test-'));
  const [key, cert] = [path.join(at, 'key'), path.join(at, 'cert')];
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', [...args, '-subj', '/CN=allowed.example', '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  const made = { key: readFileSync(key), cert: readFileSync(cert) };
  rmSync(at, { recursive: true });
  return made;
})();

/** Says hello to whoever comes by TLS. */
const createHost = async (): Promise<{ port: number; came: () => number }> => {
  let came = 0;
  const server = createTls(certificate, (socket) => {
    came += 1;
    socket.on('error', () => socket.destroy());
    socket.end('hello');
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, came: () => came };
};

/** CONNECT, and then TLS that asks for `servername`. */
const reach = async (socketPath: string, host: string, servername: string): Promise<string> => {
  const socket = connect(socketPath);
  socket.on('error', () => {});
  socket.write(`CONNECT ${host} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  const [first] = (await once(socket, 'data')) as [Buffer];
  const line = first.toString('latin1').split('\r\n')[0] ?? '';
  if (!line.includes(' 200 ')) return line;
  const tls = connectTls({ socket, servername, rejectUnauthorized: false });
  const chunks: Buffer[] = [];
  tls.on('data', (chunk: Buffer) => chunks.push(chunk));
  tls.on('error', () => {});
  await new Promise((resolve) => tls.once('close', resolve));
  return Buffer.concat(chunks).toString() || 'closed';
};

describe('a listed network', () => {
  const listed = { hosts: [], privateHosts: [], registries: registryNames(), pass: {} };
  const home = (): string => {
    const at = mkdtempSync(path.join(tmpdir(), 'agentpr-test-'));
    onTestFinished(() => rmSync(at, { recursive: true }));
    return at;
  };

  it('E16: is the only one of its box, and the operator’s proxies and registries are not told there', async () => {
    const gateway = createGateway({ listed });
    onTestFinished(() => gateway.close());
    const pass = { HTTP_PROXY: 'http://proxy.corp:3128', ALL_PROXY: 'socks5://corp', LANG: 'C' };
    const at = home();
    const box = { runId: 'r1', level: 'bwrap', home: at, pass } as const;
    const network = await openBoxNetwork(gateway, 'listed', box);
    expect(network.reach).toMatchObject({ port: 17117 });
    expect(JSON.stringify(network.pass)).not.toContain('corp');
    expect(network.pass).toMatchObject({ LANG: 'C', npm_config_registry: expect.any(String) as string });
    expect(readFileSync(path.join(at, '.cargo/config.toml'), 'utf8')).toContain('127.0.0.1:17117');
    await network.close();
    // Without a box nothing can be kept from anybody, and nothing is pretended.
    const open = await openBoxNetwork(gateway, 'listed', { ...box, level: 'group' });
    expect(open).toMatchObject({ reach: 'shared', pass });
  });

  it('E16: tells of each host that was refused what to do about it, in one line of plain text', async () => {
    const { socket, refused } = await open({});
    await reach(socket, 'elsewhere.example:443', 'elsewhere.example');
    await askRaw(socket, 'GET http://plain.example/x HTTP/1.1\r\nhost: plain.example\r\n\r\n');
    await askRaw(socket, 'CONNECT \x1b[31mred:443 HTTP/1.1\r\nhost: x\r\n\r\n');
    const lines = describeRefusedHosts(refused()).split('\n');
    expect(lines[0]).toMatch(/elsewhere\.example:443.*network\.hosts in agentpr\.config\.json/);
    expect(lines[1]).toMatch(/plain\.example.*https/);
    expect(lines.join('')).not.toContain('\x1b');
  });
});

describe('a tunnel', () => {
  it('E16: leads to a listed host by TLS for that name', async () => {
    const host = await createHost();
    const { socket, refused } = await open({ privateHosts: [`allowed.example:${host.port}`] });
    expect(await reach(socket, `allowed.example:${host.port}`, 'allowed.example')).toBe('hello');
    expect(refused()).toEqual([]);
  });

  it('E16: is closed to any other name, port or spelling, before anything is resolved; each is told', async () => {
    const asked: string[] = [];
    const host = await createHost();
    const { socket, refused } = await open(
      { hosts: ['*.below.example', 'allowed.example'], privateHosts: [`allowed.example:${host.port}`] },
      async (name) => {
        asked.push(name);
        return INSIDE;
      },
    );
    const others = [
      ...['other.example:443', 'allowed.example:22', `allowed.example.evil.example:${host.port}`],
      ...['secret-data.attacker.example:443', 'below.example:443', 'xbelow.example:443'],
      ...[`127.0.0.1:${host.port}`, '169.254.169.254:80', '2130706433:443', '0x7f000001:443', '[::1]:443'],
      ...[
        'allowed.example.:443',
        'allowed_example:443',
        'user@allowed.example:443',
        'allowed.example:443@x:1',
      ],
      ...[
        'allowed.example',
        'allowed.example:',
        'allowed.example:99999',
        'localhost:443',
        '-x.below.example:443',
      ],
    ];
    for (const name of others) expect(await reach(socket, name, 'allowed.example')).toMatch(/ 40\d /);
    expect(asked).toEqual([]);
    expect(host.came()).toBe(0);
    expect(refused().map((one) => one.host)).toEqual(
      expect.arrayContaining(['other.example:443', 'localhost:443']),
    );
    expect(refused().every(({ why }) => why === 'not_listed')).toBe(true);
    const odd = await askRaw(
      socket,
      'CONNECT allowed.example\0.evil.example:443 HTTP/1.1\r\nhost: x\r\n\r\n',
    );
    expect(odd).toMatch(/ 40\d /);
  });

  it('E16: is closed when TLS asks for another name than CONNECT did, for none, or hides it', async () => {
    const host = await createHost();
    const at = `allowed.example:${host.port}`;
    const { socket, refused } = await open({ privateHosts: [at] });
    expect(await reach(socket, at, 'other.example')).toBe('closed');
    expect(await reach(socket, at, '')).toBe('closed');
    const plain = await askRaw(
      socket,
      `CONNECT ${at} HTTP/1.1\r\nhost: ${at}\r\n\r\nGET / HTTP/1.1\r\nhost: allowed.example\r\n\r\n`,
    );
    expect(plain).toBe('HTTP/1.1 200 Connected\r\n\r\n');
    // A tunnel inside the tunnel is no TLS.
    expect(await askRaw(socket, `CONNECT ${at} HTTP/1.1\r\n\r\nCONNECT x:1 HTTP/1.1\r\n\r\n`)).not.toContain(
      'hello',
    );
    expect(host.came()).toBe(0);
    expect(refused()).toEqual([{ host: at, why: 'other_name' }]);
  });

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.20.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.1.1',
    '0.0.0.0',
    '::1',
    'fd00::1',
    'fe80::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
  ])('E16: is closed when a listed name leads to %s, also beside a public address', async (address) => {
    const host = await createHost();
    const family = address.includes(':') ? 6 : 4;
    const { socket, refused } = await open({ hosts: [`allowed.example:${host.port}`] }, async () => [
      { address: '93.184.215.14', family: 4 },
      { address, family },
    ]);
    expect(await reach(socket, `allowed.example:${host.port}`, 'allowed.example')).toMatch(/ 403 /);
    expect(refused()).toMatchObject([{ why: 'inward' }]);
    expect(host.came()).toBe(0);
  });

  it('E16: connects with the address that was checked, whatever the name leads to next', async () => {
    const host = await createHost();
    let times = 0;
    const { socket } = await open({ privateHosts: [`allowed.example:${host.port}`] }, async () => {
      times += 1;
      return INSIDE;
    });
    await reach(socket, `allowed.example:${host.port}`, 'allowed.example');
    expect(times).toBe(1);
  });

  it('ends with the box’s door', async () => {
    const quiet = createTcp((socket: Socket) => void socket.on('error', () => socket.destroy()));
    quiet.listen(0, '127.0.0.1');
    await once(quiet, 'listening');
    onTestFinished(() => void quiet.close());
    const at = `allowed.example:${(quiet.address() as AddressInfo).port}`;
    const { socket, close } = await open({ privateHosts: [at] });
    const client = reach(socket, at, 'allowed.example');
    await once(quiet, 'connection');
    await close();
    expect(await client).toBe('closed');
  });
});

it('E16: no bytes make reading a client’s first message fail, and only a whole one gives a name', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => void parseClientHello(Buffer.from(bytes))),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (rest) => {
      const size = rest.length;
      const record = Buffer.from([
        0x16,
        3,
        1,
        (size + 4) >> 8,
        (size + 4) & 255,
        1,
        0,
        size >> 8,
        size & 255,
        ...rest,
      ]);
      void parseClientHello(record);
      for (let cut = 0; cut < record.length; cut += 7)
        expect(parseClientHello(record.subarray(0, cut)).kind).toBe('more');
    }),
  );
});

it('E16: names are matched whole, addresses by their network', () => {
  expect(parseHostPort('Example.COM:443')).toEqual({ name: 'example.com', port: 443 });
  expect(isListedHost(['*.example.com'], { name: 'a.b.example.com', port: 443 })).toBe(true);
  expect(isListedHost(['*.example.com'], { name: 'example.com', port: 443 })).toBe(false);
  expect(['1.1.1.1', '2606:4700::1111', '172.32.0.1'].map(isPublicAddress)).toEqual([true, true, true]);
  expect(['255.255.255.255', '224.0.0.1', '::', 'ff02::1', 'x', ''].map(isPublicAddress)).toEqual(
    Array(6).fill(false),
  );
});

describe('a registry', () => {
  const npm = (base: string): Partial<ListedNetwork> => ({
    registries: ['npm'],
    pass: { NPM_CONFIG_REGISTRY: `${base}/npm/` },
  });

  it('E16: is read, with nobody’s name or key, at the address that the operator named', async () => {
    const { url, heard } = await createProvider((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ dist: { tarball: `${url}/npm/left-pad/-/left-pad-1.0.0.tgz` } }));
    });
    const { socket, env } = await open(npm(url));
    expect(env.npm_config_registry).toBe('http://127.0.0.1:17117/registry/npm/');
    const headers = { authorization: 'Bearer npm_secret', cookie: 'a=b', accept: 'application/json' };
    const asNpm = await ask(socket, '/registry/npm/left-pad', {
      method: 'GET',
      headers: { ...headers, 'user-agent': 'npm/11' },
    });
    expect(asNpm).toMatchObject({ status: 200 });
    expect(asNpm.body).toContain(url);
    const asPnpm = await ask(socket, '/registry/npm/@scope%2fpad', {
      method: 'GET',
      headers: { ...headers, 'user-agent': 'pnpm/9' },
    });
    expect(asPnpm.body).toContain('http://127.0.0.1:17117/registry/npm/left-pad/-/left-pad-1.0.0.tgz');
    expect(heard.map((one) => one.url)).toEqual(['/npm/left-pad', '/npm/@scope%2fpad']);
    expect(JSON.stringify(heard)).not.toMatch(/npm_secret|a=b/);
  });

  it('E16: takes nothing, and shows no other path of its host', async () => {
    const { url, heard } = await createProvider((_request, response) => response.end('x'));
    const { socket } = await open(npm(url));
    for (const method of ['PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS'])
      expect((await ask(socket, '/registry/npm/left-pad', { method, body: 'data' })).status).toBe(405);
    for (const path of [
      '/registry/other/x',
      '/registry/npm/../../admin',
      '/registry/npm/%2e%2e/%2e%2e/admin',
      '/registry/npm\\..\\admin',
      // What the next reader may take for a way up, or for another server.
      ...[
        '..%2fadmin',
        '%2e%2e%2fadmin',
        '%252e%252e/admin',
        '..;/admin',
        'x/..;a=b/admin',
        '..%5cadmin',
      ].map((rest) => `/registry/npm/${rest}`),
      ...[
        '/evil.example/x',
        'x//y',
        '%2f%2fevil.example',
        'x%00y',
        '%25252525252e',
        'http://evil.example/x',
      ].map((rest) => `/registry/npm/${rest}`),
      '/admin',
    ])
      expect((await ask(socket, path, { method: 'GET' })).status).toBeGreaterThanOrEqual(400);
    expect(heard).toEqual([]);
  });

  it('E16: leads nowhere else: not inward, by name or address, and not in circles', async () => {
    const inner = await createProvider((_request, response) => response.end('inner secret'));
    let location = '';
    const { url } = await createProvider((_request, response) => {
      response.writeHead(302, { location });
      response.end();
    });
    const { socket } = await open(npm(url));
    for (location of [
      inner.url,
      inner.url.replace('http:', 'https:'),
      'https://169.254.169.254/latest',
      'https://[::1]/',
      'https://inner.example/',
      `${url}/npm/again`,
      'file:///etc/passwd',
      'gopher://x/',
    ]) {
      const answer = await ask(socket, '/registry/npm/x', { method: 'GET' });
      expect(answer.status).toBe(502);
      expect(answer.headers.location).toBeUndefined();
    }
    expect(inner.heard).toEqual([]);
  });

  it('E16: whose name leads to another machine is found out by its certificate, and asked nothing', async () => {
    const asked: string[] = [];
    const server = createTls(certificate, (socket) => {
      socket.on('error', () => socket.destroy());
      socket.on('data', (chunk: Buffer) => asked.push(chunk.toString()));
    });
    server.on('tlsClientError', () => {});
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { socket } = await open({
      registries: ['npm'],
      pass: { NPM_CONFIG_REGISTRY: `https://allowed.example:${port}/npm` },
    });
    const answer = await ask(socket, '/registry/npm/x', { method: 'GET' });
    expect(answer).toMatchObject({ status: 502, body: expect.stringContaining('CERT') as string });
    expect(asked).toEqual([]);
  });

  it('E16: leads on to another registry that is served, and there to no other path', async () => {
    const own = await createProvider((_request, response) => response.end('a file'));
    let location = '';
    const { url } = await createProvider((_request, response) => {
      response.writeHead(302, { location });
      response.end();
    });
    const { socket } = await open({
      registries: ['npm', 'pypi'],
      pass: { NPM_CONFIG_REGISTRY: `${url}/npm`, PIP_INDEX_URL: `${own.url}/simple` },
    });
    location = `${own.url}/simple/x.whl`;
    expect((await ask(socket, '/registry/npm/x', { method: 'GET' })).body).toBe('a file');
    for (location of [`${own.url}/admin`, `${own.url}/simple/../admin`, `${own.url}/simpler/x`])
      expect((await ask(socket, '/registry/npm/x', { method: 'GET' })).status).toBe(502);
    expect(own.heard.map((one) => one.url)).toEqual(['/simple/x.whl']);
  });

  it('E16: is read by the whole path of an address too, as npm asks for what a lock file names', async () => {
    const { url, heard } = await createProvider((_request, response) => response.end('x'));
    const { socket } = await open({ registries: ['npm'], pass: { NPM_CONFIG_REGISTRY: `${url}/art/npm/` } });
    for (const asked of ['/art/npm/left-pad/-/x.tgz', '/left-pad/-/x.tgz', '/art/npmx/y', '/art/admin'])
      await ask(socket, `/registry/npm${asked}`, { method: 'GET' });
    expect(heard.map((one) => one.url)).toEqual([
      ...['/art/npm/left-pad/-/x.tgz', '/art/npm/left-pad/-/x.tgz'],
      ...['/art/npm/art/npmx/y', '/art/npm/art/admin'],
    ]);
  });

  it('answers who offers a newer protocol in this one, as cargo does', async () => {
    const { url } = await createProvider((_request, response) => response.end('a crate'));
    const { socket } = await open(npm(url));
    const offer =
      'connection: Upgrade, HTTP2-Settings, close\r\nupgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA';
    const answer = await askRaw(
      socket,
      `GET /registry/npm/x HTTP/1.1\r\nhost: 127.0.0.1:17117\r\n${offer}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('a crate');
  });

  it('passes large packages on as they are', async () => {
    const bytes = Buffer.alloc(5_000_000, 'abc');
    const { url } = await createProvider((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes.length });
      response.end(bytes);
    });
    const { socket } = await open(npm(url));
    const answer = await ask(socket, '/registry/npm/x.tgz', { method: 'GET' });
    expect(answer.headers['content-length']).toBe(String(bytes.length));
    expect(answer.body.length).toBe(bytes.length);
  });
});
