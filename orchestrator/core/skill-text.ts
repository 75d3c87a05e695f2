/**
 * E7: the text of a skill as it holds for one round. `{{if commands}}…{{end}}` and
 * `{{unless commands}}…{{end}}` keep or drop what stands between them, and `{{report}}` stands for
 * another text of the same set.
 */

/**
 * `commands`: the agent can run some. `form`: its program asks for the report in its form.
 * `first`: this conversation has been told nothing yet.
 */
export const SKILL_CONDITIONS = ['commands', 'form', 'first'] as const;
export type SkillConditions = Readonly<Record<(typeof SKILL_CONDITIONS)[number], boolean>>;

const INCLUDED = /\{\{([a-z-]+)\}\}/g;
const MAX_DEPTH = 3;
/** The innermost: what it keeps or drops holds no other. */
const CONDITIONAL_PART = /\{\{(if|unless) (\w+)\}\}((?:(?!\{\{(?:if|unless) )[^])*?)\{\{end\}\}/;
const isCondition = (name: string): name is keyof SkillConditions =>
  SKILL_CONDITIONS.some((one) => one === name);

/** The text with all that it includes. */
const included = (name: string, read: (name: string) => string, depth = 0): string => {
  if (depth > MAX_DEPTH) throw new Error(`The skill “${name}” includes itself`);
  return read(name).replace(INCLUDED, (mark, other: string) =>
    other === 'end' ? mark : included(other, read, depth + 1).trimEnd(),
  );
};

/** Throws where a skill names a condition that there is not. */
export const fitSkill = (name: string, read: (name: string) => string, holds: SkillConditions): string => {
  let text = included(name, read);
  for (let found = CONDITIONAL_PART.exec(text); found; found = CONDITIONAL_PART.exec(text)) {
    const [whole, word, condition = '', part = ''] = found;
    if (!isCondition(condition)) throw new Error(`A skill depends on “${condition}”, which nothing decides`);
    const kept = holds[condition] === (word === 'if') ? part : '';
    text = text.slice(0, found.index) + kept + text.slice(found.index + whole.length);
  }
  return text;
};
