/** Writes the tables of the documentation that are made from rows: `npm run docs:tables`. */
import { writeFileSync } from 'node:fs';
import { PAGES, printed } from './tables.ts';

for (const { file, should } of PAGES.map(printed)) writeFileSync(file, should);
