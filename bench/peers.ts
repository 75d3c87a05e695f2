/** Installs the programs for comparison on demand, so that the product's install stays small. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const DIR = join(import.meta.dirname, 'peers');

/** Installs what a folder's lockfile names, once; throws with npm's words when npm fails. */
export const installLocked = (folder: string, say: () => void): void => {
  // npm writes this file last.
  if (existsSync(join(folder, 'node_modules/.package-lock.json'))) return;
  say();
  execFileSync('npm', ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
};

export const installPeers = (say: (text: string) => void): void =>
  installLocked(DIR, () => say('Installing the programs to compare with (bench/peers) …'));

export const peer = (program: string): string => join(DIR, program);

export const peerVersion = (name: string): string => {
  const { version } = JSON.parse(readFileSync(join(DIR, 'node_modules', name, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
};
