/** Makes an object when something first reads it: most processes speak one language only. */
export const whenRead = <T extends object>(make: () => T): T => {
  let made: T | null = null;
  const read = (): T => (made ??= make());
  return new Proxy<T>({} as T, {
    get: (_, key): unknown => Reflect.get(read(), key),
    has: (_, key) => Reflect.has(read(), key),
    ownKeys: () => Reflect.ownKeys(read()),
    getOwnPropertyDescriptor: (_, key) => {
      const found = Reflect.getOwnPropertyDescriptor(read(), key);
      return found && { ...found, configurable: true };
    },
  });
};
