/** Makes one map in a process of its own, and prints its time and memory as JSON. */
import { createGit } from '../../executors/git/trusted-git.ts';
import { createRepositoryMapTree } from '../../executors/git/repository-map-tree.ts';

const [gitDir = '', commit = '', cache = ''] = process.argv.slice(2);
const GOAL = 'A provider that is rate limited is asked again too early: wait as long as retry-after says';
const git = createGit('https');
globalThis.gc?.();
const rest = process.memoryUsage.rss();
let peak = rest;
const looks = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 3);
const began = performance.now();
const { mapRepository } = await import('../../executors/outline/map-repository.ts');
const map = await mapRepository(
  createRepositoryMapTree(git, gitDir, commit),
  { goal: GOAL, failing: '' },
  { cache },
);
const ms = performance.now() - began;
clearInterval(looks);
git.closeReaders();
globalThis.gc?.();
const after = process.memoryUsage.rss();
console.log(
  JSON.stringify({
    ms,
    tokens: map.tokens,
    files: map.files.length,
    peak: (peak - rest) / 1e6,
    after: (after - rest) / 1e6,
  }),
);
