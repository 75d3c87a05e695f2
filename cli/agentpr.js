#!/usr/bin/env node
// Starts AgentPR on a Node that can run it: this one, or the one that came with the packages. Plain JavaScript on purpose.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const source = path('./main.ts');

if (major > 22 || (major === 22 && minor >= 18)) {
  const { main } = await import(existsSync(source) ? './main.ts' : '../dist/cli/main.js');
  await main(process.argv.slice(2));
} else {
  const own = path('../node_modules/.bin/node');
  if (!existsSync(own)) {
    console.error(
      `AgentPR needs Node 22.18 or newer; this is ${process.versions.node}. Install Node 24, or run \`npm ci\` on Linux.`,
    );
    process.exit(69);
  }
  const ended = spawnSync(own, [process.argv[1], ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exit(ended.status ?? 1);
}
