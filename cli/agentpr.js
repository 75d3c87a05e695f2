#!/usr/bin/env node
// Starts AgentPR on a Node that can run it: this one, or the one that came with the packages. Plain JavaScript on purpose.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const source = path('./main.ts');

if (major > 22 || (major === 22 && minor >= 18)) {
  // Compiled code is kept between starts; the young heap stays small, since we live long and do little at a time.
  enableCompileCache?.(path('../node_modules/.cache/agentpr'));
  setFlagsFromString('--semi-space-growth-factor=1');
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
  const child = spawn(own, [process.argv[1], ...process.argv.slice(2)], { stdio: 'inherit' });
  // Whoever stops us means the child. A terminal's Ctrl-C has reached it already, and a second one would not be graceful.
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  child.on('exit', (code, signal) =>
    process.exit(code ?? (signal === null ? 1 : 128 + constants.signals[signal])),
  );
}
