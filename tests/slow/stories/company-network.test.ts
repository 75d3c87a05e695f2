/**
 * O9: a whole story in a company's network: nothing but its proxy knows the hosts, and their
 * certificates are by its own authority.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleAgentCommand, sampleDirectory, sampleGoal } from '#playground';
import { cardFor } from '../../support/approves.ts';
import {
  createAuthority,
  startCompanyProxy,
  startTlsFront,
  type Authority,
  type CompanyProxy,
  type TlsFront,
} from '../../support/company-network.ts';
import { startOtlp } from '../../support/otlp.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

const CODE = 'code.acme.test';
const CHAT = 'telegram.acme.test';
const TRACES = 'traces.acme.test';
const LOGIN = { user: 'ana@acme', password: 'p:a/s%s' };

describe('a company whose network is left through a proxy alone', () => {
  let authority: Authority;
  let proxy: CompanyProxy;
  let front: TlsFront;
  let otlp: Awaited<ReturnType<typeof startOtlp>>;
  let product: Product;
  let environments = '';

  beforeAll(async () => {
    authority = createAuthority();
    otlp = await startOtlp();
    front = await startTlsFront(authority.certify([CODE, CHAT, TRACES]), () => ({
      [CODE]: product.github.url,
      [CHAT]: product.telegram.url,
      [TRACES]: otlp.url,
    }));
    const hosts = Object.fromEntries([CODE, CHAT, TRACES].map((name) => [`${name}:443`, front.port]));
    proxy = await startCompanyProxy(() => hosts, LOGIN);
    product = await createProduct({
      script: `${sampleAgentCommand()}; env > environment.txt; env >> "$HOME/environment.txt"; rm environment.txt`,
      env: {
        GITHUB_API_URL: `https://${CODE}`,
        TELEGRAM_API_ROOT: `https://${CHAT}`,
        HTTPS_PROXY: proxy.url,
        HTTP_PROXY: proxy.url,
        NODE_EXTRA_CA_CERTS: authority.file,
        OTEL_EXPORTER_OTLP_ENDPOINT: `https://${TRACES}`,
      },
    });
    await product.github.addRepo({ owner: 'acme', name: 'patient', from: sampleDirectory() });
  });
  afterAll(async () => {
    await product.close();
    await proxy.close();
    await front.close();
    otlp.close();
    authority.close();
  });

  it('O9: goes from the first message to the pull request, and every host is asked through the proxy', async () => {
    const { ana } = product;
    product.start();
    ana.sends(`/new acme/patient ${sampleGoal}`);
    await cardFor(ana);
    environments = readdirSync(join(product.dataDir, 'runs'))
      .map((run) => readFileSync(join(product.dataDir, 'runs', run, 'home/environment.txt'), 'utf8'))
      .join('\n');
    ana.taps('Open PR');
    await cardFor(ana, '', /^Confirm\b/);
    ana.taps('Confirm');
    await ana.waitForMessage('Pull request #1 opened', { deadlineMs: PATIENCE });
    await expect.poll(() => otlp.spans.length, { timeout: PATIENCE }).toBeGreaterThan(0);
    expect(new Set(proxy.asked)).toEqual(new Set([CODE, CHAT, TRACES].map((name) => `CONNECT ${name}:443`)));
    const asked = (pattern: RegExp): boolean => front.asked.some((line) => pattern.test(line));
    expect(asked(/GET https:\/\/code\.acme\.test\/.*git-upload-pack/)).toBe(true);
    expect(asked(/POST https:\/\/code\.acme\.test\/.*git-receive-pack/)).toBe(true);
    expect(asked(/POST https:\/\/code\.acme\.test\/repos\/acme\/patient\/pulls/)).toBe(true);
    expect(asked(/POST https:\/\/telegram\.acme\.test\/bot.*getUpdates/)).toBe(true);
  });

  it('O9: the password of the proxy is in no box, workspace, argument or configuration', () => {
    expect(environments).toContain('HOME=');
    const words = [LOGIN.password, encodeURIComponent(LOGIN.password), 'ana%40acme'];
    for (const word of words) {
      expect(environments).not.toContain(word);
      expect(`${product.stdout()}${product.stderr()}`).not.toContain(word);
      const found = execFileSync('sh', ['-c', 'grep -rlF -- "$1" "$2" || true', 'sh', word, product.dataDir]);
      expect(found.toString()).toBe('');
    }
  });

  it('O2: `doctor` says which way each goes, and tries it', async () => {
    const said = await product.cli(['doctor']);
    const through = new RegExp(`through the proxy 127\\.0\\.0\\.1:${proxy.port}\\)`);
    const lineOf = (name: string): string | undefined =>
      said.out.split('\n').find((line) => new RegExp(`^[✔!] ${name} `).test(line));
    expect(lineOf('telegram')).toMatch(through);
    expect(lineOf('github')).toMatch(through);
    expect(said.out).toMatch(new RegExp(`✔ git +reaches https://${CODE} \\(${CODE}, ${through.source}`));
    expect(lineOf('traces')).toMatch(through);
    expect(said.out).not.toContain('p%3Aa');
  });

  const doctor = async (env: Record<string, string | undefined>): Promise<string> =>
    (await product.cli(['doctor'], '', env)).out.replace(/\s+/g, ' ');

  it('O9: without the authority, `doctor` names the certificate and what to set, for git too', async () => {
    const said = await doctor({ NODE_EXTRA_CA_CERTS: undefined });
    expect(said).toMatch(/✘ telegram The certificate of Telegram \(telegram\.acme\.test\) is not accepted/);
    expect(said).toMatch(
      /✘ github The certificate of GitHub \(code\.acme\.test\) is not accepted.*NODE_EXTRA_CA_CERTS/,
    );
    expect(said).toMatch(
      /✘ git .*The certificate of the code host \(code\.acme\.test\) is not accepted.*NODE_EXTRA_CA_CERTS/,
    );
    expect(said).not.toContain('try again');
  });

  it.each([
    [
      'a password that the proxy does not take',
      () => ({ HTTPS_PROXY: `http://ana:wrong@127.0.0.1:${proxy.port}` }),
      /proxy 127\.0\.0\.1:\d+ \(HTTPS_PROXY\) wants a user and a password that it accepts \(407\)/,
    ],
    [
      'a proxy that is away',
      () => ({ HTTPS_PROXY: 'http://127.0.0.1:9' }),
      /proxy 127\.0\.0\.1:9 \(HTTPS_PROXY\) cannot be reached/,
    ],
    [
      'a proxy that nobody knows',
      () => ({ HTTPS_PROXY: 'http://proxy.acme.test:3128' }),
      /proxy proxy\.acme\.test:3128 \(HTTPS_PROXY\) cannot be reached/,
    ],
  ])('O9: %s is the proxy’s fault, for each that is asked', async (_, env, words) => {
    const said = await doctor(env());
    for (const name of ['telegram', 'github', 'git'])
      expect(
        said.split('✘').find((line) => line.startsWith(` ${name} `) && words.test(line)),
        name,
      ).toBeDefined();
    expect(said).not.toContain('wrong');
  });
});
