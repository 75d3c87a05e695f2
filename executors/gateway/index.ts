/** The way out of boxes: listed hosts, package registries, and models without their key; billed and limited. */
export { selectNeededHosts } from './needed-hosts.ts';
export type { ShapeName } from './api-shapes.ts';
export {
  type BoxNetwork,
  toCommandNetwork,
  describeRefusedHosts,
  openBoxNetwork,
  toBoxNetwork,
} from './open-box-network.ts';
export { GatewaySettings } from './gateway-settings.ts';
export { type BoxNetworkMode, createGateway, type ModelGateway } from './gateway.ts';
export { HostPattern } from './listed-hosts.ts';
export { type ModelPrices, priceListVersion, findModelPrice } from './model-prices.ts';
export { registryNames } from './registry-names.ts';
export type { ProviderBudget } from './provider-rate-limit.ts';
export { type LimitOverrun, PROPOSER_HEADER } from './relay-model-request.ts';
