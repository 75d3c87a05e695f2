/** Trailers of commits and sign-offs. */
export { EMAIL_ADDRESS, nameProblem } from './git-ident.ts';
export {
  SignOff,
  type SignOffProblem,
  asksModel,
  asksSignOff,
  isMeantAsSignOff,
  isSignedOff,
  signOffKey,
  signOffProblem,
  trailersFor,
  withTrailers,
  withoutTrailers,
} from './trailers.ts';
