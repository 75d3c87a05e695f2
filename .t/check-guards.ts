/** Applies every guard's break to its marked code, in memory: one that finds nothing is printed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { broken } from '../tests/prove/guards/breaks.ts';
import { markersInCode } from '../tests/prove/guards/guard.ts';
import { GUARDS } from '../tests/prove/guards/table.ts';

const ROOT = join(import.meta.dirname, '..');
const homes = Map.groupBy(markersInCode(), ({ id }) => id);
let found = 0;
for (const { id, name, how } of GUARDS)
  for (const { file } of homes.get(id) ?? []) {
    try {
      broken(id, how, readFileSync(join(ROOT, file), 'utf8'));
      found += 1;
    } catch (error) {
      console.log(`${id} (${name}) in ${file}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
console.log(`${found} breaks apply`);
