/**
 * O10: parsers make an error of every sign that they do not expect, and where in the code each was made
 * would take longer to find out than all of the reading.
 */
export const withoutTraces = <T>(go: () => T): T => {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return go();
  } finally {
    Error.stackTraceLimit = before;
  }
};
