/** The expressions that stand in a source file, and what is put together for one that is built. */
import { parseAst } from 'rolldown/parseAst';

export type Expression = { source: string; flags: string; at: string };
/** `holes` stand between the parts: what is put in, as it stands in the code. */
export type Pattern = { parts: string[]; holes: string[] };
export type BuiltExpression = Pattern & { flags: string; at: string };
type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const listOf = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

const namesRegExp = (node: Node): boolean =>
  (node['type'] === 'NewExpression' || node['type'] === 'CallExpression') &&
  isNode(node['callee']) &&
  node['callee']['name'] === 'RegExp';

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;
const startOf = (node: Node): number => Number(node['start']);
const codeOf = (text: string, node: Node): string => text.slice(startOf(node), Number(node['end']));

const readPattern = (text: string, node: Node): Pattern => {
  if (node['type'] === 'Literal') {
    const { value, regex } = node;
    return { parts: [isNode(regex) ? String(regex['pattern']) : String(value)], holes: [] };
  }
  const isRaw = node['type'] === 'TaggedTemplateExpression';
  const template = isRaw && isNode(node['quasi']) ? node['quasi'] : node;
  if (template['type'] !== 'TemplateLiteral') return { parts: ['', ''], holes: [codeOf(text, node)] };
  const parts = listOf(template['quasis']).map(({ value }) =>
    isNode(value) ? String(isRaw ? value['raw'] : value['cooked']) : '',
  );
  return { parts, holes: listOf(template['expressions']).map((hole) => codeOf(text, hole)) };
};

export const readExpressions = (
  path: string,
  text: string,
): { literal: Expression[]; built: BuiltExpression[]; constants: Map<string, Pattern> } => {
  const constants = new Map<string, Pattern>();
  const literal: Expression[] = [];
  const built: BuiltExpression[] = [];
  const visit = (value: unknown): void => {
    if (!isNode(value)) return;
    const at = `${path}:${lineAt(text, startOf(value) || 0)}`;
    const regex = value['type'] === 'Literal' ? value['regex'] : null;
    if (isNode(regex)) literal.push({ source: String(regex['pattern']), flags: String(regex['flags']), at });
    const [pattern, flags] = namesRegExp(value) ? listOf(value['arguments']) : [];
    if (pattern)
      built.push({
        ...readPattern(text, pattern),
        flags: flags ? JSON.stringify(flags['value'] ?? '').slice(1, -1) : '',
        at,
      });
    const { id, init } = value;
    if (value['type'] === 'VariableDeclarator' && isNode(id) && isNode(init))
      constants.set(String(id['name']), readPattern(text, init));
    for (const part of Object.values(value)) if (isNode(part)) visit(part);
  };
  visit(parseAst(text, { lang: path.endsWith('.js') ? 'js' : 'ts' }, path));
  return { literal, built, constants };
};
