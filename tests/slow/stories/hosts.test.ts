/**
 * O9: code hosts that are not github.com: the API beside the pages on another address, everything
 * below a path, addresses of IPv6 with a port; and an owner who is a managed user.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { sampleAgentCommand, sampleDirectory, sampleGoal } from '#playground';
import { cardFor } from '../../support/approves.ts';
import { openFront, type Front } from '../../support/front.ts';
import { createProduct, PATIENCE, TOKENS, type Product } from '../../support/product.ts';

const REPO = 'ana_acme/patient';

/** Null where this machine has no loopback of IPv6. */
const onIpv6 = await openFront({ host: '::1' }).catch(() => null);
await onIpv6?.close();

/** Where the pages and git are, where the API is, and what of it has to be said. */
type Host = { name: string; pages: () => Promise<Front>; api: () => Promise<Front>; saysPages: boolean };
const HOSTS: Host[] = [
  {
    name: 'the API on another address than the pages, which are on IPv6',
    pages: () => openFront({ host: '::1' }),
    api: () => openFront(),
    saysPages: true,
  },
  {
    name: 'an Enterprise Server below a path',
    pages: () => openFront({ path: '/code', api: '/code/api/v3' }),
    api: () => openFront(),
    saysPages: false,
  },
];

describe.each(HOSTS)('$name', ({ pages, api, saysPages }) => {
  let close: () => Promise<void> = async () => {};
  afterEach(() => close());

  const open = async () => {
    // One server answers both below its path; two are two addresses.
    const web = await pages();
    const rest = saysPages ? await api() : null;
    const apiUrl = rest?.url ?? `${web.url}/api/v3`;
    const product: Product = await createProduct({
      script: sampleAgentCommand(),
      servers: { github: { origin: web.url, apiUrl } },
      env: { GITHUB_API_URL: apiUrl, ...(saysPages ? { GITHUB_URL: web.url } : {}) },
    });
    web.leadTo(product.github.url);
    rest?.leadTo(product.github.url);
    close = async () => {
      await product.close();
      await web.close();
      await rest?.close();
    };
    return { product, web, rest };
  };

  it.skipIf(onIpv6 === null && saysPages)(
    'O9: takes its links, clones, pushes, opens and follows there, and its token goes nowhere else',
    async () => {
      const { product, web, rest } = await open();
      const { ana, github } = product;
      const repo = await github.addRepo({ owner: 'ana_acme', name: 'patient', from: sampleDirectory() });
      product.start();
      ana.sends(`/new ${web.url}/${REPO}/tree/main ${sampleGoal}`);
      await cardFor(ana);
      ana.taps('Open PR');
      await cardFor(ana, '', /^Confirm\b/);
      ana.taps('Confirm');
      await ana.waitForMessage('Pull request #1 opened', { deadlineMs: PATIENCE });
      expect(product.run()?.upstream.pullRequest?.url).toBe(`${web.url}/${REPO}/pull/1`);
      expect(repo.pulls[0]).toMatchObject({ state: 'open', base: 'main', author: 'agentpr-bot' });
      // A run is named by the address of its pull request as well.
      ana.sends(`/detail ${web.url}/${REPO}/pull/1`);
      await ana.waitForMessage(/It is on the branch |Policies/, { deadlineMs: PATIENCE });
      ana.sends('/new https://elsewhere.example/ana_acme/patient Fix it');
      await ana.waitForMessage(/elsewhere\.example\/ana_acme\/patient is not a repository/, {
        deadlineMs: PATIENCE,
      });
      await repo.merge(1);
      await ana.waitForMessage(/DONE[\s\S]*Merged by/, { deadlineMs: PATIENCE });
      expect(web.requests.some((line) => line.includes('/git-receive-pack'))).toBe(true);
      expect([...web.tokens]).toEqual([TOKENS.github]);
      if (rest) {
        expect([...rest.tokens]).toEqual([TOKENS.github]);
        expect(rest.requests.filter((line) => line.includes('.git/'))).toEqual([]);
        expect(web.requests.filter((line) => line.includes('/repos/'))).toEqual([]);
      }
      const doctor = await product.cli(['doctor']);
      expect(doctor.out).toContain('signed in as agentpr-bot');
    },
    4 * PATIENCE,
  );
});
