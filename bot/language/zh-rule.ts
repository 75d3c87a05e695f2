/** One sentence of the machine, and what stands for it in Chinese. */

/** The whole match comes first, then its groups, as `RegExp.exec` gives them. */
export type Rule = readonly [says: RegExp, inChinese: (...found: string[]) => string];

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** A sentence without anything of its own. */
export const same = (english: string, chinese: string): Rule => [
  new RegExp(`^${literal(english)}`),
  () => chinese,
];
