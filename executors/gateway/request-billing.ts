/** Bounds what a provider may bill beyond tokens (E18). Pure. */
import type { ShapeName } from './api-shapes.ts';

export type BillingTerms = {
  input: number;
  output: number;
  factor: number | null;
  /** An hour in the provider's cache costs twice the price. */
  storesLong: boolean;
  hosted: readonly string[];
};

const MAX_OUTPUT_TOKENS = 128_000;
const MAX_CONTEXT_TOKENS = 1_000_000;
const MAX_PICTURE_TOKENS = 50_000;
const MAX_TOKENS = 10_000_000;
const MAX_DEPTH = 64;

/** Multiples of the list price, at most. */
const TIERS: Readonly<Record<string, number>> = {
  auto: 1,
  default: 1,
  standard: 1,
  standard_only: 1,
  flex: 1,
  scale: 1,
  priority: 2,
  fast: 2.5,
};
const FAST_FACTOR = 6;
const REGION_FACTOR = 1.1;
export const findTierFactor = (tier: string): number | null =>
  Object.hasOwn(TIERS, tier) ? (TIERS[tier] ?? null) : null;

/** Tools that the client runs itself; any other type runs at the provider. */
const CLIENT_TOOLS: Readonly<Record<ShapeName, RegExp>> = {
  google: /^functionDeclarations$/,
  openai:
    /^(function|custom|namespace|local_shell|apply_patch|tool_search|computer|computer_use(_preview)?|computer-preview)$/,
  anthropic: /^(custom|(bash|text_editor|computer|memory)_\d{8}|tool_search_tool_\w+)$/,
};

const HOSTED_FIELDS: Readonly<Record<string, string>> = {
  web_search_options: 'web_search',
  plugins: 'plugins',
  mcp_servers: 'mcp',
  server_url: 'mcp',
  connector_id: 'mcp',
  container: 'code_interpreter',
  models: 'other_models',
  audio: 'audio',
};
/** The length of stored content is unknown. */
const STORED_FIELDS = new Set(['previous_response_id', 'conversation', 'prompt', 'file_id', 'file_ids']);
const STORED_TYPES = new Set(['item_reference', 'input_file', 'file', 'document', 'container_upload']);
const PICTURE_TYPES = new Set(['input_image', 'image_url', 'image', 'computer_screenshot']);

const JUDGED = new Set([
  ...['model', 'max_tokens', 'max_output_tokens', 'max_completion_tokens', 'n', 'best_of', 'stream'],
  ...['background', 'store', 'service_tier', 'speed', 'inference_geo', 'tools', 'type', 'ttl', 'modalities'],
  ...['stream_options', 'include_usage', 'thinking', 'budget_tokens', 'prediction', 'messages', 'input'],
  ...Object.keys(HOSTED_FIELDS),
  ...STORED_FIELDS,
]);
/** Folds like the most lenient readers, for which `ſtore` and `Store` are `store`. */
const foldCase = (name: string): string => name.toUpperCase().toLowerCase();

/** Google reads `max_output_tokens` as `maxOutputTokens`; only the latter is judged here. */
const GOOGLE_NAMES: ReadonlyMap<string, string> = new Map(
  [
    ...['contents', 'parts', 'tools', 'functionDeclarations', 'generationConfig', 'maxOutputTokens'],
    ...['candidateCount', 'thinkingConfig', 'thinkingBudget', 'responseModalities', 'speechConfig'],
    ...['cachedContent', 'fileData', 'inlineData', 'mimeType', 'serviceTier', 'model', 'store'],
  ].map((name) => [name.toLowerCase(), name]),
);
const findCanonicalName = (name: string, shape: ShapeName): string | null => {
  const folded = foldCase(name);
  if (shape !== 'google') return JUDGED.has(folded) ? folded : null;
  return GOOGLE_NAMES.get(folded.replaceAll('_', '')) ?? null;
};

type Json = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0);
const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0;

type Seen = { stored: boolean; pictures: number; hour: boolean; hosted: Set<string>; odd: string | null };

const lookAtTools = (tools: readonly unknown[], shape: ShapeName, seen: Seen): void => {
  for (const tool of tools) {
    if (!isRecord(tool)) continue;
    const kinds = shape === 'google' ? Object.keys(tool) : tool.type === undefined ? [] : [tool.type];
    for (const kind of kinds) {
      const type = typeof kind === 'string' ? kind : 'unknown';
      if (!CLIENT_TOOLS[shape].test(type)) seen.hosted.add(type.replace(/(_preview)?([_-]\d{2,8})*$/, ''));
    }
  }
};

/** Schemas and tool arguments mean nothing to the provider. */
const OPAQUE = new Set([
  'parameters',
  'input_schema',
  'arguments',
  'json_schema',
  'schema',
  'metadata',
  'mcp_servers',
]);
const GOOGLE_OPAQUE = new Set([
  ...['parameters', 'parametersJsonSchema', 'response', 'responseSchema', 'responseJsonSchema', 'args'],
]);

const inspectValue = (value: unknown, shape: ShapeName, seen: Seen, parent = '', depth = 0): void => {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const one of value) inspectValue(one, shape, seen, parent, depth + 1);
    return;
  }
  if (!isRecord(value)) return;
  const { type } = value;
  if (typeof type === 'string') {
    if (STORED_TYPES.has(type)) seen.stored = true;
    if (PICTURE_TYPES.has(type)) seen.pictures += 1;
    if (type === 'input_audio') seen.hosted.add('audio');
  }
  for (const [name, inner] of Object.entries(value)) {
    const right = findCanonicalName(name, shape);
    if (right !== null && right !== name) seen.odd ??= name;
    if (shape === 'google') lookAtMedia(name, inner, seen);
    if (name === 'tools' && Array.isArray(inner)) lookAtTools(inner, shape, seen);
    if (name === 'ttl' && inner === '1h') seen.hour = true;
    const isAddress = name === 'url' ? parent === 'image_url' || type === 'url' : ADDRESSES.has(name);
    if (isAddress && isAway(inner)) seen.hosted.add('urls');
    const own = type === 'tool_use' && name === 'input';
    const isOpaque = own || (shape === 'google' ? GOOGLE_OPAQUE : OPAQUE).has(name);
    if (!isOpaque) inspectValue(inner, shape, seen, name, depth + 1);
  }
};
const lookAtMedia = (name: string, inner: unknown, seen: Seen): void => {
  if (name === 'fileData' || name === 'cachedContent') seen.stored = true;
  if (name === 'speechConfig' && isSet(inner)) seen.hosted.add('audio');
  if (name !== 'inlineData' || !isRecord(inner)) return;
  if (typeof inner.mimeType === 'string' && /^image\//i.test(inner.mimeType)) seen.pictures += 1;
  else seen.stored = true;
};
const ADDRESSES = new Set(['image_url', 'file_url']);
const isAway = (value: unknown): boolean => typeof value === 'string' && !/^data:/i.test(value);

const googleOutput = ({ generationConfig: given }: Json): number => {
  const config = isRecord(given) ? given : {};
  const { maxOutputTokens: most, thinkingConfig: thinking, candidateCount: answers } = config;
  const budget = isRecord(thinking) && isCount(thinking.thinkingBudget) ? thinking.thinkingBudget : 0;
  const each = (isCount(most) ? most : MAX_OUTPUT_TOKENS) + budget;
  return Math.min(MAX_TOKENS, each * Math.max(1, isCount(answers) ? answers : 1));
};

const outputOf = (json: Json, shape: ShapeName, path: string): number => {
  if (shape === 'google') return googleOutput(json);
  const given =
    shape === 'anthropic'
      ? [json.max_tokens, isRecord(json.thinking) ? json.thinking.budget_tokens : undefined]
      : path.startsWith('/v1/responses')
        ? [json.max_output_tokens]
        : [json.max_completion_tokens, json.max_tokens];
  const bounds = given.filter(isCount);
  const each = bounds.length === 0 ? MAX_OUTPUT_TOKENS : Math.max(...bounds);
  const answers = Math.max(1, ...[json.n, json.best_of].filter(isCount));
  // Unused predicted tokens are billed too.
  const predicted = json.prediction === undefined ? 0 : JSON.stringify(json.prediction).length;
  return Math.min(MAX_TOKENS, (each + predicted) * answers);
};

const factorOf = (json: Json): number | null => {
  const { speed, inference_geo: region, service_tier: tier = json.serviceTier } = json;
  const base = !isSet(tier) ? 1 : typeof tier === 'string' ? findTierFactor(tier) : null;
  if (base === null || (isSet(speed) && speed !== 'fast' && speed !== 'standard')) return null;
  return base * (speed === 'fast' ? FAST_FACTOR : 1) * (isSet(region) ? REGION_FACTOR : 1);
};

/** Returns a sentence if the cost cannot be bounded. */
export const readBilling = (
  json: Json,
  shape: ShapeName,
  path: string,
  bytes: number,
): BillingTerms | { refused: string } => {
  const seen: Seen = { stored: false, pictures: 0, hour: false, hosted: new Set(), odd: null };
  inspectValue(json, shape, seen);
  if (seen.odd !== null)
    return { refused: `The field "${seen.odd.slice(0, 40)}" is spelled in a way that not everybody reads.` };
  // guard: E18-no-background
  if (isSet(json.background))
    return { refused: 'A request in the background is not served: nobody would hear what it took.' };
  for (const [field, name] of Object.entries(HOSTED_FIELDS)) if (isSet(json[field])) seen.hosted.add(name);
  for (const field of STORED_FIELDS) if (isSet(json[field])) seen.stored = true;
  if (typeof json.model === 'string' && /:online\b/.test(json.model)) seen.hosted.add('web_search');
  const asked = isRecord(json.generationConfig) ? json.generationConfig.responseModalities : json.modalities;
  for (const kind of Array.isArray(asked) ? asked : [])
    if (!/^text$/i.test(String(kind))) seen.hosted.add(String(kind).slice(0, 40));
  const unseen = seen.stored || seen.hosted.size > 0 ? MAX_CONTEXT_TOKENS : 0;
  return {
    // A token has at least one byte.
    input: Math.min(MAX_TOKENS, bytes + seen.pictures * MAX_PICTURE_TOKENS + unseen),
    output: outputOf(json, shape, path),
    factor: factorOf(json),
    storesLong: seen.hour,
    hosted: [...seen.hosted],
  };
};
