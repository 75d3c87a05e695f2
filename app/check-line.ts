/** One line of `agentpr doctor`. What is good but has something to mend is a warning. */
export type Check = { name: string; ok: boolean; says: string; mend: string };

export const good = (name: string, says: string): Check => ({ name, ok: true, says, mend: '' });
export const warn = (name: string, says: string, mend: string): Check => ({ name, ok: true, says, mend });
export const bad = (name: string, says: string, mend: string): Check => ({ name, ok: false, says, mend });
