/** Trailers of commits and sign-offs. */
export { EMAIL_ADDRESS, findIdentNameProblem } from './git-ident.ts';
export {
  SignOff,
  type SignOffProblem,
  isModelNameRequired,
  isSignOffRequired,
  isMeantAsSignOff,
  isSignedOff,
  signOffKey,
  signOffProblem,
  requiredTrailers,
  withTrailers,
  withoutTrailers,
} from './trailers.ts';
