/** A proxy before a local GitHub that reduces answers to what GitHub's description promises. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { description, fits, isRecord, partOf, responseOf, type Schema } from './judge.ts';

/** `named`: all described fields. `least`: required fields only, null where allowed. */
export type Shape = 'named' | 'least';

const listOf = (value: unknown): Schema[] => (Array.isArray(value) ? value.filter(isRecord) : []);

/** An object may be described in parts. */
const fieldsOf = (schema: Schema): { properties: Record<string, unknown>; required: string[] } => {
  const parts = [schema, ...listOf(schema['allOf']).map(partOf)];
  const named = parts.map((one) => (isRecord(one['properties']) ? one['properties'] : {}));
  const required = parts.flatMap((one) =>
    Array.isArray(one['required']) ? one['required'].map(String) : [],
  );
  return { properties: Object.assign({}, ...named) as Record<string, unknown>, required };
};

export const shaped = (asked: Schema, value: unknown, shape: Shape): unknown => {
  const schema = partOf(asked);
  const choices = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])].map(partOf);
  if (choices.length > 0 && !schema['properties']) {
    if (shape === 'least' && choices.some(({ type }) => type === 'null')) return null;
    const fitting = choices.find((one) => fits(one, value)) ?? choices[0] ?? {};
    return shaped(fitting, value, shape);
  }
  if (Array.isArray(value)) {
    const items = isRecord(schema['items']) ? schema['items'] : {};
    return value.map((one) => shaped(items, one, shape));
  }
  if (!isRecord(value)) return value;
  const { properties, required } = fieldsOf(schema);
  if (Object.keys(properties).length === 0) return value;
  const kept = Object.entries(value).filter(
    ([name]) => name in properties && (shape === 'named' || required.includes(name)),
  );
  return Object.fromEntries(
    kept.map(([name, one]) => [name, shaped(isRecord(properties[name]) ? properties[name] : {}, one, shape)]),
  );
};

const TEMPLATES = Object.keys(description.routes).map((route) => {
  const [method = '', path = ''] = route.split(' ');
  return { route, method, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) };
});

export const startProxy = async (target: string, shape: Shape) => {
  const server = createServer((request, response) => {
    void (async () => {
      const { method = 'GET', url = '/', headers } = request;
      const body = await text(request);
      const { 'if-none-match': _, host: __, connection: ___, 'content-length': ____, ...kept } = headers;
      const answer = await fetch(new URL(url, target), {
        method,
        headers: kept as Record<string, string>,
        redirect: 'manual',
        ...(body === '' ? {} : { body }),
      });
      const said = await answer.text();
      const { pathname } = new URL(url, target);
      const route = TEMPLATES.find((one) => one.method === method && one.pattern.test(pathname))?.route ?? '';
      const schema = responseOf(route, answer.status);
      const value = schema && said !== '' ? JSON.stringify(shaped(schema, JSON.parse(said), shape)) : said;
      const passed = ['content-type', 'link', 'location'].flatMap((name) => {
        const given = answer.headers.get(name);
        return given === null ? [] : [[name, given.replaceAll(target, address())] as const];
      });
      response.writeHead(answer.status, Object.fromEntries(passed)).end(value);
    })().catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : new Error(String(error))),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: address(),
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
