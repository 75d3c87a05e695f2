/** Disables stack traces while parsing, because parsers create an error per bad character (O10). */
export const withoutStackTraces = <T>(go: () => T): T => {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return go();
  } finally {
    Error.stackTraceLimit = before;
  }
};
