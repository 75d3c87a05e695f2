/** Expands `{{if commands}}…{{end}}`, `{{unless commands}}…{{end}}`, `{{report}}` in skills (E7). */

/** `commands`: it can run some. `form`: its CLI requests the report. `first`: a new session. */
export const SKILL_CONDITIONS = ['commands', 'form', 'first'] as const;
type SkillConditions = Readonly<Record<(typeof SKILL_CONDITIONS)[number], boolean>>;

const INCLUDED = /\{\{([a-z-]+)\}\}/g;
const MAX_DEPTH = 3;
const CONDITIONAL_PART = /\{\{(if|unless) (\w+)\}\}((?:(?!\{\{(?:if|unless) )[^])*?)\{\{end\}\}/;
const isCondition = (name: string): name is keyof SkillConditions =>
  SKILL_CONDITIONS.some((one) => one === name);

const expandIncludes = (name: string, read: (name: string) => string, depth = 0): string => {
  if (depth > MAX_DEPTH) throw new Error(`The skill “${name}” includes itself`);
  return read(name).replace(INCLUDED, (mark, other: string) =>
    other === 'end' ? mark : expandIncludes(other, read, depth + 1).trimEnd(),
  );
};

export const renderSkill = (name: string, read: (name: string) => string, holds: SkillConditions): string => {
  let text = expandIncludes(name, read);
  for (let found = CONDITIONAL_PART.exec(text); found; found = CONDITIONAL_PART.exec(text)) {
    const [whole, word, condition = '', part = ''] = found;
    if (!isCondition(condition)) throw new Error(`A skill depends on “${condition}”, which nothing decides`);
    const kept = holds[condition] === (word === 'if') ? part : '';
    text = text.slice(0, found.index) + kept + text.slice(found.index + whole.length);
  }
  return text;
};
