/** Files that the pages load; stylesheets stand over the tokens of the board. */
import { readFileSync } from 'node:fs';

const FOLDER = `${import.meta.resolve('#assets')}/`;

export const readAsset = (name: string): Buffer => {
  const file = readFileSync(new URL(name, FOLDER));
  if (!name.endsWith('.css')) return file;
  return Buffer.concat([readFileSync(new URL('../../board/assets/tokens.css', FOLDER)), file]);
};
