/** Chooses the image of a box and those of its services, and has them there (E20). */
import {
  chooseImage,
  isAllowedImage,
  type ImageRefusal,
  type ImageSettings,
  type ImageStore,
  type RunnableImage,
} from './container-images.ts';
import type { ServiceImage } from './container-services.ts';
import type { BoxRequest } from './prepared-box.ts';

type BoxParts = { image: RunnableImage; services: readonly ServiceImage[] };

export const fetchBoxImages = async (
  images: ImageStore,
  { agentImage, ...settings }: ImageSettings,
  { kind, wish, network, signal }: BoxRequest,
): Promise<BoxParts | ImageRefusal> => {
  const own = kind === 'agent' ? agentImage : undefined;
  const chosen = own === undefined ? chooseImage(settings, wish) : { name: own };
  if ('says' in chosen) return chosen;
  const image = await images.fetch(chosen.name, signal);
  if ('says' in image) return image;
  const services: ServiceImage[] = [];
  // Services join the network of the box, which has to be one that nobody else is in.
  for (const service of network === 'shared' ? [] : (wish?.services ?? [])) {
    if (!isAllowedImage(service.image, settings.allowed))
      return {
        says: `The service ${service.name} needs the image ${service.image}. To allow it, add it to containers.allowed in agentpr.config.json.`,
      };
    const found = await images.fetch(service.image, signal);
    if ('says' in found) return found;
    services.push({ service, image: found });
  }
  return { image, services };
};
