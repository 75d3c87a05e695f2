/** Makes a text of strangers safe to show, to match and to publish: invisible characters, lookalikes, secrets, globs. */
export { endsInPrivateKey, findSecretSpans, findSecrets } from './find-secrets.ts';
export { redactAll, redactSecrets } from './redact-secrets.ts';
export { createExactGlobMatcher, createGlobMatcher, matchesGlob } from './glob.ts';
export {
  findInvisibleCharacter,
  findHiddenCharacterKind,
  hasHiddenCharacters,
  showInvisible,
  visibleName,
  withoutAnyUnseen,
  withoutUnseen,
} from './invisible-characters.ts';
export { findLookalike, findPathLookalike, listUnusualCharacters, visibleCommand } from './lookalikes.ts';
export {
  clipText,
  codeSpan,
  neutralisePlainText,
  neutraliseDescription,
  neutralisePersonalText,
  neutraliseText,
  type TextSignal,
  findTextSignals,
} from './neutralise-text.ts';
export { formatByteMark, DOCUMENT_LIMIT, toVisibleText } from './visible-text.ts';
