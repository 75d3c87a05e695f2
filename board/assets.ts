/** Files that are sent to the browser as they are. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(import.meta.resolve('#board-assets'));
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
const readAssetFile = (path: string, type: string): { body: Uint8Array; type: string } => ({
  body: readFileSync(path),
  type,
});

/** The package names its modules only; a bundle of ours has this one file under the name itself. */
const WEBAUTHN = import.meta
  .resolve('#webauthn')
  .replace(/\/esm\/index\.js$/, '/dist/bundle/index.umd.min.js');

export const ASSETS: ReadonlyMap<string, { body: Uint8Array; type: string }> = new Map([
  [
    'board.css',
    {
      body: Buffer.concat(['tokens.css', 'board.css'].map((name) => readFileSync(join(FOLDER, name)))),
      type: 'text/css; charset=utf-8',
    },
  ],
  ['board.js', readAssetFile(join(FOLDER, 'board.js'), SCRIPT_TYPE)],
  ['mini-app.js', readAssetFile(join(FOLDER, 'mini-app.js'), SCRIPT_TYPE)],
  ['film.js', readAssetFile(join(FOLDER, 'film.js'), SCRIPT_TYPE)],
  ['keys.js', readAssetFile(join(FOLDER, 'keys.js'), SCRIPT_TYPE)],
  ['webauthn.js', readAssetFile(fileURLToPath(WEBAUTHN), SCRIPT_TYPE)],
  ['idiomorph.js', readAssetFile(fileURLToPath(import.meta.resolve('#idiomorph')), SCRIPT_TYPE)],
]);

const hash = createHash('sha256');
for (const { body } of ASSETS.values()) hash.update(body);
export const ASSET_VERSION = hash.digest('hex').slice(0, 12);
