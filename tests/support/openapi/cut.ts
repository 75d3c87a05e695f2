/**
 * Cuts the routes that we use out of GitHub's OpenAPI description (400 MB): `npm pack
 * @octokit/openapi`, then `node tests/support/openapi/cut.ts <generated/api.github.com.json>`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROUTES } from './routes.ts';

type Json = Record<string, unknown>;
const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** Removed, because descriptions and examples prove nothing. */
const WORDS = new Set([
  'description',
  'examples',
  'example',
  'externalDocs',
  'summary',
  'tags',
  'x-github',
  'title',
]);

/** Properties may have such names as well. */
const bare = (value: unknown, ofNames = false): unknown => {
  if (Array.isArray(value)) return value.map((one) => bare(one));
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([name]) => ofNames || !WORDS.has(name));
  return Object.fromEntries(kept.map(([name, one]) => [name, bare(one, name === 'properties' && !ofNames)]));
};

const at = (root: Json, ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((node, name) => (isRecord(node) ? node[name] : undefined), root);

const cut = (whole: Json): Json => {
  const parts: Record<string, unknown> = {};
  const follow = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(follow);
    if (!isRecord(node)) return;
    const { $ref } = node;
    if (typeof $ref === 'string' && !($ref in parts)) {
      parts[$ref] = bare(at(whole, $ref));
      follow(parts[$ref]);
    }
    Object.values(node).forEach(follow);
  };
  const paths = ROUTES.map((route) => {
    const [method = '', path = ''] = route.split(' ');
    const found =
      isRecord(whole['paths']) && isRecord(whole['paths'][path])
        ? whole['paths'][path][method.toLowerCase()]
        : undefined;
    if (!isRecord(found)) throw new Error(`GitHub's description has no ${route}`);
    const kept = bare({
      parameters: found['parameters'],
      requestBody: found['requestBody'],
      responses: found['responses'],
    });
    follow(kept);
    return [route, kept];
  });
  return { routes: Object.fromEntries(paths), parts };
};

const [from] = process.argv.slice(2);
if (from === undefined) throw new Error('Give the path of api.github.com.json.');
const description = cut(JSON.parse(readFileSync(from, 'utf8')) as Json);
const to = join(import.meta.dirname, '../../fixtures/github-openapi.json');
writeFileSync(to, `${JSON.stringify(description, null, 1)}\n`);
