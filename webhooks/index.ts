/** GitHub in: a signed receiver, hooks of campaigns, and the HTTP server that both share. */
export { sendJson, refuseRequest } from './answer-request.ts';
export {
  createCampaignHookRoute,
  type HookCall,
  type HookCaller,
  type HookParts,
  type IgnoredCall,
} from './campaign-hooks.ts';
export { COMMENT_FORMS, type CommentForm, createPostCommentRequest } from './post-comment-request.ts';
export { HOOK_SOURCES, type HookMapping, readHookOrder } from './order-from-hook.ts';
export type { HttpRefusal } from './delivery-headers.ts';
export { createDeliveryHandler } from './handle-delivery.ts';
export { closeServer, createHttpServer, type HttpHandler, type HttpRoute, listenOn } from './http-server.ts';
export { createBodyReader } from './read-body.ts';
export { createReceiver, REOPENED_EVENT, WEBHOOK_PATH } from './receiver.ts';
export { parseWebhookKey } from './standard-webhooks.ts';
export { createUnrelatedDeliveryCounter, type UnrelatedDeliveries } from './unrelated-deliveries.ts';
export { createSignatureVerifier, SHORTEST_SECRET, signPayload } from './verify-signature.ts';
