/** O9: the product in folders whose paths are longer than a socket's may be. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { sampleAgentCommand, sampleDirectory, sampleGoal } from '#playground';
import { cardFor } from '../../support/approves.ts';
import { createProduct, type Product } from '../../support/product.ts';

let product: Product;
afterEach(() => product.close());

it.each([
  ['Chinese names', '开发者的主目录/项目和工作区/自动化机器人/数据目录/用户'],
  ['blanks, quotes and signs', `${'deep er/'.repeat(15)}it's "100%" $5 \\ done`],
])(
  'O9: works in a data directory of %s: found by the command line, with doors for boxes',
  async (_, name) => {
    product = await createProduct({
      script: sampleAgentCommand(),
      config: { network: { scripts: 'listed' } },
    });
    const dataDir = join(product.dir, name);
    const tmp = join(product.dir, 'tmp', name);
    mkdirSync(tmp, { recursive: true });
    const places = { AGENTPR_DATA_DIR: dataDir, TMPDIR: tmp };
    await product.github.addRepo({ owner: 'acme', name: 'patient', from: sampleDirectory() });
    product.start({ env: places });
    await product.running();
    expect(readdirSync(dataDir)).toContain('control.sock');
    const said = await product.cli(['run', 'create', 'acme/patient', sampleGoal], '', places);
    expect(said).toMatchObject({ code: 0, err: '' });
    await cardFor(product.ana);
    await product.stop();
    expect(product.complaints()).toEqual([]);
    expect(readdirSync(dataDir)).not.toContain('control.sock');
  },
);
