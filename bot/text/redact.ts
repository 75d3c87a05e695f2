/** C5: what hides secrets in the chat is what the policies judge by. */
export { redact } from '../../orchestrator/core/govern/secrets.ts';
