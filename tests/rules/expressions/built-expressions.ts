/**
 * The expressions that the product builds, as they are built: all modules are loaded, and rows below
 * call what builds one later. Run as a program, because it stands in front of RegExp.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Expression } from './literal-expressions.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** A stack names modules by addresses, in which a blank is `%20`. */
const ROOT_URL = pathToFileURL(`${ROOT}/`).href;
/** They begin to work when they are loaded. */
const PROGRAMS =
  /(?:^|\/)(?:reader-thread|replay-worker|forwarder|hosts\/door)\.ts$|box\/main\.ts$|^cli\/agentpr\./;

/** These try or build patterns of rows and words, which are judged where they stand. */
const JUDGED_ELSEWHERE = ['tools/tool-schema.ts', 'tools/words/word-patterns.ts'];

const built = new Map<string, Expression>();
const siteOf = (stack: string): string | null => {
  for (const line of stack.split('\n').slice(1)) {
    if (line.includes(import.meta.url)) continue;
    const [, url, row] = /(file:\/\/[^\s(]+):(\d+):\d+\)?$/.exec(line) ?? [];
    if (url?.startsWith(ROOT_URL) !== true || url.includes('/node_modules/')) continue;
    const path = decodeURI(url.slice(ROOT_URL.length));
    return JUDGED_ELSEWHERE.includes(path) ? null : `${path}:${row}`;
  }
  return null;
};
const keep = (made: RegExp): RegExp => {
  const at = siteOf(new Error().stack ?? '');
  if (at !== null)
    built.set(`${at} ${made.flags} ${made.source}`, { source: made.source, flags: made.flags, at });
  return made;
};
type Arguments = ConstructorParameters<typeof RegExp>;
const Original = RegExp;
globalThis.RegExp = new Proxy(Original, {
  construct: (target, given) => keep(new target(...(given as Arguments))),
  apply: (target, _, given) => keep(new target(...(given as Arguments))),
});

for (const path of process.argv.slice(2)) if (!PROGRAMS.test(path)) await import(join(ROOT, path));
globalThis.RegExp = Original;
process.stdout.write(JSON.stringify([...built.values()]), () => process.exit(0));
