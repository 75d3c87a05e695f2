#!/usr/bin/env node
// Starts AgentPR on a Node that can run it: this one, or the one that came with the packages. Plain JavaScript that an old
// Node can still read, and imports of nothing that an old Node does not have.
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const resolvePath = (relative) => fileURLToPath(new URL(relative, import.meta.url));

/** The Node of our own packages, wherever they were installed; null when there is none for this machine. */
const ownNode = () => {
  const name = `node-${process.platform}-${process.arch}/package.json`;
  try {
    const node = join(dirname(module.createRequire(import.meta.url).resolve(name)), 'bin/node');
    // One that is itself too old would start itself again and again.
    return realpathSync(node) === realpathSync(process.execPath) ? null : node;
  } catch {
    return null;
  }
};

/** A checkout runs as a bundle, which starts sooner and takes less memory; the package brings its own. */
const mainModule = async () => {
  if (!existsSync(resolvePath('./main.ts'))) return '../bundle/cli/main.js';
  const { currentBundle } = await import('../build.js');
  const main = currentBundle();
  return main === null ? './main.ts' : pathToFileURL(main).href;
};

const giveUp = () => {
  console.error(
    `AgentPR needs Node 22.18 or newer; this is ${process.versions.node}. Install Node 24. (On Linux \`npm install\` brings one along, unless optional packages are left out.)`,
  );
  process.exit(69);
};

if (major > 22 || (major === 22 && minor >= 18)) {
  // Compiled code is kept between starts; the young heap stays small, since we live long and do little at a time.
  module.enableCompileCache?.(resolvePath('../node_modules/.cache/agentpr'));
  setFlagsFromString('--semi-space-growth-factor=1');
  const { main } = await import(await mainModule());
  await main(process.argv.slice(2));
} else {
  const own = ownNode() ?? giveUp();
  const child = spawn(own, [resolvePath('./agentpr.js'), ...process.argv.slice(2)], { stdio: 'inherit' });
  // It is there and cannot be started: built for another libc, or on a file system that runs no programs.
  child.on('error', giveUp);
  // Whoever stops us means the child. A terminal's Ctrl-C has reached it already, and a second one would not be graceful.
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal));
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  child.on('exit', (code, signal) =>
    process.exit(code ?? (signal === null ? 1 : 128 + constants.signals[signal])),
  );
}
