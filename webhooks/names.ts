/** Which repositories a payload names, found without parsing it: parsing is what most of the time of a delivery goes into. */

const MEMBER = 'full_name';
const NAME = /"full_name": ?"([\w.-]+\/[\w.-]+)"/g;

/** All that are named, the delivery's own among them; null when that cannot be said for sure, as of text that speaks of names. */
export const namedIn = (text: string): ReadonlySet<string> | null => {
  const names = Array.from(text.matchAll(NAME), ([, name = '']) => name);
  const mentions = text.split(MEMBER).length - 1;
  return names.length > 0 && names.length === mentions ? new Set(names) : null;
};
