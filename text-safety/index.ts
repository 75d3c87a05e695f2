/** Makes a text of strangers safe to show, to match and to publish: invisible characters, lookalikes, secrets, globs. */
export { endsInKey, redactAll, redactSecrets, secretPlaces, secretsIn } from './find-secrets.ts';
export { createExactGlob, createGlob, matchesGlob } from './glob.ts';
export {
  firstUnseen,
  findHiddenCharacterKind,
  hasHiddenCharacters,
  showInvisible,
  visibleName,
  withoutAnyUnseen,
  withoutUnseen,
} from './invisible-characters.ts';
export { findLookalike, findPathLookalike, oddCharacters, visibleCommand } from './lookalikes.ts';
export {
  clipText,
  codeSpan,
  inertPlain,
  neutraliseDescription,
  neutralisePersonalText,
  neutraliseText,
  type TextSignal,
  textSignals,
} from './public-text.ts';
export { asBytes, DOCUMENT_LIMIT, toVisibleText } from './visible-text.ts';
