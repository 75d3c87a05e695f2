/**
 * Values as a ledger keeps them: what JSON would give back, shared instead of copied because nobody
 * can change them.
 */

/** The value itself, frozen; a copy by JSON when that would give back something else. */
export const kept = <T>(value: T): T => {
  if (freeze(value)) return value;
  const copy = JSON.parse(JSON.stringify(value)) as T;
  freeze(copy);
  return copy;
};

/**
 * False, and not frozen, when JSON would change the value. Children come first: what is frozen is
 * so all the way down.
 */
const freeze = (value: unknown): boolean => {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      return value === null || Object.isFrozen(value) || freezeMembers(value);
    default:
      return false;
  }
};

const freezeMembers = (value: object): boolean => {
  if (Array.isArray(value)) {
    for (const member of value) if (!freeze(member)) return false;
  } else {
    const shape: unknown = Object.getPrototypeOf(value);
    if (shape !== Object.prototype && shape !== null) return false;
    for (const name in value) if (!freeze((value as Record<string, unknown>)[name])) return false;
  }
  Object.freeze(value);
  return true;
};
