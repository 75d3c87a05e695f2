/** Validates our requests and our local GitHub's answers against GitHub's OpenAPI description. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { Call } from '#playground';
import { UNDESCRIBED } from './routes.ts';

export type Schema = Record<string, unknown>;
type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema?: Schema };
type Content = { content?: { 'application/json'?: { schema?: Schema } }; required?: boolean };
type Operation = { parameters?: Schema[]; requestBody?: Content; responses: Record<string, Schema> };
type Description = { routes: Record<string, Operation>; parts: Record<string, Schema> };

export const isRecord = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** OpenAPI 3.0's `nullable` becomes JSON Schema's type `null`. */
const asJsonSchema = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(asJsonSchema);
  if (!isRecord(value)) return value;
  const { nullable, ...rest } = value;
  const made = Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, asJsonSchema(one)]));
  // A property may be named `nullable`, and a reference has no siblings.
  if (nullable !== true) return nullable === undefined ? made : { ...made, nullable: asJsonSchema(nullable) };
  return { anyOf: [made, { type: 'null' }] };
};

const read = (): Description => {
  const text = readFileSync(join(import.meta.dirname, '../../fixtures/github-openapi.json'), 'utf8');
  // `cut.ts` writes the file in this shape.
  return asJsonSchema(JSON.parse(text)) as Description;
};

/** Null for outdated comments, which only `webhook-pull-request-review-comment-created` says. */
const FORGOTTEN = {
  part: '#/components/schemas/pull-request-review-comment',
  nullable: ['position', 'line', 'original_line'],
};
const remembered = (whole: Description): Description => {
  const properties = whole.parts[FORGOTTEN.part]?.['properties'];
  if (!isRecord(properties)) throw new Error(`the description has no ${FORGOTTEN.part}`);
  for (const name of FORGOTTEN.nullable) properties[name] = { anyOf: [properties[name], { type: 'null' }] };
  return whole;
};

export const description = remembered(read());
export const partOf = (schema: Schema): Schema => {
  const { $ref } = schema;
  return typeof $ref === 'string' ? partOf(description.parts[$ref] ?? {}) : schema;
};
const ajv = addFormats.default(
  new Ajv({ strict: false, allErrors: true, validateFormats: true, formats: { 'repo.nwo': true } }),
);
ajv.addSchema({ $id: 'github', components: componentsOf(description.parts) });

/** References are resolved within one document. */
function componentsOf(parts: Record<string, Schema>): Schema {
  const made: Record<string, Record<string, unknown>> = {};
  for (const [ref, part] of Object.entries(parts)) {
    const [, , kind = '', name = ''] = ref.split('/');
    (made[kind] ??= {})[name] = part;
  }
  return made;
}

const compiled = new Map<Schema, ValidateFunction>();
const validatorOf = (schema: Schema): ValidateFunction => {
  const known = compiled.get(schema);
  if (known) return known;
  const inGithub = JSON.parse(
    JSON.stringify(schema).replaceAll('"#/components/', '"github#/components/'),
  ) as Schema;
  const made = ajv.compile(inGithub);
  compiled.set(schema, made);
  return made;
};
export const fits = (schema: Schema, value: unknown): boolean => validatorOf(schema)(value);
const faultsOf = (schema: Schema, value: unknown): string[] => {
  const validate = validatorOf(schema);
  if (validate(value)) return [];
  // Errors inside alternatives say less than the error of the whole.
  const all = validate.errors ?? [];
  const plain = all.filter((one) => !/\/(anyOf|oneOf)\//.test(one.schemaPath));
  return [...new Set((plain.length > 0 ? plain : all).map(sayError))];
};
const sayError = ({ instancePath, message = '', params }: ErrorObject): string =>
  `${instancePath.replace(/\/\d+/g, '/*') || '/'} ${message}${params['allowedValues'] ? `: ${JSON.stringify(params['allowedValues'])}` : ''}`;

export const operationOf = (route: string): Operation | undefined => description.routes[route];
export const responseOf = (route: string, status: number): Schema | undefined => {
  const found = operationOf(route)?.responses[String(status)];
  return (found && (partOf(found) as Content).content?.['application/json']?.schema) ?? undefined;
};

/** The fields are those of the alternative that is not null. */
const namedIn = (schema: Schema): Record<string, unknown> => {
  const other = Array.isArray(schema['anyOf']) ? schema['anyOf'].filter(isRecord) : [];
  const having = [schema, ...other].map((one) => one['properties']).find(isRecord);
  return having ?? {};
};

const requestFaults = (operation: Operation, { method, params }: Call): string[] => {
  const known = (operation.parameters ?? []).map((one) => partOf(one) as unknown as Parameter);
  if (method !== 'GET') {
    const schema = operation.requestBody?.content?.['application/json']?.schema;
    if (!schema) return Object.keys(params).map((name) => `it takes no ${name}`);
    const named = namedIn(partOf(schema));
    const foreign = Object.keys(params).filter((name) => !(name in named));
    return [...faultsOf(schema, params), ...foreign.map((name) => `the body has no ${name}`)];
  }
  return Object.entries(params).flatMap(([name, value]) => {
    const parameter = known.find((one) => one.name === name && one.in === 'query');
    if (!parameter) return [`there is no parameter ${name}`];
    const { type } = partOf(parameter.schema ?? {});
    const typed =
      type === 'integer' || type === 'number' ? Number(value) : type === 'boolean' ? value === 'true' : value;
    return faultsOf(parameter.schema ?? {}, typed).map((fault) => `${name}: ${fault}`);
  });
};

/** Returns errors of the request, and of the answer unless a test made it up. */
export const judge = (call: Call): string[] => {
  const { route, status, answer, fault } = call;
  if (UNDESCRIBED.has(route)) return [];
  const operation = operationOf(route);
  if (!operation) return [`${route}: GitHub's description has no such route`];
  const asked = requestFaults(operation, call).map((one) => `${route} asks: ${one}`);
  if (fault !== null || status === null || status >= 300 || answer === null) return asked;
  const schema = responseOf(route, status);
  if (!schema)
    return operation.responses[String(status)]
      ? asked
      : [...asked, `${route} answers ${status}, which is not described`];
  return [...asked, ...faultsOf(schema, answer).map((one) => `${route} answers: ${one}`)];
};

/** Git and pages are no API calls. */
export const apiCalls = ({ calls }: { calls: readonly Call[] }): Call[] =>
  calls.filter(
    ({ route, path }) =>
      !path.includes('.git/') &&
      !path.startsWith('/_') &&
      /^[A-Z]+ \/(user|repos|apps|app-manifests|repositories)\b/.test(route),
  );
