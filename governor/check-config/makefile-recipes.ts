/** Collects the recipes of requested make targets, with prerequisites and variables (E13). */

type Rule = { targets: string[]; needs: string[]; lines: string[] };
type Makefile = { rules: Rule[]; includes: string[]; values: ReadonlyMap<string, string> };

const VALUE = /^(?:(?:export|override)[ \t]+)*([\w.-]+)[ \t]*(\+|[:?!]|::)?=[ \t]*(.*)$/;
/** A recipe may follow a semicolon on the rule's line. */
const RULE = /^([^\s#:=][^:=#]*):(?!=)\s*([^#;]*)(?:;([^#]*))?/;
const stripPrefix = (line: string): string => line.replace(/^\s*[@+-]*/, '');
const wordsIn = (text: string): string[] => text.trim().split(/\s+/);

const parseMakefile = (text: string): Makefile => {
  const rules: Rule[] = [];
  const includes: string[] = [];
  const values = new Map([
    ['MAKE', 'make'],
    ['CURDIR', '.'],
  ]);
  for (const line of text.replace(/\\\n/g, ' ').split('\n')) {
    const [, name, how, value = ''] = VALUE.exec(line) ?? [];
    const [, targets, needs = '', first] = RULE.exec(line) ?? [];
    if (/^[-s]?include\s/.test(line)) includes.push(line.replace(/^[-s]?include\s+/, 'sh '));
    else if (name !== undefined) values.set(name, how === '+' ? `${values.get(name) ?? ''} ${value}` : value);
    else if (targets !== undefined)
      rules.push({
        targets: wordsIn(targets),
        needs: wordsIn(needs),
        lines: first === undefined ? [] : [stripPrefix(first)],
      });
    else if (line.startsWith('\t')) rules.at(-1)?.lines.push(stripPrefix(line));
  }
  return { rules, includes, values };
};

/** Limits of nested variables: depth, and line length (characters). */
const MAX_VARIABLE_DEPTH = 5;
const MAX_RECIPE_LENGTH = 10_000;
const REFERENCE = /\$(?:\(([\w.-]+)\)|\{([\w.-]+)\})/g;

const expandVariables = (line: string, values: Makefile['values']): string => {
  let text = line;
  for (let depth = 0; depth < MAX_VARIABLE_DEPTH && text.length < MAX_RECIPE_LENGTH; depth += 1) {
    let room = MAX_RECIPE_LENGTH;
    const next = text.replace(REFERENCE, (whole, round: string, curly: string) => {
      const value = values.get(round || curly) ?? whole;
      room -= value.length;
      return room < 0 ? whole : value;
    });
    if (next === text) break;
    text = next;
  }
  return text.slice(0, MAX_RECIPE_LENGTH);
};

/** All recipes when a target is missing; the first one by default. */
export const collectMakeRecipes = (text: string, wanted: readonly string[]): string => {
  const { rules, includes, values } = parseMakefile(text);
  const byTarget = new Map<string, Rule[]>();
  for (const rule of rules)
    for (const target of rule.targets) {
      const same = byTarget.get(target);
      if (same) same.push(rule);
      else byTarget.set(target, [rule]);
    }
  const named = wanted.filter((t) => byTarget.has(t));
  const first = rules.find((r) => !(r.targets[0] ?? '').startsWith('.'))?.targets[0] ?? '';
  const open = wanted.length === 0 ? [first] : [...named];
  const whole = wanted.length > 0 && named.length === 0;
  const seen = new Set<string>();
  for (let target = open.pop(); target !== undefined; target = open.pop()) {
    if (seen.has(target)) continue;
    seen.add(target);
    for (const { needs } of byTarget.get(target) ?? []) for (const one of needs) open.push(one);
  }
  const taken = rules.filter((r) => whole || r.targets.some((t) => seen.has(t)));
  return [...includes, ...taken.flatMap((r) => r.lines)]
    .map((line) => expandVariables(line, values))
    .join('\n');
};
