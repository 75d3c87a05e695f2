/**
 * E16: the real package managers of this machine install from their public registries in a box with
 * the network `listed`, and reach nothing else. Skipped where they, or the network, are not there.
 */
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createCheckExecutor } from '../../executors/checks/run-check.ts';
import { createGateway } from '../../executors/gateway/gateway.ts';
import { registryNames } from '../../executors/gateway/registry-names.ts';
import { passableEnvironment } from '#process';
import { createSandbox } from '../../executors/sandbox/create-sandbox.ts';
import { probeContainment } from '../../executors/sandbox/probe-containment.ts';
import { findToolchains } from '../../executors/sandbox/toolchains.ts';
import { dataDirectory } from '../support/contained.ts';

const { kind: level } = (await probeContainment()).profile;
const answers = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
const isOnline = await answers('https://registry.npmjs.org/is-number');
const AT = {
  npm: 'https://registry.npmjs.org/is-number',
  pip: 'https://pypi.org/simple/idna/',
  cargo: 'https://index.crates.io/config.json',
  mvn: 'https://repo.maven.apache.org/maven2/',
};
const has = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const LOCK = {
  name: 'app',
  version: '1.0.0',
  lockfileVersion: 3,
  requires: true,
  packages: {
    '': { name: 'app', version: '1.0.0', dependencies: { 'is-odd': '3.0.1' } },
    'node_modules/is-number': {
      version: '6.0.0',
      resolved: 'https://registry.npmjs.org/is-number/-/is-number-6.0.0.tgz',
      integrity:
        'sha512-Wu1VHeILBK8KAWJUAiSZQX94GmOE45Rg6/538fKwiloUu21KncEkYGPqob2oSZ5mUT73vLGrHQjKw3KMPwfDzg==',
    },
    'node_modules/is-odd': {
      version: '3.0.1',
      resolved: 'https://registry.npmjs.org/is-odd/-/is-odd-3.0.1.tgz',
      dependencies: { 'is-number': '^6.0.0' },
    },
  },
};
const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>a</groupId><artifactId>app</artifactId><version>1</version><packaging>pom</packaging></project>
`;

/** Prints a wheel of one empty module. */
const WHEEL = `
import io, sys, zipfile
out = io.BytesIO(); z = zipfile.ZipFile(out, 'w'); at = 'tiny-1.0.dist-info/'
z.writestr('tiny.py', ''); z.writestr(at + 'METADATA', 'Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0\\n')
z.writestr(at + 'WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
z.writestr(at + 'RECORD', 'tiny.py,,\\n' + at + 'METADATA,,\\n' + at + 'WHEEL,,\\n' + at + 'RECORD,,\\n'); z.close()
sys.stdout.buffer.write(out.getvalue())`;

const FILES: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'app', version: '1.0.0', dependencies: { 'is-odd': '3.0.1' } }),
  'package-lock.json': JSON.stringify(LOCK),
  'Cargo.toml': '[package]\nname = "app"\nversion = "1.0.0"\n[dependencies]\nitoa = "=1.0.11"\n',
  'src/lib.rs': '',
  'pom.xml': POM,
};

/** What a check says that runs it in a box with `listed`. */
const told = async (
  command: string,
  hosts: readonly string[] = [],
  own: Readonly<Record<string, string>> = {},
) => {
  const at = dataDirectory();
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(at.workspace, name)), { recursive: true });
    writeFileSync(path.join(at.workspace, name), content);
  }
  const toolchains = findToolchains({ env: process.env, home: homedir() });
  const outcome = await createSandbox({
    setting: level,
    dataDir: at.dataDir,
    readable: toolchains.readable,
    tools: [path.dirname(process.execPath)],
  });
  if (outcome.kind === 'refused') throw new Error(outcome.weaknesses.join(' '));
  const pass = { ...toolchains.env, ...passableEnvironment(process.env), ...own };
  const gateway = createGateway({
    listed: { hosts, privateHosts: hosts, registries: registryNames(), pass },
  });
  onTestFinished(() => gateway.close());
  const { result, end } = await createCheckExecutor({
    sandbox: outcome.sandbox,
    tools: [path.dirname(process.execPath), ...toolchains.path],
    pass,
    gateway,
    network: { install: 'listed', check: 'listed' },
  }).run({
    runId: 'r1',
    kind: 'install',
    name: 'install',
    command,
    dir: at.workspace,
    folder: '',
    home: at.home,
    timeoutMs: 100_000,
    signal: new AbortController().signal,
    onStart: () => {},
  });
  return { ...result, said: end.stdout + end.stderr };
};

describe.skipIf(level === 'group' || !isOnline)('a box that reaches registries alone', () => {
  beforeAll(() => console.log(`box: ${level}`));

  it.each<[keyof typeof AT, string]>([
    ['npm', 'npm ci && node -p "require(\'is-odd\')(3)" && ! grep -q 127.0.0.1 package-lock.json'],
    ['npm', 'npm install is-number@7.0.0 --no-save && node -p "require(\'is-number\')(3)"'],
    ['pip', 'python3 -m venv v && v/bin/pip install --no-deps idna==3.10 && v/bin/python -c "import idna"'],
    ['cargo', 'cargo fetch && ! grep -q 127.0.0.1 Cargo.lock'],
    [
      'mvn',
      'mvn -q -B org.apache.maven.plugins:maven-help-plugin:3.5.1:evaluate -Dexpression=project.version',
    ],
  ])('E16: %s finds its packages: %s', async (program, command) => {
    if (!has(program) || !(await answers(AT[program])))
      return console.log(`${program} or its registry is not here`);
    const { outcome, said, ms } = await told(command);
    console.log(program, outcome, ms, 'ms', outcome === 'passed' ? '' : said.slice(-3_000));
    expect(outcome).toBe('passed');
  });

  it('E16: no other host is reached, by name, by address or by another protocol, and each is told', async () => {
    const { outcome, said } = await told(
      [
        'npm view is-number version --registry https://registry.yarnpkg.com --fetch-retries 0',
        'git ls-remote https://github.com/octocat/Hello-World',
        'curl -sS --max-time 5 http://example.com/',
        "node -e \"fetch('https://example.com').then(() => console.log('out'), (e) => console.log(e.cause.code))\"",
        "node -e \"require('net').connect(443, '1.1.1.1').on('connect', () => console.log('out')).on('error', (e) => console.log(e.code))\"",
        'npm publish --registry http://127.0.0.1:17117/registry/npm/ --//127.0.0.1:17117/registry/npm/:_authToken=x',
        'false',
      ].join('; '),
    );
    console.log(said);
    expect(outcome).toBe('failed');
    expect(said).not.toMatch(/^out$/m);
    expect(said).toMatch(/registry\.yarnpkg\.com:443: it is not listed\. .*network\.hosts/);
    expect(said).toMatch(/github\.com:443: it is not listed/);
    expect(said).toMatch(/example\.com: it was asked for without TLS/);
    expect(said).toContain('405');
  });

  it('E16: a registry of the operator’s own, below a path, serves lock files that name it or the public one', async () => {
    const server = createServer((request, response) => {
      const asked = (request.url ?? '').replace(/^\/art\/npm/, '');
      void fetch(`https://registry.npmjs.org${asked}`).then(async (answer) => {
        const bytes = Buffer.from(await answer.arrayBuffer());
        const isText = answer.headers.get('content-type')?.includes('json') === true;
        const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}/art/npm`;
        response.writeHead(answer.status, {
          'content-type': isText ? 'application/json' : 'application/x-gzip',
        });
        response.end(isText ? bytes.toString().replaceAll('https://registry.npmjs.org', own) : bytes);
      });
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/art/npm`;
    const { outcome, said } = await told(
      [
        'npm ci',
        'npm install is-positive@3.1.0 && cat package-lock.json && rm -r node_modules',
        'npm ci && node -p "require(\'is-positive\')(3)"',
      ].join(' && '),
      [],
      { NPM_CONFIG_REGISTRY: `${url}/` },
    );
    console.log(outcome, said.slice(-1_500));
    expect(outcome).toBe('passed');
    expect(said).not.toContain('17117');
  });

  it.each([
    ['relative', () => '../../packages/ab/'],
    ['whole', (url: string) => `${url}/art/pypi/packages/ab/`],
  ])('E16: an index of the operator’s own is read by pip, with %s addresses', async (_, to) => {
    const wheel = execFileSync('python3', ['-c', WHEEL]);
    const server = createServer((request, response) => {
      const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const isPage = request.url === '/art/pypi/simple/tiny/';
      response.writeHead(isPage || request.url?.startsWith('/art/pypi/packages/ab/') === true ? 200 : 404, {
        'content-type': isPage ? 'text/html' : 'application/octet-stream',
      });
      const name = 'tiny-1.0-py3-none-any.whl';
      response.end(isPage ? `<a href="${to(own)}${name}">${name}</a>` : wheel);
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/art/pypi/simple/`;
    const { outcome, said } = await told(
      'python3 -m venv v && v/bin/pip install --retries 0 tiny && v/bin/python -c "import tiny"',
      [],
      { PIP_INDEX_URL: url },
    );
    console.log(outcome, said.slice(-700));
    expect(outcome).toBe('passed');
  });

  it('E16: a host that the operator lists is reached', async () => {
    const { said } = await told(
      'curl -sS -o /dev/null -w "%{http_code}" https://registry.npmjs.org/is-number',
      ['registry.npmjs.org'],
    );
    expect(said).toContain('200');
  });
});
