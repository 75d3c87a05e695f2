/** Adds to sentences, or replaces some. Unlike a spread it reads none of them. */
export const extendSentences = <Base extends object, Own extends object>(
  base: Base,
  own: Own,
): Omit<Base, keyof Own> & Own =>
  Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(base), ...Object.getOwnPropertyDescriptors(own) },
  ) as Omit<Base, keyof Own> & Own;
