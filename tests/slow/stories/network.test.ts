/**
 * E3, E16: what may reach the network: by setting, scripts, installations and checks each have it,
 * what is listed of it, or none. Shared packages are read, never written.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { probeContainment } from '../../../executors/sandbox/probe-containment.ts';
import { createProduct, type Product } from '../../support/product.ts';
import { quoted } from '../../support/quoted.ts';

const { kind: level } = (await probeContainment()).profile;
const REPO = 'acme/app';
const reaches = (port: number): string =>
  `${quoted(process.execPath)} -e "fetch('http://127.0.0.1:${port}').then(() => console.log('out'), () => console.log('cut'))"`;

let product: Product | undefined;
const doors: { close(): void }[] = [];
afterEach(async () => {
  await product?.close();
  product = undefined;
  for (const door of doors.splice(0)) door.close();
});
/** Something of the host's that nobody in a cut box may reach. */
const listen = async (): Promise<number> => {
  const server = createServer((_, answer) => answer.end('hello'));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  doors.push(server);
  return (server.address() as AddressInfo).port;
};

describe.skipIf(level === 'group')('the network of a run', () => {
  it('E3, E16: is there for the installation alone; a host that is not listed is told of with what to do', async () => {
    const port = await listen();
    product = await createProduct({
      script: `${reaches(port)} > script.txt`,
      config: { network: { scripts: 'none', checks: 'listed' } },
    });
    const manifest = {
      name: 'app',
      version: '1.0.0',
      private: true,
      dependencies: { near: 'file:near' },
      scripts: {
        preinstall: `${reaches(port)} > installed.txt`,
        test: `${reaches(port)}; cat installed.txt; git ls-remote https://elsewhere.example/x || true`,
      },
    };
    const near = { name: 'near', version: '1.0.0' };
    const lock = {
      name: 'app',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': { name: 'app', version: '1.0.0', dependencies: manifest.dependencies },
        'node_modules/near': { resolved: 'near', link: true },
        near: { version: '1.0.0' },
      },
    };
    const repo = await product.github.addRepo({
      owner: 'acme',
      name: 'app',
      from: {
        'package.json': JSON.stringify(manifest),
        'package-lock.json': JSON.stringify(lock),
        'near/package.json': JSON.stringify(near),
      },
    });
    product.start();
    product.ana.sends(`/new ${REPO} Look around`);
    const run = await product.waitForState('PUSHED', REPO);
    // The check could not reach it; what the installation wrote says that it could.
    const said = run.change.evaluation?.checks[0]?.tail.trim().split('\n') ?? [];
    expect(said).toEqual(expect.arrayContaining(['cut', 'out']));
    expect(said.at(-1)).toMatch(/elsewhere\.example:443: it is not listed\. .*network\.hosts/);
    expect(await repo.read('script.txt', run.change.pushedHead?.sha)).toBe('cut');
  });

  it('E3: packages that the host shares are read where the network is cut, and cannot be written', async () => {
    product = await createProduct({ script: 'echo changed > app.txt' });
    const shared = join(product.dir, 'wheels');
    mkdirSync(shared);
    writeFileSync(join(shared, 'package.txt'), 'from the host\n');
    writeFileSync(
      join(product.dir, 'agentpr.config.json'),
      JSON.stringify({
        script: 'echo changed > app.txt',
        bounds: { pollMs: 100, retryMs: 50 },
        readable: [shared],
        network: { checks: 'none' },
      }),
    );
    await product.github.addRepo({ owner: 'acme', name: 'app', from: { 'app.txt': 'x\n' } });
    product.start();
    product.ana.sends(`/new ${REPO} Use it check="cat ${shared}/package.txt && ! touch ${shared}/mine"`);
    const run = await product.waitForState('PUSHED', REPO);
    expect(run.change.evaluation?.checks[0]?.tail).toContain('from the host');
  });
});
