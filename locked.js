// `node locked.js` writes npm-shrinkwrap.json, which a package brings along: whoever installs it gets what was tested. It is what
// package-lock.json says of the packages that run. npm would read it in place of that, so it exists only while the package is made:
// `node locked.js --remove`.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const json = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** package.json and the lockfile, without what only a checkout has. */
export const locked = () => {
  const { devDependencies: _, workspaces: __, scripts: ___, ...manifest } = json('package.json');
  const { packages, ...lock } = json('package-lock.json');
  const { devDependencies: ____, workspaces: _____, ...root } = packages[''];
  const runs = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link,
  );
  return { manifest, lock: { ...lock, packages: { '': root, ...Object.fromEntries(runs) } } };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = 'npm-shrinkwrap.json';
  if (process.argv.includes('--remove')) rmSync(file, { force: true });
  else writeFileSync(file, `${JSON.stringify(locked().lock, null, 2)}\n`);
}
