/** GitHub in: a signed receiver, hooks of campaigns, and the HTTP server that both share. */
export { answerJson, refuseRequest } from './answer-request.ts';
export {
  createHooks,
  type HookCall,
  type HookCaller,
  type HookParts,
  type IgnoredCall,
} from './campaign-hooks.ts';
export { COMMENT_FORMS, type CommentForm, commentRequest } from './comment-request.ts';
export { HOOK_SOURCES, type HookMapping, orderFromHook } from './order-from-hook.ts';
export type { HttpRefusal } from './delivery-headers.ts';
export { createDeliveryHandler } from './handle-delivery.ts';
export { closeServer, createHttpServer, type HttpHandler, type HttpRoute, listenOn } from './http-server.ts';
export { createBodyReader } from './read-body.ts';
export { createReceiver, REOPENED_EVENT, WEBHOOK_PATH } from './receiver.ts';
export { keyIn } from './standard-webhooks.ts';
export { createUnrelatedDeliveries, type UnrelatedDeliveries } from './unrelated-deliveries.ts';
export { createSignatureVerifier, SHORTEST_SECRET, signPayload } from './verify-signature.ts';
