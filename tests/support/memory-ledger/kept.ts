/** Values as after a JSON round trip, frozen and shared instead of copied. */

export const kept = <T>(value: T): T => {
  if (freeze(value)) return value;
  const copy = JSON.parse(JSON.stringify(value)) as T;
  freeze(copy);
  return copy;
};

/** Returns false if JSON would change the value. Children first, so that freezing is deep. */
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
