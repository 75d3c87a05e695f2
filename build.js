// Makes dist/ for the package: the compiled code, and beside it the files that it reads, laid out as in the checkout.
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' });
for (const folder of ['skills', 'playground/assets', 'playground/sample'])
  cpSync(folder, `dist/${folder}`, { recursive: true });

// Node does not run TypeScript below node_modules: there, `#playground` is the compiled one.
const { name, version, type } = JSON.parse(readFileSync('package.json', 'utf8'));
const imports = { '#playground': './playground/index.js' };
writeFileSync('dist/package.json', JSON.stringify({ name, version, type, imports }));
