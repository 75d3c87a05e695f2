/** Adds to sentences, or replaces some. Unlike a spread it reads none of them. */
export const extendSentences = <Base extends object, Own extends object>(
  base: Base,
  own: Own,
): Omit<Base, keyof Own> & Own =>
  Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(base), ...Object.getOwnPropertyDescriptors(own) },
  ) as Omit<Base, keyof Own> & Own;

/** A dash in the name of a sentence begins the next part of its path. */
export type Underscored<
  Name extends string,
  Mark extends string,
> = Name extends `${infer First}${Mark}${infer Rest}` ? `${First}_${Underscored<Rest, Mark>}` : Name;
