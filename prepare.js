// Runs after `npm ci`: writes what is generated and not committed, builds the bundle so that the first start need not, and removes the C
// headers that come with Node. They are a third of it (67 MB), and nothing here is built from C.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { currentBundle } from './build.js';
import { writeSentenceTree } from './tests/rules/write-sentence-tree.ts';

const PACKAGES = join(import.meta.dirname, 'node_modules');

writeSentenceTree();
currentBundle();
for (const name of existsSync(PACKAGES) ? readdirSync(PACKAGES) : [])
  if (name.startsWith('node-linux-'))
    rmSync(join(PACKAGES, name, 'include'), { recursive: true, force: true });
